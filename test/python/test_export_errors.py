"""nm.ExportError: what was refused, where in the model, and all that was said.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from nm.exporting import lowering  # noqa: E402
from torch import nn  # noqa: E402


class Branches(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x  # branches


class Bessel(nn.Module):
    def forward(self, x):
        return torch.special.bessel_j0(x)  # bessel


class Inverse(nn.Module):
    def forward(self, x):
        return torch.linalg.inv(x)  # inverse


class Outer(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.layers = nn.ModuleList([inner])

    def forward(self, x):
        return self.layers[0](x) + 1


def line_of(comment):
    """The line of this file that ends with `comment`."""
    with open(__file__) as file:
        (line,) = [
            number
            for number, text in enumerate(file, 1)
            if text.endswith(f"# {comment}\n")
        ]
    return line


def refuse(model, x):
    with pytest.raises(nm.ExportError) as raised:
        nm.export(model, (x,))
    return raised.value


def test_torch_export():
    error = refuse(Outer(Branches()), torch.ones(2))
    assert (error.model, error.op) == ("Outer", "")
    assert (error.file, error.line) == (__file__, line_of("branches"))
    assert str(error).startswith("Outer: torch.export: GuardOnDataDependent")
    # Unabridged.
    assert str(error.__cause__) in error.details and error.details in str(error)
    assert len(error.details.splitlines()) > 3


def test_torch_mlirs_passes():
    error = refuse(Outer(Bessel()), torch.ones(2))
    assert (error.model, error.op) == ("Outer", "aten.special_bessel_j0")
    assert (error.file, error.line) == (__file__, line_of("bessel"))
    assert error.layer == "layers.0"
    first, *rest = str(error).splitlines()
    assert first == (
        "Outer: torch-mlir: aten.special_bessel_j0 is not supported; "
        f"at {__file__}:{error.line}, in layer layers.0"
    )
    assert "failed to legalize operation" in "".join(rest)
    assert error.__cause__ is not None


def test_torch_mlirs_importer():
    error = refuse(Outer(Inverse()), torch.eye(2))
    assert "with_effects" in error.op and error.layer == "layers.0"
    assert (error.file, error.line) == (__file__, line_of("inverse"))
    assert "NotImplementedError" in error.details


def call(function, *layers):
    """A model that computes `function` of its argument and of `layers`."""

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.ModuleList(layers)

        def forward(self, x):
            return function(x, *self.inner)

    return Model()


def loop(x, layer):
    from torch._higher_order_ops.while_loop import while_loop

    count = torch.zeros((), dtype=torch.int64)
    turn = lambda i, x: (i + 1, layer(x))  # noqa: E731
    return while_loop(lambda i, x: i < 4, turn, (count, x))


UNSUPPORTED = {
    "aten.polygamma": (call(lambda x: torch.polygamma(2, x)), torch.rand(4, 4)),
    "aten.diagonal_scatter": (
        call(lambda x: torch.diagonal_scatter(x, x[0])),
        torch.randn(4, 4),
    ),
    "aten.scatter.reduce": (
        call(lambda x: x.scatter(1, x.long(), x, reduce="add")),
        torch.rand(4, 4),
    ),
    "aten.put": (call(lambda x: x.put(x.long(), x)), torch.rand(4, 4)),
    "aten.cummax": (call(lambda x: (x + 1).cummax(0)[0] * 2), torch.rand(4, 4)),
    "aten.div.Tensor_mode": (call(lambda x: x // 3), torch.tensor([7], dtype=torch.int8)),
    "while_loop": (call(loop, nn.Linear(4, 4)), torch.randn(3, 4)),
}


@pytest.mark.parametrize("op", UNSUPPORTED)
def test_the_op_is_named_and_none_of_its_operands(op):
    error = refuse(*UNSUPPORTED[op])
    assert error.op == op
    assert op in str(error).splitlines()[0]


def test_remedies():
    error = refuse(*UNSUPPORTED["while_loop"])
    assert "loop in Python" in error.remedy
    assert error.remedy in str(error).splitlines()[0]
    assert "torch.where" in refuse(Outer(Branches()), torch.ones(2)).remedy


def test_remedies_for_models_of_transformers():
    need("transformers")
    import transformers

    sizes = dict(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        vocab_size=64,
        max_position_embeddings=32,
    )
    ids = torch.tensor([[1, 2, 3, 4]])
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes)).eval()
    assert "use_cache=False" in refuse(model, ids).remedy
    config = transformers.OlmoeConfig(
        **sizes, num_experts=4, num_experts_per_tok=2, pad_token_id=0, use_cache=False
    )
    config._experts_implementation = "eager"
    model = transformers.OlmoeModel(config).eval()
    assert 'experts_implementation="grouped_mm"' in refuse(model, ids).remedy
    # The remedy is one.
    model.set_experts_implementation("grouped_mm")
    nm.export(model, (ids,))


def test_tensors_without_data():
    x = torch.ones(1, 2)
    error = refuse(nn.Sequential(nn.Linear(2, 2, device="meta")), x)
    assert error.layer == "0" and "0.weight is on the meta device" in str(error)
    assert "to_empty" in error.remedy
    error = refuse(nn.Linear(2, 2), x.to("meta"))
    assert "argument [0] is on the meta device" in str(error)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_packed_weights():
    kinds = {nn.Linear, nn.LSTM}
    for inner, x in ((nn.Linear(4, 4), torch.ones(1, 4)), (nn.LSTM(4, 4), torch.ones(2, 1, 4))):
        model = torch.ao.quantization.quantize_dynamic(
            nn.Sequential(inner).eval(), kinds, dtype=torch.qint8
        )
        error = refuse(model, x)
        assert error.layer.startswith("0") and "is packed" in str(error)
        assert "quantize_dynamic" in error.remedy


@pytest.mark.parametrize("signal", ["SIGSEGV", "SIGABRT"])
def test_a_crash_of_torch_mlir_ends_no_other_process(signal, monkeypatch, tmp_path):
    # Python imports this at its start: in the process of torch-mlir's passes.
    crash = f"import os, signal; os.kill(os.getpid(), signal.{signal})"
    (tmp_path / "sitecustomize.py").write_text(crash)
    monkeypatch.syspath_prepend(str(tmp_path))
    error = refuse(nn.Linear(2, 2), torch.ones(1, 2))
    assert str(error).startswith(f"Linear: torch-mlir crashed ({signal})")


def test_what_is_not_mlir_is_refused():
    with pytest.raises(lowering.PassesFailed, match="expected"):
        lowering.run_passes("module {", "f", lowering.Signature([], [], [], [], []))


def test_weights_stay_in_this_process(monkeypatch):
    handed = []

    def run_passes(text, *others):
        handed.append(text)
        return passes(text, *others)

    passes = lowering.run_passes
    monkeypatch.setattr(lowering, "run_passes", run_passes)
    module = nm.export(nn.Linear(256, 256), (torch.ones(1, 256),))
    assert len(handed[0]) < 10_000 and len(module.text) < 10_000
    assert module.weights["weight"].shape == (256, 256)


def test_nothing_is_left_behind(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    nm.export(nn.Linear(2, 2), (torch.ones(1, 2),))
    refuse(Bessel(), torch.ones(2))
    assert not os.listdir(tmp_path)

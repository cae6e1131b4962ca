"""Converted models of ten architectures: all that is done with a model, and its numbers.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy
import io
import pickle

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
from sparse_models import MODELS, SEED, TOKENS, get_output, make  # noqa: E402

import nm  # noqa: E402
from nm.nn import Linear  # noqa: E402


@pytest.fixture(params=MODELS)
def converted(request):
    """A converted model, its inputs, and what the pruned dense one gives of them."""
    model, inputs = make(request.param)
    expected = get_output(model, inputs)
    report = nm.convert(model)
    assert len(report.layers) >= 8
    return model, inputs, expected


def is_close(got, expected):
    return torch.allclose(got, expected, atol=1e-5)


def test_copies_and_states(converted):
    model, inputs, expected = converted
    assert is_close(get_output(model, inputs), expected)
    assert is_close(get_output(copy.deepcopy(model), inputs), expected)
    assert is_close(get_output(pickle.loads(pickle.dumps(model)), inputs), expected)
    # A state goes into another converted model, and comes back from there.
    other = copy.deepcopy(model)
    for parameter in other.parameters():
        if parameter.is_floating_point():
            parameter.data.zero_()
    assert not is_close(get_output(other, inputs), expected)
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    other.load_state_dict(torch.load(file))
    assert is_close(get_output(other, inputs), expected)


def lengthen(inputs, length):
    """Inputs of so many tokens, or images."""
    return {
        name: one.repeat(length, 1, 1, 1)
        if one.dim() == 4
        else torch.randint(0, TOKENS, (2, length))
        for name, one in inputs.items()
    }


def test_a_graph_of_any_number_of_rows(converted):
    model, inputs, _ = converted
    torch.manual_seed(SEED)
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    for length in (7, 9, 5):
        longer = lengthen(inputs, length)
        assert is_close(get_output(compiled, longer), get_output(model, longer))
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] <= 2


def test_an_exported_model(converted):
    model, inputs, expected = converted
    # torch.export knows no cache as output.
    model.config.use_cache = False
    if "decoder_input_ids" in inputs:
        inputs = {**inputs, "use_cache": False}
    program = torch.export.export(model, (), inputs)
    assert is_close(program.module()(**inputs)[0], expected)
    calls = [str(node.target) for node in program.graph.nodes].count("nm.linear.default")
    joined = {one.joined or one.name for one in nm.report(model).layers}
    assert calls == len(joined)


@pytest.mark.parametrize("to", ["cpu", "disk"])
def test_offloading(converted, to, tmp_path):
    """accelerate brings each layer's weight when the layer is called."""
    need("accelerate")
    import accelerate

    model, inputs, expected = converted
    if to == "cpu":
        accelerate.cpu_offload(model, execution_device="cpu")
    else:
        accelerate.disk_offload(model, tmp_path, execution_device="cpu")
    for _ in range(2):
        assert is_close(get_output(model, inputs), expected)
    layers = [one for one in model.modules() if isinstance(one, Linear)]
    assert all(one.values.is_meta for one in layers)




def test_a_step_of_training_adapters(converted):
    need("peft")
    import peft

    model, inputs, _ = converted
    names = [name for name, one in model.named_modules() if isinstance(one, Linear)]
    dense = copy.deepcopy(model)
    for name in names:
        parent, _, last = name.rpartition(".")
        setattr(dense.get_submodule(parent), last, dense.get_submodule(name).to_dense())
    losses = []
    for one in (model, dense):
        config = peft.LoraConfig(target_modules=names, r=4, init_lora_weights=False)
        # What PEFT takes for a Linear that is none of torch's.
        config._register_custom_module({Linear: peft.tuners.lora.Linear})
        torch.manual_seed(SEED)
        adapted = peft.get_peft_model(one, config).eval()
        optimizer = torch.optim.SGD(
            [p for p in adapted.parameters() if p.requires_grad], lr=0.1
        )
        adapted(**inputs)[0].square().mean().backward()
        optimizer.step()
        assert all(p.grad is None for p in adapted.parameters() if not p.requires_grad)
        losses.append(get_output(adapted, inputs))
    assert torch.allclose(*losses, rtol=1e-4, atol=1e-4)
    assert not is_close(losses[0], converted[2])


@pytest.mark.parametrize("on_meta", [False, True])
def test_files(converted, on_meta, tmp_path):
    need("safetensors")
    model, inputs, expected = converted
    path = tmp_path / "model.safetensors"
    nm.save(model, path)
    stored = sum(one.nbytes for one in model.state_dict().values())
    assert path.stat().st_size <= stored + 50_000  # the header
    with torch.device("meta" if on_meta else "cpu"):
        again = type(model)(model.config).eval()
    if on_meta:
        give_buffers(again, model)
    assert nm.load(path, again) is again
    assert is_close(get_output(again, inputs), expected)
    assert nm.report(again).layers == nm.report(model).layers
    tied = [len({id(p) for _, p in one.named_parameters()}) for one in (model, again)]
    assert tied[0] == tied[1]
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]


def give_buffers(model, other):
    """Buffers that no state has, as transformers' from_pretrained makes them."""
    state = model.state_dict()
    for name, buffer in other.named_buffers():
        if name not in state and name in dict(model.named_buffers()):
            parent, _, last = name.rpartition(".")
            model.get_submodule(parent).register_buffer(last, buffer, persistent=False)

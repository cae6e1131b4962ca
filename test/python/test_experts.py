"""Experts as transformers writes them by default, and the ops that they are made of.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import warnings

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "transformers", "ml_dtypes")

import torch  # noqa: E402
from functions import Function, compare  # noqa: E402
import transformers as tf  # noqa: E402
import transformers.integrations.moe  # noqa: E402,F401  registers the op
from torch import nn  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:no layer is sparse:nm.DenseWarning")

BF16 = torch.bfloat16
ROWS = torch.export.Dim("rows", min=1, max=64)


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def count(bins, low, high, dtype=torch.float32):
    return Function(lambda x: torch.histc(x.to(dtype), bins, low, high))


@pytest.mark.parametrize("bins, low", [(1, 3), (2, 0), (7, -3), (300, 5)])
def test_counts_of_integers(bins, low):
    x = torch.randint(low - 3, low + bins + 3, (50,))
    if bins == 1:
        x[:] = low  # PyTorch's range is the data's own
    others = [(torch.full((1,), low),), (torch.arange(low, low + bins)[:64],)]
    dtype = torch.float64 if bins == 7 else torch.float32
    compare(count(bins, low, low + bins - 1, dtype), (x,), (({0: ROWS},),), others)


def test_counts_of_one_bin_by_default():
    compare(Function(lambda x: torch.histc(x.float(), 1)), (torch.tensor([[4, 5], [6, -7]]),))


@pytest.mark.parametrize(
    "model, x",
    [
        (count(4, 0, 3), torch.rand(5)),  # floats
        (count(5, 0, 3), torch.arange(4)),  # bins between integers
        (count(4, 0, 0), torch.arange(4)),  # a range of the data
        (count(4, 0, 3, torch.bfloat16), torch.arange(4)),  # 257 is 256
        (count(4096, 0, 4095), torch.arange(4)),  # PyTorch rounds to neighbors
    ],
    ids=["floats", "between", "open", "bf16", "many"],
)
def test_other_histograms_are_refused(model, x):
    with pytest.raises(nm.ExportError) as raised:
        nm.export(model, (x,))
    assert raised.value.op == "aten.histc"


class Grouped(nn.Module):
    """A product of groups of rows: PyTorch's for bf16, for f32 that of transformers."""

    def __init__(self, groups, k, n, dtype, transposed):
        super().__init__()
        shape = (groups, k, n) if transposed else (groups, n, k)
        self.weight = nn.Parameter(torch.randn(shape, dtype=dtype))
        self.transposed = transposed

    def forward(self, x, ends):
        weight = self.weight if self.transposed else self.weight.transpose(1, 2)
        if x.dtype == BF16:
            return torch._grouped_mm(x, weight, offs=ends)
        return torch.ops.transformers.grouped_mm_fallback(x, weight, ends)


@pytest.mark.parametrize(
    "ends, dtype, transposed",
    [
        ([9], torch.float32, False),
        ([4, 9], BF16, True),
        ([0, 0, 3, 3, 9, 9], torch.float32, True),
        ([0, 0, 3, 3, 9, 9], BF16, False),
        ([2, 7], torch.float32, False),
        ([2, 7], BF16, True),
        ([0, 0], torch.float32, True),
    ],
    ids=str,
)
def test_products_of_groups(ends, transposed, dtype):
    tolerance = {"rtol": 2e-2, "atol": 2e-2} if dtype == BF16 else {}
    model = Grouped(len(ends), 32, 16, dtype, transposed)
    args = torch.randn(9, 32, dtype=dtype), torch.tensor(ends, dtype=torch.int32)
    # Past the last end PyTorch has what the memory held, and transformers zeros.
    compare(model, args, rows=ends[-1] if dtype == BF16 else None, **tolerance)


def test_products_of_a_dynamic_number_of_rows():
    model = Grouped(3, 32, 16, torch.float32, False)
    ends = torch.tensor([2, 2, 5], dtype=torch.int32)
    others = [(torch.randn(1, 32), ends.clamp(max=1)), (torch.randn(64, 32), ends)]
    compare(model, (torch.randn(5, 32), ends), ({0: ROWS}, None), others)


def test_products_of_as_many_matrices_as_weights():
    model = Function(lambda x: torch._grouped_mm(x, model.weight))
    model.weight = nn.Parameter(torch.randn(3, 32, 16, dtype=BF16))
    compare(model, (torch.randn(3, 8, 32, dtype=BF16),), rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize(
    "x, weight", [((16, 16), (16, 32)), ((2, 16, 16), (16, 32))], ids=["k", "columns"]
)
def test_groups_of_other_dimensions_are_refused(x, weight):
    model = Function(lambda x, weight, ends: torch._grouped_mm(x, weight, offs=ends))
    args = torch.randn(x, dtype=BF16), torch.randn(weight, dtype=BF16)
    with pytest.raises(nm.ExportError) as raised:
        nm.export(model, (*args, torch.tensor([8, 16], dtype=torch.int32)))
    assert "aten._grouped_mm" in raised.value.op


def make_experts(count, best, layers=1, cls="Olmoe", **more):
    sizes = dict(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=layers,
        num_attention_heads=2,
        num_key_value_heads=2,
        vocab_size=64,
        max_position_embeddings=32,
        pad_token_id=0,
        eos_token_id=2,
        use_cache=False,
        num_experts_per_tok=best,
    )
    name = "num_local_experts" if cls == "GptOss" else "num_experts"
    config = getattr(tf, cls + "Config")(**{**sizes, **more, name: count})
    return getattr(tf, cls + "Model")(config).eval()


@pytest.mark.parametrize(
    "experts, best", [(1, 1), (2, 2), (5, 1), (8, 3)], ids=lambda one: str(one)
)
def test_default_experts(experts, best):
    """Few tokens for many experts: some have no rows."""
    block = make_experts(experts, best).layers[0].mlp
    assert block.experts.config._experts_implementation == "grouped_mm"
    for parameter in block.parameters():
        nn.init.normal_(parameter, std=0.2)
    others = [(torch.randn(1, tokens, 32),) for tokens in (1, 17)]
    compare(block, (torch.randn(1, 4, 32),), ({1: ROWS},), others, ("cpu", "emulator"))


def test_a_layer_of_pruned_experts_has_one_warning():
    model = make_experts(4, 2, layers=2)
    report = nm.prune(model, 2, 4)
    program = Function(lambda ids: model(ids)[0])
    program.model = model
    module = nm.export(program, (torch.tensor([[1, 2, 3, 4]]),))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        compiled = nm.compile(module)
    texts = [str(one.message) for one in told if one.category is nm.DenseWarning]
    layers = [f"layer `model.layers.{index}.mlp.experts`" for index in range(2)]
    assert [text.split(" is computed densely")[0] for text in texts] == layers
    assert all("which of 4 weights is taken is known only at run time" in text for text in texts)
    assert report.pruned and compiled.report["products"]

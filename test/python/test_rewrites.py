"""What nm.export writes in other ops, for torch-mlir gets it wrong or refuses it.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from functions import DEVICES, Function, compare  # noqa: E402
from torch import nn  # noqa: E402

Dim = torch.export.Dim


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


@pytest.mark.parametrize(
    "x",
    [
        torch.tensor([0.0, 2.0, -0.0, -4.0]),
        torch.tensor([0.0, 2.0]).double(),
        torch.tensor([0.0, 4.0]).half(),
        torch.tensor([0.0, 4.0]).bfloat16(),
        torch.tensor(0.0),
        torch.tensor([0, 2, -1]),
        torch.tensor([0, 200], dtype=torch.uint8),
        torch.tensor([False, True]),
    ],
    ids=lambda x: f"{x.dtype}-{x.ndim}",
)
@pytest.mark.parametrize(
    "body", [lambda x: 1 / x, lambda x: 3 / x, torch.reciprocal], ids=["1", "3", "reciprocal"]
)
def test_reciprocals_of_zero(body, x):
    compare(Function(body), (x,))


def test_reciprocals_of_zero_that_are_constant():
    zeros = nn.Buffer(torch.tensor([0.0, 2.0, -0.0]))
    model = Function(lambda x: x + 1 / model.zeros)
    model.zeros = zeros
    compare(model, (torch.ones(3),))


def write_rows(x, index, value):
    x = x.clone()
    x[index] = value
    return x


def write_columns(x, index, value):
    x = x.clone()
    x[:, index] = value
    return x


def add_elements(x, index, value):
    return torch.index_put(x, (index, index // 2), value, accumulate=True)


AT = torch.tensor([-1, 2])
MANY = Dim("many", min=2, max=64)


@pytest.mark.parametrize(
    "body, value, shapes, other",
    [
        (write_rows, torch.ones(2, 4), None, None),
        (write_rows, torch.ones(2, 4), (({0: MANY}, None, None),), (7, 2)),
        (write_columns, torch.ones(5, 2), None, None),
        (write_columns, torch.ones(5, 2), (({0: MANY}, None, {0: MANY}),), (7, 7)),
        (add_elements, torch.ones(2), None, None),
        (lambda x, index, value: x.index_fill(0, index, 3.0), torch.ones(2), None, None),
    ],
    ids=["rows", "rows-dynamic", "columns", "columns-dynamic", "accumulate", "fill"],
)
def test_writes_that_count_from_the_back(body, value, shapes, other):
    x = torch.arange(20.0).reshape(5, 4)
    others = []
    if other:
        rows, values = other
        others.append((torch.randn(rows, 4), AT, torch.randn(values, *value.shape[1:])))
    compare(Function(body), (x, AT, value), shapes, [*others, (x, torch.tensor([-4, -2]), value)])


def test_reads_and_writes_at_int32():
    x, at = torch.randn(5, 4), AT.int()
    compare(Function(write_rows), (x, at, torch.ones(2, 4)))
    compare(Function(write_columns), (x, at, torch.ones(5, 2)))
    compare(Function(lambda x, at: x[:, at]), (x, at))
    compare(Function(lambda x, at: x[at]), (x, at))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("index", [5, -6, -11, 2**40, -(2**40)])
def test_writes_out_of_range_are_refused(index, device):
    args = torch.zeros(5, 4), torch.tensor([0]), torch.ones(1, 4)
    module = nm.export(Function(write_rows), args)
    with pytest.raises(nm.Error, match="expected indices within dimension 0"):
        nm.run(module, args[0], torch.tensor([index]), args[2], device=device)


@pytest.mark.parametrize("write", [torch.index_copy, torch.index_add])
def test_what_pytorch_does_not_count_from_the_back_is_refused(write):
    args = torch.zeros(5, 4), torch.tensor([0]), torch.ones(1, 4)
    model = Function(lambda x, index, value: write(x, 0, index, value))
    module = nm.export(model, args)
    with pytest.raises((IndexError, RuntimeError)):
        model(args[0], torch.tensor([-1]), args[2])
    with pytest.raises(nm.Error, match="expected indices within dimension 0"):
        nm.run(module, args[0], torch.tensor([-1]), args[2])


SCATTERS = {
    "source": lambda x, index, value, dim: x.scatter(dim, index, value),
    "number": lambda x, index, value, dim: x.scatter(dim, index, 2.0),
    "add": lambda x, index, value, dim: x.scatter_add(dim, index, value),
    "sum": lambda x, index, value, dim: x.scatter_reduce(dim, index, value, "sum"),
    "amax": lambda x, index, value, dim: x.scatter_reduce(
        dim, index, value, "amax", include_self=False
    ),
}


@pytest.mark.parametrize("dim", [-1, -2, -3])
@pytest.mark.parametrize("name", SCATTERS)
def test_scatter_along_negative_dimensions(name, dim):
    x, value = torch.randn(3, 4, 5), torch.randn(3, 4, 5)
    # A permutation: PyTorch does not say which of two writes to an element stays.
    index = torch.randn(3, 4, 5).argsort(dim)
    model = Function(lambda x, index, value: SCATTERS[name](x, index, value, dim))
    compare(model, (x, index, value))


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize(
    "sizes, dims",
    [
        ((2, 32, 4, 6), {0: "b"}),
        ((2, 32, 4, 6), {3: "w"}),
        ((2, 32, 4, 6), {0: "b", 3: "w"}),
        ((2, 32, 4, 6), {0: "b", 2: "h", 3: "w"}),
        ((2, 32, 6), {0: "b", 2: "t"}),
        ((2, 32), {0: "b"}),
    ],
    ids=["batch", "width", "batch-width", "batch-height-width", "1d", "0d"],
)
@pytest.mark.parametrize("groups", [1, 4, 16])
def test_group_norm_of_dynamic_sizes(groups, sizes, dims, affine):
    # A group of nearly equal elements would be rounding errors, 300 times as large.
    torch.manual_seed(0)
    model = nn.GroupNorm(groups, 32, affine=affine)
    if affine:
        nn.init.normal_(model.weight)
        nn.init.normal_(model.bias)
    x = torch.randn(sizes)
    larger = [n + 3 if i in dims else n for i, n in enumerate(sizes)]
    shapes = ({i: Dim(name, min=2, max=64) for i, name in dims.items()},)
    # A group of one element is 0 / sqrt(eps), and PyTorch's own sums are off by the
    # 316 times that this takes the rounding of the element.
    compare(model, (x,), shapes, [(torch.randn(larger),)], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "good, bad",
    [(torch.ones(4), torch.tensor([1.0, 1.0, 2.0, 0.0])), (torch.ones(1), torch.zeros(1))],
)
def test_checks_of_all_elements(good, bad):
    """As the vision models of transformers check the images that they are given."""

    def body(x):
        torch._check_tensor_all(x == 1)
        return x + 1

    compare(Function(body), (good,))
    module = nm.export(Function(body), (good,))
    for device in DEVICES:
        with pytest.raises(nm.Error, match="assertion failed"):
            nm.run(module, bad, device=device)


@pytest.mark.parametrize(
    "sizes, to",
    [((8, 8), 3), ((7, 5), (4, 5)), ((5, 9), (None, 2)), ((4, 6), (6, 7)), ((9, 8), (1, 3))],
    ids=str,
)
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic batch"])
def test_adaptive_max_pool_of_uneven_windows(sizes, to, dynamic):
    model = nn.AdaptiveMaxPool2d(to)
    x = torch.randn(2, 3, *sizes)
    if dynamic:
        compare(model, (x,), ({0: MANY},), [(torch.randn(5, 3, *sizes),)])
    else:
        compare(model, (x,))
        compare(model, (x[0],))
    compare(Function(lambda x: nn.AdaptiveMaxPool2d(to, return_indices=True)(x)[1]), (x,))


def test_adaptive_max_pool_of_one_dimension():
    compare(nn.AdaptiveMaxPool1d(3), (torch.randn(2, 3, 8),))
    compare(nn.AdaptiveMaxPool1d(4), (torch.randn(2, 3, 8),))


def test_adaptive_max_pool_of_dynamic_windows_is_refused():
    with pytest.raises(nm.ExportError, match="extents that are dynamic.*static") as raised:
        shapes = ({2: MANY},)
        nm.export(nn.AdaptiveMaxPool2d(3), (torch.randn(2, 3, 8, 8),), dynamic_shapes=shapes)
    assert raised.value.op == "aten.adaptive_max_pool2d" and raised.value.line


class FakeQuantized(nn.Module):
    def __init__(self, axis=None, zero=0, dtype=torch.int32):
        super().__init__()
        self.linear, self.axis = nn.Linear(64, 32), axis
        count = 1 if axis is None else (32, 64)[axis]
        self.scale = nn.Buffer(torch.rand(count) * 0.01 + 0.002)
        self.zero = nn.Buffer(torch.full((count,), zero, dtype=dtype))

    def forward(self, x):
        args = self.linear.weight, self.scale, self.zero
        if self.axis is None:
            weight = torch.fake_quantize_per_tensor_affine(*args, -8, 7)
        else:
            weight = torch.fake_quantize_per_channel_affine(*args, self.axis, -8, 7)
        return nn.functional.linear(x, weight, self.linear.bias)


@pytest.mark.parametrize(
    "model",
    [
        FakeQuantized(0),
        FakeQuantized(1, 3),
        FakeQuantized(0, 1.5, torch.float32),
        FakeQuantized(None),
        FakeQuantized(None, -2),
    ],
    ids=["rows", "columns", "zero of floats", "one", "one-zero"],
)
def test_fake_quantization(model):
    compare(model, (torch.randn(4, 64),), rtol=1e-4, atol=1e-5)


def test_a_pruned_weight_stays_sparse_when_quantized_by_channels():
    model = FakeQuantized(0).eval()
    nm.prune(model, 2, 4)
    report = nm.compile(nm.export(model, (torch.randn(4, 64),))).report
    assert [one["raised"] for one in report["products"]] == [True]


@pytest.mark.parametrize("mode, to", [("bilinear", 2), ("bilinear", (7, 1)), ("bicubic", (9, 4))])
def test_resizing_of_dynamic_sizes_by_corners(mode, to):
    def body(x):
        if isinstance(to, int):
            size = {"scale_factor": to}
        else:
            size = {"size": (x.shape[2] + to[0], x.shape[3] * to[1])}
        return nn.functional.interpolate(x, **size, mode=mode, align_corners=True)

    shapes = (({2: MANY, 3: Dim("columns", min=2, max=64)},),)
    others = [(torch.randn(1, 2, rows, columns),) for rows, columns in ((2, 2), (13, 6))]
    compare(Function(body), (torch.randn(1, 2, 4, 7),), shapes, others, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("recompute", [False, True], ids=["given", "recomputed"])
@pytest.mark.parametrize("scale", [2.0, (1.5, 2.75), (0.5, 0.75)], ids=str)
@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
def test_resizing_of_dynamic_sizes_by_factors(mode, scale, recompute):
    """The sizes of the result are truncated."""

    def body(x):
        options = {"scale_factor": scale, "recompute_scale_factor": recompute}
        return nn.functional.interpolate(x, mode=mode, **options)

    shapes = (({2: Dim("rows", min=4, max=64), 3: Dim("columns", min=4, max=64)},),)
    others = [(torch.randn(1, 2, rows, columns),) for rows, columns in ((4, 4), (13, 6))]
    compare(Function(body), (torch.randn(1, 2, 5, 7),), shapes, others, rtol=1e-4, atol=1e-4)

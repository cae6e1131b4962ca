"""nm.export: the traps of torch.export and torch-mlir, and what is refused.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from nm.exporting.rewrites.reshapes import group_dimensions  # noqa: E402
from torch import nn  # noqa: E402

Dim = torch.export.Dim


class Function(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, *args):
        return self.body(*args)


def run(module, *args):
    return nm.run(module, *args, device="cpu")


def test_gelu_of_tanh_is_pytorchs():
    # torch-mlir's own constant is off by 2e-4 of itself.
    gelu = nn.GELU(approximate="tanh")
    x = torch.linspace(-6, 6, 1001)
    (y,) = run(nm.export(gelu, (x,)), x)
    assert (y - gelu(x.double())).abs().max() < 2e-6


def test_the_constant_elsewhere_stays():
    body = Function(lambda x: (torch.tanh(x * 0.5) + 0.797724, x * 0.797724))
    x = torch.linspace(-2, 2, 9)
    for actual, expected in zip(run(nm.export(body, (x,)), x), body(x)):
        torch.testing.assert_close(actual, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "body",
    [
        Function(nn.Linear(8, 6)),
        Function(lambda x: x.flatten()),
        Function(lambda x: x.view(-1, 2, 4).transpose(0, 1).contiguous()),
        Function(lambda x: x.reshape(x.shape[0] * x.shape[1], 1, 8, 1)),
        Function(lambda x: x.view(*x.shape[:2], 2, 4).transpose(1, 2).reshape(-1, 4)),
    ],
    ids=["linear", "flatten", "split", "ones", "heads"],
)
def test_views_of_two_dynamic_sizes(body):
    dims = {0: Dim("batch", min=2, max=64), 1: Dim("tokens", min=2, max=64)}
    module = nm.export(body, (torch.randn(3, 5, 8),), dynamic_shapes=((dims,),))
    for batch, tokens in ((3, 5), (2, 9), (7, 2)):
        x = torch.randn(batch, tokens, 8)
        with torch.no_grad():
            expected = body(x)
        torch.testing.assert_close(run(module, x)[0], expected)


@pytest.mark.parametrize("pads", [(0, 0, 1, -1), (-2, 3), (-1, -2, 0, 0, -1, 2)])
def test_negative_padding_crops(pads):
    body = Function(lambda x: nn.functional.pad(x, pads, value=0.5))
    dims = {1: Dim("tokens", min=4, max=64)}
    module = nm.export(body, (torch.randn(2, 6, 8),), dynamic_shapes=((dims,),))
    for tokens in (6, 9):
        x = torch.randn(2, tokens, 8)
        assert torch.equal(run(module, x)[0], body(x))


@pytest.mark.parametrize(
    "before, after, groups",
    [
        ((2, 3, 4), (6, 4), [((0, 2), (0, 1)), ((2, 3), (1, 2))]),
        ((6, 4), (2, 3, 4), [((0, 1), (0, 2)), ((1, 2), (2, 3))]),
        ((4, 6), (6, 4), [((0, 2), (0, 2))]),
        ((5, 1), (5,), [((0, 2), (0, 1))]),
        ((5,), (1, 5, 1), [((0, 1), (0, 3))]),
        ((5, 6), (30, 2), None),
        ((), (1,), None),
    ],
)
def test_groups_of_dimensions(before, after, groups):
    assert group_dimensions(before, after) == groups


def test_buffers_that_are_not_saved():
    class Table(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("table", torch.randn(4), persistent=False)

        def forward(self, x):
            return x * self.table

    model, x = Table(), torch.randn(2, 4)
    (y,) = run(nm.export(model, (x,)), x)
    torch.testing.assert_close(y, model(x))
    assert not model.state_dict()  # as it was


def test_constants_in_lists():
    class Gather(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("index", torch.tensor([2, 0, 1]))
            self.row = nn.Parameter(torch.randn(1, 4))

        def forward(self, x):
            return torch.cat([x[self.index], self.row])

    model, x = Gather(), torch.randn(3, 4)
    (y,) = run(nm.export(model, (x,)), x)
    torch.testing.assert_close(y, model(x).detach())


def test_the_mode_of_modules_stays():
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
    model[0].eval()
    nm.export(model, (torch.randn(2, 4),))
    assert [module.training for module in model.modules()] == [True, False, True]


def test_arguments_written_in_place_come_first():
    model = Function(lambda x, cache: cache.add_(x).sum())
    x, cache = torch.ones(3), torch.arange(3.0)
    new, total = run(nm.export(model, (x, cache)), x, cache)
    assert new.tolist() == [1, 2, 3] and total == 6


def test_what_is_no_tensor_is_a_constant():
    model = Function(lambda x, k, flag, y: (x.sum(k), None) if flag else y)
    x = torch.arange(6.0).view(2, 3)
    module = nm.export(model, (x, 1, True, None))
    assert len(module.inputs) == 1 and module.results == ("output0",)
    assert torch.equal(run(module, x)[0], x.sum(1))


@pytest.mark.parametrize("largest", [True, False])
def test_topk_in_any_order(largest):
    body = Function(lambda x: x.topk(3, dim=0, largest=largest, sorted=False))
    x = torch.randn(7, 2)
    values, places = run(nm.export(body, (x,)), x)
    assert torch.equal(values, x.topk(3, dim=0, largest=largest).values)
    assert torch.equal(x.gather(0, places), values)


def test_arguments_of_export():
    with pytest.raises(nm.ExportError, match=r"expected a tuple, .*write \(x,\)"):
        nm.export(nn.Linear(4, 4), torch.ones(2, 4))
    with pytest.raises(
        nm.ExportError, match="expected a torch.nn.Module, got NoneType"
    ):
        nm.export(None, ())


class Weighted(nn.Module):
    """Each argument, the weight and the buffer with a factor of its own."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.register_buffer("bias", torch.full((3,), 2.0))

    def forward(self, first, *, second, more):
        arguments = first + 10 * second + 100 * more["key"][0] + 1000 * more["key"][1]
        return arguments + 10000 * self.weight + 100000 * self.bias


@pytest.mark.parametrize("strict", [False, True])
def test_arguments_that_are_one_tensor(strict):
    """torch.export takes them for one argument."""
    model, x = Weighted().eval(), torch.ones(3)
    more = {"key": [model.weight, model.bias]}
    module = nm.export(model, (x,), {"second": x, "more": more}, strict=strict)
    inputs = [torch.full((3,), float(value)) for value in (1, 2, 3, 4)]
    assert nm.run(module, *inputs, device="cpu")[0].tolist() == [214321.0] * 3


class Sizes(nn.Module):
    def forward(self, x):
        return 5, x.shape[0]


def test_results_that_are_python_numbers():
    x = torch.ones(3)
    results = nm.run(nm.export(Sizes().eval(), (x,)), x, device="cpu")
    assert [int(value) for value in results] == [5, 3]

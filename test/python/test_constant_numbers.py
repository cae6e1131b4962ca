"""Ops on constant numbers: torch computes them, and torch-mlir folds none wrongly."""

import pytest
from conftest import need

need("torch", "torch_mlir")

import nm  # noqa: E402
import torch  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::nm.DenseWarning")

OPS = {
    "greater": lambda a: (a > 1).float(),
    "less": lambda a: (a < -1).float(),
    "equal": lambda a: (a == -1.7).float(),
    "sign": torch.sign,
    "remainder": lambda a: a % -1.5,
    "int64 remainder": lambda a: ((a * 40).to(torch.int64) % 7).float(),
    "floor division": lambda a: a // 0.4,
    "int8": lambda a: (a * 100 / a.abs()).to(torch.int8).float(),
    "uint8": lambda a: (a * a * 10).to(torch.uint8).float(),
    "bool": lambda a: (a - 3).bool().float(),
    "trunc": torch.trunc,
    "round": torch.round,
    "softplus": torch.nn.functional.softplus,
    "clamp": lambda a: a.clamp(-1, 2),
    "where": lambda a: torch.where(a > 0, a, a.abs() + 1),
    "relu": torch.relu,
    "rsqrt": lambda a: a.abs().rsqrt(),
    "pow": lambda a: a.abs() ** -1.3,
    "max": lambda a: torch.maximum(a, -a),
}


class Scaled(torch.nn.Module):
    """x times ops on a learned number, or on what is made of one."""

    def __init__(self, value, make):
        super().__init__()
        self.make = make
        self.a = torch.nn.Parameter(torch.tensor(value))

    def forward(self, x):
        made = [op(self.make(self.a, x)) for op in OPS.values()]
        return torch.stack([x * one for one in made])


MAKERS = {
    "a scalar": lambda a, x: a,
    "one element": lambda a, x: a.view(1),
    "a matrix": lambda a, x: a.view(1, 1),
    "expanded": lambda a, x: a.expand(4),
    "repeated": lambda a, x: a.view(1).repeat(4),
    "filled": lambda a, x: torch.full((4,), -1.7),
    "like": lambda a, x: torch.full_like(x, 1.7),
    "of the code": lambda a, x: torch.tensor(-1.7),
    "ones": lambda a, x: x.new_ones(4) * -1.7,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
@pytest.mark.parametrize("value", [1.7, -1.7, 3.0])
def test_numbers(make, value):
    model = Scaled(value, make).eval()
    x = torch.tensor([[1.0, 2.0, -1.0, 0.5]] * 3)
    (y,) = nm.compile(nm.export(model, (x,)), cache=False)(x)
    expected = model(x).detach()
    for name, one, other in zip(OPS, y, expected):
        assert torch.allclose(one, other, rtol=1e-5, atol=1e-6), name


def test_many_numbers_of_bool():
    """torch-mlir's importer knows a number by the address of a copy that it frees."""

    class Choices(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for i in range(300):
                self.register_buffer(f"b{i}", torch.tensor(i % 3 == 0).reshape([1] * (i % 2)))

        def forward(self, x):
            return torch.stack([torch.where(getattr(self, f"b{i}"), x + 1, x - i) for i in range(300)])

    model, x = Choices(), torch.arange(4.0)
    (got,) = nm.run(nm.export(model, (x,)), x, device="cpu")
    assert torch.equal(got, model(x))

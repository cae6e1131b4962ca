"""nm.export: complex arithmetic inside a model becomes real.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from torch import nn  # noqa: E402


class Rotary(nn.Module):
    """Angles computed as in DeepSeek-V2, or kept as in the first Llama."""

    def __init__(self, kept):
        super().__init__()
        frequencies = 1 / 100 ** (torch.arange(4) / 4)
        angles = torch.outer(torch.arange(6.0), frequencies)
        self.register_buffer("angles", angles)
        turns = torch.polar(torch.ones_like(angles), angles) if kept else None
        self.register_buffer("turns", turns, persistent=False)

    def forward(self, x):
        turns = self.turns
        if turns is None:
            turns = torch.polar(torch.ones_like(self.angles), self.angles) * 0.5
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * turns[None, :, None]).flatten(3)


def check(model, *args):
    """Compares with PyTorch, on the CPU and the emulator; returns the module."""
    module = nm.export(model, args)
    with torch.no_grad():
        expected = model(*args)
    expected = [expected] if isinstance(expected, torch.Tensor) else expected
    for device in ("cpu", "emulator"):
        for actual, wanted in zip(nm.run(module, *args, device=device), expected):
            torch.testing.assert_close(actual, wanted, rtol=1e-5, atol=1e-5)
    return module


@pytest.mark.parametrize("kept", [False, True])
def test_rotary_embeddings(kept):
    module = check(Rotary(kept), torch.randn(2, 6, 3, 8))
    assert "complex<" not in module.text


class Function(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, *args):
        return self.body(*args)


PAIR = torch.view_as_complex
BODIES = {
    "sums": lambda x, y: (PAIR(x) + PAIR(y) - 2 + x[:, 0]).real,
    "difference with a real": lambda x, y: (x[:, 0] - PAIR(y)).imag,
    "products": lambda x, y: (PAIR(x) * PAIR(y) * 3 * x[:, 1] * (1 - 2j)).imag,
    "a number times": lambda x, y: (x[:, 0] * 2j * PAIR(y)).real,
    "quotients": lambda x, y: (PAIR(x) / 2 / (1 + y[:, 0] ** 2)).real,
    "conjugate": lambda x, y: (-PAIR(x).conj() * PAIR(y)).imag,
    "angle": lambda x, y: (PAIR(x) * PAIR(y)).angle(),
    "moves": lambda x, y: torch.view_as_real(
        torch.cat([PAIR(x)[1:], PAIR(y)[:3]]).reshape(2, 3).t()[None].flip(1)
    ),
    "made of parts": lambda x, y: torch.view_as_real(torch.complex(x, y)[0] * 1j),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_ops(body):
    module = check(Function(body), torch.randn(4, 2), torch.randn(4, 2))
    assert "complex<" not in module.text


def test_what_is_not_known_stays_complex():
    body = Function(lambda x: (PAIR(x) * 2).reciprocal().real)
    try:
        text = nm.export(body, (torch.randn(4, 2),)).text
    except nm.ExportError as error:
        text = error.details
    assert "complex<f32>" in text

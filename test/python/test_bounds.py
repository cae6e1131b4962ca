"""Bounds of dynamic dimensions are kept at the call (python/nm/exporting/bounds.py).

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from torch import nn  # noqa: E402

Dim = torch.export.Dim


class Sum(nn.Module):
    def forward(self, x, y):
        return x[:, :-1] + y


@pytest.mark.parametrize("device", ["cpu", "emulator"])
@pytest.mark.parametrize(
    "dim, good, bad, said",
    [
        (Dim("n", min=2, max=16), (2, 16), (0, 1, 17), "at least 2 and at most 16"),
        (Dim("n", max=5), (1, 5), (6,), "at most 5"),
        (Dim("n", min=3), (3, 100), (2,), "at least 3"),
        (Dim("n"), (0, 1, 100), (), ""),
    ],
    ids=["both", "max", "min", "none"],
)
def test_bounds(dim, good, bad, said, device):
    model = nn.Linear(8, 4).eval()
    module = nm.export(model, (torch.randn(4, 8),), dynamic_shapes=({0: dim},))
    assert not nm.compile(module).functions["forward"].waits
    for size in good:
        x = torch.randn(size, 8)
        (y,) = nm.run(module, x, device=device)
        torch.testing.assert_close(y, model(x).detach(), rtol=1e-4, atol=1e-5)
    for size in bad:
        message = f"argument input: expected a size of {said} in dimension 0"
        with pytest.raises(nm.Error, match=message):
            nm.run(module, torch.randn(size, 8), device=device)


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_bounds_of_sums(device):
    shapes = ({1: Dim("tokens", min=3, max=9)}, {1: Dim("tokens", min=3, max=9) - 1})
    args = torch.randn(4, 8), torch.randn(4, 7)
    module = nm.export(Sum(), args, dynamic_shapes=shapes)
    for size in (3, 9):
        given = torch.randn(4, size), torch.randn(4, size - 1)
        (y,) = nm.run(module, *given, device=device)
        torch.testing.assert_close(y, Sum()(*given))
    assert "argument x: expected a size of at least 3 and at most 9" in module.text
    # That of x or that of y, whichever comes first.
    for size in (2, 10):
        with pytest.raises(nm.Error, match="argument [xy]: expected a size of .* in dimension 1"):
            nm.run(module, torch.randn(4, size), torch.randn(4, size - 1), device=device)


@pytest.mark.parametrize("given", [None, "a", b"a", {}, object()], ids=lambda x: type(x).__name__)
def test_what_is_no_array_is_called_so(given):
    program = nm.compile(nm.export(nn.Linear(8, 4).eval(), (torch.randn(4, 8),)))
    what = "None" if given is None else f"a {type(given).__name__}"
    said = f"(input): expected a tensor or an array of f32, got {what}"
    with pytest.raises(nm.Error, match=re.escape(said)):
        program(given)

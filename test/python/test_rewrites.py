"""What nm.export writes in other ops, for torch-mlir gets it wrong or refuses it.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from torch import nn  # noqa: E402

Dim = torch.export.Dim
DEVICES = ("cpu", "emulator")


class Function(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, *args):
        return self.body(*args)


def compare(model, args, shapes=None, others=(), **tolerance):
    """Against PyTorch, for the arguments of the export and for `others`."""
    module = nm.export(model.eval(), args, dynamic_shapes=shapes)
    for device in DEVICES:
        for given in (args, *others):
            expected = model(*(one.clone() for one in given))
            (got,) = nm.run(module, *given, device=device)
            torch.testing.assert_close(got, expected.detach(), **tolerance)


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

"""Functions as modules, and their results against PyTorch's.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Imported after `need("torch", "torch_mlir")`.
"""

import nm
import torch
from torch import nn

DEVICES = ("cpu", "emulator")


class Function(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, *args):
        return self.body(*args)


def compare(model, args, shapes=None, others=(), devices=DEVICES, rows=None, **tolerance):
    """Against PyTorch, for the arguments of the export and for `others`; only the first
    `rows` rows of the result, where the rest may be anything."""
    module = nm.export(model.eval(), args, dynamic_shapes=shapes)
    for device in devices:
        for given in (args, *others):
            with torch.no_grad():
                expected = model(*(one.clone() for one in given))
            (got,) = nm.run(module, *given, device=device)
            if rows is not None:
                got, expected = got[:rows], expected[:rows]
            torch.testing.assert_close(got, expected, **tolerance)

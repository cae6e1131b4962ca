"""uint8 keeps its sign from export to results (`nm.unsigned`,
python/nm/exporting/rewrites/unsigned.py).

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import numpy as np
import pytest
from conftest import need

need("torch", "torch_mlir")

import nm  # noqa: E402
import torch  # noqa: E402
from nm.runtime.tools import run_tool  # noqa: E402

DEVICES = ("cpu", "emulator")
X = torch.tensor([200, 7, 255, 0], dtype=torch.uint8)
Y = torch.tensor([100, 9, 1, 0], dtype=torch.uint8)

OPS = {
    "abs": lambda x, y: x.abs(),
    "add": lambda x, y: x + y,
    "add-float": lambda x, y: x + y.float(),
    "add-i32": lambda x, y: x + y.int(),
    "add-i8": lambda x, y: x + y.to(torch.int8),
    "amax": lambda x, y: x.reshape(2, 2).amax(1),
    "and": lambda x, y: x & y,
    "any": lambda x, y: x.any(),
    "argmax": lambda x, y: x.argmax(),
    "bool": lambda x, y: x.bool(),
    "cat": lambda x, y: torch.cat([x, y]),
    "clamp": lambda x, y: x.clamp(3, 201),
    "cumsum": lambda x, y: x.cumsum(0),
    "div": lambda x, y: x / (y + 1),
    "div-number": lambda x, y: x / 2,
    "div-trunc": lambda x, y: torch.div(x, 3, rounding_mode="trunc"),
    "floor-divide": lambda x, y: x // (y + 1),
    "from-float": lambda x, y: (x.float() / 2 + 0.5).to(torch.uint8),
    "from-i64": lambda x, y: (x.long() * 3).to(torch.uint8),
    "full": lambda x, y: torch.full_like(x, 200) + x,
    "greater": lambda x, y: x > y,
    "greater-number": lambda x, y: x > 100,
    "half": lambda x, y: x.half(),
    "max": lambda x, y: x.max(),
    "maximum": lambda x, y: torch.maximum(x, y),
    "min": lambda x, y: x.min(),
    "mul": lambda x, y: x * 2,
    "neg": lambda x, y: -x,
    "not": lambda x, y: ~x,
    "prod": lambda x, y: x.prod(),
    "remainder": lambda x, y: x % (y + 1),
    "shift": lambda x, y: (x >> 1) + (x << 1),
    "sort": lambda x, y: torch.sort(x),
    "sqrt": lambda x, y: x.sqrt(),
    "sub": lambda x, y: x - y,
    "sum": lambda x, y: x.sum(),
    "through-i8": lambda x, y: x.to(torch.int8).to(torch.uint8).int(),
    "topk": lambda x, y: x.topk(2)[0],
    "where": lambda x, y: torch.where(x > y, x, y),
}


def run(model, args, device):
    outputs = nm.run(nm.export(model, args), *args, device=device)
    return outputs if isinstance(outputs, (tuple, list)) else (outputs,)


def compare(got, expected):
    expected = expected if isinstance(expected, tuple) else (expected,)
    for one, right in zip(got, expected, strict=True):
        one = torch.as_tensor(one)
        assert one.dtype is right.dtype
        torch.testing.assert_close(one, right)


@pytest.mark.parametrize("name", OPS)
def test_ops(name):
    class Model(torch.nn.Module):
        def forward(self, x, y):
            return OPS[name](x, y)

    for device in DEVICES:
        compare(run(Model(), (X, Y), device), tuple(torch.utils._pytree.tree_leaves(OPS[name](X, Y))))


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.tensor([250, 1], dtype=torch.uint8))
        self.register_buffer("table", torch.arange(150, 200, dtype=torch.uint8))

    def forward(self, x):
        self.count.add_(x)
        return self.count.float(), self.table[x.long()]


def test_state_and_constants():
    model, x = Counter(), torch.tensor([9, 40], dtype=torch.uint8)
    module = nm.export(model, (x,))
    program = nm.compile(module)
    function = program.functions["forward"]
    assert [value.element for value in function.arguments] == ["u8", "u8"]
    assert [value.element for value in function.results] == ["u8", "f32", "u8"]
    for device in DEVICES:
        count, *got = nm.run(module, x, device=device)
        compare((count,), torch.tensor([3, 41], dtype=torch.uint8))
        compare(got, (torch.tensor([3.0, 41.0]), model.table[x.long()]))


def test_arguments_of_the_other_sign():
    class Model(torch.nn.Module):
        def forward(self, x):
            return x.float()

    module = nm.export(Model(), (X,))
    compare((nm.compile(module)(X)[0],), X.float())
    with pytest.raises(nm.Error, match="expected elements of type u8, got i8"):
        nm.compile(module)(X.view(torch.int8))
    with pytest.raises(nm.Error, match="u8"):
        nm.run(module, X.numpy().view(np.int8), device="cpu")


def test_header_of_a_library(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1

    path = tmp_path / "model.mlir"
    module = nm.export(Model(), (X,))
    path.write_text(str(module.text))
    out = tmp_path / "libmodel.a"
    run_tool("nm-compile", [str(path), "--emit=lib", "-o", str(out)])
    header = (tmp_path / "model.h").read_text()
    assert "argument #0: u8, [4]" in header
    assert "result #0: u8, [4]" in header

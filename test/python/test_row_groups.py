"""Groups that are one kernel of rows as torch-mlir writes them, against PyTorch.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pytest
from conftest import need

need("torch")
need("torch_mlir")

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402, N812

import nm  # noqa: E402

SEED = 20261130


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x, classes):
        return self.function(x, classes)


# What is computed of rows of 40 elements and of the class of each row, and as how many kernels.
GROUPS = {
    "layer_norm": (lambda x, _: F.layer_norm(x, (40,)), 1),
    "group_norm": (lambda x, _: F.group_norm(x.view(6, 4, 10), 2), 1),
    "softmax": (lambda x, _: torch.softmax(x / 8, -1), 1),
    "masked_softmax": (lambda x, _: torch.softmax(x.masked_fill(x > 0.5, -torch.inf), -1), 1),
    "log_softmax": (lambda x, _: torch.log_softmax(x, -1), 1),
    "cross_entropy": (lambda x, c: F.cross_entropy(x, c, reduction="none"), 1),
    "mean_cross_entropy": (lambda x, c: F.cross_entropy(x, c), 2),
    "argmax": (lambda x, _: x.argmax(-1), 1),
    "argmin": (lambda x, _: x.argmin(0), 1),
    "max": (lambda x, _: tuple(x.max(-1)), 1),
    "argmax_of_softmax": (lambda x, _: torch.softmax(x, -1).argmax(-1), 1),
    "mean": (lambda x, _: x.view(6, 8, 5).mean((1, 2)), 1),
    "mean_of_tokens": (lambda x, _: x.view(2, 3, 40).mean(1), 1),
    "variance": (lambda x, _: x.var(-1), 1),
    "norm": (lambda x, _: x.norm(dim=-1), 1),
    "logsumexp": (lambda x, _: x.logsumexp(-1), 1),
    "product": (lambda x, _: x.prod(-1), 1),
    "any_and_all": (lambda x, _: ((x > 1).any(-1), (x > -1).all(-1)), 1),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GROUPS)
def test_group(name):
    function, count = GROUPS[name]
    torch.manual_seed(SEED)
    x, classes = torch.randn(6, 40), torch.randint(0, 40, (6,))
    x[3, 7] = x[3, 20] = 4  # an extreme that is there twice
    classes[2] = -100  # which a cross entropy leaves out
    model = Function(function)
    program = nm.compile(nm.export(model, (x, classes)), chip="sm_90a")
    kernels = [kernel["name"] for kernel in program.report["kernels"]]
    assert len(kernels) == count and all("rows" in kernel for kernel in kernels)
    expected = torch.utils._pytree.tree_leaves(model(x, classes))
    for found, one in zip(torch.utils._pytree.tree_leaves(program(x, classes)), expected):
        torch.testing.assert_close(found, one, rtol=1e-5, atol=1e-6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("arguments", [[], ["--no-keep-roundings"]])
def test_roundings_are_kept_unless_told(arguments):
    model = Function(lambda x, _: (x * 1.25 + x * 3) * x - 0.25)
    torch.manual_seed(SEED)
    x, classes = torch.randn(6, 40).half(), torch.zeros(6, dtype=torch.int64)
    module = nm.export(model, (x, classes))
    program = nm.runtime.compiler.compile_program(module, ["--chip=sm_90a", *arguments])
    found = torch.as_tensor(program(x, classes, device="emulator")[0])
    kept, once = model(x, classes), model(x.float(), classes).half()
    assert not torch.equal(kept, once)
    assert torch.equal(found, once if arguments else kept)

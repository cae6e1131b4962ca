"""NaN, infinities and quotients that do not divide evenly are PyTorch's (nans.py and
quotients.py of python/nm/exporting/rewrites, first_nan.py beside them).

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import nm
import pytest
from conftest import need

need("torch", "torch_mlir")

import torch  # noqa: E402
from functions import DEVICES, Function  # noqa: E402
from torch.nn import functional  # noqa: E402

NAN, INF = float("nan"), float("inf")
X = torch.tensor(
    [
        [3, NAN, 1, -INF, INF, -0.25, 0, 2],
        [NAN, NAN, 1, 2, 0.3, 5, -1, 7],
        [-INF, -INF, NAN, INF, 1, 6, -7, 0.5],
        [1, 5.5, -7, 0.3, -0.1, 100, -2, 4],
    ]
)
Y = torch.tensor([0.1, 2, 2, 0.1, -INF, 0.1, NAN, -0.2]).expand(4, 8).contiguous()
GROUPS = {
    "bounds": lambda x, y: (
        x.clamp(-1, 1),
        x.clamp(min=0.5),
        x.clamp(max=0.5),
        torch.clamp(x, y, y + 1),
        torch.clamp(x, min=y),
        torch.clamp_min(x, 0.3),
        torch.clamp_max(x, y),
        torch.maximum(x, y),
        torch.minimum(x, y),
        torch.maximum(y, x),
        torch.relu(x),
        functional.relu6(x),
        functional.hardtanh(x, -2, 2),
        functional.hardsigmoid(x),
        functional.hardswish(x),
        torch.nan_to_num(x, 5),
    ),
    "closeness": lambda x, y: (
        x == x,
        x.clone() == x,
        x != x,
        x == y,
        x[0] == 0.3,
        torch.isnan(x),
        torch.isinf(x),
        torch.isfinite(x),
        torch.isclose(x, y),
        torch.isclose(x, x),
        torch.isclose(x, x.flip(0), equal_nan=True),
        torch.isclose(x, x + 0.01, rtol=0.01),
        torch.isclose(y, x, atol=2),
    ),
    "extremes": lambda x, y: (
        *x.max(1),
        *x.min(1),
        *x.max(0, keepdim=True),
        x.argmax(1),
        x.argmin(0),
        x.argmax(),
        x[3].argmin(),
        x.amax(1),
        x.amin(),
    ),
    "quotients": lambda x, y: (
        x // y,
        x // 0.1,
        x // -0.3,
        torch.div(x, 0.2, rounding_mode="floor"),
        torch.div(x, y, rounding_mode="trunc"),
        x % y,
        x % 0.1,
        torch.fmod(x, y),
        torch.fmod(x, 0.1),
        torch.fmod(x, -3),
    ),
    "roots": lambda x, y: (x**0.5, x**-0.5, x**2, x**3, x**-1, torch.xlogy(x, 2)),
    "integers": lambda x, y: (
        torch.isfinite(torch.arange(3)),
        torch.fmod(torch.nan_to_num(y).clamp(-9, 9).to(torch.int32) * 7, 3),
        torch.nan_to_num(y, 3, 3, -3).to(torch.int64) // -2,
    ),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", GROUPS)
def test_edges(name, dtype, device):
    args = X.to(dtype), Y.to(dtype)
    module = nm.export(Function(GROUPS[name]).eval(), args)
    results = nm.run(module, *args, device=device)
    for index, (got, expected) in enumerate(zip(results, GROUPS[name](*args), strict=True)):
        torch.testing.assert_close(
            got, expected, equal_nan=True, msg=lambda text, i=index: f"result {i}: {text}"
        )

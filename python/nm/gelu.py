"""The constant that torch-mlir writes for the tanh form of GELU.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 has 0.797724 where PyTorch has sqrt(2 / pi) = 0.79788456...: an
error of up to 5e-5 in each GELU of Gemma, Phi and their kin.
"""

from __future__ import annotations

import math
from typing import Any

WRITTEN, MEANT = 0.797724, math.sqrt(2 / math.pi)


def correct_gelu(module: Any) -> None:
    """Sets the constants right that scale what a math.tanh takes, in place.

    Args:
        module: torch-mlir's ir.Module, on linalg.
    """
    from torch_mlir import ir

    def visit(operation: Any) -> Any:
        operation = operation.operation
        if operation.name == "arith.constant" and _is_scale_of_tanh(operation):
            kind = operation.results[0].type
            operation.attributes["value"] = ir.FloatAttr.get(kind, MEANT)
        return ir.WalkResult.ADVANCE

    with module.context, ir.Location.unknown():
        module.operation.walk(visit)


def _is_scale_of_tanh(constant: Any) -> bool:
    """Whether a constant is `WRITTEN`, and all its products go to math.tanh."""
    from torch_mlir import ir

    value = constant.attributes["value"]
    if not isinstance(value, ir.FloatAttr):
        return False
    if abs(value.value - WRITTEN) > 1e-7:
        return False
    products = [use.owner.operation for use in constant.results[0].uses]
    return all(
        product.name == "arith.mulf"
        and all(
            use.owner.operation.name == "math.tanh" for use in product.results[0].uses
        )
        for product in products
    )

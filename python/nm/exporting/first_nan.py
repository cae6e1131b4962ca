"""Where the largest element is, if one of them is NaN.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

In PyTorch a NaN is the largest and the smallest element, and the index is that of the
first. torch-mlir 20261001 gives the value so, and the index of the largest element before
the NaN: it compares with a predicate that is false for NaN.
"""

from __future__ import annotations

from typing import Any

# Predicates of arith.cmpf, as its attribute stores them.
_ORDERED = {2: 9, 4: 11}  # ogt: ugt, olt: ult
_IS_NUMBER = 7  # ord
_EXTREMES = ("arith.maximumf", "arith.minimumf")


def find_first_nan(module: Any) -> None:
    """Makes each search of `module` for the place of an extreme, as torch-mlir lowers
    max, argmax and the like, stop at the first NaN."""
    from torch_mlir import ir

    found: list[Any] = []

    def visit(op: Any) -> Any:
        if op.name == "arith.cmpf" and _chooses_index(op):
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    for compare in found:
        _stop_at_nan(compare.operation)


def _chooses_index(compare: Any) -> bool:
    """Whether it compares an element with the extreme before it, in a reduction that
    keeps both the extreme and its index."""
    from torch_mlir import ir

    predicate = ir.IntegerAttr(compare.attributes["predicate"]).value
    if predicate not in _ORDERED or compare.parent.name != "linalg.generic":
        return False
    users = [use.owner.name for use in compare.results[0].uses]
    of_element = [use.owner for use in compare.operands[0].uses]
    return users == ["arith.select"] and any(
        one.name in _EXTREMES and list(one.operands) == list(compare.operands)
        for one in of_element
    )


def _stop_at_nan(compare: Any) -> None:
    """The element wins if it is larger or NaN, and the extreme before it is a number."""
    from torch_mlir import ir

    predicate = ir.IntegerAttr(compare.attributes["predicate"])
    truth = compare.results[0].type
    (use,) = compare.results[0].uses
    select = use.owner

    def make(name: str, operands: list[Any], **attributes: Any) -> Any:
        made = ir.Operation.create(
            name, [truth], operands, attributes, loc=compare.location, ip=ir.InsertionPoint(select)
        )
        return made.results[0]

    fast = compare.attributes["fastmath"]
    order, is_number = (
        ir.IntegerAttr.get(predicate.type, one)
        for one in (_ORDERED[predicate.value], _IS_NUMBER)
    )
    element, extreme = compare.operands
    wins = make("arith.cmpf", [element, extreme], predicate=order, fastmath=fast)
    number = make("arith.cmpf", [extreme, extreme], predicate=is_number, fastmath=fast)
    select.operands[0] = make("arith.andi", [wins, number])
    compare.erase()

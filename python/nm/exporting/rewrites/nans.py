"""NaN and infinity, where torch-mlir takes them for numbers.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A NaN that is clamped stays NaN in PyTorch, and so does the maximum of a NaN and a
number, whichever comes first. torch-mlir 20261001 writes both as a choice by a comparison
that takes the bound for NaN, or the second operand. It also takes any number for close to
infinity, which is as far from it as the tolerance of infinity is wide, folds x == x to true,
and does not know isfinite.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.rewrites.rewriting import insert_call, replace

_aten = torch.ops.aten
# Whose bounds are numbers; the first argument is what they bound.
_BOUNDED = (
    _aten.clamp.default,
    _aten.clamp_max.default,
    _aten.clamp_min.default,
    _aten.hardsigmoid.default,
    _aten.hardtanh.default,
    _aten.relu6.default,
)
_GREATER = (_aten.maximum.default, _aten.clamp_min.Tensor)
_LESS = (_aten.minimum.default, _aten.clamp_max.Tensor)


def keep_nans(graph: torch.fx.Graph) -> None:
    """Writes what bounds floats in `graph` so that NaN stays NaN, and what compares them
    so that NaN equals nothing and infinity is close to itself only."""
    for node in list(graph.nodes):
        rewrite = _COMPARISONS.get(node.target)
        if rewrite is not None:
            rewrite(node)
            continue
        value = node.meta.get("val")
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            continue
        if node.target in _BOUNDED:
            _choose_given(node)
        elif node.target in _GREATER + _LESS:
            compare = _aten.gt.Tensor if node.target in _GREATER else _aten.lt.Tensor
            replace(node, _choose(node, compare, *node.args))
        elif node.target is _aten.clamp.Tensor:
            names = ("self", "min", "max")
            given: dict[str, Any] = {**dict(zip(names, node.args)), **node.kwargs}
            result = given["self"]
            for name, compare in (("min", _aten.gt.Tensor), ("max", _aten.lt.Tensor)):
                if given.get(name) is not None:
                    result = _choose(node, compare, result, given[name])
            replace(node, result)


def _choose_given(node: torch.fx.Node) -> None:
    """Makes users of `node` take its first argument where that is NaN."""
    given: Any = node.args[0]
    following = node.next
    is_nan = insert_call(following, _aten.isnan.default, given)
    chosen = insert_call(following, _aten.where.self, is_nan, given, node)
    # Messages are to name the line of `node`, and not that of the op behind it.
    for made in (is_nan, chosen):
        made.meta = {**node.meta, "val": made.meta["val"]}
        made.meta.pop("tensor_meta", None)
    node.replace_all_uses_with(chosen, lambda user: user is not chosen)


def _choose(place: torch.fx.Node, compare: Any, a: Any, b: Any) -> Any:
    """The one of `a` and `b` that compares so with the other, or that is NaN."""
    is_nan = insert_call(place, _aten.isnan.default, a)
    compares = insert_call(place, compare, a, b)
    takes_a = insert_call(place, _aten.logical_or.default, is_nan, compares)
    return insert_call(place, _aten.where.self, takes_a, a, b)


def _holds_floats(node: Any) -> bool:
    """Whether the elements of `node` may be NaN."""
    return bool(node.meta["val"].is_floating_point())


def _write_equal(node: torch.fx.Node) -> None:
    """As what is not unequal, which is not folded."""
    if any(_holds_floats(one) for one in node.all_input_nodes):
        unequal = insert_call(node, _aten.ne.Tensor, *node.args)
        replace(node, insert_call(node, _aten.logical_not.default, unequal))


def _write_finite(node: torch.fx.Node) -> None:
    """As what is less than infinity. Integers are equal to themselves."""
    given: Any = node.args[0]
    if _holds_floats(given):
        size = insert_call(node, _aten.abs.default, given)
        replace(node, insert_call(node, _aten.lt.Scalar, size, float("inf")))
    else:
        replace(node, insert_call(node, _aten.eq.Tensor, given, given))


def _write_close(node: torch.fx.Node) -> None:
    """As |a - b| <= atol + rtol |b| for finite numbers; others are close if they are
    equal, or both NaN where `equal_nan` says so. torch-mlir refuses integers."""
    names = ("self", "other", "rtol", "atol", "equal_nan")
    given: dict[str, Any] = {**dict(zip(names, node.args)), **node.kwargs}
    a, b = given["self"], given["other"]
    if not _holds_floats(a):
        return

    def call(target: Any, *args: Any) -> Any:
        return insert_call(node, target, *args)

    size = call(_aten.abs.default, b)
    scaled = call(_aten.mul.Scalar, size, given.get("rtol", 1e-5))
    tolerance = call(_aten.add.Scalar, scaled, given.get("atol", 1e-8))
    distance = call(_aten.abs.default, call(_aten.sub.Tensor, a, b))
    close = call(_aten.le.Tensor, distance, tolerance)
    is_finite = call(_aten.lt.Scalar, size, float("inf"))
    close = call(_aten.logical_and.default, close, is_finite)
    equal = call(_aten.logical_not.default, call(_aten.ne.Tensor, a, b))
    close = call(_aten.logical_or.default, close, equal)
    if given.get("equal_nan"):
        both = [call(_aten.isnan.default, one) for one in (a, b)]
        close = call(_aten.logical_or.default, close, call(_aten.logical_and.default, *both))
    replace(node, close)


_COMPARISONS = {
    _aten.eq.Tensor: _write_equal,
    _aten.isclose.default: _write_close,
    _aten.isfinite.default: _write_finite,
}

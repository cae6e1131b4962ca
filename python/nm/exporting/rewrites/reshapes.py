"""Views of several dynamic sizes, in ops that torch-mlir lowers as they are meant.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 reads `view(x[?, ?, 8], [b * s, 8])`, which is what every linear
layer on [batch, tokens, k] becomes, as if the second `?` were 1, and gives a module
that is wrong for all other sizes without a word. It lowers aten.flatten correctly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nm.exporting.rewrites.rewriting import insert_call

if TYPE_CHECKING:
    import torch

# Dimensions [begin, end) before a view, which are [begin, end) after it.
Group = tuple[tuple[int, int], tuple[int, int]]


def merge_by_flatten(graph: torch.fx.Graph) -> None:
    """Writes views that merge dimensions, where two or more are dynamic, otherwise.

    They become aten.flatten, and aten.unflatten for what they split. Views whose
    dimensions cannot be grouped stay as they are.
    """
    import torch

    views = (
        torch.ops.aten.view.default,
        torch.ops.aten._unsafe_view.default,
        torch.ops.aten.reshape.default,
    )
    for node in list(graph.nodes):
        if node.target not in views:
            continue
        before, after = node.args[0].meta["val"].shape, node.meta["val"].shape
        groups = group_dimensions(before, after) or []
        merges = any(end - begin > 1 for (begin, end), _ in groups)
        dynamic = sum(not isinstance(size, int) for size in before)
        sizes = [
            size if isinstance(size, int) else given
            for size, given in zip(after, node.args[1])
        ]
        if merges and dynamic > 1 and _are_known(sizes, groups):
            _replace(node, groups, sizes)


def group_dimensions(before: Sequence[Any], after: Sequence[Any]) -> list[Group] | None:
    """The smallest groups of neighbouring dimensions that hold as many elements.

    Sizes are ints or SymInts. None when it is not known that sizes agree.
    """
    from torch.fx.experimental.symbolic_shapes import statically_known_true

    groups: list[Group] = []
    i = j = 0
    while i < len(before) and j < len(after):
        begin, left, right = (i, j), before[i], after[j]
        i, j = i + 1, j + 1
        while not statically_known_true(left == right):
            if _example(left) < _example(right) and i < len(before):
                left, i = left * before[i], i + 1
            elif _example(left) > _example(right) and j < len(after):
                right, j = right * after[j], j + 1
            else:
                return None
        groups.append(((begin[0], i), (begin[1], j)))
    rest = [*before[i:], *after[j:]]
    if not groups or any(not isinstance(size, int) or size != 1 for size in rest):
        return None
    # Ones at the end belong to the last group.
    (first, _), (first_after, _) = groups[-1]
    groups[-1] = ((first, len(before)), (first_after, len(after)))
    return groups


def _example(size: Any) -> int:
    """The size that it has for the arguments of nm.export."""
    return size if isinstance(size, int) else int(size.node.hint)


def _are_known(sizes: Sequence[Any], groups: list[Group]) -> bool:
    """Whether no group is split into a dynamic size that was written as -1."""
    split = [sizes[begin:end] for _, (begin, end) in groups if end - begin > 1]
    return all(size != -1 for part in split for size in part)


def _replace(view: torch.fx.Node, groups: list[Group], sizes: list[Any]) -> None:
    """Merges all groups, the last first, and then splits them likewise."""
    import torch

    value: Any = view.args[0]
    for (begin, end), _ in reversed(groups):
        if end - begin > 1:
            flatten = torch.ops.aten.flatten.using_ints
            value = insert_call(view, flatten, value, begin, end - 1)
    for index, (_, (begin, end)) in reversed(list(enumerate(groups))):
        if end - begin > 1:
            unflatten = torch.ops.aten.unflatten.int
            value = insert_call(view, unflatten, value, index, sizes[begin:end])
    view.replace_all_uses_with(value)
    view.graph.erase_node(view)

"""Truth values as numbers, in ops that torch-mlir imports.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch._check_tensor_all, as the vision models of transformers write it, becomes a
choice of 1 or 0 by an element of bool, torch.sym_ite, which torch-mlir 20261001 does not
know. The element as an integer is the same number. What the check asks of the elements
has a name of its own, which is not known either.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx.passes.shape_prop import _extract_tensor_metadata

from nm.exporting.rewrites.rewriting import insert_call

_NAMED = {
    torch.ops.aten._is_all_true.default: torch.ops.aten.all.default,
    torch.ops.aten._is_any_true.default: torch.ops.aten.any.default,
}


def read_truths_as_integers(graph: torch.fx.Graph) -> None:
    """Writes each choice of 1 or 0 by an element of bool as that element, read as an
    integer. Other choices stay as they are."""
    item = torch.ops.aten._local_scalar_dense.default
    for node in list(graph.nodes):
        node.target = _NAMED.get(node.target, node.target)
        if node.target is not torch.sym_ite or tuple(node.args[1:]) != (1, 0):
            continue
        truth: Any = node.args[0]
        if not isinstance(truth, torch.fx.Node) or truth.target is not item:
            continue
        cast = torch.ops.prims.convert_element_type.default
        integer = insert_call(node, cast, truth.args[0], torch.int64)
        # Where torch-mlir looks for the type of an element.
        integer.meta["tensor_meta"] = _extract_tensor_metadata(integer.meta["val"])
        with graph.inserting_before(node):
            made = graph.call_function(item, (integer,))
        made.meta = dict(node.meta)  # the same symbol, which the asserts are about
        node.replace_all_uses_with(made)
        graph.erase_node(node)
    for node in graph.find_nodes(op="call_function", target=item):
        if not node.users:
            graph.erase_node(node)

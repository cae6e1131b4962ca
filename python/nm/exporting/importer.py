"""Frozen graphs to torch-mlir's dialect, as text without the data of weights.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A weight is written as the name of a resource, `dense_resource<"layers.0.weight">`, and
its data only when the module is written (nm/weights.py). torch-mlir looks at no such
data, and so need not have it; its own way makes a Python list of every weight.
"""

from __future__ import annotations

from typing import Any

import torch
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import fx_importer

from nm.exporting.frozen import FrozenGraph
from nm.numbers.weights import quote
from nm.origins import of_node


class Imported:
    """What `import_graph` makes.

    Attributes:
        text: the module in torch-mlir's dialect, with locations.
        data: the tensors that its resources stand for, by the resources' names.
    """

    def __init__(self) -> None:
        self.text = ""
        self.data: dict[str, torch.Tensor] = {}

    def add(self, name: str, tensor: torch.Tensor) -> str:
        """Keeps a tensor as a resource; the name of it, which is like `name`."""
        key, number = name, 0
        while key in self.data:
            number += 1
            key = f"{name}_{number}"
        self.data[key] = tensor
        return key


class Progress:
    """Which op an import is at.

    Attributes:
        node: the last op that was begun, or None.
    """

    node: torch.fx.Node | None = None


def import_graph(frozen: FrozenGraph, entry: str, progress: Progress) -> Imported:
    """Writes `frozen` in torch-mlir's dialect, as the function `entry`.

    Locations are named after layers, and those of weights after the weights.

    Raises:
        Exception: torch-mlir's importer does not know an op; any exception, with
            `progress` at the op.
    """
    imported = Imported()
    context = ir.Context()
    torch_dialect.register_dialect(context)
    importer = fx_importer.FxImporter(
        context=context,
        hooks=_Hooks(frozen, imported),
        graph_node_importer_cls=_NodeImporter,
    )
    importer._cc = _Locations(context, importer._py_attr_tracker, progress)
    importer.import_graph_module(frozen.module, func_name=entry)
    # The generic form, unverified, calls the least of torch-mlir in this process.
    imported.text = importer.module.operation.get_asm(
        enable_debug_info=True, print_generic_op_form=True, assume_verified=True
    )
    return imported


class _Locations(fx_importer.ContextCache):  # type: ignore[misc]
    """Gives ops the locations of nm's report: the layer, then the model's line."""

    def __init__(self, context: Any, tracker: Any, progress: Progress) -> None:
        super().__init__(context, py_attr_tracker=tracker)
        self._progress = progress

    def get_node_location(self, node: torch.fx.Node) -> Any:
        """The location, or None for that of the node before."""
        self._progress.node = node
        origin = of_node(node)
        place = None
        if origin.file:
            place = ir.Location.file(origin.file, origin.line, 0, context=self._c)
        if not origin.layer:
            return place
        return ir.Location.name(origin.layer, place, context=self._c)


class _NodeImporter(fx_importer.GraphNodeImporter):  # type: ignore[misc]
    """Binds each constant once, before the ops that use it."""

    def import_nodes(self, nodes: Any, **options: Any) -> None:
        """Imports constants, then what torch-mlir imports."""
        nodes = list(nodes)
        with ir.InsertionPoint(self._b):
            for node in nodes:
                tensor = _constant_of(node)
                if tensor is None:
                    continue
                name = self.fx_importer._hooks.name_of(tensor)
                with ir.Location.name(name, context=self._c):
                    value = self._import_literal(tensor)
                # The second key is the one that torch-mlir looks for.
                self._v[(node, 0)] = self._v[(node.target, 0)] = value
        super().import_nodes(nodes, **options)

    def _import_literal(self, py_value: Any, info: Any = None) -> Any:
        # The hook sees tensors of bool as bytes, which are others.
        if isinstance(py_value, torch.Tensor):
            hooks = self.fx_importer._hooks
            hooks.current = hooks.name_of(py_value)
        return super()._import_literal(py_value, info)


def _constant_of(node: torch.fx.Node) -> torch.Tensor | None:
    if node.op != "get_attr":
        return None
    value = getattr(node.graph.owning_module, str(node.target), None)
    return value if isinstance(value, torch.Tensor) else None


class _Hooks(fx_importer.FxImporterHooks):  # type: ignore[misc]
    """Writes tensors as resources without data, and keeps them."""

    def __init__(self, frozen: FrozenGraph, imported: Imported) -> None:
        self.frozen = frozen
        self.imported = imported
        self.current = ""
        # By id; the tensors are kept, or another might get the id.
        self.attributes: dict[int, tuple[torch.Tensor, Any]] = {}
        # Tensors of one element, whose values torch-mlir knows by id and does not keep:
        # those of bool are copies, and the next copy would have the value of the last.
        self.numbers: list[torch.Tensor] = []

    def name_of(self, tensor: torch.Tensor) -> str:
        """The name in the model, or one that says what it is."""
        known = self.frozen.constants.names.get(id(tensor))
        return known or "constant_" + "x".join(map(str, tensor.shape))

    def resolve_literal(self, importer: Any, value: Any, info: Any) -> Any:
        """The op for a tensor of several elements; None leaves it to torch-mlir."""
        if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
            return None
        if value.numel() == 1:
            self.numbers.append(value)
            return None  # torch-mlir may fold the ops on numbers that nm has left
        if id(value) not in self.attributes:
            self.attributes[id(value)] = value, self._declare(importer, value)
        return ir.Operation.create(
            "torch.vtensor.literal",
            results=[importer._cc.tensor_to_vtensor_type(value)],
            attributes={"value": self.attributes[id(value)][1]},
        ).result

    def _declare(self, importer: Any, value: torch.Tensor) -> Any:
        """The attribute that stands for `value`."""
        tensor_type = fx_importer.create_mlir_tensor_type(value)
        if value.numel() == 0:
            text = f"dense<> : {tensor_type}"
            return ir.Attribute.parse(text, context=importer._c)
        key = self.imported.add(self.current, value)
        text = f"dense_resource<{quote(key)}> : {tensor_type}"
        return ir.Attribute.parse(text, context=importer._c)

"""The constants of an exported graph: weights, buffers and tensors of the code.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import torch


class Constants:
    """Tensors that the `get_attr` nodes of a graph stand for, and their names.

    Attributes:
        names: the name in the model, such as "layers.0.weight", by id(tensor).
    """

    def __init__(self, module: torch.fx.GraphModule) -> None:
        self._module = module
        self._tensors: dict[str, tuple[torch.Tensor, str]] = {}
        # A tensor that two names have, such as a tied weight, is one constant.
        self._targets: dict[int, str] = {}
        self._given: list[torch.Tensor] = []  # whose ids are known
        self.names: dict[int, str] = {}

    def __getitem__(self, node: torch.fx.Node) -> tuple[torch.Tensor, str]:
        """The tensor of a `get_attr` node, and its name."""
        return self._tensors[str(node.target)]

    def add(
        self, place: torch.fx.Node, tensor: torch.Tensor, name: str
    ) -> torch.fx.Node:
        """Inserts a node before `place`, a constant itself, that is `tensor`."""
        target = self._targets.get(id(tensor))
        if target is None:
            target = f"nm_constant_{len(self._tensors)}"
            self._targets[id(tensor)] = target
            self._given.append(tensor)
            tensor = tensor.detach().resolve_neg().contiguous()
            self._tensors[target] = tensor, name
            self.names[id(tensor)] = name
            self._module.register_buffer(target, tensor)
        tensor = self._tensors[target][0]
        graph = self._module.graph
        with graph.inserting_before(place):
            node = graph.create_node("get_attr", target)
        node.meta = dict(place.meta)
        node.meta.pop("tensor_meta", None)
        # Or else its sizes would be made dynamic ones.
        mode = place.meta["val"].fake_mode
        node.meta["val"] = mode.from_tensor(tensor, static_shapes=True)
        return node

"""Exported programs as graphs of their arguments, state and constants.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch.export.graph_signature import (
    ConstantArgument,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
)

from nm.exporting.constants import Constants
from nm.exporting.rewrites.widening import get_dtype

_STATE_OUTPUTS = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION)


@dataclass
class FrozenGraph:
    """A program whose weights are constants.

    Attributes:
        module: holds the graph: arguments are the state, then the inputs; results
            the new state, the inputs that are written, then what is returned.
        constants: what the graph computes with.
        inputs: the names of the arguments.
        results: the names of the results.
        state: the names of the state, with which both begin.
        initial_state: its values at export.
        unsigned_inputs: which arguments are of uint8.
        unsigned_results: which results are.
    """

    module: torch.fx.GraphModule
    constants: Constants
    inputs: list[str]
    results: list[str]
    state: list[str]
    initial_state: list[torch.Tensor]
    unsigned_inputs: list[bool]
    unsigned_results: list[bool]

    @property
    def graph(self) -> torch.fx.Graph:
        """The graph of `module`."""
        return self.module.graph


def freeze(program: torch.export.ExportedProgram) -> FrozenGraph:
    """Makes constants of the weights of `program`, which is changed.

    Buffers that the program writes are no constants, but state: arguments and
    results of the graph. Arguments that are no tensors, nor dynamic sizes, are gone,
    and so are results that are None.
    """
    graph = program.graph
    assert graph.owning_module is not None
    constants = Constants(graph.owning_module)
    outputs = program.graph_signature.output_specs
    written = {spec.target for spec in outputs if spec.kind in _STATE_OUTPUTS}
    frozen = FrozenGraph(graph.owning_module, constants, [], [], [], [], [], [])
    specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}
    for node in graph.find_nodes(op="placeholder"):
        spec = specs[node.name]
        tensor = _find_tensor(program, spec)
        if tensor is not None and spec.target not in written:
            made = constants.add(node, tensor, str(spec.target))
            node.replace_all_uses_with(made)
            graph.erase_node(node)
        elif isinstance(spec.arg, ConstantArgument) and not node.users:
            graph.erase_node(node)
        else:
            if tensor is not None:
                frozen.state.append(str(spec.target))
                frozen.initial_state.append(tensor.detach().clone())
            frozen.inputs.append(str(spec.target) if tensor is not None else node.name)
            frozen.unsigned_inputs.append(get_dtype(node) is torch.uint8)
    frozen.results = _freeze_results(graph, outputs, frozen.state)
    (output,) = graph.find_nodes(op="output")
    frozen.unsigned_results = [get_dtype(node) is torch.uint8 for node in output.args[0]]
    return frozen


def _find_tensor(
    program: torch.export.ExportedProgram, spec: InputSpec
) -> torch.Tensor | None:
    """What a lifted argument stands for; None for an argument of the model."""
    if spec.kind not in (
        InputKind.PARAMETER,
        InputKind.BUFFER,
        InputKind.CONSTANT_TENSOR,
    ):
        return None
    assert spec.target is not None
    found = program.state_dict.get(spec.target)
    if found is None:
        found = program.constants[spec.target]
    assert isinstance(found, torch.Tensor)
    return found


def _freeze_results(
    graph: torch.fx.Graph, specs: list[OutputSpec], state: list[str]
) -> list[str]:
    """Orders the results and returns their names."""
    (output,) = graph.find_nodes(op="output")
    new_state: dict[str, torch.fx.Node] = {}
    written: list[tuple[str, torch.fx.Node]] = []
    returned: list[tuple[str, torch.fx.Node]] = []
    for spec, value in zip(specs, output.args[0]):
        if spec.kind in _STATE_OUTPUTS:
            new_state[str(spec.target)] = value
        elif spec.kind is OutputKind.USER_INPUT_MUTATION:
            written.append((str(spec.target), value))
        else:
            returned.append((f"output{len(returned)}", value))
    # State in the order of the arguments: the results of a call begin the next.
    results = [(name, new_state[name]) for name in state] + written
    results += [(name, value) for name, value in returned if value is not None]
    output.args = (tuple(value for _, value in results),)
    return [name for name, _ in results]

"""What of a model is computed sparsely, and why the rest is not.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nm.nn.reasons import find_places, find_reason
from nm.pattern import Pattern
from nm.pruning.layers import find_weights

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class ConvertedLayer:
    """A layer that nm.convert replaced.

    Attributes:
        name: its name in the model.
        pattern: of its weight.
        k, n: features that it takes and gives.
        dense_bytes: of its dense weight.
        bytes: of the condensed weight: values, positions, and their scale.
        packed_bytes: of the arrays that kernels read on the weight's device beside
            these, and of a dense weight that is kept; 0 where PyTorch computes the layer.
            The first of several layers that are computed together has those of all.
        joined: the names of the layers that one product computes, with + between them;
            "" for a layer by itself.
    """

    name: str
    pattern: Pattern
    k: int
    n: int
    dense_bytes: int
    bytes: int
    packed_bytes: int
    joined: str = ""


@dataclass(frozen=True)
class ConvertReport:
    """What `nm.convert` did, or `nm.report` found. str() is a table.

    Attributes:
        layers: what is sparse, in the order of the model.
        dense: of each other weight of a product why its layer is dense, by the name of
            the parameter.
        refusal: what the model raised for its `dummy_inputs`, so that layers behind one
            input were not found and are computed one by one; "" otherwise.
    """

    layers: tuple[ConvertedLayer, ...]
    dense: dict[str, str]
    refusal: str = ""

    def __str__(self) -> str:
        heads = ("layer", "pattern", "k", "n", "dense MB", "MB", "for kernels MB", "with")
        rows: list[tuple[str, ...]] = [heads]
        for one in self.layers:
            sizes = (one.dense_bytes, one.bytes, one.packed_bytes)
            megabytes = (f"{size / 1e6:.2f}" for size in sizes)
            others = [name.rpartition(".")[2] for name in one.joined.split("+")]
            extents = str(one.k), str(one.n)
            joined = "+".join(others)
            rows.append((one.name, str(one.pattern), *extents, *megabytes, joined))
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = [
            "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip()
            for row in rows
        ]
        lines += [f"dense: {name}: {reason}" for name, reason in self.dense.items()]
        if self.refusal:
            lines.append(
                "not joined: the model refused its dummy_inputs, so that layers behind one "
                f"input are computed one by one; hand over example= ({self.refusal})"
            )
        return "\n".join(lines)


def report(model: torch.nn.Module) -> ConvertReport:
    """What of a model is computed sparsely: its nm.nn.Linear layers, and why each other
    weight of a product is not. print() shows a table."""
    from nm.nn.linear import Linear

    layers = []
    for name, module in model.named_modules():
        if not isinstance(module, Linear):
            continue
        stored = [module.values, module.positions]
        stored += [] if module.scale_bits is None else [module.scale_bits]
        joined = module.joined
        arrays: Sequence[torch.Tensor] = module.arrays
        if joined is not None:
            arrays = joined.laid_out.tensors if module is joined.members[0] else ()
        members = [module] if joined is None else joined.members
        inside = _count_inside([one.values for one in members], arrays)
        layers.append(
            ConvertedLayer(
                name,
                module.pattern,
                module.in_features,
                module.out_features,
                module.in_features * module.out_features * module.dtype.itemsize,
                sum(one.nbytes for one in stored),
                sum(one.nbytes for one in arrays) - inside,
                "" if joined is None else joined.name,
            )
        )
    places = find_places(model)
    dense = {
        weight.name: find_reason(model, weight, places) or "dense: nm.convert says more"
        for weight in find_weights(model)
    }
    return ConvertReport(tuple(layers), dense)


def _count_inside(tensors: Sequence[torch.Tensor], arrays: Sequence[torch.Tensor]) -> int:
    """Bytes of tensors that are parts of arrays."""
    places = {one.untyped_storage().data_ptr() for one in arrays}
    return sum(
        one.nbytes for one in tensors if one.untyped_storage().data_ptr() in places
    )

"""What became of the layers that were pruned.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nm.pruning.prune import PruneReport, _align


@dataclass(frozen=True)
class ComparedLayer:
    """What a program does with a weight that was pruned.

    Attributes:
        name: the parameter's name in the model.
        state: "sparse"; "dense", of at least one of its products; "folded", where no
            product has it, as with a constant input; "unused", where the model that
            was exported does not have it.
        reason: why it is not sparse; empty where it is.
    """

    name: str
    state: str
    reason: str


@dataclass(frozen=True)
class Comparison:
    """What a program does with the weights that were pruned; str() gives it as a table.

    Attributes:
        layers: one entry a weight, in the order of the report of `nm.prune`.
    """

    layers: list[ComparedLayer]

    @property
    def lost(self) -> list[ComparedLayer]:
        """The weights that were pruned in vain."""
        return [layer for layer in self.layers if layer.state != "sparse"]

    def __str__(self) -> str:
        rows = [("layer", "is", "why")]
        rows += [(layer.name, layer.state, layer.reason) for layer in self.layers]
        sparse = len(self.layers) - len(self.lost)
        return "\n".join([*_align(rows), f"{sparse} of {len(self.layers)} pruned weights are sparse"])


def compare(report: Mapping[str, Any], pruned: PruneReport) -> Comparison:
    """Finds the weights that `nm.prune` pruned in the report of a compilation."""
    return Comparison([_compare(layer.name, report) for layer in pruned.pruned])


def _compare(weight: str, report: Mapping[str, Any]) -> ComparedLayer:
    products = [one for one in report["products"] if _has_weight(one, weight)]
    dense = [one for one in products if not one["raised"]]
    if dense:
        of = f"{len(dense)} of {len(products)} products: " if len(products) > 1 else ""
        return ComparedLayer(weight, "dense", of + dense[0]["reason"])
    if products:
        return ComparedLayer(weight, "sparse", "")
    if _names(report["constants"], weight):
        return ComparedLayer(
            weight, "folded", "no product is left of it at run time: its input is constant"
        )
    return ComparedLayer(weight, "unused", "the exported model does not use it")


def _has_weight(product: Mapping[str, Any], weight: str) -> bool:
    """Whether it is one with `weight`. Small weights lose their name, and their layer's
    has to do."""
    if product["weight_name"]:
        return bool(_names([product["weight_name"]], weight))
    return bool(product["name"] == weight.rpartition(".")[0])


def _names(names: Sequence[str], weight: str) -> list[str]:
    """Those of `weight` and of what the model makes of it, "weight.roll"."""
    return [name for name in names if name == weight or name.startswith(f"{weight}.")]

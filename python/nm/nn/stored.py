"""What a file says of a converted model's layers, and the layers that it asks for.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Files of `nm.save` and folders of transformers say the same: a version, of each nm.nn.Linear
by its name [keep, window (0: all of k), rows of a unit, columns], and "int8" and the type of
its input behind these where values are int8, and the names of layers that one product
computes, in groups. They are untrusted: whatever they say is checked.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.errors import Error, PatternError
from nm.nn.joined import JoinedLayers, can_join
from nm.nn.linear import Linear
from nm.nn.packed_weight import PackedWeight
from nm.nn.preparing import join_and_prepare
from nm.pattern import Pattern
from nm.pruning.find_pattern import get_positions_type

# Files say of layers what this version means. The number is raised when an entry changes its
# meaning.
VERSION = 1

# What an entry has behind the pattern where values are int8, before the type of the input.
_QUANTIZED = "int8"

# The types that inputs of layers with values of int8 may have, by their names in files.
_DTYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16}


def describe_layers(
    model: torch.nn.Module,
) -> tuple[dict[str, list[Any]], list[list[str]]]:
    """The layers of a converted model, and the groups that are computed together."""
    found = {
        name: module for name, module in model.named_modules() if isinstance(module, Linear)
    }
    names = {module: name for name, module in found.items()}
    layers: dict[str, list[Any]] = {}
    joined: dict[JoinedLayers, list[str]] = {}
    for name, module in found.items():
        pattern = module.pattern
        layers[name] = [pattern.keep, pattern.window or 0, *pattern.unit]
        if module.scale_bits is not None:
            layers[name] += [_QUANTIZED, str(module.dtype).removeprefix("torch.")]
        if module.joined is not None:
            # In the order in which they lie beside each other.
            joined[module.joined] = [names[one] for one in module.joined.members]
    return layers, list(joined.values())


def check_version(version: Any) -> None:
    """Raises Error unless this nm reads what was written by that version."""
    if version != VERSION:
        raise Error(
            f"expected a checkpoint of version {VERSION} of nm's layers, got {version}: "
            "load it with the nm that wrote it"
        )


def put_empty_layers(
    model: torch.nn.Module, layers: Any, keeps_types: bool = False
) -> None:
    """Puts nm.nn.Linear without data, on the meta device, in the places of layers; with
    `keeps_types`, inputs of those of int8 are of the model's type, else of the file's.

    Raises:
        Error: `layers` is not as `describe_layers` gives it, or the model has no such
            layers.
    """
    if not isinstance(layers, dict):
        raise Error(f"layers: expected numbers by names, got {layers!r}")
    for name, entry in layers.items():
        numbers, more = (entry[:4], entry[4:]) if isinstance(entry, list) else ([], [])
        is_quantized = more in [[_QUANTIZED, one] for one in _DTYPES]
        if [type(one) for one in numbers] != [int] * 4 or (more and not is_quantized):
            raise Error(
                f"{name}: expected [keep, window, rows, columns], and int8 and a type "
                f"behind these, got {entry!r}"
            )
        dtype = _DTYPES[more[1]] if more and not keeps_types else None
        _put_empty(model, name, numbers, is_quantized, dtype)


def _put_empty(
    model: torch.nn.Module,
    name: str,
    numbers: list[int],
    is_quantized: bool,
    dtype: torch.dtype | None,
) -> None:
    keep, window, unit_k, unit_n = numbers
    try:
        dense: Any = model.get_submodule(name)
    except AttributeError:
        dense = None
    weight = getattr(dense, "weight", None)
    if not name or not isinstance(weight, torch.Tensor) or weight.dim() != 2:
        raise Error(
            f"expected a layer {name}, which the checkpoint lists, in "
            f"{type(model).__name__}: load it as the model that was saved"
        )
    is_transposed = type(dense).__name__ == "Conv1D"
    n, k = reversed(weight.shape) if is_transposed else weight.shape
    try:
        pattern = Pattern(keep, window or None, (unit_k, unit_n))
        # Of k filled up to whole windows there are less than twice as many rows.
        if pattern.height(k) > 2 * k:
            raise PatternError(
                f"{pattern} would store {pattern.height(k)} rows of a weight of {k}x{n}"
            )
        shape, of_positions = get_positions_type(k, n, pattern)
        element = torch.int8 if is_quantized else weight.dtype
        values = torch.empty(pattern.height(k), n, dtype=element, device="meta")
        positions = torch.empty(shape, dtype=of_positions, device="meta")
        scale = None
        if is_quantized:
            scale = torch.empty(n, dtype=torch.float32, device="meta")
        packed = PackedWeight(values, positions, pattern, k, scale)
    except PatternError as error:
        raise Error(f"{name}: {error}") from error
    bias = None
    if getattr(dense, "bias", None) is not None:
        bias = torch.empty(n, dtype=weight.dtype, device="meta")
    parent, _, last = name.rpartition(".")
    layer = Linear(packed, bias, name, dtype=dtype or weight.dtype)
    layer.train(dense.training)
    setattr(model.get_submodule(parent), last, layer)


def prepare_layers(model: torch.nn.Module, layers: Any, joined: Any) -> None:
    """Checks the data that layers were given, and lays them out for their device.

    Raises:
        Error: data are of another pattern, positions do not ascend in their windows, or
            `joined` is not as `describe_layers` gives it.
    """
    found: dict[str, Linear] = {}
    for name in layers:
        layer = model.get_submodule(name)
        if isinstance(layer, Linear):
            layer.requires_grad_(False)
            layer.check_form()
            found[name] = layer
    if not isinstance(joined, list):
        raise Error(f"joined: expected groups of names, got {joined!r}")
    known: set[str] = set()
    for group in joined:
        _check_group(group, found, known)
    join_and_prepare(found, joined)


def _check_group(group: Any, layers: dict[str, Linear], known: set[str]) -> None:
    if not (isinstance(group, list) and all(isinstance(name, str) for name in group)):
        raise Error(f"joined: expected names of layers, got {group!r}")
    for name in group:
        if name not in layers or name in known:
            raise Error(f"joined: expected names of layers, each once, got {name}")
        known.add(name)
    pairs = zip(group, group[1:])
    if len(group) < 2 or not all(can_join(layers[a], layers[b]) for a, b in pairs):
        raise Error(
            f"joined: expected layers alike but for n, of whole units, got {', '.join(group)}"
        )

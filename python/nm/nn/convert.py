"""nm.convert: the sparse layers of a model become nm.nn.Linear, in place.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nm.errors import Error
from nm.pattern import Pattern
from nm.pruning.find_pattern import find_pattern
from nm.pruning.layers import Weight, find_weights, join
from nm.pruning.prunable import find_missing_data, find_other_form, is_adapter

if TYPE_CHECKING:
    import torch

    from nm.nn.linear import Linear


@dataclass(frozen=True)
class ConvertedLayer:
    """A layer that nm.convert replaced.

    Attributes:
        name: its name in the model.
        pattern: of its weight.
        k, n: features that it takes and gives.
        dense_bytes: of its dense weight.
        bytes: of the condensed weight: values and positions.
        packed_bytes: of the arrays that kernels read on the weight's device beside
            these; 0 where PyTorch computes the layer. The first of several layers that
            are computed together has those of all.
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
    """

    layers: tuple[ConvertedLayer, ...]
    dense: dict[str, str]

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
        return "\n".join(lines)


def convert(
    model: torch.nn.Module,
    *,
    skip: Iterable[str] = (),
    example: Sequence[Any] | Mapping[str, Any] | None = None,
) -> ConvertReport:
    """Replaces each layer of `model` whose weight is N:M-sparse by nm.nn.Linear, in
    place: torch.nn.Linear and transformers' Conv1D. All else stays PyTorch's.

        nm.prune(model, 8, 32, unit=(1, 32))
        print(nm.convert(model.cuda()))
        model.generate(...)             # or torch.compile(model)

    The pattern is found in the data (`nm.find_pattern`), whoever pruned it. The dense
    weights are dropped, one layer after another, and the condensed ones are frozen.
    Layers of equal shape, pattern and types share one program, which is compiled here
    where the weights are on a GPU, or when they come there.

    Layers that one forward pass calls with one tensor, such as Q, K and V, are computed
    by one product, whose result is split. That pass is of `example`, or of the dummy
    inputs that models of transformers have; without either no layers are joined.

    Args:
        model: the model; itself no torch.nn.Linear, which has no place to be replaced in.
        skip: names of layers to leave dense, with * and ?.
        example: arguments of a forward pass, in order or by name; () for none, so that
            no layers are joined.

    Returns:
        What was replaced, and of each other weight why it was not.

    Raises:
        Error: nothing of the model is N:M-sparse, or an entry of `skip` names no layer;
            says why. The model is unchanged.
        ToolError: a program cannot be compiled.
    """
    import torch

    weights = list(find_weights(model))
    if isinstance(model, torch.nn.Linear):
        raise Error(
            "expected a model that has layers, got a Linear itself: convert the module "
            "that it is in, or torch.nn.Sequential(layer)"
        )
    reasons = _skip(weights, list(skip))
    patterns: dict[str, Pattern] = {}
    for weight in weights:
        reason = reasons.get(weight.name) or _find_reason(model, weight)
        pattern = None if reason else find_pattern(weight.matrices(weight.parameter)[0])
        if pattern is None:
            reasons[weight.name] = reason or "not N:M-sparse along k"
        else:
            patterns[weight.name] = pattern
    if not patterns:
        listed = "; ".join(f"{name}: {why}" for name, why in reasons.items())
        raise Error(
            f"{type(model).__name__}: no layer is N:M-sparse ({listed or 'no Linear'}): "
            "prune the model first (nm.prune), or make masks permanent "
            "(torch.nn.utils.prune.remove)"
        )
    groups = _find_groups(model, [one for one in weights if one.name in patterns], example)
    layers = {
        get_layer(weight.name): _replace(model, weight, patterns[weight.name])
        for weight in weights
        if weight.name in patterns
    }
    _join(layers, groups)
    for layer in layers.values():
        if layer.joined is None or layer is layer.joined.members[0]:
            layer.prepare()
    return ConvertReport(report(model).layers, reasons)


def get_layer(weight: str) -> str:
    """The name of the module that has a weight."""
    return weight.rpartition(".")[0]


def _find_groups(
    model: torch.nn.Module,
    weights: list[Weight],
    example: Sequence[Any] | Mapping[str, Any] | None,
) -> list[list[str]]:
    """The names of layers behind one input, in groups."""
    import torch

    from nm.nn.joined import find_groups

    is_given = example is not None
    if example is None:
        dummies = getattr(model, "dummy_inputs", None)
        example = dummies if isinstance(dummies, Mapping) else ()
    if not example:
        return []
    device = weights[0].parameter.device

    def move(value: Any) -> Any:
        return value.to(device) if isinstance(value, torch.Tensor) else value

    layers = {get_layer(weight.name): weight.module for weight in weights}
    positional = [] if isinstance(example, Mapping) else [move(one) for one in example]
    named = (
        {name: move(one) for name, one in example.items()}
        if isinstance(example, Mapping)
        else {}
    )
    was_training = model.training
    try:
        return find_groups(layers, lambda: model.eval()(*positional, **named))
    except Exception:
        # Dummy inputs need not fit a model that was changed.
        if is_given:
            raise
        return []
    finally:
        model.train(was_training)


def _join(layers: dict[str, Linear], groups: list[list[str]]) -> None:
    """Lets layers of a group that may lie beside each other be computed together."""
    from nm.nn.joined import JoinedLayers, can_join

    for group in groups:
        members: list[Linear] = []
        for name in [*group, ""]:
            layer = layers.get(name)
            if layer is not None and (not members or can_join(members[-1], layer)):
                members.append(layer)
                continue
            if len(members) > 1:
                joined = JoinedLayers(members)
                for number, member in enumerate(members):
                    member.set_joined(joined, number)
            members = [] if layer is None else [layer]


def report(model: torch.nn.Module) -> ConvertReport:
    """What of a model is computed sparsely: its nm.nn.Linear layers, and why each other
    weight of a product is not. print() shows a table."""
    from nm.nn.linear import Linear

    layers = []
    for name, module in model.named_modules():
        if not isinstance(module, Linear):
            continue
        stored = (module.values, module.positions)
        joined = module.joined
        arrays: Sequence[torch.Tensor] = module.arrays
        if joined is not None:
            arrays = joined.laid_out.arrays if module is joined.members[0] else ()
        layers.append(
            ConvertedLayer(
                name,
                module.pattern,
                module.in_features,
                module.out_features,
                module.in_features * module.out_features * module.values.element_size(),
                sum(one.nbytes for one in stored),
                sum(one.nbytes for one in arrays),
                "" if joined is None else joined.name,
            )
        )
    dense = {
        weight.name: _find_reason(model, weight) or "dense: nm.convert says more"
        for weight in find_weights(model)
    }
    return ConvertReport(tuple(layers), dense)


def _skip(weights: list[Weight], names: list[str]) -> dict[str, str]:
    """Why weights stay that `skip` names."""
    reasons: dict[str, str] = {}
    for entry in names:
        layers = {weight.name: weight.name.rpartition(".")[0] for weight in weights}
        found = [
            name
            for name, layer in layers.items()
            if fnmatch.fnmatchcase(layer, entry) or fnmatch.fnmatchcase(name, entry)
        ]
        if not found:
            raise Error(
                f"skip: expected names of layers, got `{entry}`, which none of "
                f"{', '.join(layers.values()) or 'no layers'} fits"
            )
        reasons.update((name, "skipped by the caller") for name in found)
    return reasons


def _find_reason(model: torch.nn.Module, weight: Weight) -> str | None:
    """Why the layer of a weight stays, whatever its data; None where it need not."""
    import torch

    module = weight.module
    missing = find_missing_data(weight) or find_other_form(weight.parameter)
    if missing:
        return missing
    if is_adapter(weight.name):
        return "a LoRA adapter, which is small: merge it to convert it with its layer"
    if isinstance(module, torch.nn.MultiheadAttention) or _is_inside_attention(
        model, weight
    ):
        return "torch.nn.MultiheadAttention reads its weights itself"
    kind = type(module)
    if kind is not torch.nn.Linear and kind.__name__ != "Conv1D":
        return (
            f"{kind.__name__} computes more than a Linear: only torch.nn.Linear itself "
            "and transformers' Conv1D are replaced"
        )
    if kind is not torch.nn.Linear and weight.form != "kn":
        return f"{kind.__name__} is no product of its input with one matrix"
    if torch.nn.utils.parametrize.is_parametrized(module):
        return "its weight is parametrized: torch.nn.utils.parametrize.remove_parametrizations"
    if hasattr(module, "weight_orig"):
        return "its mask is not permanent: torch.nn.utils.prune.remove(layer, 'weight')"
    if _has_hooks(module):
        return "it has hooks, which would be lost: remove them, or convert before they are set"
    if module.bias is not None and module.bias.dtype != weight.parameter.dtype:
        return f"its bias is of {module.bias.dtype}, its weight of {weight.parameter.dtype}"
    others = list(_find_others(model, weight))
    if others:
        return f"its weight is tied to {', '.join(others)}"
    return None


def _is_inside_attention(model: torch.nn.Module, weight: Weight) -> bool:
    import torch

    parent, _, _ = weight.name.rpartition(".")[0].rpartition(".")
    return isinstance(model.get_submodule(parent), torch.nn.MultiheadAttention)


def _has_hooks(module: torch.nn.Module) -> bool:
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return any(getattr(module, kind, None) for kind in kinds)


def _find_others(model: torch.nn.Module, weight: Weight) -> Iterator[str]:
    """What else has the weight's parameter: an embedding, or another layer."""
    for path, module in model.named_modules():
        for name, parameter in module.named_parameters(recurse=False):
            if parameter is weight.parameter and module is not weight.module:
                yield join(path, name)


def _replace(model: torch.nn.Module, weight: Weight, pattern: Pattern) -> Linear:
    """Puts an nm.nn.Linear in the place of the weight's layer, and returns it."""
    from nm.nn.linear import Linear
    from nm.nn.packed_weight import PackedWeight

    layer = get_layer(weight.name)
    (matrix,) = weight.matrices(weight.parameter)
    packed = PackedWeight.from_dense(matrix, pattern)
    bias = weight.module._parameters.get("bias")
    module = Linear(packed, bias, layer)
    module.train(weight.module.training)
    # A module may have several places.
    for path, parent in list(model.named_modules()):
        for name, child in list(parent.named_children()):
            if child is weight.module:
                setattr(parent, name, module)
    return module

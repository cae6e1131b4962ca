"""nm.convert: the sparse layers of a model become nm.nn.Linear, in place.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import fnmatch
import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from nm.errors import Error
from nm.nn.reasons import Places, find_places, find_reason
from nm.nn.report import ConvertReport, report
from nm.pattern import Pattern
from nm.pruning.find_pattern import find_patterns
from nm.pruning.layers import Weight, find_weights

if TYPE_CHECKING:
    import torch

    from nm.nn.linear import Linear
    from nm.nn.packed_weight import PackedWeight

Memory = Literal["least", "both"]
WeightDtype = Literal["int8"]


def convert(
    model: torch.nn.Module,
    *,
    skip: Iterable[str] = (),
    example: Sequence[Any] | Mapping[str, Any] | None = None,
    memory: Memory = "least",
    rows: Iterable[int] | None = None,
    weight_dtype: WeightDtype | None = None,
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
        memory: "least" keeps the condensed weights alone; "both" keeps the dense ones
            beside them, so that a layer computes with the faster at each number of rows,
            as was measured on its GPU for products of its shape. Files have the condensed
            weights alone, and what is loaded is "least".
        rows: numbers of rows (tokens of a batch) that matter: a layer stays dense whose
            sparse product is slower for them, by the geometric mean, as is measured on
            the GPU that the model is on; None to measure nothing.
        weight_dtype: "int8" rounds the values of each column to 8 bits with a scale, which
            halves the memory of layers of f16 and bf16, for which alone it is; layers of
            other types stay dense. None leaves values as they are.

    Returns:
        What was replaced, and of each other weight why it was not.

    Raises:
        Error: nothing of the model is N:M-sparse, or all of it is faster dense; an entry
            of `skip` names no layer; `memory`, `rows` or `weight_dtype` are none, or the
            model is not on a GPU and `rows` are given; says why. The model is unchanged.
        ToolError: a program cannot be compiled.
    """
    import torch

    if memory not in get_args(Memory):
        raise Error(f"memory: expected one of {get_args(Memory)}, got {memory!r}")
    if weight_dtype not in (None, *get_args(WeightDtype)):
        raise Error(f"weight_dtype: expected int8 or None, got {weight_dtype!r}")
    weights = list(find_weights(model))
    if isinstance(model, torch.nn.Linear):
        raise Error(
            "expected a model that has layers, got a Linear itself: convert the module "
            "that it is in, or torch.nn.Sequential(layer)"
        )
    reasons = _skip(weights, list(skip))
    places = find_places(model)
    for weight in weights:
        reason = reasons.get(weight.name) or find_reason(
            model, weight, places, weight_dtype
        )
        if reason is not None:
            reasons[weight.name] = reason
    patterns = _find_patterns(weights, reasons)
    if rows is not None and patterns:
        _leave_slower(weights, patterns, reasons, rows, weight_dtype)
    if not patterns:
        listed = "; ".join(f"{name}: {why}" for name, why in reasons.items())
        raise Error(
            f"{type(model).__name__}: no layer is N:M-sparse ({listed or 'no Linear'}): "
            "prune the model first (nm.prune), make masks permanent "
            "(torch.nn.utils.prune.remove), or leave out rows= where dense is faster"
        )
    from nm.nn.preparing import join_and_prepare

    groups, refusal = _find_groups(
        model, [one for one in weights if one.name in patterns], example
    )
    layers = {}
    # The dense weights go one by one, and nothing here keeps them.
    places.of_parameters.clear()
    while weights:
        weight = weights.pop(0)
        if weight.name in patterns:
            layer = get_layer(weight.name)
            packed = _pack(weight, patterns[weight.name], weight_dtype)
            layers[layer] = _replace(places, weight, packed, memory)
    parts = _split_groups(layers, groups)
    join_and_prepare(layers, [part for part in parts if len(part) > 1])
    _attach_quantizer(model)
    return ConvertReport(report(model).layers, reasons, refusal)


def _find_patterns(
    weights: list[Weight], reasons: dict[str, str]
) -> dict[str, Pattern]:
    """The patterns of weights that no reason keeps; adds the reasons of those that have
    none."""
    patterns = {}
    others = [weight for weight in weights if weight.name not in reasons]
    matrices = (weight.matrices(weight.parameter)[0] for weight in others)
    for weight, pattern in zip(others, find_patterns(matrices)):
        if pattern is None:
            reasons[weight.name] = "not N:M-sparse along k"
        else:
            patterns[weight.name] = pattern
    return patterns


def _attach_quantizer(model: torch.nn.Module) -> None:
    """Lets transformers save what it can load, where the model is one of its."""
    transformers = sys.modules.get("transformers")
    if transformers is not None and isinstance(model, transformers.PreTrainedModel):
        from nm.nn.quantizer import attach

        attach(model)


def get_layer(weight: str) -> str:
    """The name of the module that has a weight."""
    return weight.rpartition(".")[0]


def _find_groups(
    model: torch.nn.Module,
    weights: list[Weight],
    example: Sequence[Any] | Mapping[str, Any] | None,
) -> tuple[list[list[str]], str]:
    """The names of layers behind one input, in groups; and what the model said of its
    dummy inputs, where it refused them."""
    import torch

    from nm.nn.joined import find_groups

    is_given = example is not None
    if example is None:
        dummies = getattr(model, "dummy_inputs", None)
        example = dummies if isinstance(dummies, Mapping) else ()
    if not example:
        return [], ""
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
        return find_groups(layers, lambda: model.eval()(*positional, **named)), ""
    except Exception as error:
        # Dummy inputs need not fit a model that was changed.
        if is_given:
            raise
        return [], f"{type(error).__name__}: {error}"
    finally:
        model.train(was_training)


def _split_groups(
    layers: dict[str, Linear], groups: list[list[str]]
) -> Iterator[list[str]]:
    """Parts of groups, of two layers or more that may lie beside each other."""
    from nm.nn.joined import can_join

    for group in groups:
        part: list[str] = []
        for name in group:
            if part and not can_join(layers[part[-1]], layers[name]):
                yield part
                part = []
            part.append(name)
        yield part


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


def _leave_slower(
    weights: list[Weight],
    patterns: dict[str, Pattern],
    reasons: dict[str, str],
    rows: Iterable[int],
    weight_dtype: WeightDtype | None,
) -> None:
    """Moves what is faster dense from `patterns` to `reasons`."""
    from nm.nn.slower import check_rows, find_slower

    sparse = [weight for weight in weights if weight.name in patterns]
    for name, reason in find_slower(
        sparse, patterns, check_rows(rows), weight_dtype
    ).items():
        del patterns[name]
        reasons[name] = reason


def _pack(
    weight: Weight, pattern: Pattern, weight_dtype: WeightDtype | None
) -> PackedWeight:
    from nm.nn.packed_weight import PackedWeight

    (matrix,) = weight.matrices(weight.parameter)
    packed = PackedWeight.from_dense(matrix, pattern)
    return packed if weight_dtype is None else packed.quantize()


def _replace(
    places: Places, weight: Weight, packed: PackedWeight, memory: Memory
) -> Linear:
    """Puts an nm.nn.Linear in the place of the weight's layer, and returns it."""
    from nm.nn.linear import Linear

    bias = weight.module._parameters.get("bias")
    module = Linear(
        packed,
        bias,
        get_layer(weight.name),
        keeps_dense=memory == "both",
        dtype=weight.parameter.dtype,
    )
    module.train(weight.module.training)
    for parent, name in places.of_modules.pop(weight.module):
        setattr(parent, name, module)
    _move_hook(weight.module, module)
    return module


def _move_hook(dense: torch.nn.Module, layer: Linear) -> None:
    """Gives a layer what accelerate gave the dense one, as where models are on several
    devices."""
    hook = getattr(dense, "_hf_hook", None)
    if hook is not None:
        hooks: Any = importlib.import_module("accelerate.hooks")
        hooks.add_hook_to_module(layer, hook)

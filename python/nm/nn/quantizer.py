"""Condensed checkpoints of transformers: from_pretrained and save_pretrained.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

nm is a quantization method of transformers. A folder that `save_pretrained` writes of a
converted model names it, and lists the layers; `from_pretrained` then makes nm.nn.Linear
in their places before the weights are read, so that there never is a dense weight.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers.quantizers.auto import register_quantization_config, register_quantizer
from transformers.quantizers.base import HfQuantizer
from transformers.utils.quantization_config import QuantizationConfigMixin

from nm.errors import Error, PatternError
from nm.nn.joined import JoinedLayers
from nm.nn.linear import Linear
from nm.nn.packed_weight import PackedWeight
from nm.nn.preparing import join_and_prepare
from nm.pattern import Pattern
from nm.pruning.find_pattern import get_positions_type

METHOD = "nm"
_VERSION = 1  # of the entries below; raised when they mean something else


class NMConfig(QuantizationConfigMixin):
    """What config.json says of a converted model.

    Attributes:
        layers: of each nm.nn.Linear, by its name, [keep, window (0: all of k), rows of a
            unit, columns].
        joined: names of layers that one product computes, in groups.
    """

    def __init__(
        self,
        layers: dict[str, list[int]] | None = None,
        joined: list[list[str]] | None = None,
        version: int = _VERSION,
        **_: Any,
    ) -> None:
        self.quant_method: Any = METHOD
        self.version = version
        self.layers = layers or {}
        self.joined = joined or []


class NMQuantizer(HfQuantizer):
    """Loads and saves converted models in transformers."""

    requires_calibration = True  # a dense checkpoint is pruned, then nm.convert's

    quantization_config: NMConfig

    def validate_environment(self, *args: Any, **kwargs: Any) -> None:
        version = self.quantization_config.version
        if version != _VERSION:
            raise Error(
                f"expected a checkpoint of version {_VERSION} of nm's layers, got "
                f"{version}: load it with the nm that wrote it"
            )

    def _process_model_before_weight_loading(self, model: Any, **kwargs: Any) -> Any:
        for name, numbers in self.quantization_config.layers.items():
            _put_empty(model, name, numbers)
        # Which get_state_dict_and_metadata adds.
        ignored = set(getattr(model, "_keys_to_ignore_on_load_unexpected", None) or ())
        ignored.update(f"{name}.weight" for name in self.quantization_config.layers)
        model._keys_to_ignore_on_load_unexpected = ignored
        return model

    def _process_model_after_weight_loading(self, model: Any, **kwargs: Any) -> Any:
        layers: dict[str, Linear] = {}
        for name in self.quantization_config.layers:
            layers[name] = model.get_submodule(name)
            layers[name].requires_grad_(False)
            layers[name].check_form()
        join_and_prepare(layers, self.quantization_config.joined)
        return model

    def get_state_dict_and_metadata(self, model: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        state = model.state_dict()
        for name in self.quantization_config.layers:
            # A loader without nm finds a weight of another shape, which is an error; without
            # it, it would begin with random weights and a warning.
            state[f"{name}.weight"] = torch.zeros(0)
        return state, {}

    def is_serializable(self, *_: Any, **__: Any) -> bool:
        return True

    @property
    def is_trainable(self) -> bool:
        # Adapters beside the frozen weights are.
        return True

    @property
    def is_compileable(self) -> bool:
        return True


def _put_empty(model: Any, name: str, numbers: list[int]) -> None:
    """Puts an nm.nn.Linear without data in the place of a layer."""
    try:
        dense = model.get_submodule(name)
    except AttributeError:
        raise Error(
            f"expected a layer {name}, which the checkpoint's config.json lists, in "
            f"{type(model).__name__}: load it as the model that was saved"
        ) from None
    weight = dense.weight
    n, k = weight.shape if isinstance(dense, torch.nn.Linear) else weight.shape[::-1]
    keep, window, unit_k, unit_n = numbers
    try:
        pattern = Pattern(keep, window or None, (unit_k, unit_n))
        shape, dtype = get_positions_type(k, n, pattern)
        values = torch.empty(pattern.height(k), n, dtype=weight.dtype, device="meta")
        positions = torch.empty(shape, dtype=dtype, device="meta")
        packed = PackedWeight(values, positions, pattern, k)
    except (PatternError, ZeroDivisionError) as error:
        raise Error(f"{name}: {error}") from error
    bias = None if dense.bias is None else torch.empty(n, dtype=weight.dtype, device="meta")
    parent, _, last = name.rpartition(".")
    setattr(model.get_submodule(parent), last, Linear(packed, bias, name))


def attach(model: Any) -> None:
    """Lets `save_pretrained` of a converted model of transformers write what
    `from_pretrained` reads."""
    found = {
        name: module for name, module in model.named_modules() if isinstance(module, Linear)
    }
    names = {module: name for name, module in found.items()}
    layers: dict[str, list[int]] = {}
    joined: dict[JoinedLayers, list[str]] = {}
    for name, module in found.items():
        pattern = module.pattern
        layers[name] = [pattern.keep, pattern.window or 0, *pattern.unit]
        if module.joined is not None:
            # In the order in which they lie beside each other.
            joined[module.joined] = [names[one] for one in module.joined.members]
    config = NMConfig(layers, list(joined.values()))
    model.config.quantization_config = config
    model.hf_quantizer = NMQuantizer(config, pre_quantized=True)
    model.is_quantized = True
    model.quantization_method = METHOD


def register() -> None:
    """Makes nm known to transformers; once, where it is already."""
    from transformers.quantizers.auto import AUTO_QUANTIZER_MAPPING

    if METHOD not in AUTO_QUANTIZER_MAPPING:
        register_quantization_config(METHOD)(NMConfig)
        register_quantizer(METHOD)(NMQuantizer)

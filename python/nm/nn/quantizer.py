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

from nm.nn.stored import (
    VERSION,
    check_version,
    describe_layers,
    prepare_layers,
    put_empty_layers,
)

METHOD = "nm"


class NMConfig(QuantizationConfigMixin):
    """What config.json says of a converted model.

    Attributes:
        layers: of each nm.nn.Linear, by its name, [keep, window (0: all of k), rows of a
            unit, columns], and more for int8 (nm.nn.stored).
        joined: names of layers that one product computes, in groups.
    """

    def __init__(
        self,
        layers: dict[str, list[Any]] | None = None,
        joined: list[list[str]] | None = None,
        version: int = VERSION,
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
        check_version(self.quantization_config.version)

    def _process_model_before_weight_loading(self, model: Any, **kwargs: Any) -> Any:
        put_empty_layers(model, self.quantization_config.layers, keeps_types=True)
        # Which get_state_dict_and_metadata adds.
        ignored = set(getattr(model, "_keys_to_ignore_on_load_unexpected", None) or ())
        ignored.update(f"{name}.weight" for name in self.quantization_config.layers)
        model._keys_to_ignore_on_load_unexpected = ignored
        return model

    def _process_model_after_weight_loading(self, model: Any, **kwargs: Any) -> Any:
        config = self.quantization_config
        prepare_layers(model, config.layers, config.joined)
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


def attach(model: Any) -> None:
    """Lets `save_pretrained` of a converted model of transformers write what
    `from_pretrained` reads."""
    config = NMConfig(*describe_layers(model))
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

"""What of a model and its arguments is refused before torch.export sees it.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch.export's own words for these are about its insides.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.errors import ExportError
from nm.origins import Origin
from nm.pruning.layers import join


def check_exportable(name: str, model: torch.nn.Module, args: Any, kwargs: Any) -> None:
    """Refuses tensors without data, and weights that are no tensors.

    Raises:
        ExportError: the model, called `name`, or an argument has such.
    """
    for path, module in model.named_modules():
        tensors = {**module._parameters, **module._buffers}
        for key, tensor in tensors.items():
            if tensor is not None and tensor.device.type == "meta":
                raise ExportError(
                    f"{join(path, key)} is on the meta device, without data",
                    model=name,
                    place=Origin(layer=path),
                    remedy='load its weights first (model.to_empty(device="cpu"), then '
                    "load_state_dict), or load the model without offloading",
                )
        _check_objects(name, path, module)
    for path, value in torch.utils._pytree.tree_flatten_with_path((args, kwargs))[0]:
        if isinstance(value, torch.Tensor) and value.device.type == "meta":
            where = torch.utils._pytree.keystr(path[1:])
            raise ExportError(
                f"argument {where} is on the meta device, without data",
                model=name,
                remedy="give a tensor of the shape and type that the model is called with, "
                "such as torch.zeros",
            )


def _check_objects(name: str, path: str, module: torch.nn.Module) -> None:
    """Refuses packed weights, as those of torch.ao's quantized modules."""
    for key, value in vars(module).items():
        if isinstance(value, torch.ScriptObject):
            raise ExportError(
                f"{join(path, key)} of {type(module).__name__} is packed, an object of "
                "TorchScript and no tensor",
                model=name,
                place=Origin(layer=path),
                remedy="export the model as it was before torch.ao.quantization converted "
                "it (quantize_dynamic, convert)",
            )

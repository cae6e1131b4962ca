"""Files of converted models: nm.save, and nm.load with a model.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A file is one of safetensors: the model's state, with condensed weights, and what
`nm.nn.stored` says of its layers as JSON in the entry "nm" of its metadata.
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

from nm.errors import Error

if TYPE_CHECKING:
    import torch

# The entry of a file's metadata that says which layers are converted.
_ENTRY = "nm"


def save(model: torch.nn.Module, path: str | os.PathLike[str]) -> None:
    """Writes a converted model's state, with its weights condensed, as a safetensors file.

        nm.save(model, "model.safetensors")
        model = nm.load("model.safetensors", Model())

    Tensors that are shared, as of tied layers, are written once. A model of transformers
    has `save_pretrained`, which writes its configuration too.

    Args:
        model: with layers that `nm.convert` replaced.
        path: of the file; one that is there is replaced when all is written.

    Raises:
        Error: no layer is nm.nn.Linear, or safetensors is not installed.
        OSError: the file cannot be written.
    """
    from nm.nn.stored import VERSION, describe_layers

    layers, joined = describe_layers(model)
    if not layers:
        raise Error(
            f"{type(model).__name__}: expected a converted model, got one without "
            "nm.nn.Linear: call nm.convert first, or save its state_dict"
        )
    of_torch = _import_safetensors()
    said = {"version": VERSION, "layers": layers, "joined": joined}
    directory, name = os.path.split(os.fspath(path))
    with tempfile.TemporaryDirectory(prefix=f"{name}.", dir=directory or ".") as folder:
        whole = os.path.join(folder, name)
        of_torch.save_model(model, whole, metadata={_ENTRY: json.dumps(said)})
        os.replace(whole, path)


def load_model(path: str | os.PathLike[str], model: torch.nn.Module) -> None:
    """Gives `model` the layers and the state of a file that `save` wrote: nm.load(path,
    model) says how."""
    from nm.nn.stored import check_version, prepare_layers, put_empty_layers

    of_torch = _import_safetensors()
    from safetensors import SafetensorError, safe_open

    device = next((p.device for p in model.parameters() if not p.is_meta), "cpu")
    try:
        with safe_open(os.fspath(path), "pt") as file:
            metadata = dict(file.metadata() or {})
        said = _parse(path, metadata.pop(_ENTRY, None))
        check_version(said.get("version"))
        put_empty_layers(model, said.get("layers"))
        state = of_torch.load_file(path, device=str(device))
    except SafetensorError as error:
        raise Error(f"{os.fspath(path)}: no safetensors file, or damaged: {error}") from error
    except Error as error:
        raise type(error)(f"{os.fspath(path)}: {error}") from error
    _give_state(path, model, state, metadata)
    prepare_layers(model, said["layers"], said.get("joined"))


def _parse(path: str | os.PathLike[str], text: str | None) -> dict[str, Any]:
    said: Any = None
    if text is not None:
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = None
    if not isinstance(said, dict):
        raise Error(
            "expected a file that nm.save wrote, got one without its entry "
            f"`{_ENTRY}`: nm.load(path) loads programs"
        )
    return said


def _give_state(
    path: str | os.PathLike[str],
    model: torch.nn.Module,
    state: dict[str, torch.Tensor],
    shared: dict[str, str],
) -> None:
    """Lets a model have the tensors of a file; `shared` names those that others are."""
    import torch

    parameters = dict(model.named_parameters(remove_duplicate=False))
    given: dict[str, torch.Tensor] = {}
    for name, tensor in state.items():
        of = parameters.get(name)
        given[name] = (
            tensor if of is None else torch.nn.Parameter(tensor, requires_grad=of.requires_grad)
        )
    for name, other in shared.items():
        if other in given:
            given.setdefault(name, given[other])
    try:
        model.load_state_dict(given, assign=True)
    except RuntimeError as error:
        raise Error(f"{os.fspath(path)}: {error}") from error
    tensors = [*model.named_parameters(), *model.named_buffers()]
    left = [name for name, tensor in tensors if tensor.is_meta]
    if left:
        raise Error(
            f"{os.fspath(path)}: {', '.join(left)} of the model are on the meta device and "
            "not in the file: make the model on the CPU"
        )


def _import_safetensors() -> Any:
    try:
        import safetensors.torch
    except ImportError as error:
        raise Error(
            "files of converted models need safetensors: pip install safetensors"
        ) from error
    return safetensors.torch

"""Which parameters of a model are weights of products, and where their k is.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Weight:
    """A parameter that is multiplied with activations.

    Attributes:
        name: the parameter's name in the model.
        kind: the class of its module.
        parameter: the parameter itself, of any shape.
        form: how its dimensions read: "nk", "kn", "nk11", "enk" or "ekn", e
            being the experts and 1 the taps of a 1x1 convolution.
    """

    name: str
    kind: str
    parameter: torch.nn.Parameter
    form: str

    @property
    def k(self) -> int:
        """Inputs of the product: what is summed over."""
        return int(self.parameter.shape[self.form.index("k")])

    @property
    def n(self) -> int:
        """Outputs of the product, of one expert."""
        return int(self.parameter.shape[self.form.index("n")])

    def slices(self) -> list[torch.Tensor]:
        """Views of the parameter as matrices [n, k]: one, or one per expert."""
        data = self.parameter.detach()
        if self.form == "nk":
            return [data]
        if self.form == "nk11":
            while data.dim() > 2:
                data = data[..., 0]
            return [data]
        if self.form == "kn":
            return [data.t()]
        return [e if self.form == "enk" else e.t() for e in data.unbind(0)]


@dataclass(frozen=True)
class OtherParameter:
    """A parameter of two or more dimensions that `prune` does not consider.

    Attributes:
        name: its name in the model.
        kind: the class of its module.
        shape: its extents.
        reason: why it is no weight to prune.
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    reason: str


def find_weights(model: torch.nn.Module) -> Iterator[Weight]:
    """All weights of products of `model`, in the order of its modules.

    Known are torch.nn's Linear, MultiheadAttention, recurrent layers and
    1x1 convolutions, transformers' Conv1D, and its stacks of experts. Parameters
    of other modules (embeddings, norms, routers) are not weights: see
    find_other_parameters.
    """
    for path, module in model.named_modules():
        for name, form in _forms(module):
            parameter = module._parameters.get(name)
            if parameter is not None:
                full = f"{path}.{name}" if path else name
                yield Weight(full, type(module).__name__, parameter, form)


def _forms(module: torch.nn.Module) -> list[tuple[str, str]]:
    """The weights of one module: names of parameters, and their forms."""
    from torch import nn

    if isinstance(module, nn.Linear):
        return [("weight", "nk")]
    if type(module).__name__ == "Conv1D" and hasattr(module, "nf"):
        return [("weight", "kn")]  # transformers' own class, as in GPT-2
    if isinstance(module, nn.MultiheadAttention):
        names = ["in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"]
        return [(name, "nk") for name in names]
    if isinstance(module, (nn.RNNBase, nn.RNNCellBase)):
        names = [name for name, _ in module.named_parameters(recurse=False)]
        return [(name, "nk") for name in names if name.startswith("weight_")]
    if isinstance(module, (nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        pointwise = set(module.kernel_size) == {1} and module.groups == 1
        return [("weight", "nk11")] if pointwise else []
    if hasattr(module, "is_transposed"):  # transformers' use_experts_implementation
        form = "ekn" if module.is_transposed else "enk"
        stacks = module.named_parameters(recurse=False)
        return [(name, form) for name, weight in stacks if weight.dim() == 3]
    return []


def find_other_parameters(model: torch.nn.Module) -> Iterator[OtherParameter]:
    """The parameters of `model` that look like weights but are none of find_weights.

    Those of fewer than two dimensions (biases, norms) are left out.
    """
    for path, module in model.named_modules():
        known = {name for name, _ in _forms(module)}
        for name, parameter in module.named_parameters(recurse=False):
            if name in known or parameter.dim() < 2:
                continue
            full = f"{path}.{name}" if path else name
            reason = _why_other(module)
            kind = type(module).__name__
            yield OtherParameter(full, kind, tuple(parameter.shape), reason)


def _why_other(module: torch.nn.Module) -> str:
    """Why parameters of `module` are not considered."""
    from torch import nn
    from torch.nn.utils.parametrize import ParametrizationList

    if isinstance(module, ParametrizationList):
        return (
            "parametrized: the weight is computed from it at each call; "
            "torch.nn.utils.parametrize.remove_parametrizations makes it a weight"
        )
    if isinstance(module, (nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        if module.groups != 1:
            return f"a convolution in {module.groups} groups"
        return f"a convolution of {'x'.join(map(str, module.kernel_size))} taps"
    if isinstance(module, (nn.Embedding, nn.EmbeddingBag)):
        return "looked up, not multiplied"
    return f"a parameter of {type(module).__name__}, which may use it in any way"

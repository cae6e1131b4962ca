"""Which parameters of a model are weights of products, and where their k is.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Weight:
    """A parameter that is multiplied with activations.

    Attributes:
        name: the parameter's name in the model.
        module: the module that has it.
        attribute: its name there.
        parameter: the parameter itself, of any shape.
        form: how its dimensions read: "nk", "kn", "nk11", "enk" or "ekn", e
            being the experts and 1 the taps of a 1x1 convolution.
    """

    name: str
    module: torch.nn.Module
    attribute: str
    parameter: torch.nn.Parameter
    form: str

    @property
    def kind(self) -> str:
        """The class of its module."""
        return type(self.module).__name__

    @property
    def shape(self) -> tuple[int, ...]:
        """The parameter's extents; () where they are not known."""
        return get_shape(self.parameter)

    @property
    def fits_form(self) -> bool:
        """Whether the parameter has the dimensions that `form` reads."""
        dims = len(self.shape)
        return dims >= 2 if self.form == "nk11" else dims == len(self.form)

    @property
    def k(self) -> int:
        """Inputs of the product: what is summed over; 0 where not known."""
        return self.shape[self.form.index("k")] if self.fits_form else 0

    @property
    def n(self) -> int:
        """Outputs of the product, of one expert; 0 where not known."""
        return self.shape[self.form.index("n")] if self.fits_form else 0

    @property
    def copies(self) -> int:
        """1, or the number of experts."""
        return self.shape[0] if self.form[0] == "e" and self.fits_form else 1

    def matrices(self, tensor: torch.Tensor) -> list[torch.Tensor]:
        """Views of a tensor of the weight's shape as matrices [n, k]: one, or one
        per expert."""
        if self.form == "nk":
            return [tensor]
        if self.form == "nk11":
            while tensor.dim() > 2:
                tensor = tensor[..., 0]
            return [tensor]
        if self.form == "kn":
            return [tensor.t()]
        return [e if self.form == "enk" else e.t() for e in tensor.unbind(0)]

    def read(self) -> Any:
        """What the module has under the weight's name now: what its products take."""
        return getattr(self.module, self.attribute)


@dataclass(frozen=True)
class OtherParameter:
    """A parameter of two or more dimensions that `prune` does not consider.

    Attributes:
        name: its name in the model.
        kind: the class of its module.
        shape: its extents; () where they are not known.
        reason: why it is no weight to prune.
        convertible: whether it is the weight of a product in another form (packed,
            parametrized); `reason` says how it becomes one to prune.
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    reason: str
    convertible: bool = False


def join(path: str, name: str) -> str:
    """The full name of what is called `name` in the module at `path`."""
    return f"{path}.{name}" if path else name


def is_uninitialized(parameter: torch.Tensor) -> bool:
    """Whether it is of a lazy module that was never called, and has no shape yet."""
    from torch.nn.parameter import is_lazy

    return bool(is_lazy(parameter))


def get_shape(parameter: torch.Tensor) -> tuple[int, ...]:
    """Its extents; () where they are not known: in lazy modules, of nested tensors."""
    unknown = is_uninitialized(parameter) or parameter.is_nested
    return () if unknown else tuple(parameter.shape)


def find_weights(model: torch.nn.Module) -> Iterator[Weight]:
    """All weights of products of `model`, in the order of its modules.

    Known are torch.nn's Linear, MultiheadAttention, recurrent layers and
    1x1 convolutions, transformers' Conv1D, and its stacks of experts. Parameters
    of other modules (embeddings, norms, routers) are not weights: see
    find_other_parameters (others.py).
    """
    for path, module in model.named_modules():
        for name, form in find_forms(module):
            parameter = module._parameters.get(name)
            if parameter is not None:
                yield Weight(join(path, name), module, name, parameter, form)


def find_forms(module: torch.nn.Module) -> list[tuple[str, str]]:
    """The weights of one module: names of parameters, and their forms."""
    from torch import nn

    if isinstance(module, nn.Linear):
        return [("weight", "nk")]
    if type(module).__name__ == "Conv1D" and hasattr(module, "nf"):
        return [("weight", "kn")]  # transformers' own class, as in GPT-2
    if isinstance(module, nn.MultiheadAttention):
        names = ["in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"]
        return [(name, "nk") for name in names]
    if isinstance(module, nn.RNNBase):
        # Not all parameters so named: torch.nn.utils has weight_hh_l0_orig, ..._g.
        names = [str(name) for name in module._flat_weights_names]
        return [(name, "nk") for name in names if name.startswith("weight_")]
    if isinstance(module, nn.RNNCellBase):
        return [("weight_ih", "nk"), ("weight_hh", "nk")]
    if isinstance(module, (nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        pointwise = set(module.kernel_size) == {1} and module.groups == 1
        return [("weight", "nk11")] if pointwise else []
    if hasattr(module, "is_transposed"):  # transformers' use_experts_implementation
        form = "ekn" if module.is_transposed else "enk"
        stacks = module.named_parameters(recurse=False)
        return [
            (name, form)
            for name, weight in stacks
            if not is_uninitialized(weight) and weight.dim() == 3
        ]
    return []

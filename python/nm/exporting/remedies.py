"""What to do about a refusal of torch.export or torch-mlir.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

# What a refusal says, in parts that are all there, and the remedy. The first that fits.
_REMEDIES = (
    (
        ("expert_hit",),
        "these experts are looped over by data: leave transformers' default, or call "
        'model.set_experts_implementation("grouped_mm"), or load the model with '
        'experts_implementation="grouped_mm"',
    ),
    (
        ("Cache'> in output",),
        "a model that gives back its cache of keys and values is not exported: pass "
        "use_cache=False, or set model.config.use_cache = False, or export a module "
        "that returns the logits only",
    ),
    (
        ("expected compiled_fn to be GraphModule",),
        "a tensor that the model writes is reached otherwise than as a buffer, as those "
        "of transformers' StaticCache are: pass strict=True to nm.export, or read it as "
        "a buffer of its module in forward",
    ),
    (
        ("prim.Loop' op along control flow",),
        "a while_loop whose body has weights or other tensors of its own is not "
        "supported: give them to it as carried inputs, or write the loop in Python",
    ),
    (
        ("GuardOnDataDependentSymNode",),
        "the model branches on its data, which is not known at export: choose by "
        "torch.where or torch.cond",
    ),
)


def find_remedy(text: str) -> str:
    """The remedy for what `text`, all that was said, complains of; "" for none known."""
    for parts, remedy in _REMEDIES:
        if all(part in text for part in parts):
            return remedy
    return ""

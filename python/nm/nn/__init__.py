"""Sparse layers of PyTorch models: what nm.convert puts in.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nm.nn.fusion import fuse_epilogues
    from nm.nn.linear import Linear
    from nm.nn.packed_weight import PackedWeight

__all__ = ["Linear", "PackedWeight", "fuse_epilogues"]


def __getattr__(name: str) -> Any:
    # They need torch, which the rest of nm does without.
    if name == "Linear":
        from nm.nn.linear import Linear

        return Linear
    if name == "PackedWeight":
        from nm.nn.packed_weight import PackedWeight

        return PackedWeight
    if name == "fuse_epilogues":
        from nm.nn.fusion import fuse_epilogues

        return fuse_epilogues
    raise AttributeError(f"module {__name__} has no attribute {name}")

# fma_schedules.py - Schedules of FMA kernels, as text.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The planner's tiles for vector-wise products on CUDA cores (lib/Planner/CudaCore.cpp)."""

# Warps, lanes and elements of a thread.
TILES = {
    "128x256": ((1, 8), (16, 2), (8, 16)),
    "128x128": ((1, 4), (16, 2), (8, 16)),
    "64x256": ((1, 8), (8, 4), (8, 8)),
    "64x128": ((1, 4), (8, 4), (8, 8)),
    "64x64": ((1, 2), (8, 4), (8, 8)),
    "32x128": ((1, 4), (8, 4), (4, 8)),
    "32x64": ((1, 2), (8, 4), (4, 8)),
    "32x32": ((1, 1), (8, 4), (4, 8)),
}


def make_schedule(tile, step, stages, packed, split_k=1, prefetch=False, producers=0):
    """Producers copy by tensor maps."""
    warps, lanes, thread = TILES[tile]
    block = [w * l * t for w, l, t in zip(warps, lanes, thread)] + [step]
    kind = f"#nm.fma<warps = {[*warps]}, lanes = {[*lanes]}, thread = {[*thread]}>"
    packing = ", packed = true" if packed else ""
    ahead = ", prefetch = true" if prefetch else ""
    roles = f", engine = tma, producers = {producers}" if producers else ""
    split = f", split_k = {split_k}" if split_k > 1 else ""
    return (
        f"#nm.schedule<kind = {kind}, block = {block}{packing}, stages = {stages}{ahead}{split}"
        f"{roles}>"
    )

"""Writes products of one row as the planner schedules them, and what numpy computes of them.

usage: one_row.py ROOT FOLDER
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(sys.argv[1], "tools/nm-bench")))
import nm_modules  # noqa: E402

# n, k, kept of 32, columns of a unit and type: whole blocks and tails, several unit columns a
# warp, few columns.
PRODUCTS = {
    "whole": (1024, 1024, 8, 32, "f32"),
    "tails": (1000, 1001, 4, 32, "f32"),
    "narrow": (1024, 1024, 8, 8, "f32"),
    "odd": (1008, 1024, 16, 24, "f16"),
    "half": (1000, 1001, 8, 64, "f16"),
    "few": (64, 4096, 8, 32, "f32"),
}


def main(folder):
    for name, (n, k, keep, unit, dtype) in PRODUCTS.items():
        product = nm_modules.Product(1, n, k, keep, 32, unit, dtype=dtype)
        values, indices = nm_modules.random_weight(product, seed=1)
        nm_modules.write_module(folder / f"{name}.mlir", product, values, indices)
        a = np.random.default_rng(2).standard_normal(k).astype(product.element_type)
        np.save(folder / f"{name}.a.npy", a)
        dense = nm_modules.expand(product, values.astype(float), indices)
        np.save(folder / f"{name}.c.npy", (a.astype(float) @ dense).astype(a.dtype))


main(pathlib.Path(sys.argv[2]))

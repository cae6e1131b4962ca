"""Writes products of one row as the planner schedules them, and what numpy computes of them.

usage: one_row.py ROOT FOLDER
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(sys.argv[1], "tools/nm-bench")))
import nm_modules  # noqa: E402

# n, k, kept units and units of a window, columns of a unit and type: whole blocks and tails,
# several unit columns a warp, few columns; of single columns masks, positions of bits in words
# and across them, and of bytes.
PRODUCTS = {
    "whole": (1024, 1024, 8, 32, 32, "f32"),
    "tails": (1000, 1001, 4, 32, 32, "f32"),
    "narrow": (1024, 1024, 8, 32, 8, "f32"),
    "odd": (1008, 1024, 16, 32, 24, "f16"),
    "half": (1000, 1001, 8, 32, 64, "f16"),
    "few": (64, 4096, 8, 32, 32, "f32"),
    "masks": (1000, 1001, 16, 32, 1, "f16"),
    "nested": (520, 1000, 2, 4, 1, "f32"),
    "bits": (1000, 4001, 4, 32, 1, "f16"),
    "pairs": (1000, 1001, 3, 32, 2, "f16"),
    "positions": (1000, 1001, 4, 32, 1, "f32"),
}


# Several rows, and weights of bytes: on CUDA cores and on tensor cores.
SEVERAL = {
    "eight": nm_modules.Product(8, 1000, 1001, 16, 32, 32, dtype="f16"),
    "five": nm_modules.Product(5, 1000, 1001, 8, 32, 1, dtype="f32"),
    "bytes": nm_modules.Product(3, 1000, 1001, 8, 32, 16, dtype="f16", weight_dtype="i8"),
}


def list_products():
    for name, (n, k, keep, window, unit, dtype) in PRODUCTS.items():
        yield name, nm_modules.Product(1, n, k, keep, window, unit, dtype=dtype)
    yield from SEVERAL.items()


def main(folder):
    for name, product in list_products():
        values, indices = nm_modules.random_weight(product, seed=1)
        nm_modules.write_module(folder / f"{name}.mlir", product, values, indices)
        element = np.float32 if product.dtype == "f32" else np.float16
        a = np.random.default_rng(2).standard_normal(product.a_shape).astype(element)
        np.save(folder / f"{name}.a.npy", a)
        dense = nm_modules.expand(product, values.astype(float), indices)
        if product.weight_type == "i8":
            dense *= nm_modules.WEIGHT_SCALE
        np.save(folder / f"{name}.c.npy", (a.astype(float) @ dense).astype(a.dtype))


main(pathlib.Path(sys.argv[2]))

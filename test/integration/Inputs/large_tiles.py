"""Writes products whose threads copy more of A than they have registers for, which copy it
asynchronously in steps that nothing overlaps, and what numpy computes of them. FOLDER/NAME gets
module.mlir, a.npy and c.npy.

usage: large_tiles.py FOLDER
"""

import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/nm-bench"))
import nm_modules  # noqa: E402

TENSOR_CORES = "#nm.mma_gemv<warps = [1, 2], tile = [16, 32]>, block = [16, 32, 640]"
CUDA_CORES = "#nm.gemv<warps = [1, 2], lanes = [8, 4], thread = [4, 4, 1]>, block = [4, 32, 1280]"

# m, n, k and type: two steps, the last whole or with tails of m, n and k, or for any m.
PRODUCTS = {
    "whole": (16, 64, 1280, "f16", TENSOR_CORES),
    "tails": (11, 50, 1000, "f16", TENSOR_CORES),
    "any": (None, 64, 1000, "f16", TENSOR_CORES),
    "cores": (3, 40, 2052, "f32", CUDA_CORES),
}
ROWS_OF_ANY = 13


def main(folder):
    for name, (m, n, k, dtype, kind) in PRODUCTS.items():
        case = folder / name
        case.mkdir(parents=True, exist_ok=True)
        product = nm_modules.Product(
            m, n, k, 8, 32, 32, dtype=dtype,
            schedule=f"#nm.schedule<kind = {kind}, promote_weight = false>")
        values, indices = nm_modules.random_weight(product, seed=1)
        nm_modules.write_module(case / "module.mlir", product, values, indices)
        shape = (m or ROWS_OF_ANY, k)
        a = np.random.default_rng(2).standard_normal(shape).astype(product.element_type)
        np.save(case / "a.npy", a)
        dense = nm_modules.expand(product, values.astype(float), indices)
        np.save(case / "c.npy", (a.astype(float) @ dense).astype(a.dtype))


main(pathlib.Path(sys.argv[1]))

# peers.py - What was recorded of others' kernels.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NM-SpMM's hand-written kernels next to cuBLAS SGEMM (f32, M = 32, L = 32) on an H200, in
docs/results/peers: a row for each shape and sparsity. Compare speedups, not times."""

import csv
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/results/peers"
# The paper's 100 shapes of Llama, and those of its Table II.
LLAMA = "h200_spmm_fp32.csv"
TABLE2 = "h200_spmm_fp32_table2.csv"


def read_speedups(name):
    """NM-SpMM's speedup over SGEMM by (m, n, k, sparsity), in the file's order."""
    with open(FOLDER / name, newline="", encoding="ascii") as file:
        return {
            (int(row["m"]), int(row["n"]), int(row["k"]), float(row["sparsity"])):
                float(row["cublas_ms"]) / float(row["nmspmm_ms"])
            for row in csv.DictReader(file)
        }


def read_shapes(name):
    """The (m, n, k) of a file, in its order."""
    return list(dict.fromkeys(point[:3] for point in read_speedups(name)))

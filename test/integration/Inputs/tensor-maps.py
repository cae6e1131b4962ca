"""Writes what tensor-maps.mlir takes and gives.

usage: tensor-maps.py FOLDER
"""

import pathlib
import sys

import numpy as np

# Name, rows of x, rows that are left out: whole tiles, a tail, one row alone, a view
# of the last rows, no rows (and so no blocks).
CASES = [("whole", 64, 0), ("tail", 71, 0), ("row", 1, 0), ("view", 70, 5), ("empty", 0, 0)]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name, rows, skipped in CASES:
        # All values are different from their neighbours', and none is zero.
        x = (1 + np.arange(rows * 128) % 2039).astype("f2").reshape(rows, 128)
        y = np.zeros((-(-rows // 32) * 32, 128), "f2")
        y[: rows - skipped] = x[skipped:]
        np.save(folder / f"{name}.x.npy", x)
        np.save(folder / f"{name}.first.npy", np.array([skipped], "i8"))
        np.save(folder / f"{name}.y.npy", y)


main()

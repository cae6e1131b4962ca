"""Runs a module with nm-run and compares its results with numpy's.

usage: check_module.py FILE DEVICE --inputs EXPRESSION --expect EXPRESSION [--tolerance T]

Both expressions are Python: the first a list of arrays, the second a list of what
the results must be, in terms of the inputs `x`. The largest difference may be T
times the largest expected number (by default 0: equal), a NaN is expected as one.
Element types and shapes must be equal.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("device")
    parser.add_argument("--inputs", default="[]")
    parser.add_argument("--expect", required=True)
    parser.add_argument("--tolerance", type=float, default=0)
    options = parser.parse_args()
    inputs = eval(options.inputs, {"np": np})
    expected = eval(options.expect, {"np": np, "x": inputs})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = ["nm-run", options.file, f"--device={options.device}"]
        command.append(f"--output-dir={folder}/out")
        for number, array in enumerate(inputs):
            np.save(folder / f"{number}.npy", array)
            command.append(f"--input={folder}/{number}.npy")
        subprocess.run(command, check=True)
        for number, want in enumerate(expected):
            got = np.load(folder / "out" / f"{number}.npy")
            if got.dtype != want.dtype or got.shape != want.shape:
                sys.exit(f"result {number}: expected {want.dtype} {want.shape}, "
                         f"got {got.dtype} {got.shape}")
            limit = options.tolerance * np.nanmax(np.abs(want), initial=0)
            if not np.allclose(got, want, rtol=0, atol=limit, equal_nan=True):
                sys.exit(f"result {number}: expected\n{want}\ngot\n{got}")
    print(f"{len(expected)} results as expected on {options.device}")


if __name__ == "__main__":
    main()

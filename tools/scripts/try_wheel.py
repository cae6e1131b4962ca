#!/usr/bin/env python3
# try_wheel.py - Whether an installed wheel of nm works by itself.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, saves, loads and calls a program, and runs the tools by their names.

Usage: try_wheel.py [DEVICE], in the environment that the wheel is installed in.
DEVICE is what nm-run calls it, by default the emulator.
"""

import pathlib
import subprocess
import sys
import tempfile

import nm
import numpy as np

PRODUCT = """
func.func @forward(%x: tensor<?x8xf32>) -> tensor<?x2xf32> {
  %w = arith.constant dense<[[1.0, 0.0], [0.0, 0.0], [0.0, 2.0], [0.0, 0.0],
                             [0.0, 0.0], [3.0, 0.0], [0.0, 0.0], [0.0, 4.0]]>
      : tensor<8x2xf32>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x2xf32>)
                     outs(%f : tensor<?x2xf32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
"""


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "emulator"
    package = pathlib.Path(nm.__file__).parent
    assert (package / "bin/nm").is_file(), f"expected nm from a wheel, got {package}"
    x = np.arange(24, dtype=np.float32).reshape(3, 8)
    w = np.zeros((8, 2), np.float32)
    w[0, 0], w[2, 1], w[5, 0], w[7, 1] = 1, 2, 3, 4
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = nm.compile(nm.Module(PRODUCT)).save(folder / "p.nm")
        (y,) = nm.load(path)(x)
        assert np.array_equal(y, x @ w)
        np.save(folder / "x.npy", x)
        np.save(folder / "y.npy", x @ w)
        command = ["nm-run", path, f"--input={folder}/x.npy"]
        command += [f"--expect={folder}/y.npy", f"--device={device}"]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        print(said.stdout.splitlines()[0])
    for tool in ("nm-opt", "nm-compile", "nm-run"):
        subprocess.run([tool, "--version"], check=True, stdout=subprocess.PIPE)
    tune = ["nm-tune", "--products", "512x1024x4096:8:32:32", "--dry-run"]
    said = subprocess.run(tune, check=True, stdout=subprocess.PIPE, text=True)
    assert "us predicted" in said.stdout
    print("the wheel works")


if __name__ == "__main__":
    main()

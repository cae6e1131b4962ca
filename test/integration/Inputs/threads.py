"""Prints a product with a weight of which each window keeps some units.

usage: threads.py KEEP WINDOW UNIT_COLUMNS
"""

import sys

import numpy as np

M, K, N = 64, 512, 1100  # whole blocks along k, a partial one along n


def main():
    keep, window, unit = map(int, sys.argv[1:])
    random = np.random.default_rng(20261123)
    units = random.random((K // window, window, -(-N // unit))).argsort(axis=1) < keep
    mask = units.reshape(K, -1).repeat(unit, axis=1)[:, :N]
    weight = (random.random((K, N)) + 1) * mask
    data = weight.astype("<f4").tobytes().hex().upper()
    a, b, c = f"tensor<{M}x{K}xf32>", f"tensor<{K}x{N}xf32>", f"tensor<{M}x{N}xf32>"
    print(f"""func.func @main(%a: {a}) -> {c} {{
  %b = arith.constant dense_resource<weight> : {b}
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {c}
  %z = linalg.fill ins(%zero : f32) outs(%e : {c}) -> {c}
  %p = linalg.matmul ins(%a, %b : {a}, {b}) outs(%z : {c}) -> {c}
  return %p : {c}
}}
{{-#
  dialect_resources: {{ builtin: {{ weight: "0x10000000{data}" }} }}
#-}}""")


main()

"""Writes a product on tensor cores whose blocks gather the rows of A that they read, four
steps ahead, tile after tile; A, and what numpy computes of it.

usage: gathered.py FOLDER
"""

import pathlib
import sys

import numpy as np

M, N, K, KEEP, WINDOW, UNIT = 200, 256, 1280, 4, 32, 64

MODULE = """
func.func @main(%a: tensor<{k}x{m}xf16>) -> tensor<{n}x{m}xf16> {{
  %w = nm.constant {{values = dense<"0x{values}"> : tensor<{rows}x{n}xf16>,
                     indices = dense<"0x{indices}"> : tensor<{rows}x{units}xi8>}}
    : !nm.condensed<{k}x{n}xf16, #nm.pattern<{keep}:{window}, unit = 1x{unit}>>
  %c = tensor.empty() : tensor<{n}x{m}xf16>
  %r = nm.spmm %a, %w outs(%c : tensor<{n}x{m}xf16>)
    {{a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>,
     schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 4], tile = [64, 64]>, block = [128, 256, 256],
                             packed = true, stages = 4, prefetch = true, persistent = 1>}}
    : tensor<{k}x{m}xf16>, !nm.condensed<{k}x{n}xf16, #nm.pattern<{keep}:{window}, unit = 1x{unit}>> -> tensor<{n}x{m}xf16>
  return %r : tensor<{n}x{m}xf16>
}}
"""


def main(folder):
    random = np.random.default_rng(20261124)
    rows, units = K // WINDOW * KEEP, N // UNIT
    order = random.random((K // WINDOW, WINDOW, units)).argsort(1)[:, :KEEP]
    indices = np.sort(order, 1).reshape(rows, units).astype(np.int8)
    values = (random.standard_normal((rows, N)) / 16).astype(np.float16)
    weight = np.zeros((K, N))
    for row in range(rows):
        places = row // KEEP * WINDOW + indices[row].astype(int)
        weight[places.repeat(UNIT), np.arange(N)] = values[row]
    a = random.standard_normal((K, M)).astype(np.float16)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.mlir").write_text(MODULE.format(
        m=M, n=N, k=K, keep=KEEP, window=WINDOW, unit=UNIT, rows=rows, units=units,
        values=values.tobytes().hex(), indices=indices.tobytes().hex()))
    np.save(folder / "a.npy", a)
    np.save(folder / "c.npy", (weight.T @ a.astype(np.float64)).astype(np.float16))


main(pathlib.Path(sys.argv[1]))

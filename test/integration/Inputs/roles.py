"""Writes products whose producers copy, by themselves (threads) or by tensor maps (tma), and
the same without producers (alone); their A, and what numpy computes of it.

Each module's function has four results: of one tile a block, of tiles dealt out whole, of steps dealt
out, and of rows of A that threads gather, whatever copies the values.

usage: roles.py FOLDER
"""

import pathlib
import sys

import numpy as np

ENGINES = {"alone": "", "threads": ", producers = {}", "tma": ", producers = {}, engine = tma"}
FORMS = ["prefetch = true", "prefetch = true, persistent = 3", "stream_k = 5", "packed = true"]
# kind, block, warps that copy; m, n and k whole and with tails.
TYPES = {
    "f32": ("#nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]", 1,
            {"whole": (64, 128, 320), "tails": (76, 104, 296)}),
    "f16": ("#nm.mma_sync<warps = [2, 2], tile = [64, 64]>, block = [128, 128, 64]", 4,
            {"whole": (256, 256, 448), "tails": (200, 240, 424)}),
}
KEEP, WINDOW, UNIT = 8, 32, 64

FUNCTION = """
func.func @main(%a: tensor<{k}x{m}x{type}>) -> ({results}) {{
  %d = arith.constant dense_resource<weight> : tensor<{k}x{n}x{type}>
  %w = nm.condense %d : tensor<{k}x{n}x{type}> -> {condensed}
  %c = tensor.empty() : tensor<{n}x{m}x{type}>{products}
  return %0, %1, %2, %3 : {results}
}}
"""
RESOURCE = '{-# dialect_resources: { builtin: { weight: "0x10000000%s" } } #-}\n'
PRODUCT = """
  %{place} = nm.spmm %a, %w outs(%c : tensor<{n}x{m}x{type}>)
    {{a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>,
     schedule = #nm.schedule<kind = {kind}, stages = 3, {form}{engine}>}}
    : tensor<{k}x{m}x{type}>, {condensed} -> tensor<{n}x{m}x{type}>"""


def make_weight(random, k, n):
    """k x n, of each window of a unit's columns KEEP rows kept."""
    windows, units = -(-k // WINDOW), -(-n // UNIT)
    rank = random.random((windows, WINDOW, units)).argsort(1).argsort(1)
    mask = (rank < KEEP).reshape(windows * WINDOW, units).repeat(UNIT, 1)[:k, :n]
    return np.where(mask, random.standard_normal((k, n)) / 16, 0)


def main(folder):
    random = np.random.default_rng(20261125)
    for type, (kind, producers, shapes) in TYPES.items():
        dtype = {"f32": np.float32, "f16": np.float16}[type]
        for shape, (m, n, k) in shapes.items():
            case = folder / f"{type}-{shape}"
            case.mkdir(parents=True, exist_ok=True)
            weight = make_weight(random, k, n).astype(dtype)
            a = random.standard_normal((k, m)).astype(dtype)
            np.save(case / "a.npy", a)
            c = weight.T.astype(np.float64) @ a.astype(np.float64)
            np.save(case / "c.npy", c.astype(dtype))
            condensed = f"!nm.condensed<{k}x{n}x{type}, #nm.pattern<{KEEP}:{WINDOW}, unit = 1x{UNIT}>>"
            sizes = {"m": m, "n": n, "k": k, "type": type, "kind": kind, "condensed": condensed}
            results = ", ".join([f"tensor<{n}x{m}x{type}>"] * len(FORMS))
            for engine, text in ENGINES.items():
                products = "".join(
                    PRODUCT.format(place=place, form=form, engine=text.format(producers), **sizes)
                    for place, form in enumerate(FORMS))
                function = FUNCTION.format(results=results, products=products, **sizes)
                (case / f"{engine}.mlir").write_text(function + RESOURCE % weight.tobytes().hex())


main(pathlib.Path(sys.argv[1]))

"""Writes modules of products that read the same A, and what numpy computes of them: gated
ones, which nm-fuse-launches puts into one kernel, and some that nm-merge-products makes one.
FOLDER/NAME-ROWS gets module.mlir, a.npy and c.npy.

usage: together.py FOLDER
"""

import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/nm-bench"))
import nm_modules  # noqa: E402

# n, k, kept units of 32, columns of a unit and type, and the rows that are computed: of a
# static number where there is one. Whole blocks and tails; threads of all kinds.
GATED = {
    "one": (1, 256, 512, 16, 32, "f16", (1,)),
    "vector": (1, 200, 500, 8, 1, "f32", (1,)),
    "eight": (8, 256, 512, 8, 32, "f16", (8,)),
    "cores": (5, 264, 512, 8, 32, "f32", (5,)),
    "columns": (4, 100, 320, 16, 1, "f16", (4,)),
    # Two rows of A lie in a word, and the last has none beside it; nor are there whole windows.
    "words": (7, 100, 330, 16, 1, "f16", (7,)),
    "cluster": (8, 96, 4096, 16, 32, "f16", (8,)),
    # A's tile is copied asynchronously.
    "large": (8, 4224, 12288, 1, 32, "f16", (8,)),
    "any": ("?", 224, 512, 8, 32, "f16", (1, 3, 8, 20, 40, 72)),
}
MERGED = {
    "parts": (8, 96, 512, 8, 32, "f16", (8,)),
    "rows": ("?", 96, 256, 16, 1, "f32", (1, 5, 33)),
}


class Module:
    """The text of a module, and its weights."""

    def __init__(self, m, k, keep, unit, dtype):
        self.m, self.k, self.keep, self.unit, self.dtype = m, k, keep, unit, dtype
        self.lines, self.blobs, self.dense = [], [], []
        self.a = f"tensor<{m}x{k}x{dtype}>"

    def c(self, n):
        return f"tensor<{self.m}x{n}x{self.dtype}>"

    def add_empty(self, n):
        if self.m == "?":
            self.lines.append(f"%e{n} = tensor.empty(%rows) : {self.c(n)}")
        else:
            self.lines.append(f"%e{n} = tensor.empty() : {self.c(n)}")

    def add_product(self, name, n, more="", attributes=""):
        number = len(self.dense)
        product = nm_modules.Product(1, n, self.k, self.keep, 32, self.unit, dtype=self.dtype)
        values, indices = nm_modules.random_weight(product, seed=1 + number)
        self.dense.append(nm_modules.expand(product, values.astype(float), indices))
        for what, data in (("values", values), ("indices", indices)):
            self.blobs.append(f"w{number}.{what}: {nm_modules._blob(data)}")
        rows, columns = values.shape[-2:] if values.ndim > 1 else values.shape
        weight = (f"!nm.condensed<{self.k}x{n}x{self.dtype}, #nm.pattern<{self.keep}:32, "
                  f"unit = 1x{self.unit}>>")
        self.lines.append(
            f"%w{number} = nm.constant {{values = dense_resource<w{number}.values> : "
            f"tensor<{rows}x{columns}x{self.dtype}>, indices = dense_resource<w{number}.indices>"
            f" : tensor<{'x'.join(map(str, indices.shape))}xi8>}} : {weight}")
        self.lines.append(
            f"%{name} = nm.spmm %a, %w{number} {more} outs(%e{n} : {self.c(n)}) {attributes} : "
            f"{self.a}, {weight} -> {self.c(n)}")

    def get_text(self, result, n):
        rows = ["%zero = arith.constant 0 : index",
                f"%rows = tensor.dim %a, %zero : {self.a}"] if self.m == "?" else []
        body = "\n  ".join(rows + self.lines)
        return f"""#columns = affine_map<(m, n) -> (m, n)>
func.func @main(%a: {self.a}) -> {self.c(n)} {{
  {body}
  return %{result} : {self.c(n)}
}}
{{-# dialect_resources: {{ builtin: {{
  {", ".join(self.blobs)}
}} }} #-}}
"""


def draw(m, k, dtype):
    element = np.float32 if dtype == "f32" else np.float16
    return np.random.default_rng(m).standard_normal((m, k)).astype(element)


def save(folder, name, text, a, c):
    place = folder / f"{name}-{len(a)}"
    place.mkdir(parents=True)
    (place / "module.mlir").write_text(text)
    np.save(place / "a.npy", a)
    np.save(place / "c.npy", c.astype(a.dtype))


def write_gated(folder, name, m, n, k, keep, unit, dtype, rows):
    module = Module(m, k, keep, unit, dtype)
    module.add_empty(n)
    module.add_product("gate", n, attributes="{epilogue = #nm.epilogue<silu>}")
    module.add_product("up", n, f"residual(%gate : {module.c(n)})",
                       "{combine = #nm.combine<mul>}")
    text = module.get_text("up", n)
    for one in rows:
        a = draw(one, k, dtype)
        gate, up = (a.astype(float) @ dense for dense in module.dense)
        gate = (gate / (1 + np.exp(-gate))).astype(a.dtype).astype(float)
        save(folder, name, text, a, gate * up)


def write_merged(folder, name, m, n, k, keep, unit, dtype, rows):
    module = Module(m, k, keep, unit, dtype)
    for columns in (n, 2 * n):
        module.add_empty(columns)
    module.add_product("q", n)
    module.add_product("k", 2 * n)
    module.add_product("v", n)
    sizes = f"[{m if m != '?' else '%rows'}, {n}]"
    module.lines.append(
        f"%part = tensor.extract_slice %k[0, {n}] {sizes} [1, 1] : {module.c(2 * n)} to "
        f"{module.c(n)}")
    module.lines.append(
        f"""%r = linalg.generic {{indexing_maps = [#columns, #columns, #columns, #columns],
      iterator_types = ["parallel", "parallel"]}}
      ins(%q, %part, %v : {module.c(n)}, {module.c(n)}, {module.c(n)})
      outs(%e{n} : {module.c(n)}) {{
  ^bb0(%x: {dtype}, %y: {dtype}, %z: {dtype}, %o: {dtype}):
    %s = arith.maximumf %x, %y : {dtype}
    %t = arith.maximumf %s, %z : {dtype}
    linalg.yield %t : {dtype}
  }} -> {module.c(n)}""")
    text = module.get_text("r", n)
    for one in rows:
        a = draw(one, k, dtype)
        q, wide, v = (a.astype(float) @ dense for dense in module.dense)
        save(folder, name, text, a, np.maximum(np.maximum(q, wide[:, n:]), v))


def main(folder):
    for name, case in GATED.items():
        write_gated(folder, name, *case)
    for name, case in MERGED.items():
        write_merged(folder, name, *case)


main(pathlib.Path(sys.argv[1]))

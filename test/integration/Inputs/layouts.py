"""Writes a gated MLP as torch-mlir does, with random weights that keep 8 of 32 rows, an
input, and what numpy computes of it in f64.

usage: layouts.py FOLDER TYPE ROWS HIDDEN INTERMEDIATE
"""

import json
import pathlib
import sys

import numpy as np

# The name in safetensors, and the bits of a mantissa that f32 has more.
TYPES = {"f32": ("F32", 0), "f16": ("F16", None), "bf16": ("BF16", 16)}

MODULE = """
#id = affine_map<(i, j) -> (i, j)>
#id3 = affine_map<(b, i, j) -> (b, i, j)>
func.func @main(%x: tensor<1x{m}x{h}x{t}>) -> tensor<1x{m}x{h}x{t}> {{
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %gate = arith.constant dense_resource<gate> : tensor<{h}x{i}x{t}>
  %up = arith.constant dense_resource<up> : tensor<{h}x{i}x{t}>
  %down = arith.constant dense_resource<down> : tensor<{i}x{h}x{t}>
  %a = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x{m}x{h}x{t}> into tensor<{m}x{h}x{t}>
{gate}{up}
  %e3 = tensor.empty() : tensor<1x{m}x{i}x{t}>
  %s = linalg.generic {{indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%gate3, %up3 : tensor<1x{m}x{i}x{t}>, tensor<1x{m}x{i}x{t}>) outs(%e3 : tensor<1x{m}x{i}x{t}>) {{
  ^bb0(%g: {t}, %u: {t}, %out: {t}):
    %wide_g = {widen} %g {widen_to}
    %wide_u = {widen} %u {widen_to}
    %negative = arith.negf %wide_g : f32
    %exp = math.exp %negative : f32
    %sum = arith.addf %exp, %one : f32
    %silu = arith.divf %wide_g, %sum : f32
    %product = arith.mulf %silu, %wide_u : f32
    %r = {narrow} %product {narrow_to}
    linalg.yield %r : {t}
  }} -> tensor<1x{m}x{i}x{t}>
  %b = tensor.collapse_shape %s [[0, 1], [2]] : tensor<1x{m}x{i}x{t}> into tensor<{m}x{i}x{t}>
{down}
  return %down3 : tensor<1x{m}x{h}x{t}>
}}
"""

PRODUCT = """
  %{name}_e = tensor.empty() : tensor<{m}x{n}xf32>
  %{name}_f = linalg.fill ins(%zero : f32) outs(%{name}_e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %{name}_p = linalg.matmul ins(%{a}, %{name} : tensor<{m}x{k}x{t}>, tensor<{k}x{n}x{t}>) outs(%{name}_f : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %{name}_c = tensor.empty() : tensor<{m}x{n}x{t}>
  %{name}_t = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%{name}_p : tensor<{m}x{n}xf32>) outs(%{name}_c : tensor<{m}x{n}x{t}>) {{
  ^bb0(%in: f32, %out: {t}):
    %r = {narrow} %in {narrow_to}
    linalg.yield %r : {t}
  }} -> tensor<{m}x{n}x{t}>
  %{name}3 = tensor.expand_shape %{name}_t [[0, 1], [2]] output_shape [1, {m}, {n}] : tensor<{m}x{n}x{t}> into tensor<1x{m}x{n}x{t}>
"""


def make_module(element, rows, hidden, intermediate):
    is_f32 = element == "f32"
    words = {
        "t": element, "m": rows, "h": hidden, "i": intermediate,
        "widen": "arith.bitcast" if is_f32 else "arith.extf",
        "widen_to": f": {element} to f32",
        "narrow": "arith.bitcast" if is_f32 else "arith.truncf",
        "narrow_to": f": f32 to {element}",
    }

    def product(name, a, k, n):
        return PRODUCT.format(name=name, a=a, k=k, n=n, **words)

    return MODULE.format(
        gate=product("gate", "a", hidden, intermediate),
        up=product("up", "a", hidden, intermediate),
        down=product("down", "b", intermediate, hidden), **words)


def round_to(array, element):
    """The nearest numbers of the type, as f32, and their bytes."""
    stored, bits = TYPES[element]
    if stored == "F16":
        narrow = array.astype(np.float16)
        return narrow.astype(np.float32), narrow.tobytes()
    if bits == 0:
        return array, array.tobytes()
    words = array.view(np.uint32)
    words = ((words + 0x7FFF + ((words >> 16) & 1)) >> 16).astype(np.uint16)
    return (words.astype(np.uint32) << 16).view(np.float32), words.tobytes()


def draw_weight(random, k, n, element):
    values = random.standard_normal((k, n), np.float32) / np.float32(np.sqrt(k / 4))
    places = random.random((k // 32, 32, n // 32)).argsort(1).argsort(1) < 8
    return round_to(values * places.reshape(k, n // 32).repeat(32, 1), element)


def main():
    folder, element = pathlib.Path(sys.argv[1]), sys.argv[2]
    rows, hidden, intermediate = map(int, sys.argv[3:6])
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(20261123)
    header, data, weights = {}, b"", {}
    for name, k, n in (("gate", hidden, intermediate), ("up", hidden, intermediate),
                       ("down", intermediate, hidden)):
        weights[name], stored = draw_weight(random, k, n, element)
        header[name] = {"dtype": TYPES[element][0], "shape": [k, n],
                        "data_offsets": [len(data), len(data) + len(stored)]}
        data += stored
    x, _ = round_to(random.standard_normal((rows, hidden), np.float32), element)
    a = x.astype(np.float64)
    gate, up = a @ weights["gate"], a @ weights["up"]
    y = (gate / (1 + np.exp(-gate)) * up) @ weights["down"]
    np.save(folder / "x.npy", x[None])
    np.save(folder / "y.npy", y[None].astype(np.float32))
    (folder / "model.mlir").write_text(make_module(element, rows, hidden, intermediate))
    described = json.dumps(header).encode()
    (folder / "w.safetensors").write_bytes(
        len(described).to_bytes(8, "little") + described + data)


if __name__ == "__main__":
    main()

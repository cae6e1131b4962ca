"""Modules of one product with a random N:M-sparse weight, as text.

The weight is written condensed (nm.constant with resource blobs), so that the
file stays as small as the weight.
"""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Product:
    """C[m,n] = A[m,k] x B[k,n] with `keep` of `window` units of 1 x `unit_n`."""

    m: int
    n: int
    k: int
    keep: int
    window: int
    unit_n: int
    feature_major: bool = True
    dtype: str = "f32"

    @property
    def condensed_rows(self) -> int:
        return -(-self.k // self.window) * self.keep


def random_weight(product: Product, seed: int):
    """Values [w, n] and positions [w, n / unit_n] of the kept units."""
    rng = np.random.default_rng(seed)
    windows = product.condensed_rows // product.keep
    units = -(-product.n // product.unit_n)
    order = np.argsort(rng.random((windows, product.window, units)), axis=1)
    kept = np.sort(order[:, : product.keep, :], axis=1)
    indices = kept.astype(np.uint8).reshape(product.condensed_rows, units)
    kind = np.float32 if product.dtype == "f32" else np.float16
    shape = (product.condensed_rows, product.n)
    values = rng.standard_normal(shape).astype(kind)
    rows = row_of(product, indices)
    # A partial last window has places beyond k: they hold no weight.
    values[np.repeat(rows, product.unit_n, axis=1)[:, : product.n] >= product.k] = 0
    return values, indices


def row_of(product: Product, indices):
    """The row of k of every kept unit."""
    window = np.arange(product.condensed_rows)[:, None] // product.keep
    return window * product.window + indices.astype(np.int64)


def expand(product: Product, values, indices):
    """The dense weight [k, n]."""
    dense = np.zeros((product.k, product.n), values.dtype)
    rows = np.repeat(row_of(product, indices), product.unit_n, axis=1)
    rows = rows[:, : product.n]
    columns = np.broadcast_to(np.arange(product.n), rows.shape)
    inside = rows < product.k
    dense[rows[inside], columns[inside]] = values[inside]
    return dense


def _blob(array, alignment: int = 16) -> str:
    header = np.uint32(alignment).tobytes()
    return '"0x' + (header + array.tobytes()).hex().upper() + '"'


def write_module(path, product: Product, values, indices) -> None:
    """Writes a module whose function @main is the product."""
    p = product
    a = (p.k, p.m) if p.feature_major else (p.m, p.k)
    a_type = f"tensor<{a[0]}x{a[1]}x{p.dtype}>"
    c_type = f"tensor<{p.m}x{p.n}x{p.dtype}>"
    layout = "feature_major" if p.feature_major else "token_major"
    weight = (
        f"!nm.condensed<{p.k}x{p.n}x{p.dtype}, "
        f"#nm.pattern<{p.keep}:{p.window}, unit = 1x{p.unit_n}>>"
    )
    rows, units = indices.shape
    with open(path, "w", encoding="ascii") as file:
        file.write(
            f"""func.func @main(%x: {a_type}) -> {c_type} {{
  %w = nm.constant {{
    values = dense_resource<w_values> : tensor<{rows}x{p.n}x{p.dtype}>,
    indices = dense_resource<w_indices> : tensor<{rows}x{units}xi8>}} : {weight}
  %e = tensor.empty() : {c_type}
  %y = nm.spmm %x, %w outs(%e : {c_type}) {{a_layout = #nm.layout<{layout}>}}
      : {a_type}, {weight} -> {c_type}
  return %y : {c_type}
}}
{{-# dialect_resources: {{ builtin: {{
  w_values: {_blob(values)}, w_indices: {_blob(indices)}
}} }} #-}}
"""
        )

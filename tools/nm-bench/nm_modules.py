"""Modules of one product with a random N:M-sparse weight, as text.

The weight is written condensed (nm.constant with resource blobs), so that the
file stays as small as the weight.
"""

import dataclasses

import numpy as np


# What the values of an i8 weight are multiplied by: exact, and the products are about 1.
WEIGHT_SCALE = 2.0**-5


@dataclasses.dataclass(frozen=True)
class Product:
    """C[m,n] = A[m,k] x B[k,n] with `keep` of `window` units of unit_k x unit_n.

    A window of 0 is all of k. m = 1 makes an nm.spmv on vectors; an m of None is any, of a
    token-major A and C.
    """

    m: int | None
    n: int
    k: int
    keep: int
    window: int
    unit_n: int = 1
    unit_k: int = 1
    feature_major: bool = False  # A is [k, m]
    dtype: str = "f32"
    schedule: str = ""  # a #nm.schedule, or what nm-select-schedule chooses
    c_feature_major: bool = False  # C is [n, m]
    epilogue: str = ""  # such as silu
    weight_dtype: str = ""  # i8: with a scale of WEIGHT_SCALE a column; else dtype

    @property
    def window_units(self) -> int:
        return self.window or -(-self.k // self.unit_k)

    @property
    def windows(self) -> int:
        return -(-self.k // (self.window_units * self.unit_k))

    @property
    def unit_columns(self) -> int:
        return -(-self.n // self.unit_n)

    @property
    def condensed_rows(self) -> int:
        return self.windows * self.keep * self.unit_k

    @property
    def index_type(self):
        return np.uint8 if self.window_units <= 256 else np.uint16

    @property
    def element_type(self):
        """numpy's, in which a weight is drawn; that of bf16, which numpy lacks, in f32."""
        types = {"f32": np.float32, "f16": np.float16, "bf16": np.float32, "i8": np.int8}
        return types[self.weight_type]

    @property
    def weight_type(self) -> str:
        return self.weight_dtype or self.dtype

    @property
    def pattern(self) -> str:
        unit = f", unit = {self.unit_k}x{self.unit_n}"
        return f"#nm.pattern<{self.keep}:{self.window or 'all'}{unit}>"

    @property
    def a_shape(self):
        if self.m == 1:
            return (self.k,)
        return (self.k, self.m) if self.feature_major else (self.m, self.k)

    @property
    def c_shape(self):
        if self.m == 1:
            return (self.n,)
        return (self.n, self.m) if self.c_feature_major else (self.m, self.n)


def random_weight(product: Product, seed: int):
    """Values [w, n] and positions [w / unit_k, unit columns] of the kept units."""
    p = product
    rng = np.random.default_rng(seed)
    order = np.argsort(
        rng.random((p.windows, p.window_units, p.unit_columns)), axis=1
    )
    kept = np.sort(order[:, : p.keep, :], axis=1)
    indices = kept.astype(p.index_type).reshape(-1, p.unit_columns)
    values = rng.standard_normal((p.condensed_rows, p.n))
    if p.weight_type == "i8":
        values = np.clip(np.rint(values / WEIGHT_SCALE), -127, 127)
    values = values.astype(p.element_type)
    if p.k % (p.window_units * p.unit_k):
        # The partial last window has places beyond k: they hold no weight.
        values[rows_of(p, indices) >= p.k] = 0
    return values, indices


def rows_of(product: Product, indices):
    """The row of k of every value, [w, n]."""
    p = product
    window = np.arange(indices.shape[0])[:, None] // p.keep
    first = (window * p.window_units + indices.astype(np.int64)) * p.unit_k
    rows = first[:, None, :] + np.arange(p.unit_k)[None, :, None]
    rows = rows.reshape(p.condensed_rows, p.unit_columns)
    return np.repeat(rows, p.unit_n, axis=1)[:, : p.n]


def expand(product: Product, values, indices):
    """The dense weight [k, n]."""
    dense = np.zeros((product.k, product.n), values.dtype)
    rows = rows_of(product, indices)
    columns = np.broadcast_to(np.arange(product.n), rows.shape)
    inside = rows < product.k
    dense[rows[inside], columns[inside]] = values[inside]
    return dense


def tensor_type(shape, dtype: str) -> str:
    """The type of an array; an extent of None is dynamic."""
    extents = "".join("?x" if extent is None else f"{extent}x" for extent in shape)
    return f"tensor<{extents}{dtype}>"


def _blob(array, alignment: int = 16) -> str:
    header = np.uint32(alignment).tobytes()
    return '"0x' + (header + array.tobytes()).hex().upper() + '"'


def module_text(product: Product, copies: int = 1) -> str:
    """A module whose function @main is the product; it names the weight's data
    w_values and w_indices. With copies it computes so many, each of an argument and
    with a weight of its own: w0_values, w0_indices, w1_values ..."""
    names = [""] if copies == 1 else [str(i) for i in range(copies)]
    a, c = (tensor_type(shape, product.dtype) for shape in (product.a_shape, product.c_shape))
    arguments = ", ".join(f"%x{name}: {a}" for name in names)
    values = ", ".join(f"%y{name}" for name in names)
    types = ", ".join([c] * copies)
    return f"""func.func @main({arguments}) -> ({types}) {{
{"".join(_product_text(product, name) for name in names)}  return {values} : {types}
}}
"""


def _product_text(product: Product, name: str) -> str:
    """The product of %x`name`, which is %y`name`."""
    p = product
    a, c = tensor_type(p.a_shape, p.dtype), tensor_type(p.c_shape, p.dtype)
    layout = "feature_major" if p.feature_major else "token_major"
    attributes = [] if p.m == 1 else [f"a_layout = #nm.layout<{layout}>"]
    if p.c_feature_major:
        attributes.append("c_layout = #nm.layout<feature_major>")
    if p.epilogue:
        attributes.append(f"epilogue = #nm.epilogue<{p.epilogue}>")
    if p.schedule:
        attributes.append(f"schedule = {p.schedule}")
    attributes = f" {{{', '.join(attributes)}}}" if attributes else ""
    operation = "nm.spmv" if p.m == 1 else "nm.spmm"
    weight = f"!nm.condensed<{p.k}x{p.n}x{p.weight_type}, {p.pattern}>"
    values = tensor_type((p.condensed_rows, p.n), p.weight_type)
    index = f"i{8 * np.dtype(p.index_type).itemsize}"
    indices = tensor_type((p.windows * p.keep, p.unit_columns), index)
    scale = scales = ""
    if p.weight_type == "i8":
        factors = tensor_type((p.n,), "f32")
        scales = f"  %s{name} = arith.constant dense<{WEIGHT_SCALE}> : {factors}\n"
        scale = f" scale(%s{name} : {factors})"
    rows = rows_text = ""
    if p.m is None:
        rows = f"%m{name}"
        rows_text = f"""  %d{name} = arith.constant 0 : index
  {rows} = tensor.dim %x{name}, %d{name} : {a}
"""
    return f"""{scales}{rows_text}  %w{name} = nm.constant {{
    values = dense_resource<w{name}_values> : {values},
    indices = dense_resource<w{name}_indices> : {indices}}} : {weight}
  %e{name} = tensor.empty({rows}) : {c}
  %y{name} = {operation} %x{name}, %w{name}{scale} outs(%e{name} : {c}){attributes} : {a}, {weight} -> {c}
"""


def write_module(path, product: Product, values, indices) -> None:
    """Writes the product's module with its weight."""
    with open(path, "w", encoding="ascii") as file:
        file.write(
            f"""{module_text(product)}{{-# dialect_resources: {{ builtin: {{
  w_values: {_blob(values)}, w_indices: {_blob(indices)}
}} }} #-}}
"""
        )

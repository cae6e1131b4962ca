"""Products by themselves: their modules, and random data for them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nm.errors import Error, PatternError
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.pattern import Pattern

_SEED = 1  # times depend on the data a little: every run has the same
_POOL = 4096  # different windows of a weight
_PATTERN = re.compile(r"#nm\.pattern<(\d+):(\d+|all)(?:, unit = (\d+)x(\d+))?>")
_LAYOUTS = {"token": "token_major", "feature": "feature_major"}
_TYPES = ("f16", "bf16", "f32", "f64", "i8")
_FORM = (
    "expected a product such as 512x1024x4096:8:32:32:f16 "
    "(MxNxK:KEEP:WINDOW[:UNIT][:TYPE][:LAYOUT], see --help)"
)


@dataclass(frozen=True)
class Product:
    """C[m,n] = A[m,k] x B[k,n], as an entry of a tuning database names it."""

    chip: str
    m: int
    n: int
    k: int
    pattern: str
    weight_type: str
    a_type: str
    sum_type: str
    c_type: str
    a_layout: str
    c_layout: str

    @staticmethod
    def from_json(fields: Mapping[str, Any]) -> Product:
        return Product(**{name: fields[name] for name in Product.__dataclass_fields__})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        types = self.a_type
        if self.weight_type != self.a_type:
            types += f"/{self.weight_type}"
        if self.c_type != self.a_type:
            types += f"->{self.c_type}"
        pattern = self.pattern.removeprefix("#nm.pattern<").removesuffix(">")
        layouts = [one.removesuffix("_major") for one in (self.a_layout, self.c_layout)]
        return f"{self.m}x{self.n}x{self.k} {pattern} {types} {'/'.join(layouts)}"


def parse_product(text: str, chip: str = "") -> Product:
    """The product that a user writes as `text`, such as 512x1024x4096:8:32:32:f16.

    Raises:
        Error: it is none; says what was expected.
    """
    extents, *rest = text.split(":")
    numbers = extents.split("x")
    if len(numbers) != 3 or not all(map(_is_count, numbers)) or len(rest) < 2:
        raise Error(f"{_FORM}, got `{text}`")
    m, n, k = map(int, numbers)
    keep, window, *options = rest
    if not _is_count(keep) or not (_is_count(window) or window == "all"):
        raise Error(f"{_FORM}, got `{text}`")
    unit, types, layouts = (1, 1), ["f32"], ["token"]
    for option in options:
        words = option.split("/")
        if match := re.fullmatch(r"(?:(\d+)x)?(\d+)", option):
            unit = (int(match[1] or 1), int(match[2]))
        elif len(words) <= 2 and set(words) <= set(_TYPES):
            types = words
        elif len(words) <= 2 and set(words) <= set(_LAYOUTS):
            layouts = words
        else:
            raise Error(
                f"{text}: expected a unit such as 32 or 1x32, a type ({', '.join(_TYPES)}; "
                f"f16/i8 of A and the weight) or a layout (token, feature; of A, or of A "
                f"and C as feature/token), got `{option}`"
            )
    try:
        pattern = Pattern(int(keep), None if window == "all" else int(window), unit)
    except PatternError as error:
        raise Error(f"{text}: {error}") from None
    a, weight = types[0], types[-1]
    integer = a == weight == "i8"
    return Product(
        chip, m, n, k, f"#nm.pattern<{pattern}>", weight, a,
        sum_type="i32" if integer else "f64" if a == "f64" else "f32",
        c_type="i32" if integer else a,
        a_layout=_LAYOUTS[layouts[0]],
        c_layout=_LAYOUTS[layouts[1] if len(layouts) > 1 else "token"],
    )


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) > 0


def get_pattern(product: Product) -> Pattern:
    """The pattern of its weight."""
    match = _PATTERN.fullmatch(product.pattern)
    if not match:
        raise Error(f"expected a #nm.pattern, got `{product.pattern}`")
    window = None if match[2] == "all" else int(match[2])
    return Pattern(int(match[1]), window, (int(match[3] or 1), int(match[4] or 1)))


#
# Modules
#


def write_module(products: Sequence[Product]) -> str:
    """A module with a function for each product, which has the weight as an argument,
    and is private, so that this stands for any weight; locations are the products'
    texts."""
    parts = []
    for number, product in enumerate(products):
        where = f" loc({json.dumps(str(product))})"
        parts.append(_write_function(f"private @p{number}", product, "", where))
    return "\n".join(parts)


def write_measured_module(product: Product, schedule: str) -> str:
    """A module whose function computes the product by `schedule`, with the weight of
    `write_weight`."""
    return _write_function("@main", product, schedule, "")


def _write_function(name: str, product: Product, schedule: str, where: str) -> str:
    p = product
    weight = f"!nm.condensed<{p.k}x{p.n}x{p.weight_type}, {p.pattern}>"
    is_vector = p.m == 1 and p.a_layout == p.c_layout == "token_major"
    a = _tensor(p.k, p.m, p.a_layout, p.a_type, is_vector)
    c = _tensor(p.n, p.m, p.c_layout, p.c_type, is_vector)
    attributes = [f"acc = {p.sum_type}"] if p.sum_type != "f32" else []
    if not is_vector:
        attributes += [f"a_layout = #nm.layout<{p.a_layout}>"]
        attributes += [f"c_layout = #nm.layout<{p.c_layout}>"]
    attributes += [f"schedule = {schedule}"] if schedule else []
    listed = f" {{{', '.join(attributes)}}}" if attributes else ""
    arguments, scale, body = [f"%a: {a}"], "", ""
    # A float from sums of integers is what a scale makes.
    if p.sum_type == "i32" and p.c_type != "i32":
        arguments.append(f"%s: tensor<{p.n}xf32>")
        scale = f" scale(%s : tensor<{p.n}xf32>)"
    if schedule:
        values, indices = _weight_types(product)
        body = (
            f"  %w = nm.constant {{values = dense_resource<values> : {values},"
            f" indices = dense_resource<indices> : {indices}}} : {weight}\n"
        )
    else:
        arguments.append(f"%w: {weight}")
    operation = "nm.spmv" if is_vector else "nm.spmm"
    return (
        f"func.func {name}({', '.join(arguments)}) -> {c} {{\n{body}"
        f"  %e = tensor.empty() : {c}\n"
        f"  %y = {operation} %a, %w{scale} outs(%e : {c}){listed} : {a}, {weight} -> {c}"
        f"{where}\n  return %y : {c}\n}}\n"
    )


def _tensor(columns: int, m: int, layout: str, element: str, is_vector: bool) -> str:
    if is_vector:
        return f"tensor<{columns}x{element}>"
    shape = (m, columns) if layout == "token_major" else (columns, m)
    return f"tensor<{shape[0]}x{shape[1]}x{element}>"


#
# Data
#


def _weight_shapes(product: Product) -> tuple[tuple[int, int], tuple[int, int], str]:
    """The shapes of values and of indices, and the type of the latter."""
    pattern = get_pattern(product)
    rows = pattern.height(product.k)
    columns = -(-product.n // pattern.unit[1])
    index = f"i{pattern.position_bits(product.k)}"
    return (rows, product.n), (rows // pattern.unit[0], columns), index


def _weight_types(product: Product) -> tuple[str, str]:
    (rows, columns), (unit_rows, unit_columns), index = _weight_shapes(product)
    values = f"tensor<{rows}x{columns}x{product.weight_type}>"
    return values, f"tensor<{unit_rows}x{unit_columns}x{index}>"


def write_weight(product: Product, path: Path) -> None:
    """Writes a random weight for `write_measured_module` as a safetensors file."""
    rng = np.random.default_rng(_SEED)
    values_shape, indices_shape, index = _weight_shapes(product)
    parts = {
        "values": (product.weight_type, values_shape, _draw_values(product, rng)),
        "indices": (index, indices_shape, _draw_indices(product, rng, index)),
    }
    header: dict[str, Any] = {}
    place = 0
    for name, (element, shape, data) in parts.items():
        header[name] = {
            "dtype": NUMERIC_TYPES[element].safetensors,
            "shape": shape,
            "data_offsets": [place, place + data.nbytes],
        }
        place += data.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % 64)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, _, data in parts.values():
            file.write(data.data)


def draw_numbers(element: str, count: int, rng: np.random.Generator) -> Any:
    """Random numbers of nm's type `element`, as an array of its bytes.

    Raises:
        Error: nm's products have no such numbers.
    """
    if element == "i8":
        return rng.integers(-8, 8, count, np.int8)
    if element not in _TYPES:
        raise Error(f"expected elements of {', '.join(_TYPES)} to measure, got {element}")
    numbers = rng.standard_normal(count, np.float32)
    if element == "bf16":
        return (numbers.view(np.uint32) >> 16).astype(np.uint16)
    return numbers.astype(NUMERIC_TYPES[element].dtype, copy=False)


def _draw_values(product: Product, rng: np.random.Generator) -> Any:
    (rows, columns), _, _ = _weight_shapes(product)
    values = draw_numbers(product.weight_type, rows * columns, rng).reshape(rows, columns)
    # Places of the last window that lie beyond k have no weight.
    pattern = get_pattern(product)
    windows = rows // (pattern.keep * pattern.unit[0])
    if product.k != windows * pattern.units(product.k) * pattern.unit[0]:
        values[rows - pattern.keep * pattern.unit[0] :] = 0
    return np.ascontiguousarray(values)


def _draw_indices(product: Product, rng: np.random.Generator, index: str) -> Any:
    """The kept units of each window, of a pool of random choices: to draw each would
    take longer than to measure."""
    pattern = get_pattern(product)
    units = pattern.units(product.k)
    _, (rows, columns), _ = _weight_shapes(product)
    windows = rows // pattern.keep
    pool = min(_POOL, windows * columns)
    order = np.argsort(rng.random((pool, units), np.float32), axis=1)
    choices = np.sort(order[:, : pattern.keep], axis=1)
    kept = choices[rng.integers(0, pool, (windows, columns))]
    unsigned = np.dtype(NUMERIC_TYPES[index].dtype.replace("int", "uint"))
    return np.ascontiguousarray(kept.transpose(0, 2, 1).astype(unsigned))

# compared_products.py - The products whose times two builds are compared by.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""200 products: every unit with every shape, once with a token-major and once with a
feature-major A; types and N:M take turns. The list stays as it is, so that results of
different days are of the same products."""

import itertools

import nm_modules

# (unit_k, unit_n, whether a window is all of k)
UNITS = {
    "EW": (1, 1, False),
    "1x4": (1, 4, False),
    "4x4": (4, 4, False),
    "1x32": (1, 32, False),
    "uniform": (1, 1, True),
}
# (m, n, k): of one row, of a few, tails of all three, and large ones.
SHAPES = (
    (1, 1024, 1024), (1, 4096, 4096), (1, 2048, 8192), (1, 1000, 1001),
    (2, 4096, 1024), (5, 1024, 4096), (8, 4096, 4096), (16, 2048, 2048),
    (17, 1023, 517), (32, 4096, 2048), (33, 2050, 1030), (64, 2048, 4096),
    (100, 1111, 999), (128, 1024, 1024), (256, 2048, 2048), (257, 4001, 1027),
    (512, 4096, 4096), (1000, 1024, 2048), (1024, 2048, 2048), (4096, 2048, 2048),
)
TYPES = ("f32", "f16", "bf16")
RATIOS = ((2, 4), (1, 4), (16, 32), (8, 32), (4, 32), (3, 10), (5, 16))


def make_product(unit, shape, feature_major, number):
    """The product of a unit and a shape; `number` chooses its type and N:M."""
    unit_k, unit_n, is_uniform = UNITS[unit]
    m, n, k = shape
    keep, window = RATIOS[number % len(RATIOS)]
    if is_uniform:
        keep, window = keep * k // window, 0
    return nm_modules.Product(
        m, n, k, keep, window, unit_n, unit_k, dtype=TYPES[number % len(TYPES)],
        feature_major=feature_major and m > 1,
    )


def list_products():
    """The products by name, in order."""
    products = {}
    everything = itertools.product(UNITS, (False, True), SHAPES)
    for number, (unit, feature_major, shape) in enumerate(everything):
        product = make_product(unit, shape, feature_major, number)
        products[name_product(unit, product)] = product
    return products


def name_product(unit, p):
    """Such as "512x4096x1024 f16 1x32 8:32 token"."""
    layout = "feature" if p.feature_major else "token"
    ratio = f"{p.keep}:{p.window or 'all'}"
    return f"{p.m}x{p.n}x{p.k} {p.dtype} {unit} {ratio} {layout}"

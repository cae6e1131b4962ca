#!/usr/bin/env python3
# make_product.py - Writes the module of one product with a random weight.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# f32, 8:32 in units of 1x32, m = n = k = 4096, A feature-major: the product
# that issue and paper give numbers for. Usage: make_product.py FILE.mlir

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/nm-bench"))
import nm_modules  # noqa: E402

product = nm_modules.Product(
    4096, 4096, 4096, keep=8, window=32, unit_n=32, feature_major=True
)
nm_modules.write_module(sys.argv[1], product, *nm_modules.random_weight(product, 1))

#!/usr/bin/env python3
# tuning_products.py - The products that nm's own tuning data is to have times of.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints products for nm-tune --product-list, those that matter most first: the 100 shapes of
Llama that NM-SpMM was measured on, with A feature-major as there, and the same n and k with
each power of two as m from 1 to 4096, with A token-major as torch has it; all f32, L = 32,
M = 32, at four sparsities. A power of two serves all m that are not more and above its half.

Usage: tuning_products.py [--only=llama|classes] > products.txt
"""

import argparse

import llama100
import peers

CLASSES = [1 << i for i in range(13)]


def list_llama():
    for keep in llama100.KEEPS:
        for shape in peers.read_shapes(peers.LLAMA):
            yield shape, keep, "feature"


def list_classes():
    weights = dict.fromkeys((n, k) for _, n, k in peers.read_shapes(peers.LLAMA))
    for m in CLASSES:
        for keep in llama100.KEEPS:
            for n, k in weights:
                yield (m, n, k), keep, "token"


LISTS = {"llama": list_llama, "classes": list_classes}


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=LISTS, help="one of both")
    options = parser.parse_args(arguments)
    for name, products in LISTS.items():
        if options.only in (None, name):
            print(f"# {name}")
            for shape, keep, layout in products():
                extents = "x".join(map(str, shape))
                print(f"{extents}:{keep}:{llama100.WINDOW}:{llama100.UNIT_N}:f32:{layout}")


if __name__ == "__main__":
    main()

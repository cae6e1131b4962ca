# undefined.py - Fills what a program leaves open, to see whether it reads it.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

EMPTY = re.compile(rb"(%[\w$.-]+) = tensor\.empty\(([^)]*)\) : (tensor<((?:[\d?]+x)*)(\w+)>)")


def fill_empty_tensors(text, value):
    """The module with every tensor.empty of numbers filled with `value`. When two
    values give two results, the program reads what nobody wrote: its devices need
    not agree."""

    def fill(match):
        name, sizes, kind, element = match[1], match[2], match[3], match[5]
        number = b"%d" % (value % 2 if element == b"i1" else value)
        if not element.startswith(b"i"):
            number += b".0"
        constant, empty = b"%value_of_" + name[1:], b"%empty_of_" + name[1:]
        return b"\n".join([
            b"%s = arith.constant %s : %s" % (constant, number, element),
            b"%s = tensor.empty(%s) : %s" % (empty, sizes, kind),
            b"%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s"
            % (name, constant, element, empty, kind, kind),
        ])  # fmt: skip

    return EMPTY.sub(fill, text)

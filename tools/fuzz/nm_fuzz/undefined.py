# undefined.py - Fills what a program leaves open, to see whether it reads it.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

EMPTY = re.compile(rb"(%[\w$.-]+) = tensor\.empty\(([^)]*)\) : (tensor<((?:[\d?]+x)*)(\w+)>)")


def convert(number, element, nan):
    """The name of the i64 `number`, or of a NaN, as an `element`, and the lines that
    make it."""
    if element == b"i64":
        return number, []
    if element == b"index":
        return b"%element", [b"%%element = arith.index_cast %s : i64 to index" % number]
    if element.startswith(b"i"):
        return b"%element", [b"%%element = arith.trunci %s : i64 to %s" % (number, element)]
    lines = [b"%%element = arith.sitofp %s : i64 to %s" % (number, element)]
    if not nan:
        return b"%element", lines
    lines.append(b"%%zero = arith.subf %%element, %%element : %s" % element)
    lines.append(b"%%nan = arith.divf %%zero, %%zero : %s" % element)
    return b"%nan", lines


def fill_empty_tensors(text, value, nan=False, equal=False):
    """The module with the elements of every tensor.empty of numbers counting up from
    `value` in steps of `value`, or all `value`, or floats that are NaN. When two ways give two results,
    the program reads what nobody wrote: its devices need not agree. (Of equal elements,
    softmax and the like would make the same, whatever the value; and x - x is zero
    unless x is NaN.)"""

    def fill(match):
        name, sizes, kind, extents, element = (match[i] for i in range(1, 6))
        empty = b"%empty_of_" + name[1:]
        dims = [b"d%d" % i for i in range(extents.count(b"x"))]
        space = b"affine_map<(%s) -> (%s)>" % (b", ".join(dims), b", ".join(dims))
        lines = [
            b"%s = tensor.empty(%s) : %s" % (empty, sizes, kind),
            b"%s = linalg.generic {indexing_maps = [%s], iterator_types = [%s]}"
            % (name, space, b", ".join([b'"parallel"'] * len(dims))),
            b"outs(%s : %s) {" % (empty, kind),
            b"^bb0(%%unset: %s):" % element,
            b"%step = arith.constant " + b"%d : i64" % value,
            b"%none = arith.constant 0 : i64",
            b"%count0 = arith.constant 1 : index",
        ]
        for i in range(len(dims)):
            lines += [
                b"%%at%d = linalg.index %d : index" % (i, i),
                b"%%count%d = arith.addi %%count%d, %%at%d : index" % (i + 1, i, i),
            ]
        result, conversion = convert(b"%number", element, nan)
        lines += [
            b"%%counted = arith.index_cast %%count%d : index to i64" % len(dims),
            b"%number = arith.addi %none, %step : i64" if equal else b"%number = arith.muli %counted, %step : i64",
            *conversion,
            b"linalg.yield %s : %s" % (result, element),
            b"} -> " + kind,
        ]
        return b"\n".join(lines)

    return EMPTY.sub(fill, text)

# minimise.py - Makes a failing input small while it fails the same way.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import time

# With the space before it: what is left stays readable.
TOKEN = re.compile(rb"\s*(?:\w+|[^\w\s]|$)")


def get_sizes(count):
    """Halves down to a few, then every size: a function is some lines in a row."""
    sizes = []
    while count > 12:
        count //= 2
        sizes.append(count)
    return sizes + list(range(min(count, 6), 0, -1))


def reduce_list(items, fails, deadline):
    """Removes ever shorter runs of items as long as what is left still fails."""
    for size in get_sizes(len(items)):
        start = 0
        while start < len(items):
            if time.monotonic() > deadline:
                return items
            shorter = items[:start] + items[start + size :]
            if fails(shorter):
                items = shorter
            else:
                start += max(1, size // 6)
    return items


def reduce_lines(text, fails, deadline):
    lines = text.splitlines(keepends=True)
    while True:
        shorter = reduce_list(lines, lambda kept: fails(b"".join(kept)), deadline)
        if len(shorter) == len(lines):
            return b"".join(shorter)
        lines = shorter


def minimise(text, fails, seconds=60):
    """`fails` says whether a text gives the failure's signature."""
    deadline = time.monotonic() + seconds
    text = reduce_lines(text, fails, deadline)
    if len(text) < 8192:
        tokens = TOKEN.findall(text)
        text = b"".join(reduce_list(tokens, lambda kept: fails(b"".join(kept)), deadline))
    return text

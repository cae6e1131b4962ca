#!/usr/bin/env python3
# count_main_loop.py - Counts the instructions of a kernel's main loop in PTX.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints each opcode with its count, the 32-bit words that a thread reads from
# shared memory, and FMAs per such word. Usage: count_main_loop.py FILE.ptx

import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/nm-bench"))
import ptx_loops  # noqa: E402


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="ascii")
    main_loop = ptx_loops.find_main_loop(ptx_loops.kernel_lines(text))
    counts = collections.Counter(filter(None, map(ptx_loops.opcode, main_loop)))
    for op in sorted(counts):
        print(f"{op} {counts[op]}")
    fmas = ptx_loops.fmas(main_loop)
    shared = sum(ptx_loops.words(op) * count for op, count in counts.items())
    print(f"fma: {fmas}")
    print(f"shared words: {shared:g}")
    print(f"fma per shared word: {fmas / shared:.2f}")
    print(f"local: {'.local' in text}")


if __name__ == "__main__":
    main()

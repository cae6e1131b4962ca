#!/usr/bin/env python3
# count_main_loop.py - Counts the instructions of a kernel's main loop in PTX.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The main loop is all basic blocks from which the block with the most FMAs can
# be reached and that it reaches, whatever their order in the text. Prints each
# opcode with its count, the 32-bit words that a thread
# reads from shared memory, and FMAs per such word. Usage:
#   count_main_loop.py FILE.ptx

import collections
import re
import sys

BRANCH = re.compile(r"(@!?%\w+\s+)?bra(?:\.uni)?\s+(\$\w+);")


def basic_blocks(lines):
    """The lines of each block and the numbers of its successors."""
    blocks, labels = [[]], {}
    for line in lines:
        if match := re.match(r"(\$\w+):", line):
            blocks.append([])
            labels[match[1]] = len(blocks) - 1
        blocks[-1].append(line)
        if BRANCH.match(line):
            blocks.append([])
    successors = []
    for number, block in enumerate(blocks):
        branch = BRANCH.match(block[-1]) if block else None
        following = {labels[branch[2]]} if branch else set()
        if (not branch or branch[1]) and number + 1 < len(blocks):
            following.add(number + 1)
        successors.append(following)
    return blocks, successors


def reach(successors, start):
    """The blocks that are reached from `start` by at least one step."""
    seen, work = set(), [start]
    while work:
        for block in successors[work.pop()] - seen:
            seen.add(block)
            work.append(block)
    return seen


def find_main_loop(lines):
    """The lines of the main loop."""
    blocks, successors = basic_blocks(lines)
    inner = max(range(len(blocks)), key=lambda number: fmas(blocks[number]))
    loop = [b for b in reach(successors, inner) if inner in reach(successors, b)]
    return [line for number in sorted(loop) for line in blocks[number]]


def opcode(line):
    match = re.match(r"(?:@!?%\w+\s+)?([a-z][\w.:]*)", line)
    return match[1] if match and not line.startswith(("//", "$")) else None


def words(op):
    """32-bit words that one execution of a shared load reads."""
    if not op.startswith("ld.shared"):
        return 0
    vector = re.search(r"\.v([248])", op)
    bits = int(re.search(r"\.[bfsu](\d+)$", op)[1])
    return bits * (int(vector[1]) if vector else 1) / 32


def fmas(loop):
    """FMAs of a thread; an instruction on pairs counts twice."""
    ops = [op for op in map(opcode, loop) if op and op.startswith("fma.rn")]
    return sum(2 if "x2" in op else 1 for op in ops)


def main():
    text = open(sys.argv[1]).read()
    lines = [line.strip() for line in text.splitlines()]
    main_loop = find_main_loop(lines)
    counts = collections.Counter(filter(None, map(opcode, main_loop)))
    for op in sorted(counts):
        print(f"{op} {counts[op]}")
    shared = sum(words(op) * count for op, count in counts.items())
    print(f"fma: {fmas(main_loop)}")
    print(f"shared words: {shared:g}")
    print(f"fma per shared word: {fmas(main_loop) / shared:.2f}")
    print(f"local: {'.local' in text}")


if __name__ == "__main__":
    main()

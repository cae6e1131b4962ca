# ptx_loops.py - The main loop of a kernel in PTX, and what stands in it.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the PTX of one kernel, by LLVM or by nvcc. The main loop is the innermost one with a
barrier of the block, or a wait for an mbarrier, around the basic block with the most FMAs (or
mma.sync, where there are any): the loop over steps, whatever the order of its blocks in the text. A loop inside it, over parts of
a step, may be counted as often as gives the FMAs of a step; one that waits for an mbarrier
counts once."""

import collections
import re

GUARD = r"(?:@!?%\w+\s+)?"
BRANCH = re.compile(rf"({GUARD})bra(?:\.uni)?\s+(\$\w+);")
LABEL = re.compile(r"(\$\w+):")
OPCODE = re.compile(GUARD + r"([a-z][\w.:]*)")
END = re.compile(r"(?:ret|exit|trap);")

# Classes of instructions in the order of tables; an opcode is of the first that fits its
# beginning.
CLASSES = {
    "fma": r"fma\.",
    "mma.sync": r"mma\.sync",
    "ldmatrix": r"ldmatrix\.",
    "ld.shared.v4": r"ld\.shared\S*\.v4",
    "ld.shared.v2": r"ld\.shared\S*\.v2",
    "ld.shared": r"ld\.shared",
    "st.shared": r"st\.shared",
    "ld.global": r"ld\.global",
    "st.global": r"st\.global",
    "local": r"(?:ld|st)\.local",
    "cp.async": r"cp\.async\S*\.shared",
    "cp.async group": r"cp\.async",
    "bar.sync": r"(?:bar|barrier)\.(?!warp)",
    "mbarrier wait": r"mbarrier\.(?:try|test)_wait",
    "mbarrier arrive": r"mbarrier\.arrive",
    "fence": r"fence\.",
    "branch": r"bra\b",
    "mov": r"mov\.",
    # Of 64 bits: one instruction of the machine or two.
    "integer": r"(?!ld|st)\S+\.(?:[bus](?:8|16|32)|pred)\Z",
    "integer64": r"(?!ld|st)\S+\.[bus]64\Z",
    "other": r"",
}


def opcode(line):
    """The opcode of a line's instruction; None where there is none."""
    match = OPCODE.match(line)
    return match[1] if match and not line.startswith("$") else None


def fmas(lines):
    """FMAs of a thread; an instruction on pairs counts twice."""
    ops = [op for op in map(opcode, lines) if op and op.startswith("fma.rn")]
    return sum(2 if "x2" in op else 1 for op in ops)


def products(lines):
    """Instructions that multiply: those of tensor cores, or FMAs where there are none."""
    return sum(bool(op) and op.startswith("mma.sync") for op in map(opcode, lines)), fmas(lines)


def words(op):
    """32-bit words that one execution of a shared load reads."""
    if not op.startswith("ld.shared"):
        return 0
    vector = re.search(r"\.v([248])", op)
    bits = int(re.search(r"\.[bfsu](\d+)$", op)[1])
    return bits * (int(vector[1]) if vector else 1) / 32


def basic_blocks(lines):
    """The lines of each block and the numbers of its successors."""
    blocks, labels = [[]], {}
    for line in lines:
        if match := LABEL.match(line):
            blocks.append([])
            labels[match[1]] = len(blocks) - 1
        blocks[-1].append(line)
        if BRANCH.match(line) or END.match(line):
            blocks.append([])
    successors = []
    for number, block in enumerate(blocks):
        last = block[-1] if block else ""
        branch = BRANCH.match(last)
        following = {labels[branch[2]]} if branch else set()
        falls = not END.match(last) and (not branch or branch[1])
        if falls and number + 1 < len(blocks):
            following.add(number + 1)
        successors.append(following)
    return blocks, successors


def reach(successors, start, without=None):
    """The blocks that are reached from `start` by at least one step, none of them by way of
    `without`."""
    seen, work = set(), [start]
    while work:
        for block in successors[work.pop()] - seen:
            if block != without:
                seen.add(block)
                work.append(block)
    return seen


def natural_loops(successors):
    """The blocks of each loop: its head, by which alone it is entered, and all that come
    back to the head."""
    reached = {0} | reach(successors, 0)
    predecessors = [set() for _ in successors]
    for block in reached:
        for one in successors[block]:
            predecessors[one].add(block)
    loops = collections.defaultdict(set)
    for head in reached:
        for end in predecessors[head]:
            if head == end:
                loops[head].add(head)
            elif end not in {0} | reach(successors, 0, without=head):
                loops[head] |= {head, end} | reach(predecessors, end, without=head)
    return list(loops.values())


def find_loops(lines):
    """The lines of each loop around the block that has the most products, or where there are
    none the most lines, the innermost first."""
    blocks, successors = basic_blocks(lines)
    loops = natural_loops(successors)
    if not loops:
        return []
    heaviest = max(set().union(*loops), key=lambda one: (products(blocks[one]), len(blocks[one])))
    around = sorted((loop for loop in loops if heaviest in loop), key=len)
    return [[line for one in sorted(loop) for line in blocks[one]] for loop in around]


def is_synchronized(counts):
    return counts["bar.sync"] or counts["mbarrier wait"]


def find_main_loop(lines):
    """The lines of the main loop, each once; none of a kernel without loops."""
    loops = find_loops(lines)
    synchronized = [loop for loop in loops if is_synchronized(count_classes(loop))]
    return (synchronized or loops or [[]])[0]


def find_step(lines, step_fmas):
    """The lines of the main loop, those of the innermost as often as gives `step_fmas`."""
    main_loop, (innermost, *_) = find_main_loop(lines), find_loops(lines) or [[]]
    missing = step_fmas - fmas(main_loop)
    if missing and (not fmas(innermost) or missing % fmas(innermost)):
        raise ValueError(f"expected {step_fmas} FMAs a step, got {fmas(main_loop)}")
    return main_loop + innermost * (missing // fmas(innermost) if missing else 0)


def kernel_lines(text):
    """The lines of the text's kernel, without space around them and comments."""
    kernel = text[text.index(".entry"):]
    return [line.split("//")[0].strip() for line in kernel.splitlines()]


def count_classes(lines):
    """How many instructions of each of CLASSES there are."""
    counts = dict.fromkeys(CLASSES, 0)
    for op in filter(None, map(opcode, lines)):
        counts[next(one for one, start in CLASSES.items() if re.match(start, op))] += 1
    return counts

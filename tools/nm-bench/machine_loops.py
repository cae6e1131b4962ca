# machine_loops.py - The main loop of a kernel in a cubin.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts machine instructions where there is no disassembler. How they are encoded is not
documented: what is used here was seen on sm_80 and sm_90, and a loop over steps counts only
if it has the FMAs that it should and a barrier of the block, or a wait for an mbarrier."""

import struct

INSTRUCTION = 16  # bytes, since sm_70
OPCODE = 0xFFF  # the low bits of an instruction
BRANCH, BARRIER, NOP = 0x947, 0xB1D, 0x918
MBARRIER_WAIT = 0x5A7
CLASSES = {"fma": 0x223, "ld.shared": 0x984, "st.local": 0x387, "ld.local": 0x983}


def read_code(cubin):
    """The instructions of a cubin's sections of code, with what pads them."""
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    size, count = struct.unpack_from("<HH", cubin, 0x3A)
    code = []
    for header in range(table, table + size * count, size):
        _, kind, flags, _, start, length = struct.unpack_from("<IIQQQQ", cubin, header)
        if kind == 1 and flags & 4:  # bits of the program that are executed
            words = range(start, start + length, INSTRUCTION)
            code += [int.from_bytes(cubin[at:at + INSTRUCTION], "little") for at in words]
    return code


def count_code(code):
    """Instructions of a kernel, without the branch to itself and the NOPs after its end."""
    opcodes = [word & OPCODE for word in code]
    while opcodes and opcodes[-1] in (NOP, BRANCH):
        opcodes.pop()
    return len(opcodes)


def branch_distance(word, chip):
    """How many instructions a branch goes on from the next; negative: back."""
    distance = (word >> 34) & ((1 << 48) - 1)
    if distance >> 47:
        distance -= 1 << 48
    if chip != "sm_80":
        distance = distance << 8 | (word >> 16) & 0xFF
    return distance * 4 // INSTRUCTION


def find_loops(code, chip):
    """Opcodes of what each branch back spans, the shortest first."""
    opcodes = [word & OPCODE for word in code]
    loops = []
    for at, word in enumerate(code):
        target = at + 1 + branch_distance(word, chip)
        if opcodes[at] == BRANCH and 0 <= target <= at:
            loops.append(opcodes[target:at + 1])
    return sorted(loops, key=len)


def count_step(code, chip, step_fmas):
    """Instructions of a step, all and by CLASSES; None where the loop is not found. A loop
    inside it counts as often as gives `step_fmas`."""
    loops = [loop for loop in find_loops(code, chip) if CLASSES["fma"] in loop]
    outer = next((loop for loop in loops if BARRIER in loop or MBARRIER_WAIT in loop), [])
    if not outer:
        return None
    inner_fmas, fmas = (loop.count(CLASSES["fma"]) for loop in (loops[0], outer))
    if (step_fmas - fmas) % inner_fmas:
        return None
    step = outer + loops[0] * ((step_fmas - fmas) // inner_fmas)
    return {"all": len(step), **{name: step.count(one) for name, one in CLASSES.items()}}

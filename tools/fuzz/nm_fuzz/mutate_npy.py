# mutate_npy.py - Makes .npy files, most of them damaged.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import struct

TYPES = ["<f4", "<f8", "<f2", "<i1", "|i1", "|u1", "<i2", "<i4", "<i8", "|b1", "|V2", "<c8", "<c16",
         ">f4", "<u4", "|O", "<U4", "=f4", "f4", "<f16", "", "<f" * 50]  # fmt: skip
SIZES = [0, 1, 2, 3, 4, 7, 2**16, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**64, -1]
ITEM = {"1": 1, "2": 2, "4": 4, "8": 8, "16": 16}


def write_shape(rng):
    count = rng.choice([0, 1, 1, 2, 2, 2, 3, 9])
    extents = [rng.choice(SIZES[:6]) for _ in range(count)]
    if extents and rng.random() < 0.2:
        extents[rng.randrange(count)] = rng.choice(SIZES)
    text = "(" + ", ".join(map(str, extents)) + ("," if count == 1 else "") + ")"
    return extents, text


def write_header(rng, kind, shape):
    order = rng.choice(["False", "False", "True"])
    fields = [f"'descr': '{kind}'", f"'fortran_order': {order}", f"'shape': {shape}"]
    if rng.random() < 0.1:
        rng.shuffle(fields)
    if rng.random() < 0.05:
        fields.append(rng.choice(fields + ["'x': 1", "'descr': [('a', '<f4')]"]))
    if rng.random() < 0.05:
        del fields[rng.randrange(len(fields))]
    return "{" + ", ".join(fields) + rng.choice([", }", "}", ",}", "} garbage" if rng.random() < 0.2 else "}"])


def damage(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        place = rng.randrange(min(len(data), 128)) if data else 0
        action = rng.randrange(4)
        if action == 0:
            data[place : place + 1] = bytes([rng.randrange(256)])
        elif action == 1:
            del data[place : place + rng.choice([1, 1, 4])]
        elif action == 2:
            data[place:place] = rng.choice([b"(", b"'", b"{", b",", b"9" * 30, b"\0", b" "])
        else:
            del data[rng.randrange(len(data) + 1) :]
    return bytes(data)


def make(rng):
    kind = rng.choice(TYPES[:11]) if rng.random() < 0.8 else rng.choice(TYPES)
    extents, shape = write_shape(rng)
    header = write_header(rng, kind, shape).encode()
    version = rng.choice([1, 1, 1, 2, 3, 0, 4])
    prefix = 10 if version == 1 else 12
    header += b" " * ((63 - prefix - len(header)) % 64) + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    size = ITEM.get(kind[2:], 4)
    for extent in extents:
        size *= max(extent, 0)
    data = rng.randbytes(min(size, 4096) + (rng.choice([-1, 1]) if rng.random() < 0.05 else 0) if size else 0)
    text = b"\x93NUMPY" + bytes([version, 0]) + length + header + data
    return damage(text, rng) if rng.random() < 0.5 else text

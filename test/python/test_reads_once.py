"""Kernels for few rows read each byte of their weight once, by the emulator's counters.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import re
import subprocess

import nm_modules
import numpy as np
import pytest
from nm.runtime.tools import find_tool

ELEMENT_BYTES = {"f32": 4, "f16": 2, "i8": 1}
# Lanes that have columns of one unit of 32 read its indices together, in one instruction.
LANES_OF_UNIT = 8


def count_loaded_bytes(counters):
    """Bytes that all lanes load from global memory, or copy from there to shared memory."""
    copied = {(one["opcode"], one["bytesPerLane"]) for one in counters["global"]
              if one["opcode"].startswith("cp.async")}
    widths = dict(copied)
    assert len(widths) == len(copied), copied
    loaded = 0
    for opcode, count in counters["byOpcode"].items():
        if opcode in widths:
            loaded += count["lanes"] * widths[opcode]
            continue
        if not opcode.startswith("ld.global"):
            assert "cp.async" not in opcode or "wait" in opcode or "commit" in opcode, opcode
            continue
        width = re.search(r"\.v(\d)\.", opcode)
        bits = int(re.search(r"\.b(\d+)$", opcode)[1])
        loaded += count["lanes"] * bits // 8 * (int(width[1]) if width else 1)
    return loaded


# On CUDA cores blocks of eight rows of C each read the weight.
CASES = [
    (m, unit, dtype)
    for m in (1, 8, 16) for unit in (1, 32) for dtype in ("f32", "f16", "i8")
    if m <= 8 or (unit == 32 and dtype != "f32")
]


@pytest.mark.parametrize("keep", [16, 8, 3])
@pytest.mark.parametrize(("m", "unit", "dtype"), CASES)
def test_a_weight_is_read_once(m, unit, dtype, keep, tmp_path):
    types = {"dtype": "f16", "weight_dtype": "i8"} if dtype == "i8" else {"dtype": dtype}
    product = nm_modules.Product(m, 64, 1024, keep, 32, unit, **types)
    model, a = tmp_path / "model.mlir", tmp_path / "a.npy"
    nm_modules.write_module(model, product, *nm_modules.random_weight(product, 1))
    numbers = np.random.default_rng(1).standard_normal(product.a_shape)
    np.save(a, numbers.astype(np.float32 if dtype == "f32" else np.float16))
    launches, report = tmp_path / "launches.json", tmp_path / "report.json"
    subprocess.run(
        [find_tool("nm-run"), model, "--device=emulator", "--chip=sm_90", f"--input={a}",
         f"--counters={launches}", f"--report={report}"],
        check=True, stdout=subprocess.DEVNULL)
    (launch,) = json.loads(launches.read_text())
    (row,) = json.loads(report.read_text())["products"]
    assert "gemv<" in row["schedule"], row["schedule"]
    weight, element = row["weight_bytes"], ELEMENT_BYTES[product.dtype]
    # Padding is read like what is kept, and each tile of columns has all of A.
    split = re.search(r"split_k = (\d+)", row["schedule"])
    tiles = launch["grid"][0] // (int(split[1]) if split else 1)
    sharing = 1 if unit == 1 else LANES_OF_UNIT
    assert weight["values"] + weight["indices"] == weight["packed"]
    once = (weight["values"] + sharing * weight["indices"]
            + tiles * element * product.m * product.k)
    # Scales are of columns, of which threads have one or more.
    scales = 4 * product.m * product.n if dtype == "i8" else 0
    assert scales < weight["values"]
    assert once <= count_loaded_bytes(launch["counters"]) <= once + scales

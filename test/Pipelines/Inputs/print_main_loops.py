#!/usr/bin/env python3
# print_main_loops.py - Prints what stands in the main loops of schedules.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A line for each case of ptx_equivalence.py and of mma_sync_cases.py that fits the
# pattern: instructions of a step by class, without integer arithmetic and branches. Usage:
#   print_main_loops.py CASES

import fnmatch
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/nm-bench"))
import mma_sync_cases  # noqa: E402
import ptx_equivalence  # noqa: E402
import ptx_loops  # noqa: E402

CLASSES = ["fma", "mma.sync", "ldmatrix", "ld.shared.v4", "ld.shared.v2", "ld.shared", "st.shared", "ld.global",
           "st.global", "local", "cp.async", "bar.sync", "mbarrier wait", "fence",
           "mbarrier arrive", "other"]


def main():
    tools = ptx_equivalence.Tools("nm-compile", ptxas="", nvcc=None)
    for case in ptx_equivalence.all_cases() + mma_sync_cases.CASES:
        if not fnmatch.fnmatchcase(str(case), sys.argv[1]):
            continue
        with tempfile.TemporaryDirectory() as folder:
            ptx, _ = ptx_equivalence.compile_nm(tools, case, case.chip, pathlib.Path(folder))
            text = ptx.read_text()
        lines = ptx_loops.kernel_lines(text)
        counts = ptx_loops.count_classes(ptx_loops.find_step(lines, case.step_fmas))
        counts["local"] += text.count(".local")
        print(case, *(f"{name}={counts[name]}" for name in CLASSES if counts[name]))


if __name__ == "__main__":
    main()

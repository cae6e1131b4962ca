#!/usr/bin/env python3
# compare_ptx.py - Whether two builds of nm make the same kernels.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every module of the examples and tests with two builds of nm-compile,
and compares the PTX but for names of kernels and locations. A change that should
not change what is computed is checked so:

    git worktree add ../before HEAD~1 && ... build it ...
    tools/scripts/compare_ptx.py ../before/build/release/bin build/release/bin

Prints a line a module that differs or that only one of them compiles, and exits
with 1 if there is any."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["test/integration/Inputs", "test/Pipelines", "test/Target", "tools/fuzz/corpus"]
NAME = re.compile(r"\.entry (\w+)|\.func .*?(\w+)\s*\(")
LOCATION = re.compile(r"^\s*(?:\.loc|\.file|//).*$", re.MULTILINE)


def normalize(text):
    """PTX with its kernels numbered and without locations and comments."""
    text = LOCATION.sub("", text)
    for number, match in enumerate(NAME.finditer(text)):
        name = match[1] or match[2]
        text = re.sub(rf"\b{re.escape(name)}", f"function{number}", text)
    return text


def compile_module(folder, module, chip):
    """The module's PTX; nothing where it is refused."""
    done = subprocess.run(
        [folder / "nm-compile", module, f"--chip={chip}", "-o", "-"],
        capture_output=True, text=True, errors="replace", check=False)
    return normalize(done.stdout) if done.returncode == 0 else None


def compare(before, after, module, chips):
    """How many kernels' texts were compared, and what differs."""
    compiled = 0
    for chip in chips:
        old, new = (compile_module(folder, module, chip) for folder in (before, after))
        if (old is None) != (new is None):
            return compiled, f"{chip}: only the {'second' if old is None else 'first'} compiles it"
        if old != new:
            return compiled, f"{chip}: the PTX differs"
        compiled += old is not None
    return compiled, ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path, help="bin folder of a build")
    parser.add_argument("after", type=pathlib.Path, help="bin folder of another build")
    parser.add_argument("--chip", action="append", help="may be repeated (default: sm_90)")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    modules = sorted(m for folder in FOLDERS for m in (ROOT / folder).rglob("*.mlir"))
    chips = options.chip or ["sm_90"]
    failed = total = 0
    with ThreadPoolExecutor(options.workers) as pool:
        results = pool.map(
            lambda m: compare(options.before, options.after, m, chips), modules)
        for module, (compiled, difference) in zip(modules, results):
            total += compiled
            if difference:
                failed += 1
                print(f"{module.relative_to(ROOT)}: {difference}", flush=True)
    print(f"{len(modules)} modules, {total} texts of PTX compared, {failed} differ")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# run_readme.py - Runs the blocks of Python in README.md.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each block in the root of the checkout, with the nm that Python finds. One that
imports torch is for where torch is installed; elsewhere it is left out, which is said."""

import importlib.util
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def run() -> tuple[int, int]:
    """How many blocks were run, and how many were left out for want of torch."""
    has_torch = importlib.util.find_spec("torch") is not None
    blocks = BLOCK.findall((ROOT / "README.md").read_text())
    chosen = [one for one in blocks if has_torch or "import torch" not in one]
    for text in chosen:
        exec(compile(text, "README.md", "exec"), {})
    return len(chosen), len(blocks) - len(chosen)


def main() -> None:
    os.chdir(ROOT)
    done, left_out = run()
    assert done, "expected a block that needs no torch, got none"
    print(f"README's Python: {done} blocks ran, {left_out} need torch")


if __name__ == "__main__":
    main()

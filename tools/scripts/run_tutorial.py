#!/usr/bin/env python3
# run_tutorial.py - The blocks of docs/Tutorial.md, and what they print.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tutorial's blocks of Python in order, and compares what they print with what
the page shows. Takes the nm that Python finds: the checkout's by PYTHONPATH, or that of
an installed wheel. Writes files to a folder of its own. On a machine with a GPU the
block for one runs as well."""

import contextlib
import io
import os
import pathlib
import re
import tempfile

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/Tutorial.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def run() -> int:
    """How many outputs the page shows, all of which were right.

    Raises:
        AssertionError: something else was printed.
    """
    scope: dict[str, object] = {}
    printed = ""
    shown = 0
    for kind, text in BLOCK.findall(PAGE.read_text()):
        if kind == "python":
            assert not printed, f"the page does not show what was printed: {printed}"
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(text, PAGE.name, "exec"), scope)
            printed = output.getvalue()
        elif kind == "text":
            assert printed == text, f"expected {text}, got {printed}"
            printed = ""
            shown += 1
    assert not printed
    return shown


def main() -> None:
    import nm
    import torch

    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        shown = run()
        os.chdir("/")
    print(f"{shown} outputs are right: {nm.__file__}, torch {torch.__version__}, {gpu}")


if __name__ == "__main__":
    main()

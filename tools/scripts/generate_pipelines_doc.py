#!/usr/bin/env python3
# generate_pipelines_doc.py - Puts the IR of every stage into docs/Pipelines.md.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: generate_pipelines_doc.py -f [NM_COMPILE]   writes the page
#        generate_pipelines_doc.py -c [NM_COMPILE]   checks that it is current
#
# The page is written by hand but for what stands between `<!-- ir:STAGE -->` and
# `<!-- /ir -->`: there, the IR that nm-compile leaves after that stage of
# test/Pipelines/Inputs/example.mlir. A lit test runs the check.

import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/Pipelines.md"
EXAMPLE = ROOT / "test/Pipelines/Inputs/example.mlir"
# Longer listings are cut in the page: they are there to be recognised.
MOST_LINES = 90
MOST_COLUMNS = 160


def shorten(text):
    lines = [
        line if len(line) <= MOST_COLUMNS else line[: MOST_COLUMNS - 4] + " ..."
        for line in text.rstrip().splitlines()
    ]
    if len(lines) > MOST_LINES:
        left = len(lines) - MOST_LINES
        lines = lines[:MOST_LINES] + [f"... ({left} more lines)"]
    return "\n".join(lines)


def listing(stage, compiler):
    if stage == "input":
        return "mlir", EXAMPLE.read_text()
    emit = (
        ["--emit=ptx"]
        if stage == "emit-ptx"
        else ["--emit=mlir", f"--last-stage={stage}"]
    )
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "out"
        subprocess.run(
            [compiler, EXAMPLE, "--chip=sm_90", *emit, "-o", out], check=True
        )
        return "ptx" if stage == "emit-ptx" else "mlir", out.read_text()


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ("-f", "-c"):
        print("usage: generate_pipelines_doc.py -f | -c [NM_COMPILE]")
        return 2
    compiler = sys.argv[2] if len(sys.argv) == 3 else "nm-compile"

    def fill(match):
        language, text = listing(match[1], compiler)
        return f"<!-- ir:{match[1]} -->\n```{language}\n{shorten(text)}\n```\n<!-- /ir -->"

    old = PAGE.read_text()
    new = re.sub(
        r"<!-- ir:([a-z-]+) -->\n.*?<!-- /ir -->", fill, old, flags=re.DOTALL
    )
    if sys.argv[1] == "-f":
        PAGE.write_text(new)
        return 0
    if new == old:
        print("docs/Pipelines.md: current")
        return 0
    sys.stdout.writelines(
        difflib.unified_diff(
            old.splitlines(True), new.splitlines(True), "committed", "now"
        )
    )
    print("docs/Pipelines.md is stale: run tools/scripts/generate_pipelines_doc.py -f")
    return 1


if __name__ == "__main__":
    sys.exit(main())

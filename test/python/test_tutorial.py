"""The blocks of docs/Tutorial.md run in order and print what it shows.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import contextlib
import io
import re

from conftest import ROOT, need

need("torch", "torch_mlir", "transformers", "ml_dtypes")

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def test_tutorial(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / "docs/Tutorial.md").read_text())
    scope = {}
    printed = ""
    shown = 0
    for kind, text in blocks:
        if kind == "python":
            assert not printed, f"the page does not show what was printed: {printed}"
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(text, "Tutorial.md", "exec"), scope)
            printed = output.getvalue()
        elif kind == "text":
            assert printed == text
            printed = ""
            shown += 1
    assert not printed and shown >= 7

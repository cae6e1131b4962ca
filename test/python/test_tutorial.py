"""The blocks of docs/Tutorial.md run in order and print what it shows.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys

from conftest import ROOT, need

need("torch", "torch_mlir", "transformers", "ml_dtypes")

sys.path.insert(0, str(ROOT / "tools/scripts"))
import run_tutorial  # noqa: E402


def test_tutorial(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_tutorial.run() == 11

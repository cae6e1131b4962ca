"""The blocks of docs/Tutorial.md run in order and print what it shows.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys

from conftest import ROOT, need

need("torch", "torch_mlir", "transformers", "ml_dtypes")

sys.path.insert(0, str(ROOT / "tools/scripts"))
import run_readme  # noqa: E402
import run_tutorial  # noqa: E402


def test_tutorial(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_tutorial.run() == 13


def test_readme(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build/demo").mkdir(parents=True)
    (tmp_path / "test").symlink_to(ROOT / "test")
    assert run_readme.run() == (2, 0)
    assert (tmp_path / "build/demo/ffn.nm").is_file()

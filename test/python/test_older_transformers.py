"""Converted models with an older transformers than the one beside this test.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import ROOT, need

need("torch", "transformers")

# What tools/scripts/setup.sh --live makes.
PYTHON = pathlib.Path(sys.prefix) / "older-transformers/bin/python3"


@pytest.mark.parametrize(
    "tests",
    [["test_checkpoints.py"], ["test_converted_models.py", "-k", "not any_number"]],
    ids=lambda tests: tests[0],
)
def test_an_older_transformers(tests):
    if not PYTHON.exists():
        if os.environ.get("NM_REQUIRE_TORCH") == "1":
            pytest.fail(f"expected {PYTHON}: run tools/scripts/setup.sh --live")
        pytest.skip("no older transformers: tools/scripts/setup.sh --live")
    import transformers

    ask = "import transformers; print(transformers.__version__)"
    older = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=True)
    assert older.stdout.strip() == "5.17.0"
    assert transformers.__version__ != "5.17.0"
    command = [PYTHON, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        command, cwd=ROOT / "test/python", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-10_000:]

"""Scripts that measure on a GPU say what they do without one, and without torch and nm.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

FOLDER = ROOT / "tools/nm-bench"
SCRIPTS = ("candidate_times", "compare_builds", "convert_times", "crossover_times", "decode_times",
           "device_agreement", "generate_times", "llama100", "llama_layers", "ncu_times",
           "matrix_times", "model_times", "planner_choices", "ptx_kernel_times", "ptxas_times",
           "resident_clusters", "row_kernel_times", "rows_times", "start_times")
# Modules that a machine for --help may lack.
HIDDEN = ("torch", "nm")


@pytest.mark.parametrize("name", SCRIPTS)
def test_help(name, tmp_path):
    for module in HIDDEN:
        (tmp_path / f"{module}.py").write_text("raise ImportError(__name__)\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, FOLDER / f"{name}.py", "--help"], check=False,
                          capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert f"{name}.py" in done.stdout and len(done.stdout) > 300

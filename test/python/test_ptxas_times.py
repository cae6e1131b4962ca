"""ptxas_times.py: rows of kernels and modules, and bounds; without torch.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import subprocess
import sys

import pytest
from conftest import ROOT, find_ptxas

SCRIPT = ROOT / "tools/nm-bench/ptxas_times.py"
KERNEL = """
.visible .entry {name}(.param .u64 {name}_x)
{{
	.reg .b64 %rd<3>;
	.reg .b32 %r<3>;
	ld.param.b64 %rd1, [{name}_x];
	cvta.to.global.u64 %rd2, %rd1;
	ld.global.b32 %r1, [%rd2];
	add.s32 %r2, %r1, 1;
	st.global.b32 [%rd2], %r2;
	ret;
}}
"""


@pytest.fixture
def module(tmp_path):
    if not find_ptxas():
        pytest.skip("no ptxas")
    path = tmp_path / "two.ptx"
    kernels = "".join(KERNEL.format(name=name) for name in ("first", "second"))
    path.write_text(f".version 8.0\n.target sm_90\n.address_size 64\n{kernels}")
    return path


def run(*arguments):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True,
                          check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_rows(module):
    status, (run_row, *kernels, whole) = run(module, "--runs=1")
    assert "ptxas" in run_row["what"] and run_row["chip"] == "sm_90a"
    assert [row["kernel"] for row in kernels] == ["first", "second"]
    for row in kernels:
        assert row["ptx_instructions"] == 6 and row["spill_bytes"] == 0
        assert 4 <= row["machine_instructions"] <= 20 and 0 < row["registers"] <= 32
    assert whole["module"] == "two" and 0 < whole["seconds"] < 10
    assert status in (0, 1)  # as the machine is


def test_bounds(module):
    assert run(module, "--runs=1", "--kernel-seconds=9", "--module-seconds=9")[0] == 0
    assert run(module, "--runs=1", "--kernel-seconds=0", "--module-seconds=9")[0] == 1
    assert run(module, "--runs=1", "--kernel-seconds=9", "--module-seconds=0")[0] == 1

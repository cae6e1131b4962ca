"""ptx_kernel_times.py: its files, and the parameters of kernels. What needs a GPU is not tested.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import pathlib
import subprocess

import nm_modules
import ptx_kernel_times
import pytest
from nm.runtime.tools import find_tool

MAP = """.visible .entry k(
\t.param .u64 .ptr .align 1 k_param_0,
\t.param .align 64 .b8 k_param_1[128]
)
{
"""


def test_jobs_are_a_file_and_its_report():
    assert ptx_kernel_times.parse_job("a.ptx=b.json") == (
        pathlib.Path("a.ptx"), pathlib.Path("b.json"))
    with pytest.raises(argparse.ArgumentTypeError, match="got a.ptx"):
        ptx_kernel_times.parse_job("a.ptx")


def test_kernels_of_nm_take_pointers(tmp_path):
    product = nm_modules.Product(16, 64, 64, 2, 4)
    module, ptx, report = (tmp_path / name for name in ("p.mlir", "p.ptx", "p.json"))
    nm_modules.write_module(module, product, *nm_modules.random_weight(product, 1))
    subprocess.run([find_tool("nm-compile"), module, "--chip=sm_90", "-o", ptx,
                    f"--report={report}"], check=True)
    (kernel,) = json.loads(report.read_text())["kernels"]
    assert ptx_kernel_times.list_pointers(ptx.read_text(), kernel["name"]) == [".u64"] * 4
    assert {"grid", "block", "shared_memory_bytes"} <= kernel.keys()


@pytest.mark.parametrize("kernel, what", [("k", "pointers alone"), ("other", "a kernel other")])
def test_what_cannot_be_launched(kernel, what):
    with pytest.raises(ValueError, match=what):
        ptx_kernel_times.list_pointers(MAP, kernel)

"""compare_schedules.py says which schedules differ between two builds.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import subprocess
import sys

from conftest import ROOT

NM_BIN = os.environ["NM_BIN"]
SCRIPT = ROOT / "tools/scripts/compare_schedules.py"


def compare(before, after, *options):
    return subprocess.run([sys.executable, SCRIPT, before, after, *options], check=False,
                          capture_output=True, text=True)


def test_a_build_chooses_what_it_chooses():
    done = compare(NM_BIN, NM_BIN, "--rows=2", "--chip=sm_80", "--chip=sm_90a")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith("sm_80: ") and second.startswith("sm_90a: ")
    assert first.endswith("products, 0 schedules differ")
    assert int(first.split()[1]) > 500


def test_what_differs_is_listed(tmp_path):
    """Another build writes one stage more where three are chosen."""
    other = tmp_path / "nm-opt"
    other.write_text(f"#!/bin/sh\n{NM_BIN}/nm-opt \"$@\" | sed 's/stages = 3/stages = 4/'\n")
    other.chmod(0o755)
    done = compare(NM_BIN, tmp_path, "--rows=512", "--chip=sm_90")
    assert done.returncode == 1, done.stderr
    assert "  before: #nm.schedule<" in done.stdout and "stages = 4" in done.stdout
    assert not done.stdout.splitlines()[-1].endswith(" 0 schedules differ")


def test_a_folder_that_is_no_build(tmp_path):
    done = compare(NM_BIN, tmp_path)
    assert done.returncode == 2
    assert f"'{tmp_path}' has no nm-opt: give the bin folder of a build" in done.stderr


def test_wrong_rows():
    done = compare(NM_BIN, NM_BIN, "--rows=64,none")
    assert done.returncode == 2
    assert "expected numbers of rows, such as 64,128; got '64,none'" in done.stderr

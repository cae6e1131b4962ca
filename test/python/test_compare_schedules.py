"""compare_schedules.py says which schedules differ between two builds.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import subprocess
import sys

import choice_times
import pytest
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
    file = tmp_path / "pairs.jsonl"
    done = compare(NM_BIN, tmp_path, "--rows=512", "--chip=sm_90", f"--json={file}")
    assert done.returncode == 1, done.stderr
    assert "  before: #nm.schedule<" in done.stdout and "stages = 4" in done.stdout
    assert not done.stdout.splitlines()[-1].endswith(" 0 schedules differ")

    # What choice_times.py reads.
    rows = choice_times.read_pairs(file, "sm_90", ["f16"])
    assert rows and not choice_times.read_pairs(file, "sm_80", ["f16"])
    for row in rows:
        before, after = choice_times.list_products(row)
        assert (before.m, before.dtype) == (512, "f16")
        assert before.schedule.replace("stages = 3", "stages = 4") == after.schedule
    weights = [choice_times.get_weight(row) for row in rows]
    assert weights == sorted(weights)


def test_a_folder_that_is_no_build(tmp_path):
    done = compare(NM_BIN, tmp_path)
    assert done.returncode == 2
    assert f"'{tmp_path}' has no nm-opt: give the bin folder of a build" in done.stderr


def test_wrong_rows():
    done = compare(NM_BIN, NM_BIN, "--rows=64,none")
    assert done.returncode == 2
    assert "expected numbers of rows, such as 64,128; got '64,none'" in done.stderr


def test_choices_are_summed_up():
    rows = [{"before_us": 10.0, "after_us": 8.0}, {"before_us": 10.0, "after_us": 12.5},
            {"failed": "no"}]
    assert choice_times.summarize(rows) == {
        "products": 3, "failed": 1, "before_over_after": 1.0, "least": 0.8, "most": 1.25,
        "faster": 1, "slower": 1}


@pytest.mark.parametrize("text", [None, "sm_90a: 64x128x64"])
def test_a_file_that_has_no_choices(tmp_path, text):
    file = tmp_path / "pairs.txt"
    if text:
        file.write_text(text)
    with pytest.raises(SystemExit, match="expected what compare_schedules.py --json=FILE writes"):
        choice_times.read_pairs(file, "sm_90", ["f16"])

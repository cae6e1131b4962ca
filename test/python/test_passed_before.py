"""--passed-before leaves out what passed in an earlier run, and nothing else.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
import sys

import pytest
from conftest import ROOT, get_junit_name

TESTS = "test/python/test_compare_schedules.py"


def run(*options):
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *options],
                          capture_output=True, text=True, cwd=ROOT, check=False)


def test_what_passed_is_left_out(tmp_path):
    results = tmp_path / "results.xml"
    first = run(f"--junit-xml={results}", f"{TESTS}::test_choices_are_summed_up")
    assert first.returncode == 0, first.stdout
    again = run(f"--passed-before={results}", f"{TESTS}::test_choices_are_summed_up",
                f"{TESTS}::test_wrong_rows")
    assert again.returncode == 0, again.stdout
    assert "1 passed, 1 deselected" in again.stdout


@pytest.mark.parametrize("outcome", ["failure", "error", "skipped"])
def test_what_did_not_pass_is_run(tmp_path, outcome):
    results = tmp_path / "results.xml"
    results.write_text(
        "<testsuites><testsuite><testcase classname='test.python.test_compare_schedules' "
        f"name='test_choices_are_summed_up'><{outcome}/></testcase></testsuite></testsuites>")
    done = run(f"--passed-before={results}", f"{TESTS}::test_choices_are_summed_up")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout and "deselected" not in done.stdout


def test_names_of_parametrised_tests():
    assert get_junit_name("test/python/test_a.py::TestB::test_c[x/y.py::z]") == (
        "test.python.test_a.TestB", "test_c[x/y.py::z]")


def test_a_missing_file(tmp_path):
    done = run(f"--passed-before={tmp_path}/none.xml", f"{TESTS}::test_wrong_rows")
    assert done.returncode != 0
    assert "none.xml: run tools/check first" in done.stdout + done.stderr

"""ncu.py and ncu_times.py: what is read from ncu's table, and what is said of it.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import ncu
import ncu_times
import pytest

TABLE = '''==PROF== Connected
"ID","Process Name","Kernel Name","Grid Size","gpu__time_duration.sum","a__b.sum","c__d.ratio"
"","","","","nsecond","",""
"0","nm-run","main_0_spmm","(1, 2, 3)","1,309,570","n/a","0.5"
'''


def test_launches_are_read():
    assert ncu.parse_table(TABLE) == [
        {"kernel": "main_0_spmm", "gpu__time_duration.sum": 1309570, "c__d.ratio": 0.5}]


def test_what_is_said_instead_of_a_table():
    with pytest.raises(ncu.Error, match="no permission"):
        ncu.parse_table("", "no permission")


def test_reasons_are_sorted():
    row = ncu_times.describe({"ns": 1500.0, "issue": 88.123, "barrier": 0.1, "wait": 2.0,
                              "membar": 0.01})
    assert row == {"us": 1.5, "issue": 88.12, "waits": {"wait": 2.0, "barrier": 0.1}}

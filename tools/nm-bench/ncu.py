# ncu.py - Counters of launches, by Nsight Compute.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command under ncu, with the clocks as they are, and reads its table."""

import csv
import io
import shutil
import subprocess

DURATION = "gpu__time_duration.sum"  # nanoseconds; without those that the host takes


class Error(Exception):
    """What was said instead of a table."""


def is_there():
    return shutil.which("ncu") is not None


def count(command, metrics, options=()):
    """The metrics of each launch of a command, in order: {"kernel": its name, metric: number}.
    Those that the GPU has no counter for are left out."""
    done = subprocess.run(
        [str(word) for word in ("ncu", "--csv", "--page", "raw", "--clock-control", "none",
                                "--metrics", ",".join(metrics), *options, *command)],
        capture_output=True, text=True, check=False,
    )
    return parse_table(done.stdout, done.stderr)


def parse_table(said, errors=""):
    """The rows of what ncu printed: names, units, and a line a launch."""
    start = said.find('"ID"')
    if start < 0:
        raise Error((said + errors)[-500:] or "expected a table of ncu, got nothing")
    names, _, *lines = csv.reader(io.StringIO(said[start:]))
    return [read_line(dict(zip(names, line))) for line in lines]


def read_line(line):
    """The kernel and the metrics of a line, whose columns have "__" in their names; so have some
    of the device's, which may be words."""
    numbers = {}
    for name, text in line.items():
        try:
            numbers |= {name: float(text.replace(",", ""))} if "__" in name else {}
        except ValueError:
            pass
    return {"kernel": line["Kernel Name"]} | numbers

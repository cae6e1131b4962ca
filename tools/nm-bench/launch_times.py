# launch_times.py - What nm-run records of launches, as times of kernels.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what nm-run --repeat=CALLS --counters=FILE writes, of this build or another."""

import statistics

CALLS = 20
WARM_UP = 3  # calls that do not count


class Error(Exception):
    """What nm-run said when it failed, or what is wrong with its records."""


def take_medians(launches, calls=CALLS):
    """Names of the kernels of a call and their microseconds, of all launches of `calls`."""
    count, rest = divmod(len(launches), calls)
    if rest:
        raise Error(f"expected the same launches each call, got {len(launches)}")
    rows = [launches[i * count :][:count] for i in range(WARM_UP, calls)]
    times = [
        1000 * statistics.median(row[i]["milliseconds"] for row in rows) for i in range(count)
    ]
    return [name_kernel(one) for one in launches[:count]], times


def name_kernel(launch):
    """What a kernel does, without its number in the module. Other builds' records have the
    launch's name as that of the kernel."""
    words = launch.get("launch", launch["kernel"]).split("_")
    return "_".join(word for word in words if not word.isdigit())

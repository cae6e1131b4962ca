"""resident_clusters.py: what it asks the driver, and what it says without one.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import sys

import pytest
import resident_clusters


class Driver:
    """Holds 132 blocks, and refuses clusters of more than eight."""

    def __init__(self, failing=None):
        self.failing, self.called, self.configs = failing, [], []

    def __getattr__(self, name):
        def call(*arguments):
            self.called.append(name)
            return 999 if name == self.failing else 0

        return call

    def cuOccupancyMaxActiveClusters(self, count, kernel, config):
        one = config._obj
        attribute = one.attributes[0]
        blocks = attribute.value[0]
        self.configs.append((attribute.id, *attribute.value[0:3], one.shared, *one.grid, *one.block,
                             one.count))
        count._obj.value = 132 // blocks
        return 1 if blocks > 8 else 0


def test_clusters_are_asked_for_as_the_driver_reads_them():
    driver = Driver()
    assert resident_clusters.count_clusters(driver, None, 200, 4) == 33
    assert driver.configs == [(resident_clusters.CLUSTER_DIMENSION, 4, 1, 1, 200 * 1024, 400, 1, 1,
                               128, 1, 1, 1)]
    assert resident_clusters.count_clusters(driver, None, 200, 16) is None


def test_the_driver_finds_the_layout_of_a_launch():
    # CUlaunchConfig and CUlaunchAttribute of cuda.h.
    config, attribute = resident_clusters.Config, resident_clusters.Attribute
    assert config.stream.offset == 32 and config.attributes.offset == 40
    assert config.count.offset == 48
    assert attribute.value.offset == 8 and attribute.value.size == 64


def test_the_kernel_may_have_large_clusters():
    driver = Driver()
    resident_clusters.load_kernel(driver)
    assert driver.called[0] == "cuInit" and driver.called[-3:] == [
        "cuModuleGetFunction", "cuFuncSetAttribute", "cuFuncSetAttribute"]


def test_what_the_driver_refuses_is_named():
    with pytest.raises(SystemExit, match="cuModuleLoadData failed with status 999"):
        resident_clusters.load_kernel(Driver("cuModuleLoadData"))


def test_a_line_for_each_size(monkeypatch, capsys):
    monkeypatch.setattr(resident_clusters, "load_driver", Driver)
    monkeypatch.setattr(sys, "argv", ["resident_clusters.py", "100", "70"])
    resident_clusters.main()
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["kib"] for row in rows] == [100, 70]
    assert rows[0]["clusters"]["2"] == 66 and rows[0]["clusters"]["16"] is None


def test_without_a_driver_it_says_so(monkeypatch):
    def refuse(name):
        raise OSError(f"{name}: cannot open")

    monkeypatch.setattr(resident_clusters.ctypes, "CDLL", refuse)
    with pytest.raises(SystemExit, match="expected a CUDA driver: libcuda.so.1: cannot open"):
        resident_clusters.load_driver()

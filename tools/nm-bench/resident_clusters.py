#!/usr/bin/env python3
# resident_clusters.py - How many clusters of blocks a GPU holds at once.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks the driver (cuOccupancyMaxActiveClusters) how many clusters of 1 to 16 blocks of 128
threads are resident together; needs a GPU.

Usage: resident_clusters.py [KIB...]

Prints a line of JSON for each number of KiB of shared memory a block (200, 100 and 70 if not
given): clusters by blocks of a cluster. lib/Target/Occupancy.cpp has the rule for it.
"""

import ctypes
import json
import sys

PTX = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry k() { ret; }
\0"""
MOST_SHARED, NON_PORTABLE_CLUSTERS = 8, 14  # CUfunction_attribute
CLUSTER_DIMENSION = 4  # CUlaunchAttributeID


class Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint * 16)]


class Config(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
                ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p),
                ("attributes", ctypes.POINTER(Attribute)), ("count", ctypes.c_uint)]


def load_driver():
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        sys.exit(f"resident_clusters.py: expected a CUDA driver: {error}")


def load_kernel(driver):
    def check(status, what):
        if status:
            sys.exit(f"resident_clusters.py: {what} failed with status {status}")

    device, context = ctypes.c_int(), ctypes.c_void_p()
    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    by = ctypes.byref
    check(driver.cuInit(0), "cuInit")
    check(driver.cuDeviceGet(by(device), 0), "cuDeviceGet")
    check(driver.cuDevicePrimaryCtxRetain(by(context), device), "cuDevicePrimaryCtxRetain")
    check(driver.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    check(driver.cuModuleLoadData(by(module), PTX), "cuModuleLoadData")
    check(driver.cuModuleGetFunction(by(kernel), module, b"k"), "cuModuleGetFunction")
    for attribute, value in ((MOST_SHARED, 220 * 1024), (NON_PORTABLE_CLUSTERS, 1)):
        check(driver.cuFuncSetAttribute(kernel, attribute, value), "cuFuncSetAttribute")
    return kernel


def count_clusters(driver, kernel, kib, blocks):
    """None where the driver refuses such clusters."""
    attribute = Attribute(id=CLUSTER_DIMENSION)
    attribute.value[0:3] = [blocks, 1, 1]
    config = Config(shared=kib * 1024, attributes=ctypes.pointer(attribute), count=1)
    config.grid[:], config.block[:] = [blocks * 100, 1, 1], [128, 1, 1]
    count = ctypes.c_int()
    status = driver.cuOccupancyMaxActiveClusters(
        ctypes.byref(count), kernel, ctypes.byref(config))
    return None if status else count.value


def main():
    if {"-h", "--help"} & {*sys.argv}:
        print(__doc__)
        return
    sizes = [int(word) for word in sys.argv[1:]] or [200, 100, 70]
    driver = load_driver()
    kernel = load_kernel(driver)
    for kib in sizes:
        clusters = {n: count_clusters(driver, kernel, kib, n) for n in (*range(1, 9), 16)}
        print(json.dumps({"kib": kib, "clusters": clusters}))


if __name__ == "__main__":
    main()

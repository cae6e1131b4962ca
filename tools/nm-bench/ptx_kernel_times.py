#!/usr/bin/env python3
# ptx_kernel_times.py - What kernels take whose PTX is given.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times kernels of PTX alone, such as one build's beside another's, or one that was changed by
hand; needs a GPU and torch, but not nm.

Usage: ptx_kernel_times.py FILE.ptx=REPORT.json...

    nm-compile product.mlir --chip=sm_90a -o new.ptx --report=new.json
    ptx_kernel_times.py new.ptx=new.json changed.ptx=new.json

A report says with how many blocks, threads and bytes of shared memory a kernel is launched. Its
parameters have to be pointers; each is to a buffer of random integers of 32 bits from 0 to 63
(--below=64), which is also a position in any step of so many rows. What kernels compute is not looked at, and
one whose report has not its PTX may access what it should not.

Prints a line of JSON about the run, and one a kernel: registers, and microseconds by CUDA
events, the median of seven batches of 40 launches one behind the other, which wait for the
first, so that the host does not count.
"""

import argparse
import ctypes
import json
import pathlib
import re
import statistics

import device_times
import llama100

BUFFER_BYTES = 256 << 20
LAUNCHES, BATCHES = 40, 7
CYCLES_AHEAD = 2_000_000  # of the GPU, while the host issues a batch
# Of cuda.h.
REGISTERS, SHARED_BYTES = 4, 8


def parse_job(text):
    """The paths of FILE.ptx=REPORT.json."""
    ptx, found, report = text.partition("=")
    if not found:
        raise argparse.ArgumentTypeError(f"expected FILE.ptx=REPORT.json, got {text}")
    return pathlib.Path(ptx), pathlib.Path(report)


def list_pointers(ptx, kernel):
    """The parameters of a kernel, which have to be pointers."""
    found = re.search(rf"\.entry {re.escape(kernel)}\((.*?)\)\n", ptx, re.DOTALL)
    if not found:
        raise ValueError(f"expected a kernel {kernel}")
    parameters = re.findall(r"\.param (\S+)", found[1])
    if set(parameters) - {".u64", ".b64"}:
        raise ValueError(f"expected {kernel} to take pointers alone, got {parameters}")
    return parameters


class Driver:
    """The CUDA driver, in torch's context."""

    def __init__(self, torch, below):
        torch.cuda.init()
        torch.zeros(1, device="cuda")
        self.library = ctypes.CDLL("libcuda.so.1")
        self.torch = torch
        self.below = below
        self.buffers = []

    def call(self, name, *arguments):
        if code := getattr(self.library, name)(*arguments):
            raise RuntimeError(f"{name} failed with {code}")

    def load(self, ptx, kernel):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ptx.encode() + b"\0")
        self.call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        return function

    def make_buffers(self, count):
        while len(self.buffers) < count:
            self.buffers.append(self.torch.randint(
                0, self.below, (BUFFER_BYTES // 4,), dtype=self.torch.int32, device="cuda"))
        return [ctypes.c_void_p(one.data_ptr()) for one in self.buffers[:count]]

    def time(self, function, launch, count):
        """Registers of a thread and microseconds."""
        shared = launch["shared_memory_bytes"]
        self.call("cuFuncSetAttribute", function, SHARED_BYTES, shared)
        registers = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(registers), REGISTERS, function)
        values = self.make_buffers(count)
        arguments = (ctypes.c_void_p * count)(*map(ctypes.addressof, values))
        stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)

        def run():
            for _ in range(LAUNCHES):
                self.call("cuLaunchKernel", function, *launch["grid"], *launch["block"],
                          shared, stream, arguments, None)

        run()
        return registers.value, statistics.median(self.time_batch(run) for _ in range(BATCHES))

    def time_batch(self, run):
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.torch.cuda.synchronize()
        self.torch.cuda._sleep(CYCLES_AHEAD)
        begin.record()
        run()
        end.record()
        self.torch.cuda.synchronize()
        return begin.elapsed_time(end) * 1000 / LAUNCHES


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="+", type=parse_job, metavar="FILE.ptx=REPORT.json")
    parser.add_argument("--below", type=llama100.parse_count, default=64, metavar="N",
                        help="random integers are less; 64 if not given")
    options = parser.parse_args()
    import torch

    driver = Driver(torch, options.below)
    print(json.dumps({"what": "microseconds of kernels whose PTX is given",
                      **device_times.describe_gpu(), **device_times.describe_run()}), flush=True)
    for path, report in options.jobs:
        ptx = path.read_text()
        for launch in json.loads(report.read_text())["kernels"]:
            name = launch["name"]
            count = len(list_pointers(ptx, name))
            registers, microseconds = driver.time(driver.load(ptx, name), launch, count)
            print(json.dumps({"file": path.name, "kernel": name, "registers": registers,
                              "microseconds": round(microseconds, 2)}), flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# row_schedule_times.py - What kernels of rows take by other schedules than the chosen one.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures kernels of row_kernel_times.py by the schedule that nm-schedule-rows chooses and by
others, next to a copy of as many bytes; needs a GPU, torch, and nm with nm-opt in NM_BIN.

Usage: row_schedule_times.py [KERNEL ...]
       row_schedule_times.py softmax,4096,768,f32:64,2,4,3:32,4,4,6

A KERNEL is OP,ROWS,COLUMNS,TYPE and any schedules behind it, each the numbers of
#nm.row_schedule in their order: threads, rows, vector, chunks, loops, parts, kept. Without one
those are measured by which the numbers in lib/Dialect/NM/Rows/ScheduleRows.cpp were chosen.
Prints a line of JSON about the run and one a kernel and schedule, of which null is the chosen.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess

import device_times
import row_kernel_times

FIELDS = ("threads", "rows", "vector", "chunks", "loops", "parts", "kept")

DEFAULT = (
    # Rows of a block, where these are small: kManyBlocks, kBlockBytes.
    "sum,65536,128,f16:8,16,8,2:8,32,8,2:8,64,8,2:8,128,8,2",
    "layer_norm,4096,384,f16:32,4,4,3:32,8,4,3:32,16,4,3:32,4,8,2",
    # Warps of a row of 4-byte elements: kManyRows.
    "layer_norm,1024,768,f32:32,4,4,6:64,2,4,3",
    "layer_norm,4096,768,f32:32,4,4,6:64,2,4,3",
    "softmax,1024,768,f32:32,4,4,6:64,2,4,3",
    "softmax,4096,768,f32:32,4,4,6:64,2,4,3",
    # Blocks of 1024 threads, and two of 512: kMostThreadsThatKeep.
    "softmax,4096,16384,bf16:1024,1,8,2:512,1,8,2,1,1,2",
    "softmax,4096,16384,f32:1024,1,4,4:512,1,4,2,1,1,4",
    "softmax,32,16384,bf16:1024,1,8,2:512,1,8,2,1,1,2:128,1,8,2,0,8",
    "softmax,1,16384,bf16:1024,1,8,2:512,1,8,2,1,1,2:128,1,8,2,0,8",
    # Clusters, and blocks that keep a row: kBlocksOfCluster.
    "softmax,1,50257,f32:512,1,4,4,0,8:256,1,4,7,0,8:1024,1,4,4,1",
    "softmax,32,50257,f16:256,1,8,4,0,8:512,1,8,2,1,1,6",
    "softmax,64,50257,f16:256,1,8,4,0,8:512,1,8,2,1,1,6",
    "softmax,4096,50257,bf16:256,1,8,4,0,8:512,1,8,2,1,1,6:512,1,8,2,1",
    "rms_norm,4096,50257,bf16:512,1,8,2,1,1,6:512,1,8,2,1",
    "rms_norm,4096,50257,f32:1024,1,4,4,1,1,3:1024,1,4,2,1,1,6:512,1,4,4,1,1,6:1024,1,4,4,1",
)


def parse_kernel(text):
    """(op, rows, columns, type) and its schedules, each a list of numbers."""
    kernel, *schedules = text.split(":")
    op, rows, columns, element = kernel.split(",")
    return (op, int(rows), int(columns), element), [
        [int(number) for number in one.split(",")] for one in schedules
    ]


def write_schedule(numbers):
    """The attribute for `numbers`; fields that are left out have their defaults."""
    fields = [
        f"{name} = {('false', 'true')[number] if name == 'loops' else number}"
        for name, number in zip(FIELDS, numbers)
    ]
    return f"schedule = #nm.row_schedule<{', '.join(fields)}>"


def form_kernel(text):
    """`text` with its ops as nm.rows."""
    nm_opt = os.path.join(os.environ.get("NM_BIN", ""), "nm-opt")
    done = subprocess.run([nm_opt, "--nm-form-kernels", "-"], input=text, text=True, check=True,
                          stdout=subprocess.PIPE)
    return done.stdout


def compile_kernel(text):
    import nm
    from nm.runtime.compiler import compile_program

    return compile_program(nm.Module(text), [f"--chip={device_times.CHIP}"])


def list_texts(kernels):
    """(kernel, schedule or None, module) of all that is measured."""
    for kernel, schedules in kernels:
        text = row_kernel_times.Writer(*kernel).write()
        yield kernel, None, text
        formed = form_kernel(text) if schedules else ""
        for numbers in schedules:
            scheduled, count = re.subn(
                r"(rows = \d+ : i64)}", rf"\1, {write_schedule(numbers)}}}", formed
            )
            if count != 1:
                raise SystemExit(f"expected one nm.rows for {kernel}; got {count}")
            yield kernel, numbers, scheduled


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", default=DEFAULT)
    options = parser.parse_args()
    import torch

    torch.set_grad_enabled(False)
    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps({"what": "microseconds of kernels of rows by schedules"} | about), flush=True)
    texts = list(list_texts(map(parse_kernel, options.kernels)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = pool.map(compile_kernel, [text for _, _, text in texts])
        for (kernel, schedule, _), program in zip(texts, programs):
            row = row_kernel_times.measure(torch, kernel, program, False)
            print(json.dumps(row | {"schedule": schedule}), flush=True)


if __name__ == "__main__":
    main()

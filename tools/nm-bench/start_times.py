#!/usr/bin/env python3
# start_times.py - What the first call of a converted Llama takes, cold and from the caches.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the start of a converted Llama of 7B widths in bf16, in two processes that share
caches of nm and Inductor which are empty at first; needs a GPU, torch, transformers, and nm as
a wheel or by PYTHONPATH and NM_BIN.

Usage: start_times.py [--keep=8] [--unit=32] [--layers=2] [--rows=128] [--results=FILE]

Prints a line of JSON for each process, "cold" and "warm": the seconds of nm.convert, of the
first and the second eager call, and of the first call of torch.compile(fullgraph=True), which
includes what it compiles; and how many products were compiled or found."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import convert_times
import device_times


def measure(options):
    """What one process prints."""
    import torch

    import nm
    from nm.nn.products import count_compiled

    torch.set_grad_enabled(False)
    model = convert_times.make_model(torch, options.layers, [options.rows])
    convert_times.prune(torch, model, options.keep, options.unit)
    ids = torch.randint(0, 1024, (1, options.rows), device="cuda")
    line = device_times.describe_run() | device_times.describe_device(torch)
    line.update(keep=options.keep, unit=options.unit, layers=options.layers, rows=options.rows)

    def time_once(name, call):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        call()
        torch.cuda.synchronize()
        line[f"{name}_s"] = round(time.perf_counter() - begin, 3)

    time_once("convert", lambda: nm.convert(model))
    time_once("first_call", lambda: model(ids))
    time_once("second_call", lambda: model(ids))
    compiled = torch.compile(model, fullgraph=True)
    time_once("first_compiled_call", lambda: compiled(ids))
    line["programs"] = count_compiled()
    print(json.dumps(line), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=int, default=8)
    parser.add_argument("--unit", type=int, default=32)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--one", action="store_true", help="be one of the two processes")
    options = parser.parse_args()
    if options.one:
        measure(options)
        return
    with tempfile.TemporaryDirectory() as folder:
        caches = {"NM_CACHE": "1", "NM_CACHE_DIR": f"{folder}/nm",
                  "TORCHINDUCTOR_CACHE_DIR": f"{folder}/inductor",
                  "TRITON_CACHE_DIR": f"{folder}/triton"}
        for name in ("cold", "warm"):
            done = subprocess.run([sys.executable, *sys.argv, "--one"], check=True, text=True,
                                  stdout=subprocess.PIPE, env=os.environ | caches)
            line = json.dumps({"start": name} | json.loads(done.stdout.splitlines()[-1]))
            print(line, flush=True)
            if options.results is not None:
                with options.results.open("a") as file:
                    file.write(line + "\n")


if __name__ == "__main__":
    main()

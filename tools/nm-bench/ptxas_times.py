#!/usr/bin/env python3
# ptxas_times.py - What ptxas takes for kernels, and what it makes of them.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translates kernels one by one with ptxas, which the driver's JIT is about the same
compiler as; needs no GPU.

Usage: ptxas_times.py [--layers=mlp-512,block-4096]
                      [--products=f32,f16] [--activations=gelu_erf,silu] [FILE.ptx...]

Prints a line of JSON about the run, one a kernel and one a module:
 - seconds, of the processor, the fewest of --runs; of a module, as one text;
 - registers, spill_bytes, ptx_instructions and machine_instructions of a kernel.
Modules are Llama-7B's layers as llama_layers.py exports them, which needs torch and
torch-mlir; products of 4096 rows, columns and k at 50, 75 and 87.5 % zeros (L = 32), A
feature-major, at 75 % with each of --activations, too; and files. nm-compile is that of NM_BIN or PATH, ptxas what find_ptxas.sh
finds. The exit status is 1 where a kernel takes more than --kernel-seconds or a module
more than --module-seconds.
"""

import argparse
import functools
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import device_times
import llama_layers
import machine_loops
import nm_modules
import ptx_equivalence
import ptx_loops

EXTENT = 4096  # m, n and k of products
KEEPS = (16, 8, 4)  # of 32


def write_layer(name, folder):
    """A layer's module and the arguments by which nm-compile finds its weights."""
    import nm
    import torch
    from nm.numbers.weights import write_weights

    kind, rows = llama_layers.parse_name(name)
    layer = llama_layers.make_layer(torch, kind)
    llama_layers.prune(torch, layer)
    module, weights = folder / f"{name}.mlir", folder / "weights.safetensors"
    module.write_text(nm.export(layer, llama_layers.make_inputs(torch, kind, rows)).text)
    write_weights(llama_layers.get_weights(module, layer), weights)
    return [module, f"--weights={weights}"]


def write_product(dtype, keep, epilogue, folder):
    """A product's module."""
    product = nm_modules.Product(
        EXTENT, EXTENT, EXTENT, keep, 32, unit_n=32, feature_major=True, dtype=dtype,
        epilogue=epilogue)
    module = folder / "product.mlir"
    nm_modules.write_module(
        module, product, *nm_modules.random_weight(product, device_times.SEED))
    return [module]


def list_modules(options):
    """Names, and what writes the module into a folder."""
    for name in options.layers:
        yield name, functools.partial(write_layer, name)
    for dtype in options.products:
        plain = [(keep, "") for keep in KEEPS]
        for keep, epilogue in [*plain, *((8, one) for one in options.activations)]:
            name = "-".join(filter(None, (dtype, str(EXTENT), f"{keep}of32", epilogue)))
            yield name, functools.partial(write_product, dtype, keep, epilogue)


def compile_module(write, chip):
    """A module's PTX."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ptx = folder / "module.ptx"
        ptx_equivalence.run([ptx_equivalence.find_compiler(), *write(folder),
                             f"--chip={chip}", "--emit=ptx", "-o", ptx])
        return ptx.read_text()


def used_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def assemble(ptxas, ptx, chip, runs):
    """Seconds that ptxas takes for PTX, what it says, and the cubin."""
    seconds = []
    with tempfile.TemporaryDirectory() as name:
        text, cubin = pathlib.Path(name, "one.ptx"), pathlib.Path(name, "one.cubin")
        text.write_text(ptx)
        for _ in range(runs):
            start = used_seconds()
            said = ptx_equivalence.run([ptxas, "-v", "-O3", f"-arch={chip}", text, "-o", cubin])
            seconds.append(used_seconds() - start)
        return round(min(seconds), 3), said, cubin.read_bytes()


def measure_kernel(ptxas, ptx, chip, runs):
    seconds, said, cubin = assemble(ptxas, ptx, chip, runs)
    numbers = ptx_equivalence.parse_ptxas(said)
    lines = ptx_loops.kernel_lines(ptx)
    return {
        "seconds": seconds,
        "registers": numbers["registers"], "spill_bytes": numbers["spill_bytes"],
        "ptx_instructions": sum(bool(ptx_loops.opcode(line)) for line in lines),
        "machine_instructions": machine_loops.count_code(machine_loops.read_code(cubin)),
    }


def measure_module(name, ptx, ptxas, options):
    """Prints a module's rows; whether all is within bounds."""
    within = True
    for kernel, text in llama_layers.split_kernels(ptx).items():
        row = measure_kernel(ptxas, text, options.chip, options.runs)
        within &= row["seconds"] <= options.kernel_seconds
        print(json.dumps({"module": name, "kernel": kernel, **row}), flush=True)
    seconds, *_ = assemble(ptxas, ptx, options.chip, options.runs)
    print(json.dumps({"module": name, "seconds": seconds}), flush=True)
    return within and seconds <= options.module_seconds


def parse_words(text):
    return text.split(",")


def parse_types(text):
    types = text.split(",")
    if not set(types) <= {"f32", "f16"}:
        raise argparse.ArgumentTypeError(f"expected f32, f16 or both, got {text}")
    return types


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE.ptx")
    parser.add_argument("--layers", type=parse_words, default=[], metavar="NAME,...")
    parser.add_argument("--products", type=parse_types, default=[], metavar="TYPE,...")
    parser.add_argument("--activations", type=parse_words, default=[], metavar="NAME,...")
    parser.add_argument("--chip", default="sm_90a", help="of ptxas (default: sm_90a)")
    parser.add_argument("--runs", type=int, default=3, help="(default: 3)")
    parser.add_argument("--kernel-seconds", type=float, default=0.4, help="(default: 0.4)")
    parser.add_argument("--module-seconds", type=float, default=1.0, help="(default: 1)")
    parser.add_argument("--save", type=pathlib.Path, metavar="FOLDER",
                        help="for the PTX of the modules")
    return parser.parse_args()


def main():
    options = parse_options()
    ptxas = ptx_equivalence.find_ptxas()
    print(json.dumps({
        "what": "seconds of the processor that ptxas takes for kernels",
        "ptxas": ptx_equivalence.run([ptxas, "--version"]).splitlines()[-1],
        "chip": options.chip, **device_times.describe_run(),
    }), flush=True)
    within = True
    for name, write in list_modules(options):
        ptx = compile_module(write, device_times.CHIP)
        if options.save:
            options.save.mkdir(parents=True, exist_ok=True)
            (options.save / f"{name}.ptx").write_text(ptx)
        within &= measure_module(name, ptx, ptxas, options)
    for path in options.files:
        within &= measure_module(path.stem, path.read_text(), ptxas, options)
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())

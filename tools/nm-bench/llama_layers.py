#!/usr/bin/env python3
# llama_layers.py - An MLP and a block of Llama-7B next to PyTorch, and their JIT time.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Llama-7B's MLP and decoder block in bf16, whose random weights keep some of 32
(L = 32), next to the dense ones in PyTorch.

Usage: llama_layers.py --export=FOLDER [--rows=512,4096]
       llama_layers.py FOLDER [--only=NAME] [--keeps=16,8]

The first form, which needs nm and torch-mlir but no GPU, writes FOLDER/NAME.mlir, such as mlp-512:
what nm.export (torch-mlir) makes of the layer with so many rows, without the data of
weights. The second needs a GPU and torch, and nm as a wheel or by PYTHONPATH and NM_BIN; it
prints a line of JSON about the run, and one a layer:
 - compile_s, kernels, and error, relative to PyTorch in f32;
 - graph_us, a call in a CUDA graph; without_us, the same of programs that each lack a pass;
   dense_us, PyTorch's dense layer in a CUDA graph (medians, warm); chain_us and
   chain_without_us, a call in a graph of four calls of as many copies of a program, as a layer
   stands among others; kernels_us, the sum of a call's kernels, one at a time, by nm-run's events;
 - jit_ms, what the driver needs to translate all of the layer's PTX as nm loads it, by all
   processors, and jit_kernel_ms, the most that one kernel by itself needs, jit_kernel. The
   bounds are 1000 and 400 ms. jit_thread_ms is the former by one thread.
The exit status is 1 if a result or a bound is not held.
"""

import argparse
import ctypes
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import device_times
import launch_times

HIDDEN, INTERMEDIATE, HEADS = 4096, 11008, 32
LAYERS = ("mlp", "block")
WINDOW, UNIT_N = 32, 32
KEEP = 8  # of the exported modules, which have no data of weights
TOLERANCE = 2e-2  # of bf16, as of nm-run
JIT_MS, JIT_KERNEL_MS = 1000, 400
CHAIN = 4  # copies of a program, whose weights do not fit in L2 together
SPLIT_COMPILE = 34  # CU_JIT_SPLIT_COMPILE, since CUDA 13.0
RMS_EPSILON = 1e-5


def make_layer(torch, kind, hidden=HIDDEN, intermediate=INTERMEDIATE, heads=HEADS):
    """The layer with the names of transformers' Llama; of one sequence, whose angles of
    rotation are arguments."""
    nn, functional = torch.nn, torch.nn.functional

    def linear(inputs, outputs):
        return nn.Linear(inputs, outputs, bias=False)

    class Mlp(nn.Module):
        def __init__(self):
            super().__init__()
            self.gate_proj = linear(hidden, intermediate)
            self.up_proj = linear(hidden, intermediate)
            self.down_proj = linear(intermediate, hidden)

        def forward(self, x):
            return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))

    class Norm(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(hidden))

        def forward(self, x):
            wide = x.float()
            wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + RMS_EPSILON)
            return self.weight * wide.to(x.dtype)

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.q_proj, self.k_proj, self.v_proj, self.o_proj = (
                linear(hidden, hidden) for _ in "qkvo"
            )

        def forward(self, x, cosines, sines):
            def split(y):
                return y.view(1, x.shape[1], heads, -1).transpose(1, 2)

            def rotate(y):
                left, right = y.chunk(2, dim=-1)
                return y * cosines + torch.cat((-right, left), dim=-1) * sines

            y = functional.scaled_dot_product_attention(
                rotate(split(self.q_proj(x))), rotate(split(self.k_proj(x))),
                split(self.v_proj(x)), is_causal=True,
            )
            return self.o_proj(y.transpose(1, 2).reshape(x.shape))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.input_layernorm, self.post_attention_layernorm = Norm(), Norm()
            self.self_attn, self.mlp = Attention(), Mlp()

        def forward(self, x, cosines, sines):
            x = x + self.self_attn(self.input_layernorm(x), cosines, sines)
            return x + self.mlp(self.post_attention_layernorm(x))

    torch.manual_seed(device_times.SEED)
    return {"mlp": Mlp, "block": Block}[kind]().to(torch.bfloat16).eval()


def make_inputs(torch, kind, rows, hidden=HIDDEN, heads=HEADS):
    """The arguments of a layer, on the CPU."""
    x = torch.randn(1, rows, hidden)
    if kind == "mlp":
        return (x.bfloat16(),)
    size = hidden // heads
    frequencies = 10000.0 ** (-torch.arange(0, size, 2) / size)
    angles = (torch.arange(rows)[:, None] * frequencies).repeat(1, 2)
    return tuple(one.bfloat16() for one in (x, angles.cos(), angles.sin()))


def prune(torch, layer, keep=KEEP):
    """Zeroes all but `keep` of WINDOW units of each matrix [n, k], along k."""
    for weight in layer.parameters():
        if weight.dim() == 2:
            n, k = weight.shape
            places = torch.rand(n // UNIT_N, k // WINDOW, WINDOW, device=weight.device)
            mask = (places.argsort(-1).argsort(-1) < keep).view(n // UNIT_N, k)
            weight.data *= mask.repeat_interleave(UNIT_N, 0)


def parse_name(name):
    """("mlp", 512) of "mlp-512"."""
    kind, _, rows = name.partition("-")
    if kind not in LAYERS or not rows.isdigit() or not int(rows):
        sys.exit(f"llama_layers.py: expected a name such as mlp-512 or block-1, got {name}")
    return kind, int(rows)


def export(folder, rows):
    """Writes all layers."""
    import nm
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    for kind in LAYERS:
        layer = make_layer(torch, kind)
        prune(torch, layer)
        for one in rows:
            module = nm.export(layer, make_inputs(torch, kind, one))
            (folder / f"{kind}-{one}.mlir").write_text(module.text)


def split_kernels(ptx):
    """PTX of each kernel by itself, with what all of them share, by name."""
    pattern = re.compile(r"^\.visible \.entry ([\w$]+)\(.*?^}\n", re.MULTILINE | re.DOTALL)
    shared = pattern.sub("", ptx)
    return {match[1]: shared + match[0] for match in pattern.finditer(ptx)}


def time_jit(driver, ptx, threads=0):
    """Milliseconds that the driver needs to load PTX, without its cache, by so many threads;
    0: by all processors."""
    module = ctypes.c_void_p()
    text = ctypes.create_string_buffer(ptx.encode())
    options = (ctypes.c_int * 1)(SPLIT_COMPILE)
    values = (ctypes.c_void_p * 1)(threads)
    start = time.perf_counter()
    status = driver.cuModuleLoadDataEx(ctypes.byref(module), text, 1, options, values)
    milliseconds = 1000 * (time.perf_counter() - start)
    if status:
        raise RuntimeError(f"cuModuleLoadDataEx failed with status {status}")
    driver.cuModuleUnload(module)
    return round(milliseconds, 1)


def measure_jit(driver, ptx):
    kernels = {name: time_jit(driver, one) for name, one in split_kernels(ptx).items()}
    slowest = max(kernels, key=kernels.get)
    return {"jit_ms": time_jit(driver, ptx), "jit_thread_ms": time_jit(driver, ptx, threads=1),
            "jit_kernel_ms": kernels[slowest], "jit_kernel": slowest}


def get_weights(path, layer):
    """The weights of a layer that its module names."""
    from nm.numbers.weights import keep_named

    return keep_named(path.read_text(), layer.state_dict())


def compile_layer(path, weights, folder, without=()):
    """The program's path, those of programs that each lack a pass of `without`, its PTX, and
    seconds for the first."""
    from nm.runtime.tools import find_tool

    command = [find_tool("nm-compile"), path, f"--weights={weights}",
               f"--chip={device_times.CHIP}"]
    program, ptx = folder / f"{path.stem}.nm", folder / f"{path.stem}.ptx"
    start = time.perf_counter()
    subprocess.run([*command, "--emit=program", "-o", program], check=True)
    seconds = time.perf_counter() - start
    lacking = {name: folder / f"{path.stem}-no-{name}.nm" for name in without}
    for name, output in lacking.items():
        subprocess.run([*command, "--emit=program", f"--no-{name}", "-o", output], check=True)
    subprocess.run([*command, "--emit=ptx", "-o", ptx], check=True)
    return program, lacking, ptx.read_text(), round(seconds, 2)


def measure_kernels(program, folder, device="cuda"):
    """Microseconds of the kernels of a call, without what is between them."""
    from nm.runtime.tools import find_tool

    records = folder / "launches.json"
    subprocess.run([find_tool("nm-run"), program, f"--device={device}", f"--counters={records}",
                    f"--repeat={launch_times.CALLS}"], check=True, stdout=subprocess.DEVNULL)
    return sum(launch_times.take_medians(json.loads(records.read_text()))[1])


def capture(torch, layer, inputs):
    """A CUDA graph of a call of a PyTorch layer."""
    layer(*inputs)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        layer(*inputs)
    return graph


def measure_chain(torch, path, inputs):
    """Microseconds of a call of a program between calls of others, which are its copies."""
    import nm
    import program_torch

    programs = [nm.load(path) for _ in range(CHAIN)]
    graph = capture(torch, lambda *a: [program(*a) for program in programs], inputs)
    return round(program_torch.measure_device(graph.replay) / CHAIN, 2)


def measure(torch, driver, path, keep, folder, without):
    """The row of a layer whose weights keep so many units, and what it takes without each of
    some passes."""
    import nm
    import program_torch
    from nm.numbers.weights import write_weights

    kind, rows = parse_name(path.stem)
    layer = make_layer(torch, kind).cuda()
    prune(torch, layer, keep)
    inputs = [one.cuda() for one in make_inputs(torch, kind, rows)]
    weights = folder / f"{path.stem}.safetensors"
    write_weights(get_weights(path, layer), weights)
    program_path, lacking, ptx, seconds = compile_layer(path, weights, folder, without)
    jit = measure_jit(driver, ptx)
    program = nm.load(program_path)
    results = program(*inputs)
    graph, _ = program_torch.capture(program, inputs)
    without_us = {}
    for name, other_path in lacking.items():
        other = nm.load(other_path)  # Its memory is the graph's.
        other(*inputs)
        replay = program_torch.capture(other, inputs)[0].replay
        without_us[name] = round(program_torch.measure_device(replay), 2)
    dense = capture(torch, layer, inputs)
    row = {
        "name": path.stem, "keep": keep, "compile_s": seconds,
        "kernels": len(re.findall(r"^\.visible \.entry", ptx, re.MULTILINE)), **jit,
        "kernels_us": round(measure_kernels(program_path, folder), 2),
        "graph_us": round(program_torch.measure_device(graph.replay), 2),
        "without_us": without_us,
        "chain_us": measure_chain(torch, program_path, inputs),
        "chain_without_us": {name: measure_chain(torch, other, inputs)
                             for name, other in lacking.items()},
        "dense_us": round(program_torch.measure_device(dense.replay), 2),
    }
    row["over_dense"] = round(row["dense_us"] / row["graph_us"], 3)
    exact = layer.float()(*(one.float() for one in inputs))
    row["error"] = program_torch.relative_error(results, [exact])
    return row


def is_right(row):
    return (row["error"] <= TOLERANCE and row["jit_ms"] <= JIT_MS
            and row["jit_kernel_ms"] <= JIT_KERNEL_MS)


def run(folder, only, keeps, without):
    """Measures the layers of a folder; the exit status."""
    paths = [path for path in sorted(folder.glob("*.mlir")) if only in path.stem]
    if not paths:
        sys.exit(f"llama_layers.py: expected layers in {folder}, got none")
    for path in paths:
        parse_name(path.stem)
    # The driver is to translate anew; it reads this once.
    os.environ["CUDA_CACHE_DISABLE"] = "1"
    import resident_clusters
    import torch

    torch.cuda.init()
    print(json.dumps({
        "what": f"microseconds of Llama-7B's layers, bf16, of {WINDOW}, L = {UNIT_N}",
        **device_times.describe_device(torch), **device_times.describe_run(),
    }), flush=True)
    torch.zeros(1, device="cuda")  # Makes the context that the driver is called in.
    right = True
    with torch.no_grad(), tempfile.TemporaryDirectory() as scratch:
        driver = resident_clusters.load_driver()
        for path, keep in itertools.product(paths, keeps):
            row = measure(torch, driver, path, keep, pathlib.Path(scratch), without)
            right &= is_right(row)
            print(json.dumps(row), flush=True)
    return 0 if right else 1


def parse_rows(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("folder", nargs="?", type=pathlib.Path)
    where.add_argument("--export", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--rows", type=parse_rows, default=[512, 4096], metavar="M,...",
                        help="of the exported layers; 512,4096 if not given")
    parser.add_argument("--only", default="", metavar="NAME", help="layers whose name has it")
    parser.add_argument("--keeps", type=parse_rows, default=[KEEP], metavar="N,...",
                        help=f"units kept of {WINDOW}; {KEEP} if not given")
    parser.add_argument("--without", type=lambda text: text.split(","), metavar="PASS,...",
                        default=["overlap-launches", "merge-products"],
                        help="passes without each of which layers are measured, too, by the "
                             "names of nm-compile's --no-PASS; overlap-launches and "
                             "merge-products if not given")
    options = parser.parse_args()
    if options.export:
        export(options.export, options.rows)
    else:
        sys.exit(run(options.folder, options.only, options.keeps, options.without))


if __name__ == "__main__":
    main()

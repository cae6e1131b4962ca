#!/usr/bin/env python3
# program_torch.py - Programs called from Python on CUDA tensors.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times nm.Program on torch's tensors; needs a GPU and torch, and nm as a
wheel or by PYTHONPATH and NM_BIN.

Usage: program_torch.py EXAMPLES [NAME...]

EXAMPLES is a folder of NAME.mlir with NAME.x0.npy... and NAME.y0.npy..., such as
test/integration/Inputs/torch-mlir/real-2026. Each is compiled and saved, unless there
is a NAME.nm, loaded and called on CUDA tensors; a line of JSON has its relative error
from what PyTorch computed, microseconds of the host for a prepared call (medians of
50 batches of calls with 200 launches together: of this program alone, and from several
rounds through all examples), of a call in a stream, in a graph of one call and in one of
20, those of the graph's kernels alone (torch's profiler), what a call did besides
launching (by the runtime's counters, and by a trace of CUDA's functions), and
milliseconds of nm.load and of preparing. A product of 1024 rows by 4096x4096 is called
too, whose kernel takes longer than to begin it. Then two programs of one file are called
on two threads and streams with changing sizes: results, and growth of memory; and where
there are two GPUs, one program on both. The exit status is 1 if anything is wrong.
"""

import collections
import ctypes
import json
import pathlib
import re
import statistics
import sys
import tempfile
import threading
import time

import nm
import nm_modules
import numpy as np
import torch
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.runtime import _native

ROUNDS = 4
GRAPH_CALLS = 20
PRODUCT = "product_1024x4096x4096_f32_2of4"

DYNAMIC = """
func.func @forward(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %w = arith.constant dense_resource<weight> : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x64xf32>)
                     outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.matmul ins(%h, %w : tensor<?x64xf32>, tensor<64x64xf32>)
                     outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
{-# dialect_resources: { builtin: { weight: "0x04000000WEIGHT" } } #-}
"""


def count():
    counters = _native.Counters()
    context = _native.context(_native.CUDA, 0)
    _native.check(_native.library().nmrtGetCounters(context, ctypes.byref(counters)))
    return {name: getattr(counters, name) for name, _ in counters._fields_}


def measure_host(call, launches):
    calls = max(1, 200 // max(launches, 1))
    times = []
    for _ in range(50):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - start) / calls * 1e6)
    torch.cuda.synchronize()
    return statistics.median(times)


def measure_device(call):
    times = []
    for _ in range(50):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(20):
            call()
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop) / 20 * 1e3)
    return statistics.median(times)


def measure_kernels(call):
    """Microseconds of the kernels and copies of a call, without what is between."""
    activities = [torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        for _ in range(20):
            call()
        torch.cuda.synchronize()
    on_device = torch.autograd.DeviceType.CUDA
    spans = [one.device_time for one in profile.events() if one.device_type == on_device]
    return sum(spans) / 20


def trace_call(program, inputs):
    """How often a prepared call calls which function of CUDA."""
    kinds = torch.profiler.ProfilerActivity
    program(*inputs)
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[kinds.CPU, kinds.CUDA]) as profile:
        program(*inputs)
    calls = [one.name for one in profile.events() if re.match(r"cu(da)?[A-Z]", one.name)]
    # The profiler's own wait at its end.
    return dict(collections.Counter(one for one in calls if one != "cudaDeviceSynchronize"))


def load_arrays(examples, name, kind, values):
    arrays = []
    for index, value in enumerate(values):
        array = torch.from_numpy(np.load(examples / f"{name}.{kind}{index}.npy"))
        row = NUMERIC_TYPES[value.element]
        arrays.append(array.to(getattr(torch, row.dtype)).cuda())
    return arrays


def make_product(folder):
    """Files of an example of one large product, as those of the folder of examples."""
    product = nm_modules.Product(1024, 4096, 4096, 2, 4, unit_n=32)
    values, indices = nm_modules.random_weight(product, 5)
    x = np.random.default_rng(6).standard_normal(product.a_shape, np.float32)
    y = x.astype(np.float64) @ nm_modules.expand(product, values, indices)
    nm_modules.write_module(folder / f"{PRODUCT}.mlir", product, values, indices)
    np.save(folder / f"{PRODUCT}.x0.npy", x)
    np.save(folder / f"{PRODUCT}.y0.npy", y.astype(np.float32))


def capture(program, inputs, calls=1):
    """Calls in a graph, and the last results; nothing where they cannot be captured."""
    (function,) = program.functions.values()
    if function.waits or function.allocates:
        return None, None
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            results = program(*inputs)
    return graph, results


def relative_error(results, expected):
    return max(
        ((y.double() - e.double()).norm() / e.double().norm()).item()
        for y, e in zip(results, expected)
        if y.is_floating_point()
    )


def try_example(examples, name, folder):
    path = examples / f"{name}.nm"
    if not path.exists():
        path = nm.compile(examples / f"{name}.mlir").save(folder / "p.nm")
    begin = time.perf_counter()
    program = nm.load(path)
    loaded = time.perf_counter()
    (function,) = program.functions.values()
    inputs = load_arrays(examples, name, "x", function.arguments)
    expected = load_arrays(examples, name, "y", function.results)
    preparing = time.perf_counter()
    program.prepare("cuda")
    prepared = time.perf_counter()
    results = program(*inputs)
    error = relative_error(results, expected)
    torch.cuda.synchronize()
    before = count()
    program(*inputs)
    after = count()
    did = {key: after[key] - before[key] for key in after if after[key] != before[key]}
    kernels = did.pop("launches", 0)
    row = {
        "program": name,
        "kernels": kernels,
        "error": error,
        "host_alone_us": round(measure_host(lambda: program(*inputs), kernels), 2),
        "host_us": [],
        "allowed_us": 20 + 3 * kernels,
        "stream_us": round(measure_device(lambda: program(*inputs)), 2),
        "besides": did,
        "bytes": path.stat().st_size,
        "load_ms": round(1e3 * (loaded - begin), 3),
        "prepare_ms": round(1e3 * (prepared - preparing), 1),
    }
    graph, captured = capture(program, inputs)
    if graph is not None:
        graph.replay()
        torch.cuda.synchronize()
        row["graph_equal"] = all(map(torch.equal, captured, results))
        row["graph_us"] = round(measure_device(graph.replay), 2)
        many, _ = capture(program, inputs, GRAPH_CALLS)
        per_call = measure_device(many.replay) / GRAPH_CALLS
        row["graph_of_20_us"] = round(per_call, 2)
    bound = 2e-2 if "bf16" in name else 1e-5
    row["right"] = error < bound and row.get("graph_equal", True)
    # The graph is of the program's kernels and of these arrays.
    return row, graph, (program, inputs, captured)


def try_threads(folder):
    """1,000 calls of changing sizes on two threads and streams, two programs."""
    random = np.random.default_rng(7)
    weight = random.standard_normal((64, 64)).astype(np.float32)
    weight[np.arange(64) % 4 >= 2] = 0
    text = DYNAMIC.replace("WEIGHT", weight.tobytes().hex())
    path = nm.compile(nm.Module(text)).save(folder / "t.nm")
    programs = [nm.load(path), nm.load(path)]
    w = torch.from_numpy(weight).cuda()
    # The same ones each time: cuBLAS keeps a workspace for each.
    streams = [torch.cuda.Stream() for _ in programs]
    wrong = []

    def work(program, seed):
        sizes = np.random.default_rng(seed).integers(1, 300, 500)
        with torch.cuda.stream(streams[seed]):
            for size in map(int, sizes):
                x = torch.randn(size, 64, device="cuda")
                (y,) = program(x)
                expected = x.double() @ w.double() @ w.double()
                if (y.double() - expected).norm() > 1e-5 * expected.norm():
                    wrong.append(size)

    def run():
        threads = [
            threading.Thread(target=work, args=(program, seed))
            for seed, program in enumerate(programs)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        torch.cuda.synchronize()

    run()
    run()
    # cuBLAS keeps 32 MiB for each thread's handle on each stream.
    torch._C._cuda_clearCublasWorkspaces()
    memory = torch.cuda.memory_allocated()
    before = count()
    run()
    after = count()
    torch._C._cuda_clearCublasWorkspaces()
    grown = torch.cuda.memory_allocated() - memory
    uploads = after["uploads"] - before["uploads"]
    row = {
        "threads": 2,
        "calls": 1000,
        "wrong": len(wrong),
        "memory_growth": grown,
        "uploads": uploads,
        "allocations": after["allocations"] - before["allocations"],
    }
    print(json.dumps(row), flush=True)
    return not wrong and grown == 0 and uploads == 0


def try_devices():
    """A program on two GPUs: a copy prepared on each, tensors of one in a call."""
    weight = torch.randn(64, 64)
    text = DYNAMIC.replace("WEIGHT", weight.numpy().tobytes().hex())
    program = nm.compile(nm.Module(text))
    right = []
    for ordinal in (1, 0, 1):
        x = torch.randn(17, 64, device=f"cuda:{ordinal}")
        (y,) = program(x)
        w = weight.to(x.device).double()
        expected = x.double() @ w @ w
        good = (y.double() - expected).norm() < 1e-5 * expected.norm()
        right += [y.device == x.device, bool(good), torch.cuda.current_device() == 0]
        (host,) = program(x.cpu(), device=x.device)
        right.append(torch.equal(host, y.cpu()))
    row = {"gpus": torch.cuda.device_count(), "right": all(right)}
    print(json.dumps(row), flush=True)
    return row["right"]


def main():
    examples = pathlib.Path(sys.argv[1])
    names = sys.argv[2:] or sorted(
        {path.stem for kind in ("mlir", "nm") for path in examples.glob(f"*.{kind}")}
    )
    print(json.dumps({"torch": torch.__version__, "gpu": torch.cuda.get_device_name()}))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rows = [try_example(examples, name, folder) for name in names]
        make_product(folder)
        rows.append(try_example(folder, PRODUCT, folder))
        # Apart, for what else the machine does comes and goes.
        for _ in range(ROUNDS):
            for row, _, (program, inputs, _) in rows:
                row["host_us"].append(
                    round(measure_host(lambda: program(*inputs), row["kernels"]), 2)
                )
        right = [row["right"] for row, _, _ in rows]
        right.append(try_threads(folder))
        if torch.cuda.device_count() > 1:
            right.append(try_devices())
        # Last, for what the profiler has begun makes later launches slower.
        for row, graph, kept in rows:
            row["api_calls"] = trace_call(*kept[:2])
            if graph is not None:
                row["graph_kernels_us"] = round(measure_kernels(graph.replay), 2)
            print(json.dumps(row), flush=True)
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())

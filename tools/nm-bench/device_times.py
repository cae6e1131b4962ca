# device_times.py - Times of products on a GPU, next to cuBLAS, and their errors.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What benchmarks of products share. Times are milliseconds by CUDA events, warm: medians
of five batches of graphs of several calls, so that the host does not count. Torch is
handed over by the caller, so that --help needs none."""

import concurrent.futures
import datetime
import itertools
import os
import pathlib
import shlex
import statistics
import subprocess
import sys

import nm_modules
import numpy as np

CHIP = "sm_90a"
SEED = 1  # of weights and of the rows that are compared
SAMPLED_ROWS = 32


def make_weight(torch, product, device="cpu"):
    """The product's random weight: tensors by the names in its module."""
    values, indices = map(torch.from_numpy, nm_modules.random_weight(product, SEED))
    values = values.to(device, get_dtype(torch, product.weight_type))
    return {"w_values": values, "w_indices": indices.to(device)}


def get_dtype(torch, name):
    """torch's name of "f32", "f16", "bf16" or "i8"."""
    types = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8}
    return types[name]


def compile_programs(products, paths, weight, options=()):
    """Writes programs of products that share a weight; what nm-compile, with `options`, said of
    each that it refused, "" of the others."""
    from nm.numbers.weights import write_weights

    data = paths[0].with_suffix(".safetensors")
    write_weights(weight, data)
    said = [compile_program(*one, data, options) for one in zip(products, paths)]
    data.unlink()
    return said


def find_compiler():
    """nm-compile, of NM_BIN where that is set."""
    tools = os.environ.get("NM_BIN")
    return pathlib.Path(tools, "nm-compile") if tools else "nm-compile"


def compile_program(product, path, data, options=(), copies=1):
    """Writes a program, of so many copies of a product; what nm-compile said if it failed."""
    module = path.with_suffix(".mlir")
    module.write_text(nm_modules.module_text(product, copies), encoding="ascii")
    done = subprocess.run(
        [find_compiler(), module, f"--weights={data}", "--emit=program", f"--chip={CHIP}", *options,
         "-o", path],
        capture_output=True, text=True, check=False,
    )
    module.unlink()
    if not done.returncode:
        return ""
    return done.stderr[-300:] or f"nm-compile ended with {done.returncode}"


def compile_groups(pool, compile_group, folder, groups, ahead):
    """Compiles groups of a folder by a pool, at most `ahead` before they are taken, as the disk
    is finite; gives each, in the order that they are done in, with what compile_group said of
    its programs, or what it raised."""
    waiting = iter(groups)
    running = {}

    def submit(count):
        for group in itertools.islice(waiting, count):
            running[pool.submit(compile_group, folder, group)] = group

    submit(ahead)
    while running:
        done, _ = concurrent.futures.wait(
            running, return_when=concurrent.futures.FIRST_COMPLETED)
        for future in done:
            group, error = running.pop(future), future.exception()
            yield group, [str(error)] * len(group) if error else future.result()
            submit(1)


def time_calls(torch, call):
    """Milliseconds of a call."""
    for _ in range(3):
        call()
    events = [torch.cuda.Event(enable_timing=True) for _ in "ab"]

    def once(count):
        events[0].record()
        for _ in range(count):
            call()
        events[1].record()
        events[1].synchronize()
        return events[0].elapsed_time(events[1]) / count

    count = max(5, min(50, int(10 / max(once(1), 0.01))))
    return statistics.median(once(count) for _ in range(5))


def time_product(torch, shape, call):
    """Milliseconds of a call that computes a product of m, n, k: of a graph of up to ten."""
    call()
    calls = max(1, min(10, int(2e10 / np.prod(shape, dtype=float))))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            call()
    return time_calls(torch, graph.replay) / calls


def time_cublas(torch, shape, tf32=False, dtype="f32"):
    """Milliseconds of a dense product with the fastest layout of the operands."""
    torch.backends.cuda.matmul.allow_tf32 = tf32
    m, n, k = shape
    a = torch.randn(m, k, device="cuda", dtype=get_dtype(torch, dtype))
    b = torch.randn(k, n, device="cuda", dtype=get_dtype(torch, dtype))
    layouts = [(x, y) for x in (a, a.t().contiguous().t()) for y in (b, b.t().contiguous().t())]
    return min(time_product(torch, shape, lambda x=x, y=y: x @ y) for x, y in layouts)


def time_csr(torch, product, dense):
    """Milliseconds of cuSPARSE's product (torch's, of a CSR matrix and a dense one) with the
    non-zeros of a weight, for the fastest layout of A. `dense` is expand's."""
    weight = dense.t().to(get_dtype(torch, product.dtype)).to_sparse_csr()
    a = torch.randn(product.k, product.m, device="cuda", dtype=weight.dtype)
    # No graph: a call is many times longer than its launch.
    return min(
        time_calls(torch, lambda x=x: weight @ x) for x in (a, a.t().contiguous().t())
    )


def time_program(torch, program, product, a):
    """Milliseconds of a call, and the result."""
    shape = (product.m, product.n, product.k)
    return time_product(torch, shape, lambda: program(a)), program(a)[0]


def read_clock(torch):
    """MHz of the SMs in the last fraction of a second; None where the driver says none."""
    try:
        return torch.cuda.clock_rate()
    except Exception:  # Of NVML's errors, whose module may be missing, too.
        return None


def expand(torch, product, weight):
    """The dense weight [k, n] in f64, on the device of `weight`."""
    p = product
    places = (p.windows, p.keep, p.unit_k, p.unit_columns, p.unit_n)
    columns = p.unit_columns * p.unit_n
    values = torch.nn.functional.pad(weight["w_values"], (0, columns - p.n)).view(places)
    indices = weight["w_indices"].long().view(p.windows, p.keep, 1, p.unit_columns, 1)
    dense = values.new_zeros((p.windows, p.window_units, *places[2:]), dtype=torch.float64)
    scale = nm_modules.WEIGHT_SCALE if p.weight_type == "i8" else 1
    dense.scatter_(1, indices.expand(places), values.double() * scale)
    return dense.view(-1, columns)[: p.k, : p.n]


def sample_rows(m):
    """Rows of C that are compared: at most SAMPLED_ROWS, in order, the same each time."""
    chosen = np.random.default_rng(SEED).choice(m, min(m, SAMPLED_ROWS), replace=False)
    return sorted(chosen.tolist())


def relative_error(product, dense, a, c):
    """Frobenius norm of the error against f64, over sampled rows. `dense` is expand's."""
    rows = sample_rows(product.m)
    left = (a.t() if product.feature_major else a)[rows].double()
    exact = left @ dense
    computed = (c.t() if product.c_feature_major else c)[rows].double()
    return ((computed - exact).norm() / exact.norm()).item()


def describe_gpu():
    """The GPU and its driver, as nvidia-smi names them; empty where there is none."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    words = run_quietly(command).split("\n")[0].split(", ")
    return dict(zip(("gpu", "driver"), words if len(words) == 2 else ["", ""]))


def describe_device(torch):
    """The GPU, its driver, and torch, as results record them."""
    return describe_gpu() | {
        "torch": torch.__version__, "cuda": torch.version.cuda, "chip": CHIP,
    }


def describe_run():
    """The date, the commit that was measured and the command, as results record them.
    Where there is no repository, as beside a wheel, NM_COMMIT names the commit."""
    script = pathlib.Path(sys.argv[0]).name
    folder = pathlib.Path(__file__).parent
    commit = run_quietly(["git", "-C", folder, "rev-parse", "--short", "HEAD"]).strip()
    return {
        "date": datetime.date.today().isoformat(),
        "commit": os.environ.get("NM_COMMIT") or commit,
        "command": shlex.join([f"tools/nm-bench/{script}", *sys.argv[1:]]),
    }


def run_quietly(command):
    """What a command printed; "" where there is no such command."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""

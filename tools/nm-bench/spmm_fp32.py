#!/usr/bin/env python3
"""Measures f32 vector-wise SpMM on a GPU next to cuBLAS SGEMM in the same run.

Needs a GPU machine with PyTorch (for cuBLAS and for the check) and nm-run.
Each case: a random weight, A feature-major, `nm-run --device=cuda --repeat`,
the result checked against float64, medians of kernel times by CUDA events.
The last column compares the speedup over cuBLAS with that recorded for
NM-SpMM's hand-written kernels (docs/results/peers/h200_spmm_fp32.csv).

    tools/nm-bench/spmm_fp32.py --nm-run=build/bin/nm-run --csv=out.csv
"""

import argparse
import csv
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import peers
import torch
from nm_modules import Product, expand, random_weight, write_module

DEFAULT_CASES = [
    (4096, 4096, 4096, keep, 32) for keep in (16, 12, 8, 4)
] + [(256, 2048, 2048, 8, 32), (1024, 4096, 11008, 8, 32)]


def time_cublas(a, b, repeat):
    """Median time of C = A B in ms, the best of the operands' layouts."""
    best = float("inf")
    for left in (a, a.t().contiguous().t()):
        for right in (b, b.t().contiguous().t()):
            for _ in range(3):
                left @ right
            times = []
            for _ in range(repeat):
                start, stop = (torch.cuda.Event(enable_timing=True) for _ in "ab")
                start.record()
                left @ right
                stop.record()
                stop.synchronize()
                times.append(start.elapsed_time(stop))
            best = min(best, statistics.median(times))
    return best


def run_nm(nm_run, product, values, indices, a, repeat, extra):
    """Runs the product; returns C and the kernel's median time in ms."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_module(folder / "m.mlir", product, values, indices)
        np.save(folder / "a.npy", a)
        command = [
            nm_run, str(folder / "m.mlir"), "--device=cuda",
            f"--repeat={repeat}", f"--input={folder / 'a.npy'}",
            f"--output={folder / 'c.npy'}", f"--counters={folder / 'k.json'}",
        ] + extra
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        launches = json.loads((folder / "k.json").read_text())
        times = [launch["milliseconds"] for launch in launches[3:]]
        return np.load(folder / "c.npy"), statistics.median(times)


def measure(product, options):
    values, indices = random_weight(product, options.seed)
    rng = np.random.default_rng(options.seed + 1)
    a = rng.standard_normal((product.k, product.m)).astype(np.float32)
    c, nm_ms = run_nm(
        options.nm_run, product, values, indices, a, options.repeat, options.extra
    )
    left = torch.from_numpy(a).cuda().t()
    right = torch.from_numpy(expand(product, values, indices)).cuda()
    exact = left.double() @ right.double()
    error = ((torch.from_numpy(c).cuda().double() - exact).norm() / exact.norm()).item()
    cublas_ms = time_cublas(left.contiguous(), right, options.repeat)
    point = (product.m, product.n, product.k, 1 - product.keep / product.window)
    peer = peers.read_speedups(peers.LLAMA).get(point)
    ratio = cublas_ms / nm_ms
    return {
        "m": product.m, "n": product.n, "k": product.k,
        "pattern": f"{product.keep}:{product.window}", "unit": f"1x{product.unit_n}",
        "relerr": f"{error:.3g}", "nm_ms": f"{nm_ms:.5f}",
        "cublas_ms": f"{cublas_ms:.5f}", "over_cublas": f"{ratio:.3f}",
        "nmspmm_over_cublas": f"{peer:.3f}" if peer else "",
        "of_nmspmm": f"{ratio / peer:.3f}" if peer else "",
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nm-run", default="build/bin/nm-run")
    parser.add_argument("--csv", help="write the rows here")
    parser.add_argument("--commit", default="", help="recorded in the rows")
    parser.add_argument("--repeat", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", action="append", metavar="m,n,k,keep,window")
    parser.add_argument("extra", nargs="*", help="more options for nm-run")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    cases = DEFAULT_CASES
    if options.case:
        cases = [tuple(int(part) for part in case.split(",")) for case in options.case]
    print(f"seed {options.seed}, {torch.cuda.get_device_name()}")
    rows = []
    for m, n, k, keep, window in cases:
        row = {
            "gpu": torch.cuda.get_device_name(),
            "date": datetime.date.today().isoformat(), "commit": options.commit,
            "command": " ".join(["spmm_fp32.py"] + options.extra),
        }
        row.update(measure(Product(m, n, k, keep, window, 32, feature_major=True), options))
        rows.append(row)
        print({key: value for key, value in row.items() if key != "command"}, flush=True)
    if options.csv:
        with open(options.csv, "w", newline="", encoding="ascii") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()

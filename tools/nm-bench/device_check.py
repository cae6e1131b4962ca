#!/usr/bin/env python3
"""Checks nm on a GPU: numbers, the emulator's faithfulness, the sanitizer.

Needs a GPU machine with PyTorch and nm-run (the static binary will do).
 1. The real torch-mlir files of the repository against PyTorch's outputs, and
    the GPU's outputs against the emulator's, in units in the last place.
 2. Products of the papers' shapes in all patterns against float64.
 3. Shared wavefronts and global sectors of three kernels against ncu.
 4. compute-sanitizer, memcheck and racecheck.
What a machine refuses is reported as `not run` with the tool's own words.

    tools/nm-bench/device_check.py --nm-run=build/bin/nm-run --json=out.json
"""

import argparse
import csv
import datetime
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import sanitizer
import torch

from nm_modules import Product, expand, random_weight, write_module
from recorded import TOLERANCE, find_recorded

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "test/integration/Inputs/torch-mlir"

# Shapes of nmSPARSE (M), NM-SpMM's Table II (letters) and Llama (P), each with a
# pattern, so that every kind of pattern meets small and large, m = 1 and more.
PRODUCTS = {
    "M1 EW 2:4": Product(1, 1024, 1024, 2, 4),
    "M3 EW 8:32": Product(1, 4096, 4096, 8, 32),
    "M3 VW32 8:32": Product(1, 4096, 4096, 8, 32, 32),
    "M5 uniform": Product(1, 4096, 1024, 128, 0),
    "M6 EW 2:4 f16": Product(1, 1024, 4096, 2, 4, dtype="f16"),
    "M9 EW 2:4": Product(256, 1024, 1024, 2, 4),
    "M21 VW4 8:32": Product(256, 4096, 1024, 8, 32, 4),
    "M24 BW4x4 2:4": Product(256, 1024, 4096, 2, 4, 4, 4),
    "M12 BW16x16 1:4": Product(256, 2048, 2048, 1, 4, 16, 16),
    "M10 uniform": Product(1024, 1024, 1024, 256, 0),
    "A N=M": Product(512, 512, 512, 4, 4),
    "B VW32 16:32": Product(512, 1024, 1024, 16, 32, 32),
    "C VW32 12:32": Product(512, 2048, 2048, 12, 32, 32, feature_major=True),
    "D VW64 4:32 f16": Product(1024, 2048, 2048, 4, 32, 64, dtype="f16"),
    "P0 VW32 8:32": Product(256, 2048, 2048, 8, 32, 32, feature_major=True),
    "P2 VW32 4:32": Product(256, 2048, 5632, 4, 32, 32),
    "P4 EW 3:10 tails": Product(250, 4001, 4097, 3, 10),
    "P4 VW32 5:7 tails": Product(250, 4001, 4097, 5, 7, 32),
}

_FMA = "kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32]"
_ROW = "kind = #nm.fma<warps = [1, 4], lanes = [1, 32], thread = [1, 1]>, block = [1, 128, 32]"
_TALL = "kind = #nm.fma<warps = [1, 4], lanes = [32, 1], thread = [4, 8]>, block = [128, 32, 32]"
# Without asynchronous copies: ncu counts those apart from loads and stores.
COUNTED = {
    "VW32 8:32": Product(128, 256, 128, 8, 32, 32, feature_major=True,
                         schedule=f"#nm.schedule<{_FMA}>"),
    "EW 2:4 vector": Product(1, 256, 128, 2, 4, schedule=f"#nm.schedule<{_ROW}>"),
    "EW 8:32": Product(128, 64, 128, 8, 32, feature_major=True,
                       schedule=f"#nm.schedule<{_TALL}>"),
}
METRICS = {
    "shared_loads": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_stores": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "global_loads": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_stores": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
}


class Checker:
    def __init__(self, nm_run, folder):
        self.nm_run = nm_run
        self.folder = pathlib.Path(folder)
        self.rows = []

    def report(self, check, name, result, **numbers):
        row = {"check": check, "name": name, "result": result, **numbers}
        self.rows.append(row)
        print(json.dumps(row), flush=True)

    def run(self, module, device, *options, prefix=()):
        command = [*prefix, self.nm_run, str(module), f"--device={device}", *options]
        return subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, check=False
        )

    # 1. real files ---------------------------------------------------------

    def example(self, example):
        files = [f"--input={path}" for path in example.inputs]
        files += [f"--expect={path}" for path in example.results]
        files.append(f"--tolerance={example.tolerance}")
        outputs = {}
        for device in ("cuda", "emulator"):
            paths = [self.folder / f"{example.name}.{device}.{number}.npy"
                     for number in range(len(example.results))]
            done = self.run(example.module, device, *files,
                            *(f"--output={path}" for path in paths))
            if done.returncode != 0:
                self.report("example", example.name, "failed", device=device,
                            text=(done.stdout + done.stderr)[-2000:])
                return
            outputs[device] = [np.load(path) for path in paths]
        ulps = [ulp_distance(*pair) for pair in zip(*outputs.values())]
        errors = re.findall(r"relative error ([^ ,]+)", done.stdout)
        self.report("example", example.name, "passed", ulp_from_emulator=max(ulps),
                    relerr=max(map(float, errors), default=None))

    # 2. products -----------------------------------------------------------

    def product(self, name, product):
        values, indices = random_weight(product, 1)
        module = self.folder / "product.mlir"
        write_module(module, product, values, indices)
        a = np.random.default_rng(2).standard_normal(product.a_shape)
        a = a.astype(product.element_type)
        np.save(self.folder / "a.npy", a)
        done = self.run(module, "cuda", f"--input={self.folder / 'a.npy'}",
                        f"--output={self.folder / 'c.npy'}")
        if done.returncode != 0:
            self.report("product", name, "failed",
                        text=(done.stdout + done.stderr)[-2000:])
            return
        left = torch.from_numpy(a).cuda().double()
        if product.feature_major:
            left = left.t()
        right = torch.from_numpy(expand(product, values, indices)).cuda().double()
        exact = left @ right
        c = torch.from_numpy(np.load(self.folder / "c.npy")).cuda().double()
        error = ((c - exact).norm() / exact.norm()).item()
        good = error < TOLERANCE[product.dtype]
        self.report("product", name, "passed" if good else "failed", relerr=error,
                    m=product.m, n=product.n, k=product.k, pattern=product.pattern)

    # 3. counters -----------------------------------------------------------

    def counters(self, name, product):
        values, indices = random_weight(product, 1)
        module = self.folder / "counted.mlir"
        write_module(module, product, values, indices)
        counted = self.folder / "counters.json"
        done = self.run(module, "emulator", f"--counters={counted}")
        if done.returncode != 0:
            self.report("counters", name, "failed", text=done.stderr[-2000:])
            return
        ours = sum_counters(json.loads(counted.read_text())[0]["counters"])
        prefix = ["ncu", "--csv", "--clock-control", "none", "--metrics",
                  ",".join(METRICS.values())]
        # A read now and then is replayed for reasons of the machine's own, so
        # the counter is the least of several runs.
        readings = []
        for _ in range(5):
            done = self.run(module, "cuda", prefix=prefix)
            readings.append(parse_ncu(done.stdout))
        theirs = {
            key: min(reading[key] for reading in readings)
            for key in METRICS
            if all(key in reading for reading in readings)
        }
        if not theirs:
            self.report("counters", name, "not run",
                        text=(done.stdout + done.stderr)[-1000:])
            return
        self.report("counters", name, "passed" if ours == theirs else "differs",
                    emulator=ours, ncu=theirs, ncu_readings=readings)

    # 4. sanitizer ----------------------------------------------------------

    def sanitize(self, tool, name, module, *options):
        command = [self.nm_run, module, "--device=cuda", *options]
        result, text = sanitizer.check(tool, command)
        self.report(tool, name, result, text=text)


def ulp_distance(left, right):
    """The largest distance of two arrays in units in the last place."""
    if left.dtype.kind != "f":
        return int(np.abs(left.astype(np.int64) - right.astype(np.int64)).max(initial=0))
    kind = {8: np.int64, 4: np.int32, 2: np.int16}[left.dtype.itemsize]

    def ordered(array):
        bits = np.ascontiguousarray(array).view(kind).astype(np.int64)
        return np.where(bits < 0, np.iinfo(kind).min - bits, bits)

    return int(np.abs(ordered(left) - ordered(right)).max(initial=0))


def sum_counters(counters):
    """The emulator's counters in the words of METRICS."""
    sums = dict.fromkeys(METRICS, 0)
    for space, unit in (("shared", "wavefronts"), ("global", "sectors")):
        for access in counters[space]:
            kind = "stores" if access["isWrite"] else "loads"
            sums[f"{space}_{kind}"] += access[unit]
    return sums


def parse_ncu(text):
    """The sums of METRICS in ncu's CSV; empty where there are none."""
    start = text.find('"ID"')
    if start < 0:
        return {}
    names = {metric: name for name, metric in METRICS.items()}
    sums = {}
    for row in csv.DictReader(io.StringIO(text[start:])):
        name = names.get(row.get("Metric Name"))
        if name and "sp" in row["Kernel Name"]:
            value = int(float(row["Metric Value"].replace(",", "")))
            sums[name] = sums.get(name, 0) + value
    return {name: sums[name] for name in METRICS if name in sums}


def sanitize_all(checker, examples, workers):
    """Part 4: the recorded modules and the counted kernels."""
    cases = [(example.name, example.module,
              [f"--input={path}" for path in example.inputs])
             for example in examples]
    for number, (name, product) in enumerate(COUNTED.items()):
        module = checker.folder / f"sanitized{number}.mlir"
        write_module(module, product, *random_weight(product, 1))
        cases.append((name, module, []))
    with ThreadPoolExecutor(workers) as pool:
        runs = [pool.submit(checker.sanitize, tool, name, module, *options)
                for tool in sanitizer.TOOLS
                for name, module, options in cases]
    for run in runs:
        run.result()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nm-run", default="build/bin/nm-run")
    parser.add_argument("--json", help="write the results here")
    parser.add_argument("--commit", default="", help="recorded in the results")
    parts = ("examples", "products", "counters", "sanitizer")
    parser.add_argument("--part", action="append", choices=parts,
                        help="only this part (may be repeated)")
    parser.add_argument("--examples", action="append", metavar="FOLDER",
                        help="a folder of recorded modules (may be repeated; the "
                        "repository's if not given)")
    parser.add_argument("--workers", type=int, default=4,
                        help="processes at a time for examples and sanitizer")
    options = parser.parse_args()
    chosen = options.part or parts
    folders = options.examples or [EXAMPLES]
    examples = [example for folder in folders for example in find_recorded(folder)]
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(options.nm_run, folder)
        if "examples" in chosen:
            with ThreadPoolExecutor(options.workers) as pool:
                list(pool.map(checker.example, examples))
        if "products" in chosen:
            for name, product in PRODUCTS.items():
                checker.product(name, product)
        if "counters" in chosen and shutil.which("ncu"):
            for name, product in COUNTED.items():
                checker.counters(name, product)
        if "sanitizer" in chosen and shutil.which("compute-sanitizer"):
            sanitize_all(checker, examples, options.workers)
    results = {
        "gpu": torch.cuda.get_device_name(), "date": datetime.date.today().isoformat(),
        "commit": options.commit, "command": "tools/nm-bench/device_check.py",
        "rows": checker.rows,
    }
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    failed = [row for row in checker.rows if row["result"] in ("failed", "differs")]
    print(f"{len(checker.rows) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# compare_builds.py - Which kernels are slower than in another build.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what kernels take in two builds of nm, in one run; needs a GPU and numpy.

Usage: compare_builds.py --old=DIR --new=DIR [--part=i/n] [--output=FILE]

Each DIR holds the nm-run of a build (pack_for_gpu.sh and build_wheel.sh make such). The
modules are the 200 products of compared_products.py and the torch-mlir files of test/. Both
builds' nm-run compile several modules at a time and stop before their first call; when all of
these have, one after the other calls its module and gives the time of each launch by CUDA
events, of which the median counts. Where a launch is slower by more than 5 % (or 1 us, where it
takes less than 20 us) the module is measured three times more at the end, with no other module
on the GPU, and the medians of these count: beside others that have compiled and wait, all
launches of a few modules take 100 to 300 us more. What is slower still is measured by ncu,
where there is one: events have what the host takes for a launch, 2 us more or less for kernels
of 3, and that counts which is left. Where the builds launch different kernels, whole calls are
compared.

Prints a line of JSON about the run, one a module (microseconds of each kernel; again for those
that were measured again), and one of what is slower, which is the exit status, too: 1 if
anything is, or if the new build refuses what the old one runs. All takes some 5 to 10 minutes
of an H200 and 16 cores: --part=1/2 and --part=2/2 share it.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import statistics
import sys
import tempfile

import compared_products
import device_times
import gated_run
import launch_times
import llama100
import ncu
import nm_modules
import numpy as np
import recorded

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "test/integration/Inputs/torch-mlir"
DYNAMIC_EXTENT = 64
ROUNDS = 3  # of what seems to be slower, one module after the other
NCU_CALLS = launch_times.WARM_UP + 3  # of what still does
ALLOWED_SHARE = 0.05
ALLOWED_MICROSECONDS = 1.0
SHORT_MICROSECONDS = 20.0  # below, microseconds count instead of the share


@dataclasses.dataclass(frozen=True)
class Module:
    """A product, or a file of test/ with its recorded inputs."""

    name: str
    product: nm_modules.Product = None
    path: pathlib.Path = None

    def write(self, folder):
        """The words of nm-run's command line that name the module and its inputs."""
        if self.product is None:
            found = {one.module: one.inputs for one in recorded.find_recorded(self.path.parent)}
            inputs = [f"--input={path}" for path in found.get(self.path, [])]
            return [self.path, *(inputs or [f"--dynamic-size={DYNAMIC_EXTENT}"])]
        path = pathlib.Path(folder, self.name.replace(" ", "-").replace(":", "of") + ".mlir")
        values, indices = nm_modules.random_weight(self.product, device_times.SEED)
        if self.product.dtype == "bf16":
            # numpy has none: the upper halves of f32.
            values = (values.view(np.uint32) >> 16).astype(np.uint16)
        nm_modules.write_module(path, self.product, values, indices)
        return [path]


def list_modules():
    products = compared_products.list_products()
    return [Module(name, product) for name, product in products.items()] + [
        Module(str(path.relative_to(FILES)), path=path) for path in sorted(FILES.rglob("*.mlir"))
    ]


def is_slower(old, new):
    """Whether `new` microseconds are too many beside `old`."""
    if old < SHORT_MICROSECONDS:
        return new > old + ALLOWED_MICROSECONDS
    return new > old * (1 + ALLOWED_SHARE)


def pair_kernels(old, new):
    """(name, old, new) of each kernel of a call; of the whole call where they differ."""
    if old[0] == new[0]:
        return list(zip(*old, new[1]))
    return [("call", sum(old[1]), sum(new[1]))]


class Comparison:
    """Measures modules with both builds."""

    def __init__(self, old, new, folder):
        self.tools = {"old": old, "new": new}
        self.folder = folder

    def compile(self, module):
        """The runs of both builds, which have compiled `module` and wait."""
        words = module.write(self.folder)
        runs = {build: gated_run.GatedRun(tool, words, self.folder)
                for build, tool in self.tools.items()}
        for run in runs.values():
            run.compile()
        if module.product:
            words[0].unlink()
        return runs

    @staticmethod
    def call(runs, new_first):
        """Kernels of a call and their microseconds, or what was wrong, for each build."""
        times = {}
        # Neither is always the one that finds the GPU as another module left it.
        for build, run in sorted(runs.items(), reverse=not new_first):
            try:
                times[build] = launch_times.take_medians(run.finish())
            except launch_times.Error as error:
                times[build] = str(error).replace(f"{ROOT}/", "")
        return times

    def count(self, module):
        """As of call, by ncu."""
        words = module.write(self.folder)
        times = {}
        for build, tool in self.tools.items():
            command = [tool, *words, "--device=cuda", f"--repeat={NCU_CALLS}"]
            try:
                launches = ncu.count(command, [ncu.DURATION], ["--cache-control", "none"])
                milliseconds = [one | {"milliseconds": one[ncu.DURATION] / 1e6} for one in launches]
                times[build] = launch_times.take_medians(milliseconds, NCU_CALLS)
            except (ncu.Error, launch_times.Error) as error:
                times[build] = str(error).replace(f"{ROOT}/", "")
        return {"name": module.name, "by": "ncu"} | merge_times([times])

    def compare(self, modules, rounds, pool):
        """The rows of modules, which compile side by side: nobody compiles while one calls."""
        times = [[] for _ in modules]
        for number in range(rounds):
            for runs, seen in zip(list(pool.map(self.compile, modules)), times, strict=True):
                seen.append(self.call(runs, number % 2 == 1))
        return [{"name": module.name} | merge_times(seen)
                for module, seen in zip(modules, times, strict=True)]


def merge_times(rounds):
    """What a row says of a module that was called in several rounds."""
    for times in rounds:
        if wrong := {build: said for build, said in times.items() if isinstance(said, str)}:
            return {"failed": wrong}
    pairs = [pair_kernels(times["old"], times["new"]) for times in rounds]
    return {"kernels": merge_rounds(pairs), "rounds": len(rounds)}


def is_suspect(row):
    """Whether a kernel of `row` seems to be slower."""
    return any(kernel["slower"] for kernel in row.get("kernels", []))


def merge_rounds(rounds):
    """Rows of kernels with medians of several rounds' times."""
    rows = []
    for same in zip(*rounds, strict=True):
        old, new = (statistics.median(one[i] for one in same) for i in (1, 2))
        rows.append({"kernel": same[0][0], "old_us": round(old, 3), "new_us": round(new, 3),
                     "slower": is_slower(old, new)})
    return rows


def summarize(rows):
    """The last line of a run's results."""
    kernels = [(row["name"], one) for row in rows for one in row.get("kernels", [])]
    slower = [
        {"name": name} | {key: one[key] for key in ("kernel", "old_us", "new_us")}
        for name, one in kernels if one["slower"]
    ]
    # What the old build refuses, too, says nothing of the new one.
    lost = [row["name"] for row in rows if [*row.get("failed", [])] == ["new"]]
    times = [one["old_us"] / one["new_us"] for _, one in kernels if one["new_us"] > 0]
    return {
        "modules": len(rows), "compared": sum("kernels" in row for row in rows),
        "kernels": len(kernels), "slower": slower, "lost": lost,
        "old_over_new": round(statistics.geometric_mean(times), 3) if times else None,
    }


def find_tool(text):
    path = pathlib.Path(text, "nm-run")
    if not path.exists():
        raise argparse.ArgumentTypeError(f"expected a folder with nm-run, got {text}")
    # A link's name says which tool the one binary is to be.
    return path.absolute()


def parse_options(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--old", type=find_tool, metavar="DIR", required=True)
    add("--new", type=find_tool, metavar="DIR", required=True)
    add("--part", type=llama100.parse_part, default=(1, 1), metavar="i/n",
        help="only every n-th module, from the i-th on")
    add("--only", metavar="TEXT", action="append", default=[],
        help="only modules whose names have it; may be given several times")
    add("--workers", type=llama100.parse_count, default=max(1, os.cpu_count() - 2), metavar="N",
        help="modules that are compiled at a time; cores but two if not given")
    add("--output", metavar="FILE", help="instead of the standard output")
    return parser.parse_args(arguments)


def choose_modules(modules, part, only):
    modules = modules[part[0] - 1 :: part[1]]
    return [one for one in modules if not only or any(text in one.name for text in only)]


def compare_all(modules, rounds, comparison, workers):
    """The row of each module, by module, as they are done."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for first in range(0, len(modules), workers):
            group = modules[first : first + workers]
            yield from zip(group, comparison.compare(group, rounds, pool), strict=True)
            print(f"{first + len(group)} of {len(modules)}", file=sys.stderr)


def run(options, folder, write):
    """Compares all modules; the exit status."""
    modules = choose_modules(list_modules(), options.part, options.only)
    if not modules:
        sys.exit(f"compare_builds.py: expected a part of a name for --only, got {options.only}")
    write({"what": "microseconds of kernels in two builds", **device_times.describe_gpu(),
           **device_times.describe_run()})
    comparison = Comparison(options.old, options.new, folder)
    rows = {}

    def compare(some, rounds, workers):
        for module, row in compare_all(some, rounds, comparison, workers):
            rows[module] = row
            write(row)

    compare(modules, 1, options.workers)
    suspects = [module for module in modules if is_suspect(rows[module])]
    print(f"{len(suspects)} seem to have slower kernels: again", file=sys.stderr)
    compare(suspects, ROUNDS, 1)
    for module in filter(lambda one: ncu.is_there() and is_suspect(rows[one]), suspects):
        row = comparison.count(module)
        write(row)
        if "kernels" in row:
            rows[module] = row
    summary = summarize(rows.values())
    write(summary)
    return 1 if summary["slower"] or summary["lost"] or not summary["compared"] else 0


def main():
    options = parse_options()
    with (
        open(options.output or sys.stdout.fileno(), "w", encoding="ascii") as file,
        tempfile.TemporaryDirectory() as folder,
    ):
        sys.exit(run(options, folder, lambda row: print(json.dumps(row), file=file, flush=True)))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Whether a GPU computes the same bits as the emulator, module by module.

For each NAME.mlir of a folder, whose inputs lie beside it as NAME.x0.npy,
NAME.x1.npy ..., runs its function @main on the GPU and in the emulator and compares
all results byte for byte. Where they differ, results within nm-run's tolerance of their
type are close, which kernels on tensor cores may be (docs/Spec.md, section 4). Where there
is a NAME.options, its lines are options of nm-run, in the place of --entry=main. With
--sanitizers, compute-sanitizer watches another run of each module. Prints a line a module,
and last how many agree; the exit status is 1 unless all are the same or close, and clean.

    tools/nm-bench/device_agreement.py --nm-run=./nm-run FOLDER --json=out.json

200 kernels of the numeric suite, which take a few minutes (--part=1/2 and 2/2 share them):

    nm-numeric-suite --shards=15 --export=FOLDER            (where nm was built)
    tools/nm-bench/device_agreement.py --nm-run=./nm-run FOLDER \\
        --sanitizers=memcheck,racecheck --json=out.json     (where the GPU is)
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import device_times
import llama100
import numpy as np
import sanitizer


def find_inputs(module):
    """The .npy files of the module's inputs, in order."""
    paths = []
    while (path := module.with_suffix(f".x{len(paths)}.npy")).exists():
        paths.append(path)
    return paths


def read_options(module):
    """The options that are the module's own."""
    path = module.with_suffix(".options")
    return path.read_text().splitlines() if path.exists() else ["--entry=main"]


def make_command(nm_run, module, device):
    inputs = [f"--input={path}" for path in find_inputs(module)]
    return [nm_run, module, *read_options(module), f"--device={device}", *inputs]


def run(nm_run, module, device, *options):
    """What is wrong, or ""."""
    command = [*make_command(nm_run, module, device), *options]
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True,
                              text=True, errors="replace", timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return f"{device}: expected an end within 120 s"
    return f"{device}: {done.stderr[-500:]}" if done.returncode else ""


def differ(ours, theirs):
    """The first result that differs in type, shape or bits; "" if none does."""
    names = sorted(path.name for path in ours.glob("*.npy"))
    if names != sorted(path.name for path in theirs.glob("*.npy")):
        return "numbers of results"
    for name in names:
        a, b = np.load(ours / name), np.load(theirs / name)
        if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
            return name
    return ""


def is_close(nm_run, module, expected):
    """Whether the GPU's results are those in `expected` within their tolerance."""
    count = len(list(expected.glob("*.npy")))
    options = [f"--expect={expected / f'{i}.npy'}" for i in range(count)]
    return not run(nm_run, module, "cuda", *options)


def sanitize(nm_run, module, tools):
    """What each tool says of the module; its own words where it is not clean."""
    said = {tool: sanitizer.check(tool, make_command(nm_run, module, "cuda")) for tool in tools}
    return {tool: result if result == "passed" else f"{result}: {text}"
            for tool, (result, text) in said.items()}


def is_right(row, tools):
    return row["result"] in ("agrees", "close") and all(row[tool] == "passed" for tool in tools)


def compare(nm_run, module):
    with tempfile.TemporaryDirectory() as scratch:
        folders = {name: pathlib.Path(scratch) / name for name in ("cuda", "emulator")}
        said = [
            run(nm_run, module, device, f"--output-dir={folder}")
            for device, folder in folders.items()
        ]
        if any(said):
            result, text = "failed", " | ".join(word for word in said if word)
        else:
            text = differ(*folders.values())
            result = "differs" if text else "agrees"
            if text and is_close(nm_run, module, folders["emulator"]):
                result = "close"
    return {"name": module.stem, "result": result, "text": text}


def parse_tools(text):
    tools = text.split(",")
    if not set(tools) <= set(sanitizer.TOOLS):
        raise argparse.ArgumentTypeError(f"expected some of {sanitizer.TOOLS}, got {text}")
    return tools


def parse_options(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--nm-run", default="build/bin/nm-run")
    parser.add_argument("--json", type=pathlib.Path, help="write the results here")
    parser.add_argument("--sanitizers", type=parse_tools, default=[], metavar="TOOL,...",
                        help="memcheck, racecheck or both; none if not given")
    parser.add_argument("--part", type=llama100.parse_part, default=(1, 1), metavar="i/n",
                        help="only every n-th module, from the i-th on")
    parser.add_argument("--workers", type=int, default=8)
    return parser.parse_args(arguments)


def main():
    options = parse_options()
    first, parts = options.part
    modules = sorted(options.folder.glob("*.mlir"))[first - 1 :: parts]
    if not modules:
        sys.exit(f"expected modules in {options.folder}, got none")

    def work(module):
        return compare(options.nm_run, module) | sanitize(
            options.nm_run, module, options.sanitizers)

    about = device_times.describe_gpu() | device_times.describe_run()
    print(json.dumps(about), flush=True)
    with ThreadPoolExecutor(options.workers) as pool:
        rows = []
        for row in pool.map(work, modules):
            rows.append(row)
            print(f"{len(rows)}/{len(modules)} {json.dumps(row)}", flush=True)
    counts = collections.Counter(row["result"] for row in rows)
    for tool in options.sanitizers:
        counts.update(f"{tool} {row[tool].split(':')[0]}" for row in rows)
    if options.json:
        options.json.write_text(
            json.dumps(about | {"counts": counts, "rows": rows}, indent=1) + "\n")
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    sys.exit(0 if all(is_right(row, options.sanitizers) for row in rows) else 1)


if __name__ == "__main__":
    main()

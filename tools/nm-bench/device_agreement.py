#!/usr/bin/env python3
"""Whether a GPU computes the same bits as the emulator, module by module.

For each NAME.mlir of a folder, whose inputs lie beside it as NAME.x0.npy,
NAME.x1.npy ..., runs its function @main on the GPU and in the emulator and compares
all results byte for byte. Where they differ, results within nm-run's tolerance of their
type are close, which kernels on tensor cores may be (docs/Spec.md, section 4). Prints a
line a module, and last how many agree.

    tools/nm-bench/device_agreement.py --nm-run=./nm-run FOLDER --json=out.json
"""

import argparse
import collections
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def find_inputs(module):
    """The .npy files of the module's inputs, in order."""
    paths = []
    while (path := module.with_suffix(f".x{len(paths)}.npy")).exists():
        paths.append(path)
    return paths


def run(nm_run, module, device, *options):
    """What is wrong, or ""."""
    command = [nm_run, module, "--entry=main", f"--device={device}", *options]
    command += [f"--input={path}" for path in find_inputs(module)]
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


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--nm-run", default="build/bin/nm-run")
    parser.add_argument("--json", type=pathlib.Path, help="write the results here")
    parser.add_argument("--commit", default="", help="recorded in the results")
    parser.add_argument("--gpu", default="", help="its name, recorded in the results")
    parser.add_argument("--workers", type=int, default=8)
    options = parser.parse_args()
    modules = sorted(options.folder.glob("*.mlir"))
    if not modules:
        sys.exit(f"expected modules in {options.folder}, got none")
    with ThreadPoolExecutor(options.workers) as pool:
        rows = []
        for row in pool.map(lambda module: compare(options.nm_run, module), modules):
            rows.append(row)
            print(f"{len(rows)}/{len(modules)} {json.dumps(row)}", flush=True)
    counts = collections.Counter(row["result"] for row in rows)
    if options.json:
        options.json.write_text(json.dumps({
            "gpu": options.gpu, "date": datetime.date.today().isoformat(),
            "commit": options.commit, "command": "tools/nm-bench/device_agreement.py",
            "counts": counts, "rows": rows,
        }, indent=1) + "\n")
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    sys.exit(0 if set(counts) <= {"agrees", "close"} else 1)


if __name__ == "__main__":
    main()

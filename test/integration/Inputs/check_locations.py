"""Runs the stages over a model one by one and looks for lost locations.

Usage: check_locations.py MODEL.mlir FOLDER

Prints `STAGE: N ops, all with a location` for each stage. Constants are left out:
MLIR's folder merges equal ones from everywhere. So is what LLVM IR needs them for.
"""

import pathlib
import re
import subprocess
import sys

STAGES = ["import", "fuse", "plan", "bufferize", "tile", "map-linalg", "outline",
          "lower-to-nvvm"]
MERGED = re.compile(
    r"arith\.constant|llvm\.mlir\.(constant|poison|addressof)|^\s*\^bb")


def main(model, folder):
    current, lost = model, 0
    for stage in STAGES:
        after = pathlib.Path(folder) / f"{stage}.mlirbc"
        subprocess.run(["nm-opt", f"--nm-{stage}-pipeline", "--emit-bytecode", current,
                        "-o", after], check=True)
        text = subprocess.run(
            ["nm-opt", "--mlir-print-debuginfo", "--mlir-print-local-scope",
             "--mlir-elide-elementsattrs-if-larger=8", after],
            check=True, capture_output=True, text=True).stdout
        lines = [line for line in text.splitlines() if " loc(" in line]
        bad = [line for line in lines
               if "loc(unknown)" in line and not MERGED.search(line)]
        for line in bad[:5]:
            print(f"{stage}: lost: {line.strip()[:200]}")
        lost += len(bad)
        if not bad:
            print(f"{stage}: {len(lines)} ops, all with a location")
        current = after
    return lost != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

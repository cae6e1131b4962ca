"""Checks that nm-opt prints what it reads, from text and from its own bytecode.

usage: check_roundtrip.py DIRECTORY

The files must be as MLIR prints them, with resources at the end.
"""

import pathlib
import subprocess
import sys


def nm_opt(*arguments, data=None):
    done = subprocess.run(
        ["nm-opt", *arguments], input=data, capture_output=True, timeout=60
    )
    if done.returncode != 0:
        sys.exit(done.stderr.decode())
    return done.stdout


def check(path):
    # MLIR ends a module with an empty line, torch-mlir's Python does not.
    expected = path.read_bytes().rstrip(b"\n")
    bytecode = nm_opt(str(path), "--emit-bytecode")
    forms = {
        "text": nm_opt(str(path)),
        "generic form": nm_opt(data=nm_opt(str(path), "--mlir-print-op-generic")),
        "bytecode": nm_opt(data=bytecode),
    }
    wrong = [name for name, got in forms.items() if got.rstrip(b"\n") != expected]
    if not bytecode.startswith(b"ML\xefR"):
        wrong.append("magic number")
    print(f"{path.stem}: " + (f"UNEXPECTED {', '.join(wrong)}" if wrong else "same"))
    return not wrong


def main():
    results = [check(p) for p in sorted(pathlib.Path(sys.argv[1]).glob("*.mlir"))]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

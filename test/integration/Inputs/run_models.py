"""Runs the models of a directory with nm-run and compares what they give with
what PyTorch gave.

usage: run_models.py DIRECTORY DEVICE

A model is NAME.mlir with its inputs and results in order: NAME.x0.npy, ... and
NAME.y0.npy, ..., or one of each as plain elements, NAME.x.bin and NAME.y.bin. The
largest relative Frobenius error depends on the element type, which is part of
the name.
"""

import pathlib
import subprocess
import sys

TOLERANCE = {"bf16": "2e-2", "f16": "3e-3", "f32": "1e-5"}


def arrays(model, letter):
    """The recorded arrays of `model` in order."""
    plain = model.with_suffix(f".{letter}.bin")
    if plain.exists():
        return [plain]
    found = []
    while (path := model.with_suffix(f".{letter}{len(found)}.npy")).exists():
        found.append(path)
    return found


def run(model, device):
    """Runs one model; returns its line of the table and whether it is right."""
    parts = model.stem.split("_")
    tolerance = TOLERANCE[next((t for t in TOLERANCE if t in parts), "f32")]
    command = ["nm-run", str(model), f"--device={device}"]
    command += [f"--tolerance={tolerance}"]
    command += [f"--input={path}" for path in arrays(model, "x")]
    command += [f"--expect={path}" for path in arrays(model, "y")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    results = [l for l in done.stdout.splitlines() if l.startswith("result ")]
    good = [l for l in results if l.endswith(": ok")]
    expected = len(arrays(model, "y"))
    if done.returncode == 0 and len(good) == expected:
        return f"{model.stem}: {expected} results ok", True
    return f"{model.stem}: UNEXPECTED\n{done.stdout}{done.stderr}", False


def main():
    directory, device = pathlib.Path(sys.argv[1]), sys.argv[2]
    failed = False
    for model in sorted(directory.glob("*.mlir")):
        if arrays(model, "y"):
            line, right = run(model, device)
            print(line, flush=True)
            failed |= not right
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

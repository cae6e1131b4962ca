"""Runs the models of a directory with nm-run and compares what they give with
what PyTorch gave.

usage: run_models.py DIRECTORY DEVICE

Which files belong to a model, and its tolerance, says tools/nm-bench/recorded.py.
"""

import pathlib
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parents[3] / "tools" / "nm-bench"
sys.path.insert(0, str(TOOLS))
from recorded import find_recorded  # noqa: E402


def run(model, device):
    """Runs one model; returns its line of the table and whether it is right."""
    command = ["nm-run", str(model.module), f"--device={device}"]
    command += [f"--tolerance={model.tolerance}"]
    command += [f"--input={path}" for path in model.inputs]
    command += [f"--expect={path}" for path in model.results]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    good = [line for line in done.stdout.splitlines()
            if line.startswith("result ") and line.endswith(": ok")]
    if done.returncode == 0 and len(good) == len(model.results):
        return f"{model.name}: {len(good)} results ok", True
    return f"{model.name}: UNEXPECTED\n{done.stdout}{done.stderr}", False


def main():
    device, failed = sys.argv[2], False
    for model in find_recorded(sys.argv[1]):
        line, right = run(model, device)
        print(line, flush=True)
        failed |= not right
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""How long the reference (--device=cpu) takes next to the emulator, start to end.

Models of test/python/zoo are exported and run with random inputs on both devices.
Prints JSON: for each model the fewest user seconds of some runs of nm-run on each
device, and their ratio. Needs what nm.export needs, and transformers.

usage: reference_time.py [--runs=2] [CASE...]
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "test/python")]
os.environ.setdefault("NM_BIN", str(ROOT / "build/release/bin"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import nm  # noqa: E402
from nm.runtime.tools import find_tool  # noqa: E402
from zoo import CASES  # noqa: E402
from zoo.case import prepare  # noqa: E402

# Sequential layers that are unrolled into thousands of small loops.
UNROLLED = ["qwen3_next_f32_2of4", "zamba_f32_2of4", "mobile_vit_f32_2of4"]


def user_seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measure(path, runs):
    """Runs the file on both devices; one dictionary of what it took."""
    seconds = {
        device: min(
            user_seconds(find_tool("nm-run"), path, f"--device={device}")
            for _ in range(runs)
        )
        for device in ("cpu", "emulator")
    }
    ratio = seconds["cpu"] / seconds["emulator"]
    return {
        "cpu_user_seconds": round(seconds["cpu"], 2),
        "emulator_user_seconds": round(seconds["emulator"], 2),
        "ratio": round(ratio, 3),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*", default=UNROLLED, metavar="CASE")
    parser.add_argument("--runs", type=int, default=2)
    options = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases:
            model, args, dynamic, _ = prepare(CASES[name])
            path = pathlib.Path(folder) / f"{name}.mlir"
            nm.export(model, args, dynamic_shapes=dynamic).save(path)
            results[name] = measure(path, options.runs)
            path.unlink()
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()

"""Runs exported cases in the emulator and compares with the reference path on the CPU.

Usage: run_exported.py NM_RUN FOLDER
"""

import pathlib
import subprocess
import sys

nm_run, folder = sys.argv[1], pathlib.Path(sys.argv[2])
modules = sorted(folder.glob("*.mlir"))
for module in modules:
    options = module.with_suffix(".options").read_text().splitlines()
    inputs = sorted(folder.glob(f"{module.stem}.x*.npy"))
    result = folder / "c.npy"
    command = [nm_run, module, *options, *(f"--input={path}" for path in inputs)]
    for more in (["--device=cpu", f"--output={result}"],
                 ["--device=emulator", f"--expect={result}"]):
        subprocess.run(command + more, check=True, stdout=subprocess.DEVNULL)
print(f"{len(modules)} cases: the same on both")

"""Stops a module after every stage and goes on from there: the results are the
same, bit for bit, and so are the kernels.

usage: continue_stages.py MODULE INPUT FOLDER
"""

import pathlib
import subprocess
import sys

STAGES = [
    "import", "fuse", "plan", "bufferize", "tile", "promote-shared", "pack-tile",
    "double-buffer", "load-fragments", "map-to-threads", "map-linalg", "outline",
    "lower-to-nvvm", "emit-ptx",
]


def run(module, given, output):
    command = ["nm-run", str(module), "--device=emulator", f"--input={given}"]
    done = subprocess.run([*command, f"--output={output}"], capture_output=True,
                          text=True, timeout=300)
    return pathlib.Path(output).read_bytes() if done.returncode == 0 else done.stderr


def kernels_of(module):
    command = ["nm-compile", str(module), "--emit=ptx", "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.stdout if done.returncode == 0 else done.stderr


def main():
    module, given, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    expected = run(module, given, folder / "expected.npy")
    assert isinstance(expected, bytes), expected
    kernels = kernels_of(module)
    assert ".entry" in kernels, kernels
    for stage in STAGES:
        stopped = folder / f"{stage}.mlir"
        command = ["nm-compile", module, "--emit=mlir", f"--last-stage={stage}"]
        subprocess.run([*command, "-o", str(stopped)], check=True, timeout=300)
        actual = run(stopped, given, folder / f"{stage}.npy")
        print(f"{stage}: {'same' if actual == expected else f'UNEXPECTED {actual}'}")
        again = kernels_of(stopped)
        print("kernels: " + ("equal" if again == kernels else f"UNEXPECTED {again}"))


if __name__ == "__main__":
    main()

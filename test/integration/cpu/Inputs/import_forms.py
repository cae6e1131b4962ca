"""Runs the functions of test/Conversion/LinalgToNM on the CPU against numpy.

usage: import_forms.py LINALG_TO_NM_DIRECTORY SCRATCH_DIRECTORY

The lit tests there show what each form is raised to; this shows that the product
is still the same. The weight is W [n, k] = [4, 8] or a vector.
"""

import pathlib
import subprocess
import sys

import numpy as np

SEED = 7
W = np.array(
    [
        [1, 2, 0, 0, 0, 3, 4, 0],
        [5, 0, 6, 0, 0, 0, 7, 8],
        [0, 9, 0, 10, 11, 12, 0, 0],
        [0, 0, 13, 14, 15, 0, 0, 16],
    ],
    np.float32,
)
VECTOR = np.array([1, 0, 0, 2, 0, 3, 4, 0], np.float32)


def linear(x):
    return x @ W.T


def left(x):
    return W @ x


# File, function, shapes of the inputs, the result in numpy.
FORMS = [
    ("linear", "transposed", [(3, 8)], linear),
    ("linear", "direct", [(3, 8)], linear),
    ("linear", "dynamic", [(5, 8), (4,)], lambda x, b: linear(x) + b),
    ("linear", "transpose_b", [(5, 8), (5, 4)], lambda x, o: linear(x)),
    ("batch", "batch", [(2, 3, 8)], linear),
    ("batch", "collapsed_batch", [(2, 3, 3, 8)], linear),
    ("batch", "named_broadcast", [(2, 3, 8)], linear),
    ("batch", "unit_dims", [(1, 3, 8)], linear),
    ("batch", "generic", [(2, 3, 2, 8), (2, 3, 2, 4)], lambda x, o: linear(x)),
    ("vector", "matvec", [(8,)], linear),
    ("vector", "vecmat", [(8,)], linear),
    ("vector", "one_token", [(1, 8)], linear),
    ("vector", "one_token_batch", [(1, 1, 8)], linear),
    ("vector", "vector_weight", [(6, 8)], lambda x: x @ VECTOR),
    ("vector", "dot", [(8,)], lambda x: np.array(x @ VECTOR)),
    ("left", "left", [(8, 3)], left),
    ("left", "batch_of_one", [(1, 8, 3)], left),
    ("left", "batch", [(2, 8, 3)], left),
    ("weight-chain", "generic_transpose", [(3, 8)], linear),
    ("weight-chain", "slice", [(3, 8)], linear),
    ("weight-chain", "tied", [(3, 8), (5, 8)], lambda x, z: (linear(x), linear(z))),
    ("not-raised", "negated", [(3, 8)], lambda x: -linear(x)),
]


def run(source, scratch, function, inputs, results):
    """Returns what went wrong, or nothing."""
    command = ["nm-run", str(source), "--device=cpu", f"--entry={function}"]
    for option, arrays in [("input", inputs), ("expect", results)]:
        for i, array in enumerate(arrays):
            path = scratch / f"{source.stem}.{function}.{option}{i}.npy"
            np.save(path, np.asarray(array, order="C"))
            command.append(f"--{option}={path}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode == 0:
        return ""
    return f"exit {done.returncode}: " + (done.stdout + done.stderr).strip()


def main():
    directory, scratch = map(pathlib.Path, sys.argv[1:3])
    scratch.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    failures = 0
    for file, function, shapes, compute in FORMS:
        inputs = [rng.standard_normal(s).astype(np.float32) for s in shapes]
        results = compute(*inputs)
        results = results if isinstance(results, tuple) else (results,)
        problem = run(
            directory / f"{file}.mlir", scratch, function, inputs, results
        )
        if problem:
            print(f"FAILED {file}.mlir @{function}: {problem[-400:]}")
            failures += 1
    print(f"seed {SEED}: {len(FORMS)} forms, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

# f64_oracle.py - Runs examples that have no recorded output, and checks them.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: f64_oracle.py EXAMPLES SCRATCH DEVICE
#
# EXAMPLES holds NAME.mlir of torch-mlir. What each computes is written here once
# more, by hand from the model that it was exported from, in numpy and in f64; the
# weights are read out of the file's resources. Nothing of nm has a part in it.
# Prints a line for each example; fails when one is off by more than its type
# allows (relative Frobenius error).

import pathlib
import re
import subprocess
import sys

import numpy as np

SEED = 11
LIMITS = {"f32": 1e-5, "f16": 3e-3, "bf16": 2e-2, "i32": 0}
DTYPES = {"float32": np.float32, "float16": np.float16, "int8": np.int8}
BFLOAT = "bfloat16"  # not of numpy: the upper half of an f32


class Weights:
    """The resources of one file, by the names that torch-mlir gives them."""

    def __init__(self, path):
        self.blobs = dict(
            re.findall(r'(torch_tensor_[\w.]+): "0x([0-9A-Fa-f]+)"', path.read_text())
        )

    def get(self, *shape, dtype, suffix=""):
        name = "torch_tensor_%s_torch.%s" % ("_".join(map(str, shape)), dtype + suffix)
        # The first four bytes are the alignment.
        data = bytes.fromhex(self.blobs[name])[4:]
        if dtype == BFLOAT:
            words = np.frombuffer(data, np.uint16).astype(np.uint32) << 16
            return words.view(np.float32).reshape(shape).astype(np.float64)
        return np.frombuffer(data, DTYPES[dtype]).reshape(shape).astype(np.float64)


def linear(x, weights, dtype):
    """torch.nn.Linear(64, 128)."""
    weight = weights.get(128, 64, dtype=dtype)
    return x @ weight.T + weights.get(128, dtype=dtype)


def int8_product(x, weights):
    """torch.ops.aten._int_mm(x, w)."""
    return x @ weights.get(64, 128, dtype="int8")


def swiglu(x, weights):
    """down(silu(gate(x)) * up(x)) of three torch.nn.Linear without bias."""
    gate = x @ weights.get(128, 64, dtype=BFLOAT).T
    up = x @ weights.get(128, 64, dtype=BFLOAT, suffix="_1").T
    down = weights.get(64, 128, dtype=BFLOAT)
    return (gate / (1 + np.exp(-gate)) * up) @ down.T


# Name: (type and shape of x, what is computed, type of the result).
EXAMPLES = {
    "gen_dyn_batch_linear2d_f32_2of4": (
        (np.float32, (5, 64)),
        lambda x, w: linear(x, w, "float32"),
        "f32",
    ),
    "gen_neg_pattern_along_n_f32": (
        (np.float32, None),
        lambda x, w: linear(x, w, "float32"),
        "f32",
    ),
    "gen_linear3d_bias_f16_8of32": (
        (np.float16, None),
        lambda x, w: linear(x, w, "float16"),
        "f16",
    ),
    "gen_swiglu_b1_bf16_2of4": ((BFLOAT, None), swiglu, "bf16"),
    "gen_int8_mm_2of4": ((np.int8, (16, 64)), int8_product, "i32"),
}


def static_shape(path):
    """The shape of the one argument, as the file declares it."""
    declared = re.search(r"func\.func @\w+\(%\w+: tensor<([\dx]+)x[a-z]\w+>", path.read_text())
    return tuple(int(extent) for extent in declared.group(1).split("x"))


def make_input(dtype, shape):
    random = np.random.default_rng(SEED)
    if dtype == BFLOAT:  # as an f32 that a bf16 holds
        words = random.standard_normal(shape).astype(np.float32).view(np.uint32)
        return (words & 0xFFFF0000).view(np.float32)
    if np.issubdtype(dtype, np.integer):
        return random.integers(-128, 128, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


def check(examples, scratch, device, name):
    path = examples / (name + ".mlir")
    (dtype, shape), compute, kind = EXAMPLES[name]
    x = make_input(dtype, shape or static_shape(path))
    x_file, y_file = scratch / (name + ".x.npy"), scratch / (name + ".y.npy")
    np.save(x_file, x)
    command = ["nm-run", str(path), "--device=" + device]
    command += ["--input=%s" % x_file, "--output=%s" % y_file]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print("%s: FAILED to run: %s" % (name, done.stderr.strip()))
        return False
    expected = compute(x.astype(np.float64), Weights(path))
    actual = np.load(y_file).astype(np.float64)
    if actual.shape != expected.shape:
        print("%s: FAILED: shape %s, expected %s" % (name, actual.shape, expected.shape))
        return False
    error = np.linalg.norm(actual - expected) / np.linalg.norm(expected)
    good = bool(error <= LIMITS[kind])
    print("%s: %s, relative error %.3g" % (name, "ok" if good else "FAILED", error))
    return good


def main():
    examples, scratch = map(pathlib.Path, sys.argv[1:3])
    scratch.mkdir(parents=True, exist_ok=True)
    good = [check(examples, scratch, sys.argv[3], name) for name in EXAMPLES]
    print("seed %d: %d of %d agree with f64" % (SEED, sum(good), len(good)))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

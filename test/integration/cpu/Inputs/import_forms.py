"""Runs the functions of the importer's lit tests against numpy.

usage: import_forms.py TEST_DIRECTORY SCRATCH_DIRECTORY DEVICE

The lit tests there show what each form is raised to; this shows that the product
is still the same. The weight is W [n, k] = [4, 8] or a vector.
"""

import pathlib
import subprocess
import sys

import numpy as np

SEED = 7
# Where the tests lie.
FOLDERS = ("Conversion/LinalgToNM", "Transforms/Normalize")
W = np.array(
    [
        [1, 2, 0, 0, 0, 3, 4, 0],
        [5, 0, 6, 0, 0, 0, 7, 8],
        [0, 9, 0, 10, 11, 12, 0, 0],
        [0, 0, 13, 14, 15, 0, 0, 16],
    ],
    np.float32,
)
W2 = np.array(
    [
        [0, 0, 1, 2, 3, 4, 0, 0],
        [5, 6, 0, 0, 0, 7, 0, 8],
        [9, 0, 0, 10, 0, 0, 11, 12],
        [13, 0, 14, 0, 15, 16, 0, 0],
    ],
    np.float32,
)
DENSE = np.arange(1, 33, dtype=np.float32).reshape(4, 8)
HALVES = np.arange(-24, 24, dtype=np.float16).reshape(3, 2, 8) / 8
COLUMN = np.array([[1], [0], [0], [-2]], np.int32)
CAST = np.float32([[np.float16(0.1)], [0], [3], [0]])
# What each output's weights sum to.
ROWS = W.sum(1).astype(np.int32)
SCALE = np.array([[0.5], [2], [-1], [4]], np.float32)
# Exact in f16.
HALF = np.arange(-24, 24, dtype=np.float32).reshape(2, 3, 8) / 8
TOKENS = np.array([2, 0, 3])
BYTES = np.array([[-128, 127, 3, -4, 5, -6, 7, -8], [8] * 8, [-1] * 8], np.int8)
SUMS = np.array([[2**40], [-(2**33)], [7]]) * np.ones(4, np.int64)
CLAIMED = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])[..., None] * np.eye(4)
CLAIMED = CLAIMED.reshape(8, 4)
COORDINATES = np.zeros((4, 8), np.float32)
COORDINATES[[0, 0, 1, 1, 1, 2, 3], [0, 3, 1, 5, 6, 7, 2]] = range(1, 8)
EXPERTS = np.array([[[1, 0], [0, 2], [3, 0], [0, 0]], [[0, 0], [0, 4], [5, 0], [6, 0]]])
FORMATS = np.array([[1, 0, 0, 2], [3, 9, 0, 4], [5, 0, 0, 6], [7, 0, 9, 8]], np.float32)
ALONG_N = np.array([[1, 0, 0, 2], [3, 0, 0, 4], [5, 0, 0, 6], [7, 0, 0, 8]], np.float32)
ENCODED = np.array([[1, 0, 0, 2], [0, 9, 0, 4], [0, 0, 0, 0], [7, 0, 9, 0]], np.float32)
OUTER = np.array([[1, 0, 2, 3], [4, 5, 0, 0], [0, 6, 7, 8], [0, 0, 0, 0]]).reshape(8, 2)
PACKED = np.array(
    [[1, 2, 0, 0, 0, 7, 8, 0], [0, 3, 4, 0, 9, 10, 0, 0], [0, 0, 5, 6, 11, 0, 0, 12]],
    np.float32,
)
HANDED = np.zeros((2, 8, 2), np.float32)
HANDED[0, [0, 1, 6, 7], [0, 1, 0, 1]] = [1, 2, 3, 4]
HANDED[1, [0, 1, 4, 5], [1, 0, 0, 1]] = [5, 6, 7, 8]
# k is 7: the last window of four is cut short.
SEVEN = np.array(
    [
        [1, 2, 0, 0, 3, 4, 0],
        [0, 5, 6, 0, 0, 7, 8],
        [9, 0, 0, 10, 11, 0, 12],
        [0, 0, 13, 14, 15, 16, 0],
    ],
    np.float32,
)
BOTH = np.stack([W, W2])
VECTOR = np.array([1, 0, 0, 2, 0, 3, 4, 0], np.float32)


def linear(x):
    return x @ W.T


def widened(x):
    return x.astype(np.float32)


def rounded(x):
    return x.astype(np.float16)


def unsigned(x):
    return x.astype(np.uint8).astype(np.int32)


def integers(x, type=np.int32):
    return x.astype(type) @ W.T.astype(type)


def left(x):
    return W @ x


def times(weight):
    return lambda x: x @ weight.T


def experts(x):
    return np.stack([x[0] @ W.T, x[1] @ W2.T])


def channels(x, weight=W):
    return np.einsum("nc...,kc->nk...", x, weight)


def units(n, k, unit, kept):
    """The weight of partial-window.mlir whose columns of units keep `kept`."""
    weight = np.array([[1 + (r * 7 + c * 3) % 13 for r in range(k)] for c in range(n)])
    for c in range(n):
        for r in range(k):
            weight[c, r] *= r // unit[0] in kept[c // unit[1]]
    return weight.astype(np.float32)


def vectors(x):
    return x @ units(16, 7, (1, 8), [{0, 1, 3, 4, 6}, {0, 2, 3, 4, 5, 6}]).T


def blocks(x):
    return x @ units(8, 10, (4, 4), [{0, 2}, {1, 2}]).T


# File, function, shapes (or values) of the inputs, the result in numpy.
FORMS = [
    ("linear", "transposed", [(3, 8)], linear),
    ("linear", "direct", [(3, 8)], linear),
    ("linear", "dynamic", [(5, 8), (4,)], lambda x, b: linear(x) + b),
    ("linear", "transpose_b", [(5, 8), (5, 4)], lambda x, o: linear(x)),
    ("batch", "batch", [(2, 3, 8)], linear),
    (
        "batch",
        "dynamic",
        [(2, 3, 8), np.array(2), np.array(3)],
        lambda x, b, s: linear(x),
    ),
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
    ("weight-chain", "cast", [HALVES[:, 0, :4]], lambda x: x @ CAST),
    ("weight-chain", "slice", [(3, 8)], linear),
    ("weight-chain", "tied", [(3, 8), (5, 8)], lambda x, z: (linear(x), linear(z))),
    ("element-wise", "int8_weight_only", [(3, 8)], times(W * SCALE)),
    ("element-wise", "per_tensor", [(3, 8)], times(-2 * W)),
    ("element-wise", "zero_point", [(3, 8)], times(2 * W)),
    ("element-wise", "zeros_are_values", [(3, 8)], times(np.where(W, W, -1))),
    ("element-wise", "mask", [(3, 8)], times(DENSE * (W != 0))),
    ("element-wise", "select", [(3, 8)], times(DENSE * (W != 0))),
    ("element-wise", "clamp", [(3, 8)], times(np.clip(W, -4, 4))),
    ("element-wise", "concat", [(3, 8)], linear),
    (
        "element-wise",
        "product",
        [(3, 2)],
        times(np.array([[1, 0], [0, 8], [0, 0], [3, 0]])),
    ),
    ("experts", "experts", [(2, 3, 8)], experts),
    ("experts", "one_token", [(2, 1, 8)], experts),
    ("experts", "dynamic", [(2, 5, 8), (2, 5, 4)], lambda x, o: experts(x)),
    (
        "experts",
        "middle",
        [(3, 2, 8)],
        lambda x: experts(x.swapaxes(0, 1)).swapaxes(0, 1),
    ),
    (
        "gathered",
        "experts",
        [(3, 8), np.array([1, 0, 1])],
        lambda x, e: np.einsum("mk,mnk->mn", x, BOTH[e]),
    ),
    ("gathered", "slice", [(3, 8), np.array(1)], lambda x, e: x @ BOTH[e].T),
    ("gathered", "constant_index", [(3, 8)], times(W2)),
    (
        "gathered",
        "constant_indices",
        [(3, 2, 8)],
        lambda x: np.einsum("bmk,bnk->bmn", x, BOTH[[1, 0, 1]]),
    ),
    ("concat", "stacked", [(5, 8)], times(PACKED)),
    ("concat", "side_by_side", [(5, 8)], times(PACKED)),
    ("concat", "inserted", [(5, 8)], times(PACKED)),
    (
        "concat",
        "slices",
        [(5, 8)],
        lambda x: (x @ PACKED[1:2].T, x @ W[:4:2].T),
    ),
    (
        "concat",
        "across",
        [(5, 8)],
        lambda x: (x @ np.stack([PACKED[1], W[0]]).T,) * 2,
    ),
    (
        "inline-constant-calls",
        "main",
        [(4, 8)],
        lambda x: (2 * x @ HANDED[0], 2 * x @ HANDED[1]),
    ),
    ("partial-window", "transposed", [(3, 7)], times(SEVEN)),
    ("partial-window", "direct", [(3, 7)], times(SEVEN)),
    ("partial-window", "vectors", [(3, 7)], vectors),
    ("partial-window", "blocks", [(3, 10)], blocks),
    ("convolution", "nchw", [(1, 8, 2, 3)], channels),
    ("convolution", "nchw_batch", [(2, 8, 2, 3)], channels),
    ("convolution", "nhwc", [(2, 2, 3, 8), (4,)], lambda x, b: linear(x) + b),
    ("convolution", "ncw", [(1, 8, 5), (1, 4, 5)], lambda x, o: channels(x)),
    (
        "convolution",
        "groups",
        [(1, 2, 8, 2, 3)],
        lambda x: np.stack([channels(x[:, 0]), channels(x[:, 1], W2)], 1),
    ),
    ("convolution", "stride", [(1, 8, 3, 4)], lambda x: channels(x[:, :, ::2, ::2])),
    ("accumulate", "ones", [(3, 8)], lambda x: linear(x) + 1),
    ("accumulate", "argument", [(3, 8), (3, 4)], lambda x, c: linear(x) + c),
    ("accumulate", "bias", [(3, 8), (4,)], lambda x, b: linear(x) + b),
    ("sum-of-products", "dot", [(8,)], lambda x: np.array(x @ VECTOR)),
    ("sum-of-products", "outer", [(3, 8)], linear),
    (
        "sum-of-products",
        "difference",
        [(3, 8)],
        lambda x: (x[:, None, :] - W).sum(2),
    ),
    ("fused-generic", "plain", [(2, 3, 8)], linear),
    ("fused-generic", "weight_first", [(2, 3, 8)], linear),
    ("fused-generic", "int8_weight_only", [(2, 3, 8)], times(W * SCALE)),
    ("fused-generic", "widened", [HALF], linear),
    ("fused-generic", "activation_widened", [HALF], linear),
    ("fused-generic", "widened_before", [HALF.reshape(6, 8)[:3]], linear),
    ("named-and-packed", "transpose_a", [(8, 3)], lambda x: linear(x.T)),
    ("named-and-packed", "contract", [(3, 8)], lambda x: linear(x).T),
    (
        "named-and-packed",
        "contract_reduce",
        [(3, 2, 4)],
        lambda x: linear(x.reshape(3, 8)),
    ),
    ("named-and-packed", "rank_reduced", [(3, 8)], linear),
    ("named-and-packed", "strided", [(3, 8)], linear),
    ("named-and-packed", "chunk", [(3, 8)], linear),
    ("named-and-packed", "tied_embedding", [TOKENS], lambda t: linear(W[t])),
    ("named-and-packed", "no_rows", [(0, 8)], linear),
    ("half", "accumulate_f32", [HALVES[:, 0]], lambda x: rounded(linear(widened(x)))),
    ("half", "accumulate_f16", [HALVES[:, 0]], lambda x: rounded(linear(widened(x)))),
    ("types", "i8", [BYTES[:, :4]], lambda x: x.astype(np.int32) @ COLUMN),
    ("types", "vector_i8", [BYTES[:1, :4]], lambda x: x.astype(np.int32) @ COLUMN),
    ("types", "mixed", [(3, 4)], lambda x: x @ np.abs(COLUMN)),
    (
        "types",
        "unsigned",
        [BYTES[:, :4]],
        lambda x: unsigned(x) @ unsigned(COLUMN),
    ),
    ("types", "narrow_sum", [BYTES[:, :4]], lambda x: x @ COLUMN.astype(np.int8)),
    ("types", "f64", [BYTES[:, :4] / 7], lambda x: x @ np.abs(COLUMN)),
    ("integers", "zero_point", [BYTES], lambda x: integers(x) - 5 * ROWS),
    (
        "integers",
        "zero_point_vector",
        [BYTES[:1]],
        lambda x: integers(x) + 128 * ROWS,
    ),
    (
        "integers",
        "unsigned_activation",
        [BYTES],
        lambda x: integers(unsigned(x)) - 100 * ROWS,
    ),
    (
        "integers",
        "sign_lost",
        [BYTES],
        lambda x: integers(x.astype(np.uint16).astype(np.int32)),
    ),
    ("integers", "clamped", [BYTES], lambda x: integers(x) - 3 * ROWS),
    ("integers", "scaled", [BYTES], lambda x: (integers(x) / 4).astype(np.float32)),
    ("integers", "wide", [BYTES], lambda x: integers(x, np.int64)),
    ("integers", "wide_sum", [BYTES, SUMS], lambda x, c: integers(x, np.int64) + c),
    (
        "integers",
        "narrow_shift",
        [BYTES],
        lambda x: integers((x - np.int8(5)).astype(np.int8)),
    ),
    ("import-sparse-encodings", "convert", [(3, 8)], lambda x: x @ CLAIMED),
    ("import-sparse-encodings", "constant", [(3, 8)], lambda x: x @ CLAIMED),
    ("import-sparse-encodings", "transposed", [(3, 8)], times(COORDINATES)),
    (
        "import-sparse-encodings",
        "two_users",
        [(3, 8), (3, 8)],
        lambda x, z: (x @ CLAIMED, z @ CLAIMED),
    ),
    ("import-sparse-encodings", "experts", [(2, 3, 4)], lambda x: x @ EXPERTS),
    ("import-sparse-encodings", "along_n", [(3, 4)], lambda x: x @ ALONG_N),
    (
        "import-sparse-encodings",
        "formats",
        [(4, 4)],
        lambda x: x @ np.linalg.matrix_power(FORMATS, 4),
    ),
    ("import-sparse-encodings", "activation", [(4, 4)], lambda x: x @ (ENCODED + 1)),
    (
        "import-sparse-encodings",
        "outer_k",
        [(3, 4, 2), (3, 2)],
        lambda x, c: x.reshape(3, 8) @ OUTER + c,
    ),
]


def run(source, scratch, device, function, inputs, results):
    """Returns what went wrong, or nothing."""
    command = ["nm-run", str(source), f"--device={device}", f"--entry={function}"]
    for option, arrays in [("input", inputs), ("expect", results)]:
        for i, array in enumerate(arrays):
            path = scratch / f"{source.stem}.{function}.{option}{i}.npy"
            np.save(path, np.asarray(array, order="C"))
            command.append(f"--{option}={path}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode == 0:
        return ""
    return f"exit {done.returncode}: " + (done.stdout + done.stderr).strip()


def find_source(tests, file):
    """The one test called `file`."""
    (source,) = (p for f in FOLDERS if (p := tests / f / f"{file}.mlir").exists())
    return source


def main():
    tests, scratch = map(pathlib.Path, sys.argv[1:3])
    device = sys.argv[3]
    scratch.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    failures = 0
    for file, function, shapes, compute in FORMS:
        inputs = [
            (
                rng.standard_normal(shape).astype(np.float32)
                if isinstance(shape, tuple)
                else shape
            )
            for shape in shapes
        ]
        results = compute(*inputs)
        results = results if isinstance(results, tuple) else (results,)
        problem = run(
            find_source(tests, file), scratch, device, function, inputs, results
        )
        if problem:
            print(f"FAILED {file}.mlir @{function}: {problem[-400:]}")
            failures += 1
    print(f"seed {SEED}, {device}: {len(FORMS)} forms, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes a module that returns transposed constants, and checks what it returned.

usage: transposed-constants.py FOLDER [RESULTS...]
"""

import json
import pathlib
import sys

import numpy as np

# Element type of MLIR, of safetensors and of numpy, shape, permutation. More elements
# than a square that is moved together, and fewer.
CASES = [
    ("f32", "F32", "f4", (70, 130), (1, 0)),
    ("f16", "F16", "f2", (66, 65), (1, 0)),
    ("i8", "I8", "i1", (3, 200), (1, 0)),
    ("i64", "I64", "i8", (129, 64), (1, 0)),
    ("complex<f32>", "C64", "c8", (65, 10), (1, 0)),
    ("complex<f64>", "F64", "c16", (9, 70), (1, 0)),
    ("f64", "F64", "f8", (5, 7, 66, 3), (2, 0, 3, 1)),
    ("f32", "F32", "f4", (4, 70, 66), (0, 2, 1)),
    ("f32", "F32", "f4", (4, 70, 66), (2, 1, 0)),
    ("f32", "F32", "f4", (0, 5), (1, 0)),
]


def make_arrays():
    random = np.random.default_rng(20261122)
    for _, _, dtype, shape, _ in CASES:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        data = random.integers(0, 60, size, dtype=np.uint8)  # no NaN
        yield data.view(dtype).reshape(shape)


def write(folder):
    header, data, types, body, names = {}, b"", [], [], []
    for i, ((element, stored, _, shape, order), array) in enumerate(
        zip(CASES, make_arrays())
    ):
        begin, data = len(data), data + array.tobytes()
        extents = [*shape, *([2] if element == "complex<f64>" else [])]
        header[f"w{i}"] = {
            "dtype": stored, "shape": extents, "data_offsets": [begin, len(data)]
        }
        moved = [shape[axis] for axis in order]
        of = "x".join([*map(str, shape), element])
        to = "x".join([*map(str, moved), element])
        value = f"dense_resource<w{i}>" if array.size else "dense<>"
        body += [
            f"  %w{i} = arith.constant {value} : tensor<{of}>",
            f"  %e{i} = tensor.empty() : tensor<{to}>",
            f"  %t{i} = linalg.transpose ins(%w{i} : tensor<{of}>) "
            f"outs(%e{i} : tensor<{to}>) permutation = {list(order)}",
        ]
        types.append(f"tensor<{to}>")
        names.append(f"%t{i}")
    text = f"func.func @main() -> ({', '.join(types)}) {{\n" + "\n".join(body)
    text += f"\n  return {', '.join(names)} : {', '.join(types)}\n}}\n"
    (folder / "model.mlir").write_text(text)
    described = json.dumps(header).encode()
    (folder / "w.safetensors").write_bytes(
        len(described).to_bytes(8, "little") + described + data
    )


def check(folder):
    for i, ((_, _, _, _, order), array) in enumerate(zip(CASES, make_arrays())):
        actual, expected = np.load(folder / f"{i}.npy"), array.transpose(order)
        assert actual.dtype == expected.dtype, (i, actual.dtype)
        assert actual.shape == expected.shape, (i, actual.shape)
        assert actual.tobytes() == np.ascontiguousarray(expected).tobytes(), i


def main():
    folder = pathlib.Path(sys.argv[1])
    if len(sys.argv) == 2:
        write(folder)
    for name in sys.argv[2:]:
        check(folder / name)


if __name__ == "__main__":
    main()

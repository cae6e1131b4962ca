"""Writes a module that transposes its arguments, runs it, and compares bits with numpy.

usage: transposes.py FOLDER [PIPELINE-OPTIONS]
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

# Type of MLIR and of numpy, shape, permutation: whole tiles and tails, rows of whole words
# and others, elements of each size, matrices one after the other, groups of dimensions.
CASES = [
    ("f32", "f4", (64, 96), (1, 0)),
    ("f32", "f4", (33, 71), (1, 0)),
    ("f16", "f2", (128, 64), (1, 0)),
    ("f16", "f2", (66, 70), (1, 0)),
    ("f16", "f2", (65, 70), (1, 0)),
    ("i8", "i1", (132, 260), (1, 0)),
    ("i8", "i1", (33, 35), (1, 0)),
    ("i64", "i8", (33, 40), (1, 0)),
    ("f32", "f4", (3, 40, 50), (0, 2, 1)),
    ("f32", "f4", (40, 5, 9), (1, 2, 0)),
    ("i16", "i2", (2, 34, 3, 36), (0, 2, 3, 1)),
    ("f16", "f2", (1, 5, 40, 36), (1, 3, 0, 2)),
    ("f32", "f4", (40, 3), (1, 0)),
    ("f16", "f2", (2, 3, 700), (0, 2, 1)),
    ("i8", "i1", (600, 24), (1, 0)),
    ("i64", "i8", (7, 300), (1, 0)),
    ("f16", "f2", (2, 301, 10), (0, 2, 1)),
    ("f32", "f4", (2, 33, 3, 40), (0, 2, 1, 3)),
]
TILED = 17  # the first ones, of these
WHOLE = (0, 2)  # whose tiles are whole, of whole words


def make_module():
    types, arguments, body, names = [], [], [], []
    for i, (element, _, shape, order) in enumerate(CASES):
        of = "x".join([*map(str, shape), element])
        to = "x".join([*(str(shape[axis]) for axis in order), element])
        arguments.append(f"%a{i}: tensor<{of}>")
        types.append(f"tensor<{to}>")
        names.append(f"%t{i}")
        body += [
            f"  %e{i} = tensor.empty() : tensor<{to}>",
            f"  %t{i} = linalg.transpose ins(%a{i} : tensor<{of}>) "
            f"outs(%e{i} : tensor<{to}>) permutation = {list(order)}",
        ]
    return "\n".join([
        f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{", *body,
        f"  return {', '.join(names)} : {', '.join(types)}", "}", ""])


def check_accesses(launches):
    """Tiles have no bank conflicts, and whole tiles move whole lines."""
    tiled = [one["counters"] for one in launches if one["counters"]["shared"]]
    assert len(tiled) == (TILED if len(sys.argv) == 2 else 0), len(tiled)
    for i, counters in enumerate(tiled):
        for access in counters["shared"]:
            assert access["bankConflicts"] == 0, (i, access)
        for access in counters["global"]:
            assert i not in WHOLE or access["sectors"] == 4 * access["requests"], (i, access)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.mlir").write_text(make_module())
    random = np.random.default_rng(20261123)
    command = ["nm-run", folder / "model.mlir", "--device=emulator",
               f"--output-dir={folder}", f"--counters={folder / 'counters.json'}"]
    arrays = []
    for i, (_, dtype, shape, _) in enumerate(CASES):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        # No NaN, whatever the type.
        arrays.append(random.integers(0, 60, size, np.uint8).view(dtype).reshape(shape))
        np.save(folder / f"a{i}.npy", arrays[i])
        command.append(f"--input={folder / f'a{i}.npy'}")
    if len(sys.argv) > 2:
        command.append(f"--pipeline-options={sys.argv[2]}")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for i, (array, (_, _, _, order)) in enumerate(zip(arrays, CASES)):
        actual, expected = np.load(folder / f"{i}.npy"), array.transpose(order)
        assert actual.shape == expected.shape, (i, actual.shape)
        assert actual.tobytes() == np.ascontiguousarray(expected).tobytes(), i
    check_accesses(json.loads((folder / "counters.json").read_text()))


if __name__ == "__main__":
    main()

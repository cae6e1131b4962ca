"""Writes products whose results are parts of one tensor, side by side and one above the other;
A, and what numpy computes of it.

usage: joined.py FOLDER [EXTENT OF A PART...]
"""

import pathlib
import sys

import numpy as np

M, K, KEEP, WINDOW = 20, 64, 2, 4

PART = """
  %w{i} = nm.constant {{values = dense<"0x{values}"> : tensor<{rows}x{n}xf32>,
                        indices = dense<"0x{indices}"> : tensor<{rows}x{n}xi8>}}
    : !nm.condensed<{k}x{n}xf32, #nm.pattern<2:4>>
  %e{i} = tensor.empty() : tensor<{m}x{n}xf32>
  %c{i} = nm.spmm %a, %w{i} outs(%e{i} : tensor<{m}x{n}xf32>)
    : tensor<{m}x{k}xf32>, !nm.condensed<{k}x{n}xf32, #nm.pattern<2:4>> -> tensor<{m}x{n}xf32>
"""


def make_part(random, i, n):
    """The text of a product, and its weight."""
    rows = K // WINDOW * KEEP
    order = random.random((K // WINDOW, WINDOW, n)).argsort(1)[:, :KEEP]
    indices = np.sort(order, 1).reshape(rows, n).astype(np.int8)
    values = random.standard_normal((rows, n)).astype(np.float32)
    weight = np.zeros((K, n))
    for row in range(rows):
        weight[row // KEEP * WINDOW + indices[row], np.arange(n)] = values[row]
    text = PART.format(i=i, m=M, n=n, k=K, rows=rows, values=values.tobytes().hex(),
                       indices=indices.tobytes().hex())
    return text, weight


def join(count, shape, offset_of, size_of):
    """The text that inserts parts into an empty tensor of `shape`, and returns it."""
    kind = f"tensor<{shape[0]}x{shape[1]}xf32>"
    lines = [f"  %j0 = tensor.empty() : {kind}"]
    for i in range(count):
        (y, x), (h, w) = offset_of(i), size_of(i)
        lines.append(f"  %j{i + 1} = tensor.insert_slice %c{i} into %j{i}[{y}, {x}] [{h}, {w}] [1, 1]"
                     f" : tensor<{h}x{w}xf32> into {kind}")
    return "\n".join(lines) + f"\n  return %j{count} : {kind}\n"


def write(folder, name, parts, shape, joined):
    kind = f"tensor<{shape[0]}x{shape[1]}xf32>"
    text = f"func.func @main(%a: tensor<{M}x{K}xf32>) -> {kind} {{\n{''.join(parts)}{joined}}}\n"
    (folder / f"{name}.mlir").write_text(text)


def main(folder, extents):
    random = np.random.default_rng(20261125)
    a = random.standard_normal((M, K)).astype(np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "a.npy", a)
    beside = [make_part(random, i, n) for i, n in enumerate(extents)]
    first = np.cumsum([0, *extents]).tolist()
    shape = (M, first[-1])
    write(folder, "beside", [text for text, _ in beside], shape,
          join(len(extents), shape, lambda i: (0, first[i]), lambda i: (M, extents[i])))
    np.save(folder / "beside.npy",
            (a.astype(np.float64) @ np.hstack([w for _, w in beside])).astype(np.float32))
    n = extents[0]
    above = [make_part(random, i, n) for i in range(len(extents))]
    shape = (M * len(extents), n)
    write(folder, "above", [text for text, _ in above], shape,
          join(len(extents), shape, lambda i: (M * i, 0), lambda i: (M, n)))
    np.save(folder / "above.npy",
            np.vstack([a.astype(np.float64) @ w for _, w in above]).astype(np.float32))


main(pathlib.Path(sys.argv[1]), [int(word) for word in sys.argv[2:]])

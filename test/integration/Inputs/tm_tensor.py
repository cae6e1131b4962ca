"""Runs every op of tm_tensor on a device, against numpy.

usage: tm_tensor.py DIRECTORY DEVICE

Each case is a function; its module, inputs and expected results are written to
DIRECTORY. Sizes reach from 0 over one element and one run of a sort to several
merges, static and dynamic.
"""

import pathlib
import subprocess
import sys

import numpy as np

SEED = 11
MLIR_TYPES = {"float32": "f32", "float64": "f64", "float16": "f16"}
MLIR_TYPES |= {"int64": "i64", "int32": "i32", "int8": "i8", "bool": "i1"}


def type_of(array, dynamic=False):
    sizes = ["?" if dynamic else str(n) for n in array.shape]
    return f"tensor<{'x'.join([*sizes, MLIR_TYPES[array.dtype.name]])}>"


class Case:
    """One op on `ins` and `outs`, whose first results are `expected`."""

    def __init__(self, name, head, ins, outs, expected, region="", dynamic=False):
        self.name, self.inputs, self.expected = name, [*ins, *outs], expected
        types = [type_of(a, dynamic) for a in self.inputs]
        # The depth of indices is always known.
        if "scatter" in head and dynamic:
            types[1] = f"tensor<?x{ins[1].shape[1]}xi64>"
        names = [f"%a{i}" for i in range(len(types))]

        def group(word, first, last):
            if first == last:
                return ""
            values, kinds = names[first:last], types[first:last]
            return f" {word}({', '.join(values)} : {', '.join(kinds)})"

        results = types[len(ins) :]
        count = f":{len(results)}" if len(results) > 1 else ""
        arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types))
        kept = results[: len(expected)]
        returned = ", ".join(f"%r#{i}" if count else "%r" for i in range(len(kept)))
        self.module = f"""func.func @main({arguments}) -> ({", ".join(kept)}) {{
  %r{count} = tm_tensor.{head}{group("ins", 0, len(ins))}{group("outs", len(ins), len(names))} {region} -> {", ".join(results)}
  return {returned} : {", ".join(kept)}
}}
"""

    def run(self, directory, device):
        directory = directory / self.name
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "m.mlir").write_text(self.module)
        command = ["nm-run", str(directory / "m.mlir"), f"--device={device}"]
        for option, arrays in [("input", self.inputs), ("expect", self.expected)]:
            for i, array in enumerate(arrays):
                np.save(directory / f"{option}{i}.npy", array)
                command.append(f"--{option}={directory / option}{i}.npy")
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        good = done.stdout.count(": ok\n") == len(self.expected)
        if done.returncode == 0 and good:
            return True
        print(f"FAILED {self.name}:\n{self.module}{done.stdout}{done.stderr}")
        return False


def binary_region(kind, op):
    return f"""{{
  ^bb0(%x: {kind}, %y: {kind}):
    %z = {op} %x, %y : {kind}
    tm_tensor.yield %z : {kind}
  }}"""


def scans(rng):
    for shape, dim in [((2, 16), 1), ((7,), 0), ((5, 1), 1), ((3, 0), 1), ((4, 3, 5), 1)]:
        for inclusive in [True, False]:
            x = rng.integers(-9, 9, shape)
            acc_shape = shape[:dim] + shape[dim + 1 :]
            acc = rng.integers(-9, 9, acc_shape)
            sums = np.cumsum(x, axis=dim)
            if not inclusive:
                sums = sums - x + np.expand_dims(acc, dim)
            last = np.take(sums, -1, axis=dim) if shape[dim] else acc
            yield Case(
                f"scan_{'x'.join(map(str, shape))}_{inclusive}",
                f"scan dimension({dim}) inclusive({str(inclusive).lower()})",
                [x],
                [np.zeros_like(x), acc],
                [sums, last],
                binary_region("i64", "arith.addi"),
                dynamic=len(shape) == 2,
            )
    x = rng.standard_normal((3, 40)).astype(np.float32)
    product = np.cumprod(x.astype(np.float64), axis=1).astype(np.float32)
    yield Case(
        "scan_product",
        "scan dimension(1) inclusive(true)",
        [x],
        [np.zeros_like(x), np.zeros(3, np.float32)],
        [product, product[:, -1]],
        binary_region("f32", "arith.mulf"),
    )


def scatters(rng):
    replace = """{
  ^bb0(%x: f32, %y: f32):
    tm_tensor.yield %x : f32
  }"""
    add = binary_region("f32", "arith.addf")
    original = rng.standard_normal((6, 5, 4)).astype(np.float32)
    # Whole rows, each once.
    rows = rng.standard_normal((3, 5, 4)).astype(np.float32)
    at = np.array([[4], [0], [3]])
    expected = original.copy()
    expected[at[:, 0]] = rows
    head = "scatter {{dimension_map = array<i64: {}>}} unique_indices({})"
    for dynamic in [False, True]:
        yield Case(
            f"scatter_rows_{dynamic}",
            head.format("0", "true"),
            [rows, at],
            [original],
            [expected],
            replace,
            dynamic,
        )
    # Rows that meet: in order, the last one wins; or they are added.
    at = np.array([[4], [0], [4]])
    expected = original.copy()
    for i, row in zip(at[:, 0], rows):
        expected[i] = row
    yield Case(
        "scatter_last", head.format("0", "false"), [rows, at], [original], [expected], replace
    )
    # Many that meet, though the op says that none do, as torch-mlir writes it.
    values = rng.standard_normal(700).astype(np.float32)
    elements = np.stack([rng.integers(0, n, 700) for n in (6, 5, 4)], axis=1)
    expected = original.copy()
    for place, value in zip(elements, values):
        expected[tuple(place)] = value
    for dynamic in [False, True]:
        yield Case(
            f"scatter_called_unique_{dynamic}",
            head.format("0, 1, 2", "true"),
            [values, elements],
            [original],
            [expected],
            replace,
            dynamic,
        )
    expected = original.copy()
    np.add.at(expected, at[:, 0], rows)
    yield Case(
        "scatter_add", head.format("0", "false"), [rows, at], [original], [expected], add, True
    )
    # Elements, with the coordinates of the indices exchanged.
    values = rng.standard_normal(50).astype(np.float32)
    at = np.stack([rng.integers(0, n, 50) for n in (4, 5, 6)], axis=1)
    expected = original.copy()
    np.add.at(expected, (at[:, 2], at[:, 1], at[:, 0]), values)
    yield Case(
        "scatter_elements", head.format("2, 1, 0", "false"), [values, at], [original], [expected], add
    )
    # Blocks that an index moves and that overlap.
    blocks = rng.standard_normal((3, 2, 5, 4)).astype(np.float32)
    at = np.array([[0], [1], [4]])
    expected = original.copy()
    for i, block in zip(at[:, 0], blocks):
        expected[i : i + 2] = block
    for unique in ["false", "true"]:
        yield Case(
            f"scatter_blocks_{unique}",
            head.format("0", unique),
            [blocks, at],
            [original],
            [expected],
            replace,
        )
    yield Case(
        "scatter_nothing",
        head.format("0", "false"),
        [rows[:0], at[:0]],
        [original],
        [original],
        replace,
        True,
    )


def pair_region(predicate):
    return f"""{{
  ^bb0(%i: i64, %j: i64, %x: f32, %y: f32):
    %c = arith.cmpf {predicate}, %x, %y : f32
    tm_tensor.yield %c : i1
  }}"""


def sorts(rng):
    def expect(keys, dim, descending):
        # Stable, NaN largest; of a reversed array the last is the first.
        order = np.argsort(keys, axis=dim, kind="stable")
        if descending:
            order = np.argsort(np.flip(keys, dim), axis=dim, kind="stable")
            order = np.flip(keys.shape[dim] - 1 - order, dim)
        # nm-run takes a NaN for wrong even where one is expected.
        if np.isnan(keys).any():
            return [order]
        return [order, np.take_along_axis(keys, order, dim)]

    predicates = [("oge", True), ("ogt", True), ("ole", False), ("olt", False)]
    shapes = [((10, 4), 1), ((33,), 0), ((3, 200), 1), ((64, 2), 0), ((0,), 0)]
    shapes += [((2, 0), 1), ((1, 1), 1), ((1000,), 0), ((2, 130, 3), 1)]
    for number, (shape, dim) in enumerate(shapes):
        predicate, descending = predicates[number % 4]
        keys = rng.integers(-20, 20, shape).astype(np.float32)
        if number % 2:
            keys = np.where(rng.random(shape) < 0.1, np.float32(np.nan), keys)
        places = np.broadcast_to(
            np.arange(shape[dim]).reshape([-1 if i == dim else 1 for i in range(len(shape))]),
            shape,
        )
        yield Case(
            f"sort_{number}",
            f"sort dimension({dim})",
            [],
            [np.ascontiguousarray(places), keys],
            expect(keys, dim, descending),
            pair_region(predicate),
            dynamic=number % 3 == 1,
        )
    keys = rng.integers(-99, 99, (3, 70)).astype(np.int32)
    yield Case(
        "sort_integers",
        "sort dimension(1)",
        [],
        [keys],
        [np.sort(keys, axis=1)],
        """{
  ^bb0(%x: i32, %y: i32):
    %c = arith.cmpi sle, %x, %y : i32
    tm_tensor.yield %c : i1
  }""",
    )


def topks(rng):
    for dynamic in [False, True]:
        x = rng.integers(-9, 9, (6, 20)).astype(np.float32)
        x[1, [3, 17]] = x[4, 2:19] = np.nan  # larger than everything
        keys = np.where(np.isnan(x), -np.inf, -x)
        order = np.argsort(keys, axis=1, kind="stable")[:, :5].astype(np.int32)
        start = [np.full((6, 5), -np.inf, np.float32), np.zeros((6, 5), np.int32)]
        region = """{
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %y : f32
    tm_tensor.yield %c : i1
  }"""
        values = np.take_along_axis(x, order, 1)
        yield Case(
            f"topk_{dynamic}", "topk dimension(1)", [x], start, [values, order], region, dynamic
        )
        given = (100 - np.arange(120).reshape(6, 20)).astype(np.int32)
        picked = np.lexsort((given, keys), axis=1)[:, :5]
        yield Case(
            f"topk_indices_{dynamic}",
            "topk dimension(1)",
            [x, given],
            [start[0], np.full((6, 5), 1000, np.int32)],
            [np.take_along_axis(x, picked, 1), np.take_along_axis(given, picked, 1)],
            region,
            dynamic,
        )


def attentions(rng):
    def softmax_product(q, k, v, scale, mask):
        q, k, v = (t.astype(np.float64) for t in (q, k, v))
        logits = q @ np.swapaxes(k, -1, -2) * scale
        if mask is not None:
            logits = np.where(mask, logits, -np.inf) if mask.dtype == bool else logits + mask
        largest = logits.max(-1, keepdims=True)
        weights = np.exp(logits - np.where(np.isinf(largest), 0, largest))
        sums = weights.sum(-1, keepdims=True)
        return np.where(sums == 0, 0, weights @ v / np.where(sums == 0, 1, sums))

    for number, (batch, kind) in enumerate(
        [((3,), "float32"), ((2, 2), "float16"), ((), "float32"), ((2,), "float32")]
    ):
        q, k, v = (
            rng.standard_normal((*batch, *shape)).astype(kind)
            for shape in [(6, 8), (9, 8), (9, 5)]
        )
        mask = None
        if number % 2:
            mask = rng.random((*batch, 6, 9)) < 0.5
            mask[..., 2, :] = False
            if number == 3:
                mask = np.where(mask, rng.standard_normal(mask.shape), -np.inf)
                mask = mask.astype(kind)
        scale = 0.25 if number < 2 else None
        expected = softmax_product(q, k, v, scale or 8**-0.5, mask).astype(kind)
        attribute = "" if scale is None else " {scale = 0.25 : f64}"
        inputs = [q, k, v] + ([] if mask is None else [mask])
        yield Case(
            f"attention_{number}",
            f"attention{attribute}",
            inputs,
            [np.zeros_like(expected)],
            [expected],
            dynamic=number == 3,
        )


def main():
    directory, device = pathlib.Path(sys.argv[1]), sys.argv[2]
    rng = np.random.default_rng(SEED)
    makers = [scans, scatters, sorts, topks, attentions]
    cases = [case for maker in makers for case in maker(rng)]
    wrong = [case.name for case in cases if not case.run(directory, device)]
    print(f"seed {SEED}: {len(cases)} cases on {device}, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

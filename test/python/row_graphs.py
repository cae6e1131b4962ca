"""Random graphs of reductions and of what is computed element by element around them, as
linalg on tensors, with what numpy gives for them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import math

import numpy as np

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
# Relative to the largest number of a result, by the narrowest type on the way to it: sums
# are added in another order, and rounded after each op.
TOLERANCES = {"f16": 2e-2, "f32": 1e-4, "f64": 1e-10}
# Extents of dimensions: of one element, odd, a multiple of 16 bytes, more than a warp, and
# more than a block keeps in registers.
ROWS = (1, 2, 3, 5, 8, 48)
ELEMENTS = (1, 3, 16, 33, 96, 384, 1031, 4096)
LONG = 20000


@dataclasses.dataclass
class Value:
    """A value of the graph: its name, elements, their type, and the tolerance."""

    name: str
    array: np.ndarray
    element: str
    tolerance: float
    extents: list  # as text, of dimensions that are only known in the call as ?
    sizes: list  # the names of the dimensions that are only known in the call

    @property
    def type(self):
        return f"tensor<{'x'.join(self.extents)}x{self.element}>"

    @property
    def empty(self):
        return f"tensor.empty({', '.join(self.sizes)}) : {self.type}"


UNARY = {
    "negf": (lambda x: -x, "arith.negf %a : {t}"),
    "absf": (np.abs, "math.absf %a : {t}"),
    "tanh": (np.tanh, "math.tanh %a : {t}"),
    "square": (lambda x: x * x, "arith.mulf %a, %a : {t}"),
}
BINARY = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
}
REDUCTIONS = {
    "addf": (np.add, "0.0"),
    "maximumf": (np.maximum, None),
    "minimumf": (np.minimum, None),
}
BOUNDS = {"f16": 60000.0, "f32": 3e38, "f64": 1e308}


class Graph:
    """The text of a function and its inputs and results. Some dimensions may be dynamic."""

    def __init__(self, seed, is_dynamic=False):
        self.random = np.random.default_rng(seed)
        self.lines, self.inputs, self.values = [], [], []
        rank = int(self.random.integers(2, 4))
        self.shape = [int(self.random.choice(ROWS)) for _ in range(rank - 1)]
        last = int(self.random.choice(ELEMENTS))
        # Where rows are long there are few.
        if self.random.random() < 0.1:
            self.shape, last = [2] * (rank - 1), LONG
        self.shape.append(last)
        # Chosen by other numbers, so that the graph is the static one.
        choose = np.random.default_rng(seed + 1).random
        self.dynamic = [is_dynamic and n != 1 and choose() < 0.6 for n in self.shape]
        for i, _ in enumerate(self.shape):
            self.lines += [f"%i{i} = arith.constant {i} : index"]
        for _ in range(int(self.random.integers(1, 4))):
            self._add_input()
        for _ in range(int(self.random.integers(3, 10))):
            self._add_op()
        count = min(len(self.values) - len(self.inputs), int(self.random.integers(1, 3)))
        last = [self.values[-1]]
        others = self.values[len(self.inputs) : -1]
        if count > 1 and others:
            last.append(others[int(self.random.integers(len(others)))])
        self.results = [self._maybe_transpose(one) for one in last]
        if self.random.random() < 0.2:
            self.results.append(last[0])

    def _add_input(self):
        # Some inputs have one element along some dimensions, as biases and masks do.
        shape = [n if self.random.random() < 0.8 else 1 for n in self.shape]
        if not self.inputs:
            shape = self.shape
        element = str(self.random.choice(list(TYPES)))
        array = self.random.standard_normal(shape).astype(TYPES[element])
        if self.random.random() < 0.15:
            some = self.random.random(shape) < 0.1
            array[some] = self.random.choice([np.nan, np.inf, -np.inf, -0.0], some.sum())
        value = Value(f"%in{len(self.inputs)}", array, element, TOLERANCES[element],
                      *self._describe(array, range(len(shape))))
        if not self.inputs:  # the one that is whole
            self.lines += [f"%n{i} = tensor.dim {value.name}, %i{i} : {value.type}"
                           for i, _ in enumerate(shape)]
        self.inputs.append(value)
        self.values.append(value)

    def _describe(self, array, order):
        """The extents of an array whose dimensions are these of the graph's, and sizes."""
        of_call = [self.dynamic[dim] and n == self.shape[dim]
                   for dim, n in zip(order, array.shape)]
        extents = ["?" if dynamic else str(n) for dynamic, n in zip(of_call, array.shape)]
        return extents, [f"%n{dim}" for dynamic, dim in zip(of_call, order) if dynamic]

    def _choose(self):
        return self.values[int(self.random.integers(len(self.values)))]

    def _define(self, array, element, *of, order=None):
        tolerance = max(TOLERANCES[element], *(one.tolerance for one in of))
        array = array.astype(TYPES[element])
        value = Value(f"%v{len(self.values)}", array, element, tolerance,
                      *self._describe(array, order or range(len(self.shape))))
        self.values.append(value)
        return value

    def _generic(self, inputs, output, body, reduced=(), init=None):
        """Appends a linalg.generic over the extents that the operands have together."""
        names = [f"d{i}" for i in range(len(self.shape))]
        kinds = ['"reduction"' if i in reduced else '"parallel"' for i in range(len(names))]
        extents = np.broadcast_shapes(*(one.array.shape for one in inputs))
        maps = []
        for value in (*inputs, output):
            places = []
            for i, (n, whole) in enumerate(zip(value.array.shape, extents)):
                is_unit = n == 1 and (whole != 1 or (i in reduced and value is output))
                places.append("0" if is_unit else names[i])
            maps.append(f"affine_map<({', '.join(names)}) -> ({', '.join(places)})>")
        number = len(self.lines)
        self.lines.append(f"%e{number} = {output.empty}")
        out = f"%e{number}"
        if init is not None:
            self.lines.append(f"%c{number} = arith.constant {init} : {output.element}")
            self.lines.append(
                f"%f{number} = linalg.fill ins(%c{number} : {output.element}) "
                f"outs({out} : {output.type}) -> {output.type}"
            )
            out = f"%f{number}"
        arguments = [f"%{letter}: {one.element}" for letter, one in zip("ab", inputs)]
        self.lines.append(
            f"{output.name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{', '.join(kinds)}]}} "
            f"ins({', '.join(one.name for one in inputs)} : "
            f"{', '.join(one.type for one in inputs)}) outs({out} : {output.type}) {{\n"
            f"  ^bb0({', '.join([*arguments, f'%o: {output.element}'])}):\n"
            f"    %r = {body}\n    linalg.yield %r : {output.element}\n"
            f"  }} -> {output.type}"
        )

    def _maybe_transpose(self, value):
        """The value, or it in another order of dimensions, as products want theirs."""
        if self.random.random() < 0.5:
            return value
        order = [int(i) for i in self.random.permutation(len(self.shape))]
        result = self._define(value.array.transpose(order), value.element, value, order=order)
        number = len(self.lines)
        self.lines.append(f"%e{number} = {result.empty}")
        self.lines.append(
            f"{result.name} = linalg.transpose ins({value.name} : {value.type}) "
            f"outs(%e{number} : {result.type}) permutation = {order}"
        )
        return result

    def _add_op(self):
        kind = self.random.choice(["unary", "binary", "cast", "reduce", "reduce"])
        getattr(self, f"_add_{kind}")()

    def _add_unary(self):
        value = self._choose()
        compute, text = UNARY[str(self.random.choice(list(UNARY)))]
        result = self._define(compute(value.array), value.element, value)
        self._generic([value], result, text.format(t=value.element))

    def _add_binary(self):
        a, b = self._choose(), self._choose()
        if a.element != b.element:
            b = self._cast(b, a.element)
        name = str(self.random.choice(list(BINARY)))
        result = self._define(BINARY[name](a.array, b.array), a.element, a, b)
        self._generic([a, b], result, f"arith.{name} %a, %b : {a.element}")

    def _add_cast(self):
        self._cast(self._choose(), str(self.random.choice(list(TYPES))))

    def _cast(self, value, element):
        if value.element == element:
            return value
        wide = TYPES[element]().itemsize > TYPES[value.element]().itemsize
        result = self._define(value.array, element, value)
        op = "extf" if wide else "truncf"
        self._generic([value], result, f"arith.{op} %a : {value.element} to {element}")
        return result

    def _add_reduce(self):
        value = self._choose()
        rank = len(self.shape)
        # The last dimension mostly, or others, or several.
        dims = [rank - 1]
        if self.random.random() < 0.3:
            dims = [i for i in range(rank) if self.random.random() < 0.5] or [0]
        name = str(self.random.choice(list(REDUCTIONS)))
        compute, init = REDUCTIONS[name]
        bound = BOUNDS[value.element]
        if init is None:
            init = f"{-bound if name == 'maximumf' else bound:e}"
        wide = value.array.astype(np.float64)
        array = compute.reduce(wide, axis=tuple(dims), keepdims=True, initial=float(init))
        if name == "addf":  # so that numbers stay small
            array = array / math.sqrt(np.prod([value.array.shape[i] for i in dims]))
        result = self._define(array, value.element, value)
        if name != "addf":
            self._generic([value], result, f"arith.{name} %a, %o : {value.element}",
                          dims, init)
            return
        total = dataclasses.replace(result, name=f"{result.name}s")
        self._generic([value], total, f"arith.addf %a, %o : {value.element}", dims, init)
        scale = 1 / math.sqrt(np.prod([value.array.shape[i] for i in dims]))
        number = len(self.lines)
        self.lines.append(f"%k{number} = arith.constant {scale:.17e} : {value.element}")
        self._generic([total], result, f"arith.mulf %a, %k{number} : {value.element}")

    def write(self):
        arguments = ", ".join(f"{one.name}: {one.type}" for one in self.inputs)
        results = ", ".join(one.type for one in self.results)
        body = "\n  ".join(self.lines)
        names = ", ".join(one.name for one in self.results)
        return (f"func.func @main({arguments}) -> ({results}) {{\n  {body}\n"
                f"  return {names} : {results}\n}}\n")

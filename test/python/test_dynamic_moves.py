"""Transpositions and other orders of arrays of dynamic extents, in the emulator against numpy."""

import numpy as np
import pytest
from conftest import need

need("ml_dtypes")

import ml_dtypes  # noqa: E402

import nm  # noqa: E402
from nm.runtime.compiler import compile_program  # noqa: E402

SEED = 20261130
TYPES = {"i8": np.int8, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
         "f64": np.float64}

# (extents, of which None is dynamic; order; extents of calls): whole words of each type and
# others, no elements, one row or column, whole tiles and parts of them.
MOVES = [
    ((None, None), (1, 0), [(64, 132), (65, 33), (1, 70), (70, 1), (0, 5)]),
    ((None, 64), (1, 0), [(130,), (33,), (1,)]),
    ((96, None), (1, 0), [(68,), (31,)]),
    ((None, None, 2, 34), (0, 2, 3, 1), [(2, 36), (3, 35), (1, 1), (0, 3)]),
    ((None, 3, None, 32), (0, 1, 3, 2), [(2, 64), (1, 33)]),
    ((None, 1, None, 40), (3, 0, 1, 2), [(2, 17), (1, 33)]),
    ((None, None, 3, 40), (0, 2, 1, 3), [(2, 5), (1, 1), (3, 0)]),
    ((None, None, 3, None), (0, 2, 1, 3), [(2, 5, 40), (1, 7, 9), (3, 4, 1)]),
    ((None, None, None), (2, 1, 0), [(3, 5, 33), (34, 2, 1)]),
    # Few rows or columns: as many as a colour has, whole words and others, of tiles and parts.
    ((None, None, None, 3), (0, 3, 1, 2), [(2, 5, 7), (1, 40, 33), (2, 64, 40), (1, 1, 1)]),
    ((None, 3, None, None), (0, 2, 3, 1), [(2, 5, 7), (1, 40, 33), (2, 64, 40), (0, 4, 4)]),
    ((None, 16), (1, 0), [(700,), (33,)]),
    ((None, None, None, None), (0, 3, 1, 2),
     [(2, 5, 7, 3), (1, 40, 33, 4), (2, 64, 40, 31), (1, 30, 2, 30), (2, 33, 40, 1), (3, 0, 2, 2)]),
    ((None, None, None, None), (0, 2, 3, 1),
     [(2, 3, 5, 7), (1, 4, 40, 33), (2, 31, 64, 40), (1, 30, 30, 2), (2, 1, 33, 40), (3, 2, 0, 2)]),
    ((31, None), (1, 0), [(700,), (67,)]),
    ((40, 35, 4), (0, 2, 1), [()]),
    ((3, 30, 40), (1, 2, 0), [()]),
    # Layouts with an innermost dimension that is no vectors, shorter than one, and longer.
    ((None, None, None, 3), (0, 2, 1, 3), [(3, 17, 50), (1, 5, 1)]),
    ((None, None, None, None), (0, 2, 1, 3), [(3, 17, 13, 13), (2, 9, 50, 3), (2, 1, 3, 800)]),
    ((7, 10, 12, 13), (0, 2, 1, 3), [()]),
    ((7, 50, 12, 3), (0, 2, 1, 3), [()]),
]


def write_module(extents, order, element):
    """A module whose function gives an array's dimensions another order."""
    shape = ["?" if one is None else str(one) for one in extents]
    source = "x".join([*shape, element])
    target = "x".join([*(shape[dim] for dim in order), element])
    dynamic = [dim for dim in order if extents[dim] is None]
    sizes = "\n".join(f"  %c{dim} = arith.constant {dim} : index\n"
                      f"  %n{dim} = tensor.dim %x, %c{dim} : tensor<{source}>"
                      for dim in dynamic)
    return (
        f"func.func @main(%x: tensor<{source}>) -> tensor<{target}> {{\n{sizes}\n"
        f"  %e = tensor.empty({', '.join(f'%n{dim}' for dim in dynamic)}) : tensor<{target}>\n"
        f"  %y = linalg.transpose ins(%x : tensor<{source}>) outs(%e : tensor<{target}>)\n"
        f"      permutation = [{', '.join(map(str, order))}]\n"
        f"  return %y : tensor<{target}>\n}}\n"
    )


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("extents, order, calls", MOVES)
def test_move(extents, order, calls, element):
    program = compile_program(nm.Module(write_module(extents, order, element)),
                              ["--chip=sm_90a"])
    generator = np.random.default_rng(SEED)
    for call in calls:
        left = iter(call)
        shape = [next(left) if one is None else one for one in extents]
        x = generator.integers(-100, 100, size=shape).astype(TYPES[element])
        (y,) = program(x, device="emulator")
        np.testing.assert_array_equal(y, x.transpose(order), err_msg=f"of {shape}")

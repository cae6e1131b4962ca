"""Numbers and lists as arguments: what fits the argument's type, and what does not."""

import nm
import numpy as np
import pytest
from conftest import need

TYPES = {"i1": "bool", "i8": "i8", "i64": "i64", "f16": "f16", "f32": "f32", "f64": "f64"}
TYPES |= {"complex<f32>": "complex<f32>"}


@pytest.fixture(scope="module")
def programs():
    """By type: a program that gives back a number, and one that does a list."""
    made = {}
    for mlir in TYPES:
        number = f"func.func @number(%a: {mlir}) -> {mlir} {{ return %a : {mlir} }}\n"
        number = "" if mlir.startswith("complex") else number
        array = f"func.func @array(%a: tensor<?x{mlir}>) -> tensor<?x{mlir}> {{ return %a : tensor<?x{mlir}> }}"
        made[mlir] = nm.compile(nm.Module(number + array), cache=False)
    return made


FITTING = [
    ("i1", True, 1), ("i1", 0, 0), ("i1", np.bool_(True), 1),
    ("i8", 127, 127), ("i8", -128, -128), ("i8", True, 1), ("i8", np.int64(5), 5),
    ("i64", 2**63 - 1, 2**63 - 1), ("i64", np.uint8(200), 200),
    ("f16", 65504, 65504), ("f16", 0.1, float(np.float16(0.1))),
    ("f32", 0.1, float(np.float32(0.1))), ("f32", 3, 3), ("f32", np.float64(1 / 3), float(np.float32(1 / 3))),
    ("f32", float("inf"), float("inf")), ("f32", float("-inf"), float("-inf")), ("f32", 1e-300, 0),
    ("f64", 1e300, 1e300), ("f64", 2**70, 2.0**70),
    ("complex<f32>", 1 + 2j, 1 + 2j), ("complex<f32>", 0.5, 0.5),
]

OTHERS = [
    ("i1", 2), ("i1", -1), ("i1", 0.5), ("i1", 1.0), ("i1", "1"), ("i1", None),
    ("i8", 128), ("i8", -129), ("i8", 2.7), ("i8", 2.0), ("i8", np.int64(300)), ("i8", np.float32(1)),
    ("i64", 2**63), ("i64", -(2**63) - 1), ("i64", np.uint64(2**63)), ("i64", float("nan")), ("i64", "7"), ("i64", 10**400),
    ("i64", None), ("i64", 1j), ("i64", object()), ("i64", {}), ("i64", b"7"),
    ("f16", 65520), ("f16", -1e5), ("f32", 1e300), ("f32", 3 + 4j), ("f32", np.complex64(3)), ("f32", 10**40), ("f32", "0.5"),
    ("f64", 10**400), ("f64", 1j), ("complex<f32>", 1e300), ("complex<f32>", "1j"),
]


@pytest.mark.parametrize("mlir, given, expected", FITTING)
def test_what_fits(programs, mlir, given, expected):
    if "number" in programs[mlir].functions:
        assert programs[mlir](given, function="number")[0] == expected
    np.testing.assert_array_equal(programs[mlir]([given, given], function="array")[0], [expected] * 2)


@pytest.mark.parametrize("mlir, given", OTHERS)
def test_what_does_not(programs, mlir, given):
    message = f"argument #0 of (number|array): expected (a number of type {TYPES[mlir]}|numbers in lists)"
    if "number" in programs[mlir].functions:
        with pytest.raises(nm.ProgramError, match=message):
            programs[mlir](given, function="number")
    with pytest.raises(nm.ProgramError, match=message):
        programs[mlir]([given, given], function="array")


def test_nan_and_empty(programs):
    assert np.isnan(programs["f32"](float("nan"), function="number")[0])
    for mlir, program in programs.items():
        assert program([], function="array")[0].shape == (0,)


@pytest.mark.parametrize("given", [[[1], [1, 2]], [1, [2]], [1, "a"], [1, None]])
def test_lists_that_are_no_array(programs, given):
    with pytest.raises(nm.ProgramError, match="argument #0 of array: expected"):
        programs["f32"](given, function="array")


def test_arrays_keep_their_type(programs):
    with pytest.raises(nm.ProgramError, match="expected elements of type f32, got f64"):
        programs["f32"](np.array([0.1]), function="array")
    with pytest.raises(nm.ProgramError, match="expected elements of type i8, got i64"):
        programs["i8"](np.array(5), function="number")
    with pytest.raises(nm.ProgramError, match="expected a number, got an array of 1 dim"):
        programs["i8"](np.array([5], np.int8), function="number")


def test_tensors_that_are_not_plain(programs):
    need("torch")
    import torch

    x = torch.ones(4)
    quantized = torch.quantize_per_tensor(x, 0.1, 0, torch.qint8)
    for given, message in {
        x.to_sparse(): r"argument #0 of array: .*layout sparse_coo: \.to_dense\(\)",
        quantized: r"got torch.qint8: \.dequantize\(\)",
        torch.ones(4, device="meta"): "meta",
    }.items():
        with pytest.raises(nm.Error, match=message):
            programs["f32"](given, function="array")

"""nm.Program: files that are called in this process, on numpy arrays and CPU tensors.

A GPU's tensors need one: tools/nm-bench has what is run there.
"""

import copy
import ctypes
import os
import pickle
import threading

import nm
import numpy as np
import pytest
from conftest import need
from nm.runtime import _native
from test_runtime import PRODUCT

DYNAMIC = """
func.func @dynamic(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %ok = arith.cmpi ule, %n, %c100 : index
  cf.assert %ok, "at most a hundred rows"
  %y = linalg.add ins(%x, %x : tensor<?x8xf32>, tensor<?x8xf32>)
                  outs(%x : tensor<?x8xf32>) -> tensor<?x8xf32>
  %z = linalg.mul ins(%y, %x : tensor<?x8xf32>, tensor<?x8xf32>)
                  outs(%x : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}
"""

SEVERAL = """
func.func @scale(%s: f32, %x: tensor<2xf32>) -> (tensor<2xf32>, i64) {
  %c7 = arith.constant 7 : i64
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %y = linalg.mul ins(%x, %f : tensor<2xf32>, tensor<2xf32>)
                  outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %y, %c7 : tensor<2xf32>, i64
}
func.func @rows(%n: tensor<i64>) -> tensor<?xf32> {
  %v = tensor.extract %n[] : tensor<i64>
  %size = arith.index_cast %v : i64 to index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%size) : tensor<?xf32>
  %y = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
"""


def compile_program(text):
    return nm.compile(nm.Module(text))


@pytest.fixture(scope="module")
def product():
    return compile_program(PRODUCT)


@pytest.fixture(scope="module")
def dynamic():
    return compile_program(DYNAMIC)


@pytest.fixture(scope="module")
def several():
    return compile_program(SEVERAL)


def test_compiles_calls_and_describes(product):
    x = np.arange(16, dtype=np.float32).reshape(2, 8)
    (y,) = product(x)
    w = np.zeros((8, 2), np.float32)
    w[0, 0], w[2, 1], w[5, 0], w[7, 1] = 1, 2, 3, 4
    np.testing.assert_array_equal(y, x @ w)
    assert isinstance(y, np.ndarray)
    assert product.chip == "sm_90" and product.version == nm.__version__
    assert product.report["totals"]["raised"] == 1
    function = product.functions["forward"]
    assert [str(one) for one in function.arguments] == ["2x8xf32"]
    assert not function.waits and not function.allocates
    assert repr(product) == "<nm.Program for sm_90: forward(2x8xf32) -> (2x2xf32)>"


def test_sizes_of_the_call(dynamic):
    for rows in (3, 1, 100, 0, 3):
        x = np.full((rows, 8), 3, np.float32)
        (y,) = dynamic(x)
        np.testing.assert_array_equal(y, np.full((rows, 8), 18, np.float32))
    with pytest.raises(nm.ProgramError, match=r"^at most a hundred rows \(module.mlir:7\)$") as error:
        dynamic(np.ones((101, 8), np.float32))
    assert error.value.status == 7


def test_numbers_and_several_functions(several):
    y, seven = several(2.5, np.array([1, 2], np.float32), function="scale")
    np.testing.assert_array_equal(y, [2.5, 5])
    assert seven.shape == () and seven == 7 and seven.dtype == np.int64
    with pytest.raises(nm.Error, match="expected function= of one of scale, rows, got None"):
        several(2.5)


def test_results_whose_size_depends_on_data(several):
    assert several.functions["rows"].allocates and several.functions["rows"].waits
    for size in (3, 0, 1000):
        (y,) = several(np.array(size, np.int64), function="rows")
        np.testing.assert_array_equal(y, np.ones(size, np.float32))
    with pytest.raises(nm.ProgramError, match="is negative"):
        several(np.array(-1, np.int64), function="rows")


def test_refuses_what_does_not_fit(product):
    good = np.zeros((2, 8), np.float32)
    for wrong, message in [
        (np.zeros((2, 8)), "expected elements of type f32, got f64"),
        (np.zeros((2, 8, 1), np.float32), "expected 2 dimensions, got 3"),
        (np.zeros((3, 8), np.float32), r"expected extents \[2, 8\], got \[3, 8\]"),
        (np.zeros((8, 2), np.float32).T, r"got strides \[1, 2\] of extents \[2, 8\]"),
        (np.zeros((2, 8), np.uint16), "expected elements of type f32, got uint16"),
    ]:
        with pytest.raises(nm.ProgramError, match=message) as error:
            product(wrong)
        assert str(error.value).startswith("argument #0 of forward: ")
        assert error.value.status == 1
    with pytest.raises(nm.Error, match="forward: expected 1 arguments, got 2"):
        product(good, good)
    product(good)


def test_saves_and_loads(product, tmp_path):
    path = product.save(tmp_path / "model.nm")
    assert os.listdir(tmp_path) == ["model.nm"]
    x = np.ones((2, 8), np.float32)
    np.testing.assert_array_equal(nm.load(path)(x)[0], product(x)[0])
    with pytest.raises(FileNotFoundError):
        product.save(tmp_path / "no" / "model.nm")


def test_a_program_outlives_its_file(product, tmp_path):
    path = product.save(tmp_path / "model.nm")
    program = nm.load(path)
    path.unlink()
    x = np.ones((2, 8), np.float32)
    np.testing.assert_array_equal(program(x)[0], product(x)[0])
    again = nm.load(program.save(tmp_path / "again.nm"))
    np.testing.assert_array_equal(again(x)[0], product(x)[0])


STATE = """
func.func @count(%t: tensor<2xf32> {nm.name = "total", nm.state = dense<[1.0, 2.0]> : tensor<2xf32>},
                 %x: tensor<2xf32> {nm.name = "x"})
    -> (tensor<2xf32> {nm.name = "total"}, tensor<2xf32> {nm.name = "y"}) {
  %s = linalg.add ins(%t, %x : tensor<2xf32>, tensor<2xf32>)
                  outs(%t : tensor<2xf32>) -> tensor<2xf32>
  %y = linalg.mul ins(%s, %x : tensor<2xf32>, tensor<2xf32>)
                  outs(%x : tensor<2xf32>) -> tensor<2xf32>
  return %s, %y : tensor<2xf32>, tensor<2xf32>
}
"""


def test_names_and_state_are_in_the_file(tmp_path):
    program = nm.load(compile_program(STATE).save(tmp_path / "count.nm"))
    function = program.find_function()
    assert function.state == ("total",)
    assert [str(one) for one in function.arguments] == ["total: 2xf32", "x: 2xf32"]
    assert [one.name for one in function.results] == ["total", "y"]
    (initial,) = program.initial_state()
    np.testing.assert_array_equal(initial, [1, 2])
    x = np.array([1, 3], np.float32)
    total, y = program(x)
    np.testing.assert_array_equal(total, [2, 5])
    total, y = program(x, state=[total])
    np.testing.assert_array_equal(total, [3, 8])
    np.testing.assert_array_equal(y, [3, 24])
    np.testing.assert_array_equal(program(x)[0], [2, 5])
    with pytest.raises(nm.Error, match=r"state: expected 1 \(total\), got 2 values"):
        program(x, state=[x, x])
    with pytest.raises(nm.Error, match="count: expected 1 arguments, got 2"):
        program(x, x)
    with pytest.raises(nm.ProgramError, match=r"^argument #1 of count \(x\): expected ext"):
        program(x[:1])
    with pytest.raises(nm.Error, match="state: expected none, got 1 values"):
        compile_program(PRODUCT)(np.ones((2, 8), np.float32), state=[x])


def test_the_device_of_a_call(product):
    x = np.ones((2, 8), np.float32)
    np.testing.assert_array_equal(product(x, device="emulator")[0], product(x)[0])
    if not os.path.exists("/dev/nvidiactl"):
        with pytest.raises(nm.ProgramError) as error:
            product(x, device="cuda:0")
        assert error.value.status == 3


def test_refuses_files(product, tmp_path):
    with pytest.raises(FileNotFoundError):
        nm.load(tmp_path / "none.nm")
    whole = product.save(tmp_path / "whole.nm").read_bytes()
    (tmp_path / "cut.nm").write_bytes(whole[:-8])
    with pytest.raises(nm.ProgramError, match="the file is not whole"):
        nm.load(tmp_path / "cut.nm")
    (tmp_path / "bad.nm").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    bad = nm.load(tmp_path / "bad.nm")
    with pytest.raises(nm.ProgramError, match="checksum of constant"):
        bad.prepare()


GATHER = """
func.func @main(%ids: tensor<3xi64>) -> tensor<3x8xf32> {
  %table = arith.constant dense<1.5> : tensor<4x8xf32>
  %size = arith.constant 4 : i64
  %empty = tensor.empty() : tensor<3x8xf32>
  %rows = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<3xi64>) outs(%empty : tensor<3x8xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %small = arith.cmpi slt, %id, %size : i64
    cf.assert %small, "index must be smaller than dim size"
    %element = tensor.extract %table[%row, %column] : tensor<4x8xf32>
    linalg.yield %element : f32
  } -> tensor<3x8xf32>
  return %rows : tensor<3x8xf32>
}
"""


def test_an_assertion_of_a_kernel():
    """With the words of nm-run, and the next call is none of it."""
    program = compile_program(GATHER)
    with pytest.raises(nm.ProgramError, match=r"^index must be smaller than dim size \(module.mlir:14\)$") as error:
        program(np.array([3, 4, 1]))
    assert error.value.status == 7
    np.testing.assert_array_equal(program(np.array([3, 0, 1]))[0], np.full((3, 8), 1.5))
    with pytest.raises(nm.ToolError, match="status 7: index must be smaller than dim size"):
        nm.run(nm.Module(GATHER), np.array([3, 4, 1]), device="cpu")


def test_two_thousand_mutations(product, tmp_path):
    """Each is an error; none a crash or another result."""
    whole = product.save(tmp_path / "whole.nm").read_bytes()
    random = np.random.default_rng(20261122)
    x = np.ones((2, 8), np.float32)
    for _ in range(2000):
        data = bytearray(whole)
        kind = random.integers(4)
        place = int(random.integers(len(data)))
        if kind == 0:
            data[place] ^= 1 << int(random.integers(8))
        elif kind == 1:
            del data[place:]
        elif kind == 2:
            data[place:place] = random.bytes(int(random.integers(1, 9)))
        else:
            data[place : place + 8] = random.bytes(8)
        if data == whole:
            continue
        (tmp_path / "mutant.nm").write_bytes(data)
        with pytest.raises(nm.ProgramError):
            nm.load(tmp_path / "mutant.nm")(x)


def test_copies_are_refused(product):
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"program\.save"):
            copied(product)


def test_devices(product):
    product.prepare("cpu")
    product.check()
    with pytest.raises(nm.Error, match="expected a device such as cuda:0"):
        product.prepare("tpu")


def count():
    counters = _native.Counters()
    context = _native.context(_native.EMULATOR, 0)
    _native.check(_native.library().nmrtGetCounters(context, ctypes.byref(counters)))
    return counters


def test_loads_and_uploads_once(product):
    x = np.ones((2, 8), np.float32)
    product(x)
    before = count()
    product(x)
    after = count()
    assert after.moduleLoads == before.moduleLoads
    # An argument, a result and a workspace of the emulator's memory, each freed.
    assert after.uploads == before.uploads + 1
    assert after.allocations - before.allocations == after.frees - before.frees


def test_several_threads(dynamic):
    failures = []

    def work(first):
        for rows in range(first, first + 30):
            x = np.full((rows, 8), rows, np.float32)
            if not np.array_equal(dynamic(x)[0], 2 * x * x):
                failures.append(rows)

    threads = [threading.Thread(target=work, args=(first,)) for first in (1, 40, 60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_tensors_of_torch(dynamic, several):
    need("torch")
    import torch

    x = torch.full((3, 8), 3.0)
    (y,) = dynamic(x)
    assert torch.equal(y, torch.full((3, 8), 18.0))
    y, seven = several(torch.tensor(2.0), torch.ones(2), function="scale")
    assert torch.equal(y, torch.full((2,), 2.0)) and seven.item() == 7
    with pytest.raises(nm.Error, match="expected tensors of the CPU or a GPU"):
        dynamic(torch.ones(2, 8, device="meta"))
    with pytest.raises(nm.ProgramError, match="got strides"):
        dynamic(torch.ones(8, 2).T)
    # A conjugate view has other numbers in memory.
    double = compile_program(
        """
        func.func @f(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
          %e = tensor.empty() : tensor<2xcomplex<f32>>
          %y = linalg.add ins(%x, %x : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
              outs(%e : tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
          return %y : tensor<2xcomplex<f32>>
        }
        """
    )
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex64)
    assert torch.equal(double(z.conj())[0], 2 * z.conj())

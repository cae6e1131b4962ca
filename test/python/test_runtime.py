"""nm.run and nm.compile over the tools, with numpy alone."""

import os
import shutil
import subprocess
import sys
import warnings

import nm
import numpy as np
import pytest
from conftest import ROOT, need

TWO = nm.Module(
    """
    func.func @both(%x: tensor<?x4xf32>, %h: tensor<2xbf16>)
        -> (tensor<?x4xf32>, tensor<2xbf16>, i64) {
      %c7 = arith.constant 7 : i64
      %y = linalg.add ins(%x, %x : tensor<?x4xf32>, tensor<?x4xf32>)
                      outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
      return %y, %h, %c7 : tensor<?x4xf32>, tensor<2xbf16>, i64
    }
    func.func @same(%x: tensor<3xi32>) -> tensor<3xi32> {
      return %x : tensor<3xi32>
    }
    """,
    "both",
)

# One product whose weight keeps 1 of every 4 along k.
PRODUCT = """
func.func @forward(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, 0.0], [0.0, 0.0], [0.0, 2.0], [0.0, 0.0],
                             [0.0, 0.0], [3.0, 0.0], [0.0, 0.0], [0.0, 4.0]]>
      : tensor<8x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<2x8xf32>, tensor<8x2xf32>)
                     outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
"""


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_arrays_in_and_out(device):
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    h = np.array([1.5, -2], np.float32)
    if device == "emulator":
        need("ml_dtypes")  # a program's arrays are bf16, those of nm-run's files f32
    y, half, seven = nm.run(TWO, x, h, device=device)
    np.testing.assert_array_equal(y, 2 * x)
    np.testing.assert_array_equal(np.asarray(half, np.float32), h)
    assert seven.shape == () and seven == 7
    assert y.dtype == np.float32 and seven.dtype == np.int64


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_numbers_of_odd_widths_in_arrays_without_dimensions(device):
    """A kernel takes the low 7 bits of an i8 as a parameter; PTX has no i7."""
    module = nm.Module(
        """
func.func @f(%x: tensor<3xf64>, %s: tensor<i8>) -> tensor<3xf64> {
  %byte = tensor.extract %s[] : tensor<i8>
  %low = arith.trunci %byte : i8 to i7
  %empty = tensor.empty() : tensor<3xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf64>) outs(%empty : tensor<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %factor = arith.sitofp %low : i7 to f64
    %product = arith.mulf %factor, %in : f64
    linalg.yield %product : f64
  } -> tensor<3xf64>
  return %y : tensor<3xf64>
}
""",
        "f",
    )
    x = np.array([1.0, 2.0, 3.0])
    for byte, low in ((5, 5), (-3, -3), (100, -28), (-128, 0)):
        y = nm.run(module, x, np.array(byte, np.int8), device=device)[0]
        np.testing.assert_array_equal(y, low * x)


def test_orders_and_types_of_arrays():
    x = np.asfortranarray(np.arange(8, dtype=">f4").reshape(2, 4))
    y = nm.run(TWO, x, [0.0, 1.0], device="cpu")[0]
    np.testing.assert_array_equal(y, 2 * x)
    with pytest.raises(nm.Error, match="expected elements of .* got uint32"):
        nm.run(TWO, x, np.zeros(2, np.uint32), device="cpu")
    with pytest.raises(nm.ToolError, match="type bf16, got complex<f64>"):
        nm.run(TWO, x, [1j, 0], device="cpu")


def test_bf16_is_kept():
    need("ml_dtypes")
    import ml_dtypes

    h = np.array([1.5, -2], ml_dtypes.bfloat16)
    half = nm.run(TWO, np.zeros((1, 4), np.float32), h, device="cpu")[1]
    assert half.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(half, h)


CONJUGATE = """
    #map = affine_map<(d0) -> (d0)>
    func.func @main(%x: tensor<2xcomplex<f32>>, %b: tensor<2xi8> {nm.unsigned})
        -> (tensor<2xcomplex<f32>>, tensor<2xi8> {nm.unsigned}) {
      %e = tensor.empty() : tensor<2xcomplex<f32>>
      %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%x : tensor<2xcomplex<f32>>) outs(%e : tensor<2xcomplex<f32>>) {
      ^bb0(%in: complex<f32>, %out: complex<f32>):
        %c = complex.conj %in : complex<f32>
        linalg.yield %c : complex<f32>
      } -> tensor<2xcomplex<f32>>
      return %y, %b : tensor<2xcomplex<f32>>, tensor<2xi8>
    }
"""


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_complex_numbers_and_unsigned_bytes(device, tmp_path):
    path = tmp_path / "conjugate.mlir"
    path.write_text(CONJUGATE)
    x, b = np.array([1 + 2j, -3j], np.complex64), np.array([200, 3], np.uint8)
    y, same = nm.run(path, x, b, device=device)
    assert y.dtype == np.complex64
    np.testing.assert_array_equal(y, x.conj())
    assert same.dtype == np.uint8
    np.testing.assert_array_equal(same, b)
    need("torch")
    import torch

    # A conjugate of torch's is a view with another meaning of its bytes.
    (y, _) = nm.run(path, torch.from_numpy(x).conj(), torch.from_numpy(b), device=device)
    assert torch.equal(y, torch.from_numpy(x))


def test_entry_and_files(tmp_path):
    path = TWO.save(tmp_path / "two.mlir")
    x = np.array([1, 2, 3], np.int32)
    (y,) = nm.run(path, x, entry="same", device="cpu")
    np.testing.assert_array_equal(x, y)
    with pytest.raises(nm.ToolError, match="`both`, `same`"):
        nm.run(path, x, device="cpu")


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_a_product(device):
    x = np.arange(16, dtype=np.float32).reshape(2, 8)
    (y,) = nm.run(nm.Module(PRODUCT), x, device=device)
    expected = np.stack([x[:, 0] + 3 * x[:, 5], 2 * x[:, 2] + 4 * x[:, 7]], 1)
    np.testing.assert_array_equal(y, expected)


def test_compile_gives_code_and_report():
    compiled = nm.compile(nm.Module(PRODUCT), chip="sm_80", emit="ptx")
    assert ".target sm_80" in compiled.text
    (product,) = compiled.report["products"]
    assert product["raised"] and product["shape"]["k"] == 8


def test_compile_takes_a_pattern_and_options():
    forced = nm.compile(
        nm.Module(PRODUCT),
        emit="mlir",
        pattern=nm.Pattern(2, 8),
        options={"last-stage": "plan", "no-double-buffer": True},
    )
    assert "#nm.pattern<2:8>" in forced.text
    with pytest.warns(nm.DenseWarning, match=r"as one: expected at most 1 of 8 units .*\)$"):
        wrong = nm.compile(nm.Module(PRODUCT), pattern=nm.Pattern(1, 8))
    (product,) = wrong.report["products"]
    assert not product["raised"] and "2" in product["reason"]
    with pytest.raises(nm.ToolError, match="no-such-option") as error:
        nm.compile(nm.Module(PRODUCT), options={"no-such-option": 1})
    assert error.value.tool == "nm-compile" and error.value.exit_code == 1


def test_a_model_with_no_sparse_layer_runs_and_says_so(recwarn):
    dense = nm.Module(PRODUCT.replace("0.0,", "5.0,").replace("0.0]", "5.0]"))
    x = np.ones((2, 8), np.float32)
    for call in (
        lambda: nm.run(dense, x, device="cpu"),
        lambda: nm.compile(dense)(x),
    ):
        with pytest.warns(
            nm.DenseWarning, match="none of 1 products .* dense along k; prune"
        ) as caught:
            (y,) = call()
        assert [one.filename for one in caught] == [__file__]
        np.testing.assert_array_equal(y, [[5 * 6 + 4, 5 * 6 + 6]] * 2)
    nm.run(nm.Module(PRODUCT), x, device="cpu")
    nm.run(TWO, x[:, :4], [0.0, 1.0], device="cpu")  # no product at all
    assert not recwarn.list


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((), "expected the function's arguments, got none"),
        ((np.zeros((2, 9), np.float32),), "input #0: .*expected 2x8xf32, got 2x9xf32"),
        ((np.zeros(16, np.float32),), "input #0: .*expected 2x8xf32, got 16xf32"),
        ((np.zeros((2, 8), np.int64),), "input #0: .*of type f32, got i64"),
        ((np.zeros((2, 8), bool),), "input #0: .*of type f32, got bool"),
        ((np.zeros((2, 8)), np.zeros(1)), "expected none or 1 --input, got 2"),
    ],
)
def test_inputs_that_do_not_fit_on_the_cpu(arguments, message):
    with pytest.raises(nm.Error, match=message):
        nm.run(nm.Module(PRODUCT), *arguments, device="cpu")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((), "expected the function's arguments, got none"),
        ((np.zeros((2, 9), np.float32),), r"argument #0 .* \[2, 8\], got \[2, 9\]"),
        ((np.zeros(16, np.float32),), "argument #0 .*expected 2 dimensions, got 1"),
        ((np.zeros((2, 8), np.int64),), "argument #0 .*of type f32, got i64"),
        ((np.zeros((2, 8)), np.zeros(1)), "expected 1 arguments, got 2"),
    ],
)
def test_inputs_that_do_not_fit_a_program(arguments, message):
    with pytest.raises(nm.Error, match=message):
        nm.run(nm.Module(PRODUCT), *arguments, device="emulator")


@pytest.mark.parametrize("h", [np.zeros(3, np.float32), np.zeros(2, np.int32)])
def test_which_input_does_not_fit(h):
    with pytest.raises(nm.ToolError, match="input #1: .*expected .*, got "):
        nm.run(TWO, np.zeros((3, 4), np.float32), h, device="cpu")


def with_resource(blob):
    """PRODUCT with its weight in a resource: the alignment (4 bytes), then data."""
    start, end = PRODUCT.index("dense<[["), PRODUCT.index("\n      : ")
    text = PRODUCT[:start] + "dense_resource<w>" + PRODUCT[end:]
    return text + '\n{-# dialect_resources: { builtin: { w: "0x' + blob + '" } } #-}\n'


def test_a_truncated_resource_is_refused(tmp_path):
    weight = np.zeros((8, 2), "<f4")
    weight[[0, 2, 5, 7], [0, 1, 0, 1]] = [1, 2, 3, 4]
    blob = (np.array([4], "<u4").tobytes() + weight.tobytes()).hex()
    path = nm.Module(with_resource(blob)).save(tmp_path / "whole.mlir")
    x = np.arange(16, dtype=np.float32).reshape(2, 8)
    (y,) = nm.run(path, x, device="cpu")
    np.testing.assert_array_equal(y, x @ weight)
    text = path.read_text()
    damaged = {
        "one element": with_resource(blob[:-8]),
        "half a byte": with_resource(blob[:-1]),
        "all of it": with_resource(""),
        "the end of the file": text[:-10],
        "most of the blob": text[: text.index("0x") + 40],
    }
    cut = tmp_path / "cut.mlir"
    for missing, text in damaged.items():
        cut.write_text(text)
        for call in (lambda: nm.run(cut, x, device="cpu"), lambda: nm.compile(cut)):
            with pytest.raises(nm.ToolError, match="cut.mlir:.*error: ") as error:
                call()
            assert error.value.exit_code == 1, missing


def test_diagnostics_reach_the_caller():
    with pytest.raises(nm.ToolError, match="error: .*undeclared SSA value") as error:
        nm.run(nm.Module("func.func @f() -> i32 { return %x : i32 }"), device="cpu")
    assert "module.mlir:1:" in error.value.diagnostics


def test_tool_errors_keep_command_input_and_outputs(tmp_path):
    bad = nm.Module("func.func @f() -> i32 { return %x : i32 }")
    with pytest.raises(nm.ToolError) as raised:
        nm.run(bad, device="cpu")
    error = raised.value
    assert os.path.basename(error.command[0]) == "nm-run" and error.tool == "nm-run"
    assert "--device=cpu" in error.command and error.command[1].endswith(".mlir")
    assert error.input == bad.text and error.exit_code == 1
    path = bad.save(tmp_path / "bad.mlir")
    with pytest.raises(nm.ToolError) as raised:
        nm.compile(path)
    assert raised.value.input == str(path) and str(path) in raised.value.command
    # What was printed before the failure.
    x = np.zeros((2, 8), np.float32)
    with pytest.raises(nm.ToolError, match="sm_1") as raised:
        nm.run(nm.Module(PRODUCT), x, device="emulator", chip="sm_1")
    assert raised.value.tool == "nm-compile" and "sm_1" in raised.value.diagnostics


def test_facts_do_not_come_from_text():
    """A function whose name looks like a line of nm-run's."""
    name = "layers: 0 sparse, 9 dense"
    module = nm.Module(PRODUCT.replace("@forward", f'@"{name}"'), name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (y,) = nm.run(module, np.ones((2, 8), np.float32), device="cpu")
    np.testing.assert_array_equal(y, [[4, 6]] * 2)


def test_where_tools_are_looked_for(monkeypatch, tmp_path):
    monkeypatch.setenv("NM_BIN", str(tmp_path))
    with pytest.raises(nm.Error, match="NM_BIN must be the folder"):
        nm.compile(nm.Module(PRODUCT))


def test_nothing_is_left_behind(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    nm.run(nm.Module(PRODUCT), np.zeros((2, 8), np.float32), device="cpu")
    with pytest.raises(nm.Error):
        nm.run(nm.Module(PRODUCT), device="cpu")
    assert not list(tmp_path.iterdir())


def test_import_is_light():
    loaded = "import sys, nm; print([m for m in sys.modules if m in " + (
        "('numpy', 'torch', 'torch_mlir', 'transformers')])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    command = [sys.executable, "-c", loaded]
    assert subprocess.check_output(command, env=environment, text=True) == "[]\n"


def test_pip_installs_it(tmp_path):
    # A copy, since building leaves files beside the sources.
    shutil.copytree(ROOT / "python", tmp_path / "python")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--disable-pip-version-check"]
    command += ["--target", str(tmp_path / "site"), "."]
    subprocess.run(command, cwd=tmp_path / "python", check=True, timeout=300)
    assert (tmp_path / "site/nm/py.typed").exists()
    assert (tmp_path / "site/nm/exporting/rewrites/sums.py").exists()

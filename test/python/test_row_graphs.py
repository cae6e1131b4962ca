"""Kernels of rows (nm-form-kernels, nm-map-rows) against numpy, on random graphs.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Environment:
  NM_ROW_GRAPHS       how many graphs, each of static and of dynamic extents (default: 60); seeds
                      are their numbers
"""

import os
import pathlib
import subprocess

import numpy as np
import pytest
from row_graphs import Graph

COUNT = int(os.environ.get("NM_ROW_GRAPHS", "60"))


@pytest.mark.parametrize("is_dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("seed", range(COUNT))
def test_random_graph(tmp_path, seed, is_dynamic):
    with np.errstate(all="ignore"):
        graph = Graph(seed, is_dynamic)
    path = tmp_path / "graph.mlir"
    path.write_text(graph.write())
    arguments = []
    for i, one in enumerate(graph.inputs):
        np.save(tmp_path / f"in{i}.npy", one.array)
        arguments.append(f"--input={tmp_path / f'in{i}.npy'}")
    subprocess.run([pathlib.Path(os.environ["NM_BIN"], "nm-run"), path, "--device=emulator", *arguments,
                    f"--output-dir={tmp_path / 'out'}"], check=True, capture_output=True)
    for i, expected in enumerate(graph.results):
        got = np.load(tmp_path / "out" / f"{i}.npy").astype(np.float64)
        want = expected.array.astype(np.float64)
        assert got.shape == want.shape
        assert np.array_equal(np.isnan(got), np.isnan(want))
        finite = np.isfinite(want)
        assert np.array_equal(got[~finite], want[~finite], equal_nan=True)
        scale = max(np.abs(want[finite]).max(initial=0), 1e-6)
        error = np.abs(got - want)[finite].max(initial=0) / scale
        assert error <= expected.tolerance, f"seed {seed}, result {i}: {error}"

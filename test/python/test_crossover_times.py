"""What crossover_times.py measures: a product of any number of rows, and each of its kernels.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Without a GPU: products are computed in the emulator, and nothing is timed.
"""

import dataclasses

import pytest
from conftest import need

need("torch")

import crossover_times  # noqa: E402
import decode_times  # noqa: E402
import device_times  # noqa: E402
import torch  # noqa: E402


def test_the_kernel_that_is_taken():
    kernels = [(1, "a"), (8, "b"), (None, "c")]
    taken = [crossover_times.find_taken(kernels, rows) for rows in (1, 2, 8, 9, 4096)]
    assert taken == [0, 1, 1, 2, 2]


@pytest.mark.parametrize("dtype", ["f16", "i8"])
def test_each_kernel_computes_any_number_of_rows(dtype, tmp_path, monkeypatch):
    product = decode_times.make_product(None, 96, 512, 8, 32, dtype, "")
    monkeypatch.setattr(decode_times, "COLD_BYTES", 2 * decode_times.count_bytes(product))
    paths, kernels = crossover_times.compile_kernels(product, tmp_path)
    assert len(paths) == 1 + len(kernels)
    # The fewest rows first, and those of many last.
    bounds = [most for most, _ in kernels]
    assert bounds[-1] is None and bounds[:-1] == sorted(bounds[:-1]) and bounds[0] == 1
    assert len({schedule for _, schedule in kernels}) > 1
    weight = device_times.make_weight(torch, product)
    dense = device_times.expand(torch, product, weight)
    for rows in (1, 9):
        a = [torch.randn(rows, product.k).half() for _ in range(2)]
        for path in paths:
            (program,) = decode_times.load_programs(product, path)
            c = program(*a)[0]
            of_rows = dataclasses.replace(product, m=rows)
            error = device_times.relative_error(of_rows, dense, a[0], c)
            assert error < 1e-3, (path.name, rows)


def test_a_product_that_nm_compile_refuses(tmp_path):
    product = decode_times.make_product(None, 96, 512, 33, 32, "f16", "")
    product = dataclasses.replace(product, keep=8, schedule="#nm.schedule<nonsense>")
    said = crossover_times.compile_kernels(product, tmp_path)
    assert isinstance(said, str) and "error" in said

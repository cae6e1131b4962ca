"""What benchmarks of products share: weights, programs, and the check against f64.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Without a GPU: products are computed in the emulator, and nothing is timed.
"""

import concurrent.futures

import nm
import nm_modules
import pytest
from conftest import need

need("torch")

import device_times  # noqa: E402
import llama100  # noqa: E402
import torch  # noqa: E402

PRODUCT = nm_modules.Product(64, 64, 64, 8, 32, 32, feature_major=True)


@pytest.fixture
def weight():
    return device_times.make_weight(torch, PRODUCT)


@pytest.mark.parametrize(
    "product",
    [
        PRODUCT,
        nm_modules.Product(8, 70, 100, 5, 7, 32),
        nm_modules.Product(8, 64, 64, 2, 4, 4, 4),
        nm_modules.Product(8, 24, 40, 16, 0),
        nm_modules.Product(8, 24, 70, 2, 4, 8, 4),
    ],
    ids=str,
)
def test_dense_weights(product):
    dense = device_times.expand(torch, product, device_times.make_weight(torch, product))
    values, indices = nm_modules.random_weight(product, device_times.SEED)
    expected = nm_modules.expand(product, values, indices)
    assert dense.dtype == torch.float64 and (dense.numpy() == expected).all()


def test_rows_are_sampled():
    rows = device_times.sample_rows(4096)
    assert rows == device_times.sample_rows(4096)
    assert len(set(rows)) == 32 and rows[0] >= 0 and 2048 < rows[-1] < 4096
    assert device_times.sample_rows(8) == list(range(8))


def test_a_wrong_element_is_noticed(weight):
    dense = device_times.expand(torch, PRODUCT, weight)
    a = torch.randn(PRODUCT.a_shape)
    c = (a.t().double() @ dense).float()
    assert device_times.relative_error(PRODUCT, dense, a, c) < llama100.TOLERANCE
    row = device_times.sample_rows(PRODUCT.m)[-1]
    c[row, 5] += 0.01
    assert device_times.relative_error(PRODUCT, dense, a, c) > llama100.TOLERANCE


@pytest.mark.parametrize("keep, unit, m", [(8, 32, 64), (8, 8, 33), (32, 128, 33)])
def test_groups_are_compiled_right(keep, unit, m, tmp_path):
    shapes = [(32, 64, 64), (m, 64, 64)]
    products = llama100.list_groups(shapes, (keep,), "feature", (unit,))[0]
    assert llama100.compile_group(tmp_path, products) == ["", ""]
    weight = torch.load(llama100.weight_path(tmp_path, products))
    dense = device_times.expand(torch, products[0], weight)
    for product in products:
        program = nm.load(llama100.program_path(tmp_path, product))
        a = torch.randn(product.a_shape)
        (c,) = program(a)
        assert device_times.relative_error(product, dense, a, c) < llama100.TOLERANCE
    assert len(products) == 2
    # The programs and the weight, nothing else.
    assert len(list(tmp_path.iterdir())) == 3


def test_what_is_refused_is_said(tmp_path, weight):
    wrong = nm_modules.Product(64, 64, 64, 8, 32, 32, schedule="#nm.what")
    paths = [tmp_path / "wrong.nm", tmp_path / "right.nm"]
    said = device_times.compile_programs([wrong, PRODUCT], paths, weight)
    assert "what" in said[0] and said[1] == ""
    assert not paths[0].exists() and paths[1].exists()


def test_runs_name_their_commit(monkeypatch):
    monkeypatch.setattr("sys.argv", ["/there/llama100.py", "--only=1x2x3"])
    monkeypatch.delenv("NM_COMMIT", raising=False)
    described = device_times.describe_run()
    assert described["command"] == "tools/nm-bench/llama100.py --only=1x2x3"
    assert len(described["date"]) == 10
    monkeypatch.setenv("NM_COMMIT", "abc1234")
    assert device_times.describe_run()["commit"] == "abc1234"


def test_without_a_gpu_its_name_is_empty(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert device_times.describe_gpu() == {"gpu": "", "driver": ""}


def test_few_programs_wait_for_the_gpu():
    started = []

    def compile_group(_, group):
        started.append(group)
        return [""]

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        groups = device_times.compile_groups(pool, compile_group, None, [(i,) for i in range(9)], 3)
        done = []
        for group, said in groups:
            assert len(started) <= len(done) + 3 and said == [""]
            done.append(group)
    assert sorted(done) == started == [(i,) for i in range(9)]


def test_what_compiling_raises_is_said_of_each_program():
    def compile_group(*_):
        raise OSError("disk full")

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        (one,) = device_times.compile_groups(pool, compile_group, None, [("a", "b")], 3)
    assert one == (("a", "b"), ["disk full"] * 2)

"""What decode_times.py measures: copies of a product, each with a weight of its own.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Without a GPU: products are computed in the emulator, and nothing is timed.
"""

import nm
import nm_modules
import pytest
from conftest import need

need("torch")

import decode_times  # noqa: E402
import device_times  # noqa: E402
import torch  # noqa: E402


def test_copies_take_more_than_l2_holds():
    for size in (1, 1 << 20, (1 << 20) + 1, 200 << 20, 1 << 30):
        copies = decode_times.count_copies(size)
        products, loads = decode_times.split_copies(copies)
        assert copies * size >= decode_times.COLD_BYTES and copies >= 2
        assert products * loads >= copies and products <= decode_times.PRODUCTS
        assert products * loads < copies + loads


def test_bytes_of_a_copy():
    # 16 of 32 rows of values, a byte a unit, x and y.
    assert decode_times.count_bytes(nm_modules.Product(1, 64, 128, 16, 32)) == (
        4 * (64 * 64 + 64 + 128) + 64 * 64
    )
    assert decode_times.count_bytes(nm_modules.Product(8, 64, 128, 16, 32, 32, dtype="f16")) == (
        2 * (64 * 64 + 8 * (64 + 128)) + 64 * 2
    )


@pytest.mark.parametrize(
    "product",
    [decode_times.make_product(1, 64, 128, 8, 1, "f32", ""),
     decode_times.make_product(1, 64, 256, 16, 1, "i8", ""), nm_modules.Product(8, 64, 96, 4, 32, 32, dtype="f16")],
    ids=str,
)
def test_each_copy_has_a_weight_of_its_own(product, tmp_path, monkeypatch):
    monkeypatch.setattr(decode_times, "COLD_BYTES", 3 * decode_times.count_bytes(product))
    path = tmp_path / "copies.nm"
    assert decode_times.compile_copies(product, path) == ""
    assert sorted(one.name for one in tmp_path.iterdir()) == ["copies.nm", "copies.one"]
    weight = device_times.make_weight(torch, product)
    element = device_times.get_dtype(torch, product.dtype)
    a = [torch.randn(product.a_shape).to(element) for _ in range(3)]
    several = nm.load(path)(*a)
    (one,) = nm.load(path.with_suffix(".one"))(a[0])
    rows, seen = (product.m, -1), []
    for i, (x, y) in enumerate(zip(a, several, strict=True)):
        rolled = {
            name: decode_times.roll_windows(product, part, i) for name, part in weight.items()
        }
        dense = device_times.expand(torch, product, rolled)
        error = device_times.relative_error(product, dense, x.view(rows), y.view(rows))
        assert error < 1e-3
        assert not any((dense == other).all() for other in seen)
        seen.append(dense)
    assert torch.equal(one, several[0])


def test_types_are_known():
    assert decode_times.parse_types("f16,f32") == ["f16", "f32"]
    with pytest.raises(decode_times.argparse.ArgumentTypeError, match="got i4"):
        decode_times.parse_types("f16,i4")

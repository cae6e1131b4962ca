"""What decode_times.py measures: copies of a product, each with a weight of its own.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Without a GPU: products are computed in the emulator, and nothing is timed.
"""

import json

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
    monkeypatch.setattr(decode_times, "COLD_BYTES", 6 * decode_times.count_bytes(product))
    monkeypatch.setattr(decode_times, "PRODUCTS", 3)
    path = tmp_path / "0.nm"
    assert decode_times.compile_copies(product, path) == ""
    assert sorted(one.name for one in tmp_path.iterdir()) == ["0.0.nm", "0.1.nm", "0.nm"]
    weight = device_times.make_weight(torch, product)
    element = device_times.get_dtype(torch, product.dtype)
    a = [torch.randn(product.a_shape).to(element) for _ in range(6)]
    programs = [nm.load(decode_times.name_load(path, load)) for load in range(2)]
    several = [*programs[0](*a[:3]), *programs[1](*a[3:])]
    (one,) = nm.load(path)(a[0])
    rows, seen = (product.m, -1), []
    # More than the product has windows.
    for i, (x, y) in enumerate(zip(a, several, strict=True)):
        varied = {name: decode_times.vary(product, part, i) for name, part in weight.items()}
        dense = device_times.expand(torch, product, varied)
        error = device_times.relative_error(product, dense, x.view(rows), y.view(rows))
        assert error < 1e-3
        assert not any((dense == other).all() for other in seen)
        seen.append(dense)
    assert torch.equal(one, several[0])


def test_types_are_known():
    assert decode_times.parse_types("f16,f32") == ["f16", "f32"]
    with pytest.raises(decode_times.argparse.ArgumentTypeError, match="got i4"):
        decode_times.parse_types("f16,i4")


@pytest.mark.parametrize(("text", "said"), [
    ("8192", "expected NxK, such as 8192x8192, got 8192"), ("8x8x8", "got 8x8x8"),
    ("0x8", "expected a positive number, got 0"), ("8x", "expected a positive number, got "),
])
def test_a_shape_is_two_extents(text, said):
    assert decode_times.parse_shape("512x1024") == (512, 1024)
    with pytest.raises(decode_times.argparse.ArgumentTypeError, match=f"{said}$"):
        decode_times.parse_shape(text)


def test_a_picture_of_time_over_bytes(tmp_path, capsys, monkeypatch):
    import plot_decode

    row = {"m": 1, "n": 1024, "k": 1024, "type": "f16", "keep": 16, "unit": 32, "bytes": 1 << 20,
           "cold_us": 2.0, "dense_cold_us": 4.0}
    slow = row | {"n": 2048, "cold_us": 4.4}
    results = tmp_path / "results.jsonl"
    lines = [{"what": "a run"}, row, slow, {"m": 1, "failed": "refused"}]
    results.write_text("\n".join(map(json.dumps, lines)))
    monkeypatch.setattr("sys.argv", ["plot_decode.py", str(results)])
    plot_decode.main()
    said = capsys.readouterr().out
    assert said == ("1 of 2 take at most 1.03 of cuBLAS's time and 0.2 us\n"
                    "1.10 of cuBLAS: m = 1, 2048x1024, f16, 16:32, L = 32: 4.4 us\n")
    picture = results.with_suffix(".svg").read_text()
    assert "f16, L = 32" in picture and "m = 1" in picture and "cuBLAS" in picture
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(map(json.dumps, [row | {"keep": 8}, row | {"type": "f32"}])))
    monkeypatch.setattr("sys.argv", ["plot_decode.py", "--types=f16", str(results), str(other)])
    plot_decode.main()
    said = capsys.readouterr().out
    assert said.startswith("2 of 3 take")
    assert said.endswith(" us\nnot measured: 1 of 2048x1024, 8:32\n")
    results.write_text(json.dumps(lines[0]))
    monkeypatch.setattr("sys.argv", ["plot_decode.py", str(results)])
    with pytest.raises(SystemExit, match="expected products"):
        plot_decode.main()

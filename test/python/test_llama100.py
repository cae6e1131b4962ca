"""llama100.py's options and shapes, and the table and pictures of its results.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

What needs a GPU is not tested: the measurements.
"""

import json
import statistics
import subprocess
import sys

import llama100
import peers
import plot_llama100
import pytest
from conftest import ROOT

HEAD = {"gpu": "NVIDIA H200", "chip": "sm_90", "peers": peers.TABLE2, "layout": "feature",
        "keeps": [16, 4]}
# Our speedup by NM-SpMM's at Table II's six shapes.
OF_THEIRS = (1.1, 1.0001, 0.98, 0.9, 1.2, 0.8)


def make_rows():
    """All points of Table II at 16:32 and 4:32."""
    speedups = peers.read_speedups(peers.TABLE2)
    return [
        {"m": m, "n": n, "k": k, "keep": keep, "ms": 1 / (ratio * speedups[m, n, k, 1 - keep / 32]),
         "cublas_ms": 1.0, "tf32_ms": 0.25}
        for (m, n, k), ratio in zip(peers.read_shapes(peers.TABLE2), OF_THEIRS)
        for keep in (16, 4)
    ]


def write_results(path, rows, **head):
    path.write_text("\n".join(map(json.dumps, [HEAD | head, *rows])) + "\n")
    return path


@pytest.fixture
def plot(capsys):
    """What plot_llama100.py prints of files."""

    def call(*paths):
        plot_llama100.main(list(map(str, paths)))
        return capsys.readouterr().out

    return call


def test_the_shapes_are_the_papers():
    shapes = peers.read_shapes(peers.LLAMA)
    assert len(shapes) == 100 and shapes[0] == (256, 2048, 2048)
    assert len(peers.read_shapes(peers.TABLE2)) == 6
    for name in (peers.LLAMA, peers.TABLE2):
        speedups = peers.read_speedups(name)
        for shape in peers.read_shapes(name):
            assert all(speedups[*shape, 1 - keep / 32] > 1 for keep in llama100.KEEPS)


def test_parts_and_subsets():
    shapes = list(range(100))
    assert llama100.choose_shapes(shapes, None, (1, 1)) == shapes
    parts = [llama100.choose_shapes(shapes, None, (i, 3)) for i in (1, 2, 3)]
    assert sorted(sum(parts, [])) == shapes and parts[1][:2] == [1, 4]
    assert llama100.choose_shapes(shapes, 4, (1, 1)) == [0, 33, 66, 99]
    assert llama100.choose_shapes(shapes, 4, (2, 2)) == [33, 99]
    assert llama100.choose_shapes(shapes, 1, (1, 1)) == [0]
    assert llama100.choose_shapes(shapes, 101, (1, 1)) == shapes


def test_products_that_share_a_weight_are_a_group():
    groups = llama100.list_groups([(256, 64, 32), (512, 64, 32), (256, 32, 64)], (8, 4), "token")
    found = [[(p.m, p.n, p.k, p.keep) for p in group] for group in groups]
    assert [(256, 64, 32, 8), (512, 64, 32, 8)] in found and len(found) == 4
    assert not groups[0][0].feature_major


def test_every_unit_is_a_group():
    groups = llama100.list_groups([(33, 64, 32)], (32, 8), "feature", (8, 128))
    found = [(p.unit_n, p.keep) for (p,) in groups]
    assert found == [(8, 32), (8, 8), (128, 32), (128, 8)]
    assert len({llama100.program_path("f", p) for (p,) in groups}) == 4


def test_options():
    options = llama100.parse_options([])
    assert options.peers == peers.LLAMA and options.keeps == (16, 12, 8, 4)
    assert options.layout == "feature" and options.part == (1, 1)
    options = llama100.parse_options(["--table2", "--keeps=8,4", "--part=2/3", "--shapes=5"])
    assert options.peers == peers.TABLE2 and options.keeps == (8, 4)
    assert options.part == (2, 3) and options.shapes == 5
    options = llama100.parse_options(["--only=33x64x32,1x2x3", "--units=8,24", "--keeps=32,4", "--csr"])
    assert options.only == [(33, 64, 32), (1, 2, 3)]
    assert options.units == (8, 24) and options.keeps == (32, 4) and options.csr


@pytest.mark.parametrize("wrong", ["--keeps=8,7", "--keeps=", "--part=3/2", "--part=0/2",
                                   "--part=2", "--shapes=0", "--layout=row", "--units=32,0",
                                   "--only=4096", "--only=0x1x1", "--only=1x2x3,"])
def test_wrong_options(wrong, capsys):
    with pytest.raises(SystemExit):
        llama100.parse_options([wrong])
    assert wrong.split("=")[0] in capsys.readouterr().err


def test_the_table(tmp_path, plot):
    table = plot(write_results(tmp_path / "r.jsonl", make_rows())).splitlines()
    cells = [cell.strip() for cell in table[2].split("|")[1:-1]]
    recorded = [peers.read_speedups(peers.TABLE2)[*shape, 0.5]
                for shape in peers.read_shapes(peers.TABLE2)]
    over_sgemm = statistics.geometric_mean(a * b for a, b in zip(OF_THEIRS, recorded))
    of_theirs = statistics.geometric_mean(OF_THEIRS)
    assert cells == ["16:32", "6 of 6", f"{over_sgemm:.2f}", f"{of_theirs:.3f}", "3", "4",
                     "0.800 at 4096x4096x4096"]
    assert table[3].startswith("| 4:32 | 6 of 6 |")
    assert table[5:] == ["cuBLAS with TF32: geomean 4.00 over SGEMM at 6 shapes"]


def test_pictures_are_the_same_each_time(tmp_path, plot):
    results = write_results(tmp_path / "r.jsonl", make_rows())
    pictures = [tmp_path / f"r-{name}.svg" for name in ("speedup", "roofline")]
    plot(results)
    first = [one.read_bytes() for one in pictures]
    # Another process has other hashes.
    script = ROOT / "tools/nm-bench/plot_llama100.py"
    subprocess.run([sys.executable, script, results], check=True, stdout=subprocess.DEVNULL)
    assert [one.read_bytes() for one in pictures] == first
    assert b"NM-SpMM, recorded" in first[0] and b"4.8 TB/s, 66.9 TFLOP/s" in first[1]


def test_absent_points_are_said(tmp_path, plot):
    rows = make_rows()
    rows[0]["failed"] = "expected an error of at most 1e-05, got 0.1"
    del rows[3]
    said = plot(write_results(tmp_path / "a.jsonl", rows[:5]),
                write_results(tmp_path / "b.jsonl", rows[5:]))
    assert "| 16:32 | 5 of 6 |" in said and "| 4:32 | 5 of 6 |" in said
    assert f"failed: 512x512x512 16:32: {rows[0]['failed']}\n" in said
    assert "not measured: 1: 512x1024x1024 4:32\n" in said
    assert "5 of 6 points" in (tmp_path / "a-speedup.svg").read_text()


def test_other_points_are_said(tmp_path, plot):
    rows = [make_rows()[0] | {"m": 7}]
    said = plot(write_results(tmp_path / "r.jsonl", rows))
    assert "| 16:32 | 0 of 6 | - | - | - | - | - |" in said and "not measured: 6: " in said
    assert "not a recorded point: 7x512x512 16:32\n" in said


def test_parts_have_to_fit(tmp_path, plot):
    rows = make_rows()
    first = write_results(tmp_path / "a.jsonl", rows[:5])
    with pytest.raises(SystemExit, match="each point once, got 512x2048x2048 16:32 twice"):
        plot(first, write_results(tmp_path / "b.jsonl", rows[4:]))
    with pytest.raises(SystemExit, match="several values of `layout`"):
        plot(first, write_results(tmp_path / "b.jsonl", rows[5:], layout="token"))


@pytest.mark.parametrize("head", [{"units": [8, 32]}, {"keeps": [32, 4]}])
def test_only_what_peers_were_measured_at_is_drawn(head, tmp_path, plot):
    with pytest.raises(SystemExit, match="expected results of L = 32 and fewer than 32 kept"):
        plot(write_results(tmp_path / "r.jsonl", make_rows(), **head))


def test_the_roofs_are_the_compilers():
    target = plot_llama100.read_target("sm_90")
    assert target["memoryBandwidth"] == "4.8e12" and target["fp32Rate"] == "66.9e12"


def test_a_point_of_the_roofline():
    # 2 * 64 * 64 * 32 FLOP by 16 KiB each of A and C, 8 KiB of values, 64 B of indices.
    intensity, rate = plot_llama100.roofline_point((64, 64, 64, 16), 1e-3)
    assert intensity == 2 * 64 * 64 * 32 / (40 * 1024 + 64)
    assert rate == pytest.approx(2 * 64 * 64 * 32 / 1e-6 / 1e12)

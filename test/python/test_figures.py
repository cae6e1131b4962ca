"""figure_times.py's kernels, options and failures, and the tables and pictures of its results.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

What needs a GPU is not tested: the measurements.
"""

import concurrent.futures
import json
import subprocess
import sys
import types

import figure_times
import nm
import nm_modules
import peers
import plot_figures
import pytest
from conftest import ROOT, need

# As an H200 would have them: SGEMM at 4096 cubed, and each version by its part of 66.9 TFLOP/s.
SGEMM_MS = 2.65
STEPS = {"V1": 0.40, "V2": 0.42, "V3": 0.60, "V4": 0.70, "V5": 0.72, "planned": 0.80}
BLOCKS = {"small": 0.3, "medium": 0.45, "large": 0.6, "128x256": 0.75, "planned": 0.8}
PEAK = 66.9e12


def make_rows(figure, parts):
    """A row for each kernel of a figure."""
    rows = []
    for group in figure_times.list_groups(figure, figure_times.KEEPS):
        for product, name, options in group:
            p = product
            flops = 2 * p.m * p.n * p.k * p.keep / 32
            rows.append({
                "m": p.m, "n": p.n, "k": p.k, "keep": p.keep, "version": name,
                "schedule": p.schedule, "options": options,
                "ms": 1000 * flops / PEAK / parts[name],
                "cublas_ms": SGEMM_MS * (p.m * p.n * p.k) / 4096**3,
            })
    return rows


def write_results(path, figure, rows, **head):
    about = {"figure": figure, "gpu": "NVIDIA H200", "chip": "sm_90",
             "keeps": list(figure_times.KEEPS)}
    path.write_text("\n".join(map(json.dumps, [about | head, *rows])) + "\n")
    return path


@pytest.fixture
def plot(capsys):
    """What plot_figures.py prints of files."""

    def call(*paths):
        plot_figures.main(list(map(str, paths)))
        return capsys.readouterr().out

    return call


def test_steps_leave_out_one_pass_less_each():
    (group,) = figure_times.list_groups("steps", [4])
    assert [one.name for one in group] == [*STEPS]
    assert {(one.product.m, one.product.n, one.product.k) for one in group} == {(4096,) * 3}
    (schedule,) = {one.product.schedule for one in group[:-1]}
    assert "lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 128], packed" in schedule
    assert schedule.endswith("stages = 2, prefetch = true>")
    assert "packed" not in figure_times.make_schedule("large", 12, prefetch=False)
    assert group[-1].product.schedule == "" and group[-1].options == []
    left = [set(one.options) for one in group[:-1]]
    assert [len(one) for one in left] == [4, 3, 2, 1, 0]
    assert all(more > fewer for more, fewer in zip(left, left[1:]))
    assert left[0] - left[1] == {"--no-pack-tile"}
    assert left[1] - left[2] == {"--no-double-buffer"}


def test_blocks_are_those_of_the_papers_tables():
    groups = figure_times.list_groups("blocks", figure_times.KEEPS)
    kernels = [one for group in groups for one in group]
    assert len(kernels) == 6 * 5 * 5
    shapes = {(one.product.m, one.product.n, one.product.k) for one in kernels}
    assert shapes == set(peers.read_shapes(peers.TABLE2))
    for name, block in (("small", "[32, 32, "), ("medium", "[32, 64, "), ("large", "[64, 128, "),
                        ("128x256", "[128, 256, ")):
        assert f"block = {block}" in figure_times.make_schedule(name, 16, prefetch=False)
    for group in groups:
        assert len({(one.product.n, one.product.k, one.product.keep) for one in group}) == 1


def make_small(figure, keep):
    """The kernels of a figure for one smaller product."""
    (group, *_) = figure_times.list_groups(figure, [keep])
    small = {"m": 256, "n": 256, "k": 256}
    kernels = {
        one.name: one._replace(product=nm_modules.Product(**vars(one.product) | small))
        for one in group
    }
    return [*kernels.values()]


# Packed steps and dense ones.
@pytest.mark.parametrize("figure", [*figure_times.FIGURES])
@pytest.mark.parametrize("keep", [32, 12, 4])
def test_every_kernel_can_be_compiled(figure, keep, tmp_path):
    need("torch")
    group = make_small(figure, keep)
    assert figure_times.compile_group(tmp_path, group) == [""] * len(group)
    for one in group:
        (product,) = nm.Program(figure_times.program_path(tmp_path, one)).report["products"]
        assert not one.product.schedule or product["schedule"] == one.product.schedule


class FakeBench:
    """Measures nothing, and has a device that fails."""

    nm = nm

    def __init__(self, torch):
        self.torch = torch

    def measure(self, product, path, dense):
        if "32, 32" in product.schedule:
            raise RuntimeError("illegal address")
        return {"ms": 1.0, "cublas_ms": 2.0}


def test_kernels_that_fail_are_rows(tmp_path, monkeypatch):
    need("torch")
    import torch

    make_weight = figure_times.device_times.make_weight
    monkeypatch.setattr(figure_times.device_times, "make_weight",
                        lambda torch, product, device="cpu": make_weight(torch, product))
    group = make_small("blocks", 16)
    monkeypatch.setattr(figure_times, "compile_group",
                        lambda folder, group: ["refused", *[""] * (len(group) - 1)])
    rows = []
    with concurrent.futures.ThreadPoolExecutor() as pool:
        failed = figure_times.run(FakeBench(torch), [group], tmp_path, pool, rows.append)
    assert failed == 1 and [row["version"] for row in rows] == [*BLOCKS]
    assert rows[0]["failed"] == "refused" and rows[1]["ms"] == 1.0
    monkeypatch.setattr(figure_times, "compile_group", lambda folder, group: [""] * len(group))
    rows.clear()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert figure_times.run(FakeBench(torch), [group], tmp_path, pool, rows.append) == 1
    assert rows[0]["failed"] == "illegal address"


def test_options():
    options = figure_times.parse_options(["steps"])
    assert options.figure == "steps" and options.keeps == [32, 16, 12, 8, 4]
    assert figure_times.parse_options(["blocks", "--keeps=16,4"]).keeps == [16, 4]
    torch = types.SimpleNamespace(
        cuda=types.SimpleNamespace(get_device_name=lambda: "GPU"), __version__="2",
        version=types.SimpleNamespace(cuda="13.0"),
    )
    with pytest.MonkeyPatch.context() as patch:
        said = types.SimpleNamespace(stdout="GPU, 1.2\n")
        patch.setenv("NM_COMMIT", "0123abc")
        patch.setattr(figure_times.device_times.subprocess, "run", lambda *a, **k: said)
        head = figure_times.describe_run(
            torch, figure_times.parse_options(["blocks"])
        )
    assert (head["figure"], head["gpu"], head["commit"]) == ("blocks", "GPU", "0123abc")


@pytest.mark.parametrize("wrong", [[], ["tiles"], ["steps", "--keeps=7"], ["steps", "--keeps="]])
def test_wrong_options(wrong, capsys):
    with pytest.raises(SystemExit):
        figure_times.parse_options(wrong)
    assert "usage" in capsys.readouterr().err


def test_the_tables(tmp_path, plot):
    results = write_results(tmp_path / "s.jsonl", "steps", make_rows("steps", STEPS))
    table = plot(results).splitlines()
    assert table[0] == "| kept | shape | SGEMM | V1 | V2 | V3 | V4 | V5 | planned |"
    assert table[2].startswith("| 32:32 | 4096x4096x4096 | 2650.0 us | 0.52 (40 %) |")
    assert table[6].startswith("| 4:32 |") and table[6].endswith("| 8.26 (80 %) |")
    assert table[7:] == [""]
    results = write_results(tmp_path / "b.jsonl", "blocks", make_rows("blocks", BLOCKS))
    assert len(plot(results).splitlines()) == 2 + 5 * 6 + 1


def test_what_is_absent_is_said(tmp_path, plot):
    first, second, *rest = make_rows("steps", STEPS)
    del second["ms"]
    second["failed"] = "refused"
    said = plot(write_results(tmp_path / "s.jsonl", "steps", [second, *rest])).splitlines()
    assert said[2].startswith("| 32:32 | 4096x4096x4096 | 2650.0 us | - | - | 0.77 (60 %) |")
    assert said[8:] == ["failed: V2 at 4096x4096x4096 32:32: refused",
                        "not measured: 1: V1 at 4096x4096x4096 32:32"]


def test_results_of_others_are_refused(tmp_path, plot):
    with pytest.raises(SystemExit, match="written by figure_times.py"):
        plot(write_results(tmp_path / "x.jsonl", "other", []))
    rows = make_rows("steps", STEPS)
    with pytest.raises(SystemExit, match="V1 at 4096x4096x4096 32:32 twice"):
        plot(write_results(tmp_path / "x.jsonl", "steps", [*rows, rows[0]]))


def test_pictures_are_the_same_each_time(tmp_path, plot):
    for figure, parts in (("steps", STEPS), ("blocks", BLOCKS)):
        results = write_results(tmp_path / f"{figure}.jsonl", figure, make_rows(figure, parts))
        plot(results)
        picture = results.with_suffix(".svg")
        first = picture.read_bytes()
        # Another process has other hashes.
        script = ROOT / "tools/nm-bench/plot_figures.py"
        subprocess.run([sys.executable, script, results], check=True, stdout=subprocess.DEVNULL)
        assert picture.read_bytes() == first
        assert b"cuBLAS" in first and b"% of 66.9 TFLOP/s" in first and b"87.5 %" in first

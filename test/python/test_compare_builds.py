"""compare_builds.py: its list of products, its verdict, and runs that wait for their turn.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Without a GPU: in the place of nm-run is a script with times that a test chooses.
"""

import hashlib
import json
import os
import stat
import subprocess
import sys

import compare_builds
import compared_products
import launch_times
import numpy as np
import pytest
from conftest import ROOT
from nm.runtime.tools import find_tool

PRODUCTS = compared_products.list_products()
SCRIPT = ROOT / "tools/nm-bench/compare_builds.py"

# Says what nm-run says, and when it compiled and had the GPU.
STUB = """#!{python}
import json, os, sys, time
start = time.monotonic()
options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if "=" in word)
if {refuses}:
    sys.exit("nm-run: cannot compile")
time.sleep(1 if "dynseq" in sys.argv[1] else 0.1)
compiled = time.monotonic()
print("device: none\\ncompiled in 1 ms", flush=True)
time.sleep(0.3)
begin = time.monotonic()
time.sleep(0.05)
calls = int(options["repeat"])
launches = [{{"kernel": "f_%d_spmm" % i, "milliseconds": 9 if call < 3 else ms}}
            for call in range(calls) for i, ms in enumerate({milliseconds})]
with open(options["counters"], "w") as file:
    json.dump(launches, file)
with open({log!r}, "a") as file:
    file.write("%r %r %r %r\\n" % (start, compiled, begin, time.monotonic()))
"""


@pytest.fixture
def build(tmp_path):
    """Makes the folder of a build whose kernels take `milliseconds`."""

    def make(name, milliseconds=(), refuses=False):
        tool = tmp_path / name / "nm-run"
        tool.parent.mkdir()
        tool.write_text(STUB.format(python=sys.executable, refuses=refuses,
                                    milliseconds=milliseconds, log=str(tmp_path / "log")))
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        return tool.parent

    return make


def compare(old, new, *options):
    """The exit status, and the lines of JSON."""
    command = [sys.executable, SCRIPT, f"--old={old}", f"--new={new}", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_the_list_stays_as_it_is():
    digest = hashlib.sha256("\n".join(PRODUCTS).encode()).hexdigest()
    assert digest == "bc6171b8c18840a669d5e5d368847e7f74e55fc855254a835425413c679aad82"


def test_the_list_has_what_it_is_to_have():
    products = list(PRODUCTS.values())
    assert len(products) == len(set(products)) == 200
    assert {(p.unit_k, p.unit_n) for p in products} == {(1, 1), (1, 4), (4, 4), (1, 32)}
    assert {p.dtype for p in products} == {"f32", "f16", "bf16"}
    assert {(p.feature_major, p.window == 0) for p in products} == {
        (False, False), (False, True), (True, False), (True, True)}
    assert min(p.m for p in products) == 1 and max(p.m for p in products) == 4096
    assert all(0 < p.keep < p.window_units for p in products)
    assert sum(p.k % (p.window_units * p.unit_k) != 0 for p in products) >= 20


def test_files_of_test_are_compared_on_recorded_inputs(tmp_path):
    modules = {one.name: one for one in compare_builds.list_modules()}
    assert len(modules) >= 225
    path, *inputs = modules["real-2026/lstm_cell_f32_2of4.mlir"].write(tmp_path)
    assert path.exists() and len(inputs) == 3 and inputs[0].endswith(".x0.npy")
    path, *inputs = modules["gen_dyn_batch_linear2d_f32_2of4.mlir"].write(tmp_path)
    assert inputs == ["--dynamic-size=64"]


@pytest.mark.parametrize("name", [one for one in PRODUCTS if one.startswith("17x")])
def test_modules_of_products_are_read(name, tmp_path):
    (path,) = compare_builds.Module(name, PRODUCTS[name]).write(tmp_path)
    subprocess.run([find_tool("nm-opt"), path, "-o", tmp_path / "out.mlir"], check=True)


def test_weights_of_bf16_are_the_upper_halves(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(compare_builds.nm_modules, "write_module",
                        lambda path, product, values, indices: written.append(values))
    product = compare_builds.nm_modules.Product(4, 8, 8, 2, 4, dtype="bf16")
    compare_builds.Module("p", product).write(tmp_path)
    exact, _ = compare_builds.nm_modules.random_weight(product, compare_builds.device_times.SEED)
    halves = (written[0].astype(np.uint32) << 16).view(np.float32)
    assert halves == pytest.approx(exact, rel=2**-7) and written[0].dtype == np.uint16


@pytest.mark.parametrize("old, new, slower", [
    (10, 10.9, False), (10, 11.1, True), (19.9, 20.8, False), (19.9, 21, True),
    (20, 20.9, False), (20, 21.1, True), (1000, 1049, False), (1000, 1051, True), (50, 10, False),
])
def test_what_is_slower(old, new, slower):
    assert compare_builds.is_slower(old, new) == slower


def test_medians_are_of_each_launch_after_the_first_calls():
    launches = [
        {"launch": f"main_{i}_spmm", "kernel": "k", "milliseconds": (100 if call < 3 else call) + i}
        for call in range(6) for i in range(2)
    ]
    names, times = launch_times.take_medians(launches, 6)
    assert names == ["main_spmm", "main_spmm"] and times == [4000, 5000]
    with pytest.raises(launch_times.Error, match="same launches each call, got 11"):
        launch_times.take_medians(launches[1:], 6)


def test_other_kernels_are_compared_as_calls():
    old, same, other = (["a", "b"], [1, 2]), (["a", "b"], [3, 4]), (["ab"], [5])
    assert compare_builds.pair_kernels(old, same) == [("a", 1, 3), ("b", 2, 4)]
    assert compare_builds.pair_kernels(old, other) == [("call", 3, 5)]


def test_the_median_of_several_rounds_counts():
    rounds = [[("a", 10, 15)], [("a", 10, 10.5)], [("a", 11, 10)]]
    (row,) = compare_builds.merge_rounds(rounds)
    assert row == {"kernel": "a", "old_us": 10, "new_us": 10.5, "slower": False}


def test_equal_builds(build):
    status, rows = compare(build("old", (0.1, 0.01)), build("new", (0.104, 0.0109)), "--only=llama")
    assert status == 0 and {"date", "commit", "gpu", "command"} <= rows[0].keys()
    assert len(rows) == 5 and all(row["rounds"] == 1 for row in rows[1:-1])
    assert rows[-1]["kernels"] == 6 and rows[-1]["slower"] == []


def test_a_slower_kernel_is_named_and_measured_again(build):
    old, new = build("old", (0.1, 0.01)), build("new", (0.1, 0.012))
    status, rows = compare(old, new, "--only=1x1024x1024 f32 EW")
    assert status == 1 and [row["rounds"] for row in rows[1:-1]] == [1, 3]
    assert rows[-1]["modules"] == 1
    assert rows[-1]["slower"] == [{"name": "1x1024x1024 f32 EW 2:4 token", "kernel": "f_spmm",
                                   "old_us": 10.0, "new_us": 12.0}]


def test_what_seemed_slower_may_be_as_fast(build, tmp_path):
    old = build("old", (0.1, 0.01))
    # Slower in the first run only.
    first = tmp_path / "first"
    milliseconds = f"(0.1, 0.01 if os.path.exists({str(first)!r}) else 0.02)"
    new = build("new", milliseconds)
    tool = new / "nm-run"
    tool.write_text(tool.read_text() + f"open({str(first)!r}, 'w')\n")
    status, rows = compare(old, new, "--only=1x1024x1024 f32 EW")
    assert rows[1]["kernels"][1]["slower"] and not rows[2]["kernels"][1]["slower"]
    assert status == 0 and rows[-1]["slower"] == [] and rows[-1]["kernels"] == 2


# A table of two kernels a call.
NCU = """#!{python}
import sys
calls = [int(word.split("=")[1]) for word in sys.argv if word.startswith("--repeat")][0]
print('"ID","Kernel Name","gpu__time_duration.sum"\\n"","","nsecond"')
for call in range(calls):
    print('"0","f_0_spmm","100,000"\\n"1","f_1_spmm","%d"' % {ns})
"""


@pytest.mark.parametrize("ns, slower", [
    ('(12100 if "/new/" in " ".join(sys.argv) else 10000)', True), ("10000", False)])
def test_what_is_still_slower_is_measured_by_ncu(build, tmp_path, monkeypatch, ns, slower):
    tool = tmp_path / "bin" / "ncu"
    tool.parent.mkdir()
    tool.write_text(NCU.format(python=sys.executable, ns=ns))
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    old, new = build("old", (0.1, 0.01)), build("new", (0.1, 0.0125))
    status, rows = compare(old, new, "--only=1x1024x1024 f32 EW")
    assert [row.get("by") for row in rows[1:-1]] == [None, None, "ncu"]
    assert status == slower and bool(rows[-1]["slower"]) == slower
    assert rows[3]["kernels"][0] == {
        "kernel": "f_spmm", "old_us": 100, "new_us": 100, "slower": False}


def test_ncu_that_fails_leaves_what_events_said(build, tmp_path, monkeypatch):
    tool = tmp_path / "bin" / "ncu"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho no counters >&2\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    status, rows = compare(build("old", (0.01,)), build("new", (0.02,)), "--only=llama_f32")
    assert status == 1 and "no counters" in rows[3]["failed"]["new"]
    assert rows[-1]["slower"][0]["new_us"] == 20


def test_what_a_build_refuses(build):
    good, bad = build("good", (0.1,)), build("bad", refuses=True)
    status, rows = compare(good, bad, "--only=llama_f32")
    assert status == 1 and rows[-1]["lost"] == ["real-2026/llama_f32_8of32v32.mlir"]
    assert "cannot compile" in rows[1]["failed"]["new"]
    status, rows = compare(bad, good, "--only=llama_f32")
    assert rows[-1]["lost"] == [] and rows[-1]["compared"] == 0
    assert status == 1  # Nothing was compared.


def test_one_run_at_a_time_has_the_gpu(build, tmp_path):
    both = build("both", (0.1,))
    # Two compile at a time, of which the second takes longer, and then the third module.
    status, rows = compare(both, both, "--only=llama", "--workers=2")
    turns = sorted((tuple(map(float, line.split()))
                    for line in (tmp_path / "log").read_text().splitlines()),
                   key=lambda turn: turn[2])
    assert status == 0 and rows[-1]["modules"] == 3 and len(turns) == 6
    calls = [(begin, end) for _, _, begin, end in turns]
    assert all(end <= begin for (_, end), (begin, _) in zip(calls, calls[1:]))
    # Nobody compiles while one calls.
    assert all(compiled <= begin or end <= start
               for start, compiled, _, _ in turns for begin, end in calls)


def test_parts_have_every_module_once():
    modules = compare_builds.list_modules()
    parts = [compare_builds.choose_modules(modules, (i, 3), []) for i in (1, 2, 3)]
    assert sorted(one.name for one in sum(parts, [])) == sorted(one.name for one in modules)


def test_modules_of_several_names():
    modules = compare_builds.list_modules()
    chosen = compare_builds.choose_modules(modules, (1, 1), ["llama_f32", "1x1024x1024 f32 EW"])
    assert [one.name for one in chosen] == [
        "1x1024x1024 f32 EW 2:4 token", "real-2026/llama_f32_8of32v32.mlir"]


def test_links_keep_their_names(tmp_path):
    (tmp_path / "nm").touch()
    (tmp_path / "nm-run").symlink_to("nm")
    options = compare_builds.parse_options([f"--old={tmp_path}", f"--new={tmp_path}"])
    assert options.old.name == options.new.name == "nm-run" and options.old.is_absolute()


@pytest.mark.parametrize("wrong", [["--old=/nowhere", "--new=/nowhere"], ["--part=3/2"], []])
def test_wrong_options(wrong, capsys):
    with pytest.raises(SystemExit) as end:
        compare_builds.parse_options(wrong)
    assert end.value.code == 2 and "error" in capsys.readouterr().err

"""candidate_times.py and planner_choices.py: options, candidates, and what is made of times.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

What needs a GPU is not tested: the measurements.
"""

import json
import math
import sys
import types

import candidate_times
import llama100
import nm_modules
import planner_choices
import pytest

PRODUCT = nm_modules.Product(256, 512, 512, 8, 32, 32, feature_major=True)
HEAD = {"layout": "feature"}
ROW = {"m": 256, "n": 512, "k": 512, "keep": 8}


def candidate(name, predicted):
    return types.SimpleNamespace(name=name, predicted=predicted)


def write(path, *rows, **head):
    path.write_text("\n".join(map(json.dumps, [HEAD | head, *rows])) + "\n")
    return path


@pytest.fixture
def listed():
    """The planner's candidates of one product."""
    return candidate_times.list_candidates([PRODUCT], 5)[PRODUCT]


@pytest.fixture
def report(monkeypatch, capsys):
    """What planner_choices.py prints of files."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["planner_choices.py", *map(str, arguments)])
        planner_choices.main()
        return capsys.readouterr().out

    return call


def test_candidates_are_the_planners_best_first(listed):
    assert len(listed) == 5 and len({one.name for one in listed}) == 5
    predicted = [one.predicted for one in listed]
    assert predicted == sorted(predicted) and predicted[0] > 0
    assert all(one.schedule.startswith("#nm.schedule<") for one in listed)


def test_layouts_have_their_own_candidates(listed):
    token = nm_modules.Product(256, 512, 512, 8, 32, 32)
    (other,) = candidate_times.list_candidates([token], 1)[token]
    assert other.predicted != listed[0].predicted


def test_programs_have_paths_of_their_own(listed):
    paths = {candidate_times.program_path("f", PRODUCT, one) for one in listed}
    assert len(paths) == 5 and all(len(path.name) < 200 for path in paths)


def test_candidate_options(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["c", "--candidates=3", "--keeps=16,4", "1x2x3", "4x5x6"])
    options = candidate_times.parse_options()
    assert options.shapes == [(1, 2, 3), (4, 5, 6)] and options.keeps == (16, 4)
    assert options.candidates == 3 and options.layout == "feature" and options.llama is None


@pytest.mark.parametrize("wrong", ["1x2", "axbxc", "1x2x-3", "--candidates=0", "--keeps=9",
                                   "--layout=row"])
def test_wrong_candidate_options(wrong, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["candidate_times.py", wrong])
    with pytest.raises(SystemExit) as end:
        candidate_times.parse_options()
    assert end.value.code == 2 and "error" in capsys.readouterr().err


def test_times_of_both_scripts_are_read(tmp_path):
    candidates = write(tmp_path / "c.jsonl", ROW | {"name": "a", "microseconds": 10.5},
                       ROW | {"name": "b", "microseconds": 12.5},
                       ROW | {"name": "c", "failed": "refused"})
    planned = "cuda-core: a tile, stages 3, 1024 bytes of shared memory"
    shapes = write(tmp_path / "l.jsonl",
                   ROW | {"planned": planned, "ms": 0.02, "cublas_ms": 0.05, "unit": 32},
                   ROW | {"planned": planned, "ms": 0.01, "cublas_ms": 0.05, "unit": 8},
                   layout="token")
    times, cublas = planner_choices.read_times([candidates, shapes])
    token = nm_modules.Product(256, 512, 512, 8, 32, 32)
    narrow = nm_modules.Product(256, 512, 512, 8, 32, 8)
    assert times == {PRODUCT: {"a": 10.5, "b": 12.5}, token: {"a tile, stages 3": 20.0},
                     narrow: {"a tile, stages 3": 10.0}}
    assert cublas == {token: 50.0, narrow: 50.0}


def test_choices_are_compared_with_the_fastest():
    said = []
    candidates = [candidate("a", 10), candidate("b", 12), candidate("c", 13)]
    times = {"a": 12.5, "b": 10.0, "not listed": 11.0}
    ratios, shares = planner_choices.compare(times, candidates, said.append)
    assert ratios == [10 / 12.5, 12 / 10] and shares == [10 / 12.5]
    assert said == ["a: 12.5 us, 10.0 predicted", "b: 10.0 us, 12.0 predicted",
                    "chooses a, 0.800 of the fastest, b"]


def test_a_choice_that_was_not_measured_is_none():
    said = []
    _, shares = planner_choices.compare({"b": 10.0}, [candidate("a", 9), candidate("b", 10)],
                                        said.append)
    assert shares == [None] and said == [
        "chooses a, 9.0 us predicted, which was not measured"]


def test_one_time_says_nothing_of_a_choice():
    assert planner_choices.compare({"a": 10.0}, [candidate("a", 10)], print) == ([1.0], [])


def test_the_report(tmp_path, report, listed):
    first, second = listed[:2]
    rows = [ROW | {"name": one.name, "microseconds": time}
            for one, time in ((first, 2 * first.predicted), (second, first.predicted))]
    lines = report(write(tmp_path / "r.jsonl", *rows)).splitlines()
    assert [line.split(":")[0] for line in lines] == ["8", "all"]
    errors = [math.log(0.5), math.log(second.predicted / first.predicted)]
    error = math.sqrt(sum(one**2 for one in errors) / 2)
    assert f"2 times, error {error:.1%}" in lines[0]
    assert "1 choices, fastest / chosen 0.500, least 0.500, 0% within 5 %" in lines[0]
    assert lines[0].endswith("0 choices not measured")
    assert lines[1].split(":", 1)[1] in lines[0]


def test_the_report_has_speedups_of_shapes(tmp_path, report, listed):
    planned = f"cuda-core: {listed[0].name}, 1024 bytes of shared memory"
    row = ROW | {"planned": planned, "ms": 0.02, "cublas_ms": 0.05, "unit": llama100.UNIT_N}
    said = report("--verbose", write(tmp_path / "l.jsonl", row))
    assert "over cuBLAS 2.50 measured, 2.50 with the choices of now" in said
    assert "256x512x512 8:32: " in said  # Far from what is predicted.

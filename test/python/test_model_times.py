"""tools/nm-bench/model_times.py: what it makes of kernels' times, without a GPU.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json

import model_times
import plot_models
import pytest

KERNELS = {
    "forward_0_spmm": (10.0, 2),
    "forward_3_spmm_begin": (1.5, 1),
    "forward_1_batch_matmul": (4.0, 1),
    "forward_2_generic_divf": (3.0, 6),
    "forward_12_generic_divf": (2.0, 1),
    "forward_4_transpose": (1.0, 2),
}


def test_kernels_are_grouped_by_what_they_compute():
    kinds = model_times.group_kernels(KERNELS)
    assert list(kinds) == ["spmm", "generic_divf", "batch_matmul", "spmm_begin", "transpose"]
    assert kinds["generic_divf"] == [5.0, 7]


def test_a_table_names_the_largest_of_the_rest(tmp_path, capsys):
    row = {"name": "bert", "eager_us": 90.0, "compiled_us": 80.4, "nm_us": 40.2, "speed": 2.0,
           "launches": 13, "rest_us": 6.0, "kinds": model_times.group_kernels(KERNELS)}
    path = tmp_path / "models.jsonl"
    path.write_text(json.dumps({"what": "a run"}) + "\n" + json.dumps(row) + "\n")
    model_times.print_table(path)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == ("| bert | 80 | 40 | 2.00 | 13 | 12 | 4 | 6 "
                    "| generic_divf 5 (7), transpose 1 (2) |")


def test_a_picture_has_a_bar_for_each_model(tmp_path):
    row = {"name": "bert", "eager_us": 90.0, "compiled_us": 80.4, "nm_us": 40.2,
           "kinds": model_times.group_kernels(KERNELS)}
    assert plot_models.sum_groups(row) == {
        "sparse products": 11.5, "batched products": 4.0, "convolutions": 0.0,
        "kernels of rows": 0.0, "transpositions": 1.0, "others": 5.0}
    path = tmp_path / "models.jsonl"
    path.write_text(json.dumps({"what": "a run"}) + "\n" + json.dumps(row) + "\n")
    plot_models.main([str(path)])
    assert "bert: 80 us" in path.with_suffix(".svg").read_text()
    path.write_text(json.dumps({"what": "a run"}))
    with pytest.raises(SystemExit, match="expected models in"):
        plot_models.main([str(path)])


@pytest.mark.parametrize("name, files, said", [
    ("mobilenet", ["a.mlir"], "got mobilenet"),
    ("bert-8x128-f16", [], "write them by model_times.py --export="),
])
def test_what_cannot_be_measured_is_refused(tmp_path, monkeypatch, capsys, name, files, said):
    for file in files:
        (tmp_path / file).touch()
    monkeypatch.setattr("sys.argv", ["model_times.py", str(tmp_path), name])
    with pytest.raises(SystemExit) as ended:
        model_times.parse_options()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_run_goes_on_with_models_of_its_card_commit_and_pattern(tmp_path):
    run = {"gpu": "NVIDIA H200", "commit": "abc", "keep": 8, "unit": 32}
    lines = [run | {"commit": "old"}, {"name": "old"}, run, {"name": "done"},
             {"name": "ill", "failed": "OutOfMemoryError"}, run | {"unit": 128}, {"name": "other"}]
    path = tmp_path / "models.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert model_times.read_done(path, run) == {"done"}
    assert model_times.read_done(tmp_path / "none.jsonl", run) == set()

"""device_agreement.py: bits, options of a module, what compute-sanitizer says, statuses.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Without a GPU: in the places of nm-run and compute-sanitizer are scripts that do what the
module under test says.
"""

import json
import os
import stat
import subprocess
import sys

import device_agreement
import numpy as np
import pytest
from conftest import ROOT

SCRIPT = ROOT / "tools/nm-bench/device_agreement.py"

# The module is JSON: results by device, the options that are expected, and whether results
# are within the tolerance.
NM_RUN = """#!{python}
import json, pathlib, sys
import numpy as np
module = json.loads(pathlib.Path(sys.argv[1]).read_text())
words = [word.split("=", 1) for word in sys.argv[2:]]
options = dict(words)
if any(word not in sys.argv for word in module["options"]):
    sys.exit("nm-run: other options")
if "--expect" in options:
    sys.exit(0 if module["close"] else 2)
if "--output-dir" in options:
    folder = pathlib.Path(options["--output-dir"])
    folder.mkdir(parents=True)
    for i, result in enumerate(module[options["--device"]]):
        np.save(folder / f"{{i}}.npy", np.array(result, np.float32))
"""
SANITIZER = """#!{python}
import json, pathlib, sys
tool = sys.argv[1].split("=")[1]
module = pathlib.Path(next(word for word in sys.argv if word.endswith(".mlir")))
assert "--device=cuda" in sys.argv and sys.argv[2] == "--error-exitcode=99"
said = json.loads(module.read_text()).get(tool, "clean")
if said == "refused":
    sys.exit("Device not supported")
print("========= ERROR SUMMARY: %d errors" % (said != "clean"))
sys.exit(0 if said == "clean" else 99)
"""


@pytest.fixture
def agreement(tmp_path, monkeypatch):
    """Runs the script on modules by name: the status, and the rows by name."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, text in (("nm-run", NM_RUN), ("compute-sanitizer", SANITIZER)):
        (tools / name).write_text(text.format(python=sys.executable))
        (tools / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")

    def call(modules, *options):
        folder = tmp_path / "modules"
        folder.mkdir()
        for name, module in modules.items():
            whole = {"cuda": [[1.0]], "emulator": [[1.0]], "options": ["--entry=main"],
                     "close": False} | module
            (folder / f"{name}.mlir").write_text(json.dumps(whole))
            if "file" in module:
                (folder / f"{name}.options").write_text("\n".join(module["file"]) + "\n")
        results = tmp_path / "out.json"
        command = [sys.executable, SCRIPT, folder, f"--nm-run={tools / 'nm-run'}",
                   f"--json={results}", "--workers=2", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        written = json.loads(results.read_text())
        assert {"gpu", "date", "commit", "command"} <= written.keys()
        return done.returncode, {row["name"]: row for row in written["rows"]}

    return call


def test_same_bits_agree(agreement):
    status, rows = agreement({"a": {}, "b": {"cuda": [[1.0], [2.0]], "emulator": [[1.0], [2.0]]}})
    assert status == 0 and {row["result"] for row in rows.values()} == {"agrees"}
    assert len(rows) == 2


def test_close_is_right_and_far_is_not(agreement):
    status, rows = agreement({"a": {"cuda": [[1.5]], "close": True}})
    assert status == 0 and rows["a"]["result"] == "close" and rows["a"]["text"] == "0.npy"


@pytest.mark.parametrize("module, result, text", [
    ({"cuda": [[1.5]]}, "differs", "0.npy"),
    ({"cuda": [[1.0], [2.0]]}, "differs", "numbers of results"),
    ({"cuda": [[1.0, 1.0]]}, "differs", "0.npy"),
    ({"options": ["--entry=f"]}, "failed", "other options"),
])
def test_what_is_wrong_is_said(agreement, module, result, text):
    status, rows = agreement({"a": module, "b": {}})
    assert status == 1 and rows["a"]["result"] == result and text in rows["a"]["text"]
    assert rows["b"]["result"] == "agrees"


def test_options_of_a_module_are_its_own(agreement):
    lines = ["--entry=f", "--pipeline-options=stages=3 promote=0"]
    status, rows = agreement({"a": {"file": lines, "options": lines}, "b": {}})
    assert status == 0 and len(rows) == 2


def test_sanitizers(agreement):
    modules = {"a": {}, "b": {"racecheck": "hazard"}, "c": {"memcheck": "refused"}}
    status, rows = agreement(modules, "--sanitizers=memcheck,racecheck")
    assert status == 1 and rows["a"]["memcheck"] == rows["a"]["racecheck"] == "passed"
    assert rows["b"]["racecheck"].startswith("failed: ") and "1 errors" in rows["b"]["racecheck"]
    assert rows["c"]["memcheck"] == "not run: Device not supported\n"
    assert rows["c"]["racecheck"] == "passed"


def test_clean_modules(agreement):
    status, rows = agreement({"a": {}}, "--sanitizers=racecheck")
    assert status == 0 and "memcheck" not in rows["a"]


def test_a_machine_without_sanitizers_is_not_clean(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    result, text = device_agreement.sanitizer.check("memcheck", ["nm-run"])
    assert result == "not run" and "compute-sanitizer" in text


def test_parts(agreement):
    modules = {name: {} for name in "abcde"}
    status, rows = agreement(modules, "--part=2/2")
    assert status == 0 and [*rows] == ["b", "d"]


def test_nan_has_bits_as_well(tmp_path):
    folders = []
    for name, value in (("a", np.nan), ("b", np.nan), ("c", -np.nan)):
        folders.append(tmp_path / name)
        folders[-1].mkdir()
        np.save(folders[-1] / "0.npy", np.array([value]))
    assert device_agreement.differ(*folders[:2]) == ""
    assert device_agreement.differ(*folders[1:]) == "0.npy"


@pytest.mark.parametrize("wrong", [["f", "--sanitizers=initcheck"], ["f", "--part=0/1"], []])
def test_wrong_options(wrong, capsys):
    with pytest.raises(SystemExit) as end:
        device_agreement.parse_options(wrong)
    assert end.value.code == 2 and "error" in capsys.readouterr().err

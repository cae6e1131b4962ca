"""Compiled programs on disk, and progress on a terminal."""

import fcntl
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import termios
import threading
from pathlib import Path

import nm
import numpy as np
import pytest
from conftest import ROOT, need
from nm.numbers.weights import write_weights
from nm.runtime import cache, compiler
from nm.runtime.cache_key import make_key
from test_runtime import PRODUCT

X = np.ones((2, 8), np.float32)


@pytest.fixture
def compilations(monkeypatch, tmp_path):
    """A cache of its own, and what was compiled."""
    done = []

    def run(module, arguments, output):
        done.append(arguments)
        return compile_once(module, arguments, output)

    compile_once = compiler._run_compiler
    monkeypatch.setattr(compiler, "_run_compiler", run)
    monkeypatch.setenv("NM_CACHE_DIR", str(tmp_path / "cache"))
    return done


def files(tmp_path):
    return sorted(tmp_path.glob("cache/*.nm"), key=lambda path: path.stat().st_mtime_ns)


def test_a_module_is_compiled_once(compilations, tmp_path):
    first = nm.compile(nm.Module(PRODUCT))
    path = nm.Module(PRODUCT).save(tmp_path / "module.mlir")
    second = nm.compile(nm.Module(PRODUCT))
    np.testing.assert_array_equal(first(X)[0], second(X)[0])
    assert len(compilations) == 1
    # Its report names the file.
    assert nm.compile(path).report["products"][0]["location"].startswith(str(path))
    nm.run(path, X, device="emulator")
    assert len(compilations) == 2
    others = [
        lambda: nm.compile(nm.Module(PRODUCT), chip="sm_80"),
        lambda: nm.compile(nm.Module(PRODUCT), options={"stages": 3}),
        lambda: nm.compile(nm.Module(PRODUCT), pattern=nm.Pattern(1, 4)),
        lambda: nm.compile(nm.Module(PRODUCT.replace("4.0", "5.0"))),
        lambda: nm.compile(nm.Module(PRODUCT), cache=False),
        lambda: nm.compile(nm.Module(PRODUCT), cache=False),
    ]
    for number, other in enumerate(others, start=3):
        other()
        assert len(compilations) == number
    assert len(files(tmp_path)) == 6


def test_measured_schedules_are_part_of_the_key(compilations, tmp_path):
    database = tmp_path / "tuning.json"
    options = {"tuning-database": database}
    for text, count in (
        ('{"version": 1, "entries": []}', 1),
        ('{"version": 1, "entries": []}', 1),
        ('{"version": 1, "entries": [], "note": "another"}', 2),
    ):
        database.write_text(text)
        nm.compile(nm.Module(PRODUCT), options=options)
        assert len(compilations) == count
    database.unlink()
    with pytest.raises(nm.ToolError, match="expected a tuning database that can be read"):
        nm.compile(nm.Module(PRODUCT), options=options)


WEIGHT = """func.func @main(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = arith.constant dense_resource<W> : tensor<8x4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<2x8xf32>, tensor<8x4xf32>)
    outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
"""


@pytest.mark.filterwarnings("ignore::nm.DenseWarning")
def test_what_files_of_options_hold_is_part_of_the_key(compilations, tmp_path):
    need("torch")
    import torch

    file = tmp_path / "w.safetensors"
    for value, count in ((1.0, 1), (2.0, 2), (1.0, 2)):
        write_weights({"W": torch.full((8, 4), value)}, file)
        program = nm.compile(nm.Module(WEIGHT), options={"weights": file})
        np.testing.assert_array_equal(program(X)[0], np.full((2, 4), 8 * value))
        assert len(compilations) == count


def test_what_else_is_written_is_written_each_time(compilations, tmp_path):
    report, stages = tmp_path / "report.json", tmp_path / "stages"
    options = {"report": report, "dump-stages": stages}
    nm.compile(nm.Module(PRODUCT))
    for count in (2, 3):
        nm.compile(nm.Module(PRODUCT), options=options)
        assert json.loads(report.read_text())["products"] and list(stages.iterdir())
        report.unlink()
        shutil.rmtree(stages)
        assert len(compilations) == count
    # They are the same program.
    nm.compile(nm.Module(PRODUCT))
    assert len(compilations) == 3 and len(files(tmp_path)) == 1


def test_what_can_be_read_only_once_is_not_looked_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="expected a file that can be read twice"):
        make_key(nm.Module(PRODUCT), [f"--tuning-database={tmp_path}/pipe"])


def test_it_can_be_switched_off(compilations, tmp_path, monkeypatch):
    monkeypatch.setenv("NM_CACHE", "0")
    nm.compile(nm.Module(PRODUCT))
    nm.compile(nm.Module(PRODUCT))
    assert len(compilations) == 2 and not files(tmp_path)
    nm.compile(nm.Module(PRODUCT), cache=True)
    assert len(files(tmp_path)) == 1


def test_what_is_damaged_is_made_again(compilations, tmp_path):
    nm.compile(nm.Module(PRODUCT))
    (path,) = files(tmp_path)
    path.write_bytes(path.read_bytes()[:-8])
    np.testing.assert_array_equal(nm.compile(nm.Module(PRODUCT))(X)[0], [[4, 6]] * 2)
    assert len(compilations) == 2


@pytest.mark.parametrize("place", [-5, -300])
def test_a_damaged_weight_is_made_again(compilations, tmp_path, place):
    nm.compile(nm.Module(PRODUCT))
    (path,) = files(tmp_path)
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    # Another file: the first may be mapped.
    path.unlink()
    path.write_bytes(data)
    for _ in range(2):
        np.testing.assert_array_equal(nm.compile(nm.Module(PRODUCT))(X)[0], [[4, 6]] * 2)
        assert len(compilations) == 2


def _put_link(place, elsewhere):
    elsewhere.write_text("kept")
    place.symlink_to(elsewhere)


def _put_pipe(place, elsewhere):
    elsewhere.write_text("kept")
    os.mkfifo(place)


@pytest.mark.parametrize("put", [_put_link, _put_pipe])
@pytest.mark.parametrize("what", ["lock", "program"])
def test_links_and_pipes_are_left_alone(compilations, tmp_path, put, what):
    nm.compile(nm.Module(PRODUCT))
    (path,) = files(tmp_path)
    (lock,) = tmp_path.glob("cache/lock-*")
    place = lock if what == "lock" else path
    place.unlink()
    put(place, tmp_path / "mine")
    np.testing.assert_array_equal(nm.compile(nm.Module(PRODUCT))(X)[0], [[4, 6]] * 2)
    assert len(compilations) == 2 and (tmp_path / "mine").read_text() == "kept"


def test_a_full_disk_goes_on_without_a_cache(compilations, tmp_path, monkeypatch):
    compile_once = compiler._run_compiler

    def run(module, arguments, output):
        if output.parent.name == "cache":
            said = f"nm-compile: cannot write `{output}`: No space left on device"
            raise nm.ToolError("nm-compile", said, 1)
        compile_once(module, arguments, output)

    monkeypatch.setattr(compiler, "_run_compiler", run)
    np.testing.assert_array_equal(nm.compile(nm.Module(PRODUCT))(X)[0], [[4, 6]] * 2)
    assert not files(tmp_path)


def test_without_a_home(compilations, monkeypatch):
    def has_none():
        raise RuntimeError("Could not determine home directory.")

    for name in ("NM_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", has_none)
    np.testing.assert_array_equal(nm.compile(nm.Module(PRODUCT))(X)[0], [[4, 6]] * 2)


def test_an_error_is_not_kept(compilations, tmp_path):
    for _ in range(2):
        with pytest.raises(nm.ToolError, match="undeclared SSA value"):
            nm.compile(nm.Module("func.func @f() -> i32 { return %x : i32 }"))
    assert len(compilations) == 2 and not files(tmp_path)


def test_what_was_used_longest_ago_goes(compilations, tmp_path, monkeypatch):
    programs = []
    for value in ("1.0", "2.0", "3.0"):
        programs.append(nm.compile(nm.Module(PRODUCT.replace("4.0", value))))
        (*_, newest) = files(tmp_path)
    size = newest.stat().st_size
    first, second, third = files(tmp_path)
    nm.compile(nm.Module(PRODUCT.replace("4.0", "1.0")))
    monkeypatch.setenv("NM_CACHE_SIZE", str(3 * size + 100))
    nm.compile(nm.Module(PRODUCT))
    assert second not in files(tmp_path) and first in files(tmp_path)
    # A program whose file is gone goes on.
    np.testing.assert_array_equal(programs[1](X)[0], [[4, 4]] * 2)
    programs[1].save(tmp_path / "kept.nm")
    monkeypatch.setenv("NM_CACHE_SIZE", "0")
    nm.compile(nm.Module(PRODUCT))
    assert len(files(tmp_path)) == 1
    monkeypatch.setenv("NM_CACHE_SIZE", "much")
    with pytest.raises(nm.Error, match="NM_CACHE_SIZE: expected a number of bytes"):
        nm.compile(nm.Module(PRODUCT))


def test_a_folder_that_cannot_be(compilations, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NM_CACHE_DIR", str(tmp_path / "file" / "cache"))
    np.testing.assert_array_equal(nm.compile(nm.Module(PRODUCT))(X)[0], [[4, 6]] * 2)


def test_the_default_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("NM_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.get_folder() == tmp_path / "nm"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.get_folder() == tmp_path / ".cache/nm"


def test_several_want_the_same(compilations, tmp_path):
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(nm.compile(nm.Module(PRODUCT))(X)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and len(compilations) == 1


def test_progress_on_a_terminal(tmp_path):
    need("tqdm")
    script = (
        "import nm; from nm.runtime import progress; progress._DELAY = 0; "
        f"nm.compile(nm.Module({PRODUCT!r}), cache=False)"
    )
    reader, writer = pty.openpty()
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(
        command, env=environment, stderr=writer, stdout=subprocess.PIPE
    ) as process:
        os.close(writer)
        shown = b""
        try:
            while piece := os.read(reader, 4096):
                shown += piece
        except OSError:  # the terminal's other end is gone
            pass
        assert process.stdout.read() == b""
    os.close(reader)
    assert process.returncode == 0, shown
    assert b"nm: compiling" in shown and b"emit-ptx" in shown
    # Without a terminal nothing is written.
    quiet = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert quiet.stdout == quiet.stderr == b""

"""nm-tune: what it measures, keeps and goes on with, by a timer that is none."""

import itertools
import json
import math

import nm
import pytest
import tuning_products
from nm import tune
from nm.errors import Error
from nm.runtime import _native
from nm.runtime.program import Program
from nm.runtime.tools import run_tool
from nm.tuning import _cuda, measuring, timers
from nm.tuning.measuring import Candidate, Database, Job, list_jobs, measure
from nm.tuning.products import Product, parse_product, write_module
from nm.tuning.timers import RandomCall, get_median
from test_runtime import PRODUCT

SPEC = "96x128x64:8:32:32"
COUNT = 8  # candidates of it


class FakeTimer:
    """Calls each program in the emulator, and says that later ones are faster."""

    capability, gpu, driver = 90, "GPU A", "1.2"

    def __init__(self, fail_at=None, error=KeyboardInterrupt, gpu="GPU A"):
        self.schedules = []
        self.fail_at, self.error, self.gpu = fail_at, error, gpu

    def __call__(self, device):
        assert device == "cuda:0"
        return self

    def measure(self, path, work):
        if self.fail_at == len(self.schedules):
            raise self.error
        program = Program(path)
        with RandomCall(program, _native.EMULATOR, 0) as call:
            call.synchronize()
            call.enqueue(0)
            call.synchronize()
        (product,) = program.report["products"]
        assert work == math.prod(product["shape"].values())
        self.schedules.append(product["schedule"])
        return 1000.0 - len(self.schedules)


@pytest.fixture
def database(tmp_path):
    return tmp_path / "tuning.json"


def run(database, timer, *arguments):
    return tune.main([f"--database={database}", *arguments], timer)


def read(database):
    return json.loads(database.read_text())["entries"]


def test_times_are_kept_and_the_compiler_takes_the_fastest(database, tmp_path, capsys):
    timer = FakeTimer()
    assert run(database, timer, "--products", SPEC) == 0
    said = capsys.readouterr()
    assert f"{COUNT} times taken on GPU A, 0 known, 0 failed" in said.out
    assert "; 999.0 us by 32x128 tile, 64 rows a step, which was predicted" in said.out
    (entry,) = read(database)
    assert Product.from_json(entry["product"]) == parse_product(SPEC, "sm_90a")
    assert [one["schedule"] for one in entry["measurements"]] == timer.schedules
    assert len(set(timer.schedules)) == COUNT
    last = entry["measurements"][-1]
    assert {**last, "date": "", "commit": ""} == {
        "schedule": timer.schedules[-1], "microseconds": 1000.0 - COUNT, "gpu": "GPU A",
        "driver": "1.2", "date": "", "commit": "",
    }
    assert last["date"].endswith("Z") and last["commit"]
    # Its own module of the product, without schedules; with callers, as it is compiled.
    module, report = tmp_path / "m.mlir", tmp_path / "report.json"
    module.write_text(write_module([parse_product(SPEC)]).replace("private ", ""))
    command = [module, f"--tuning-database={database}", "--capability=90", "--emit=mlir"]
    run_tool("nm-compile", [*command, "-o", tmp_path / "out", f"--report={report}"])
    (product,) = json.loads(report.read_text())["products"]
    assert product["schedule"] == timer.schedules[-1]
    assert f"{1000 - COUNT}.0 us measured on GPU A for m = 96 (tuning.json)" in product["reason"]


def test_a_second_run_skips_what_is_there(database, capsys):
    assert run(database, FakeTimer(), "--products", SPEC, "--candidates=3") == 0
    again = FakeTimer()
    assert run(database, again, "--products", SPEC, "--candidates=5") == 0
    assert "2 times taken on GPU A, 3 known" in capsys.readouterr().out
    assert len(again.schedules) == 2
    first = FakeTimer()
    assert run(database, first, "--products", SPEC, "--candidates=1", "--again") == 0
    (entry,) = read(database)
    schedules = [one["schedule"] for one in entry["measurements"]]
    assert len(schedules) == 6 and schedules[0] == schedules[5]
    # Another GPU's times are its own.
    other = FakeTimer(gpu="GPU B")
    assert run(database, other, "--products", SPEC, "--candidates=2") == 0
    assert len(other.schedules) == 2


def test_an_interrupted_run_keeps_what_it_measured(database, capsys):
    assert run(database, FakeTimer(fail_at=3), "--products", SPEC) == 130
    assert "interrupted; what was measured is in" in capsys.readouterr().err
    (entry,) = read(database)
    assert len(entry["measurements"]) == 3
    rest = FakeTimer()
    assert run(database, rest, "--products", SPEC) == 0
    (entry,) = read(database)
    assert len(rest.schedules) == COUNT - 3
    assert len({one["schedule"] for one in entry["measurements"]}) == COUNT
    assert [path.name for path in database.parent.iterdir()] == ["tuning.json"]


@pytest.fixture
def clock(monkeypatch):
    """Seconds, one more each time that nm-tune asks."""
    monkeypatch.setattr(tune.time, "monotonic", itertools.count().__next__)


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "products.txt"
    path.write_text(f"# two products\n{SPEC}\n\n1x64x64:2:4  # one row\n")
    return f"--product-list={path}"


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_budget_is_gone_on_with(database, listed, clock, capsys, jobs):
    arguments = [listed, "--candidates=2", "--budget=3", f"--jobs={jobs}"]
    first = FakeTimer()
    assert run(database, first, *arguments) == 3
    said = capsys.readouterr()
    assert "2 times taken on GPU A, 0 known, 0 failed" in said.out
    assert "the budget is spent: 2 candidates left; call it again to go on" in said.err
    rest = FakeTimer()
    assert run(database, rest, *arguments) == 0
    assert "2 times taken on GPU A, 2 known" in capsys.readouterr().out
    assert [len(first.schedules), len(rest.schedules)] == [2, 2]
    # One after the other: the first product is done before the second begins.
    products = [Product.from_json(one["product"]) for one in read(database)]
    assert [(one.m, one.n, one.k) for one in products] == [(96, 128, 64), (1, 64, 64)]
    assert run(database, FakeTimer(), *arguments) == 0
    assert "0 times taken on GPU A, 4 known" in capsys.readouterr().out


def test_compiled_programs_do_not_pile_up(database, monkeypatch, tmp_path):
    monkeypatch.setattr(measuring.tempfile, "tempdir", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    found = []

    class Watching(FakeTimer):
        def measure(self, path, work):
            found.append(len([*(tmp_path / "t").rglob("*.nm")]))
            return super().measure(path, work)

    assert run(database, Watching(), "--products", SPEC, "1x64x64:2:4", "--jobs=2") == 0
    assert len(found) == COUNT + 8 and max(found) <= 3
    assert [*(tmp_path / "t").iterdir()] == []


def test_the_fastest_are_exported(database, listed, tmp_path, capsys):
    assert run(database, FakeTimer(gpu="GPU B"), listed, "--candidates=1") == 0
    assert run(database, FakeTimer(), listed, "--candidates=4") == 0
    shipped = tmp_path / "TuningData.json"
    assert run(database, None, f"--export={shipped}") == 0
    assert "the fastest schedules of 2 products are in" in capsys.readouterr().out
    entries = read(shipped)
    assert [len(one["measurements"]) for one in entries] == [1, 1]
    for entry, all_times in zip(entries, read(database)):
        times = [one for one in all_times["measurements"] if one["gpu"] == "GPU A"]
        assert entry["product"] == all_times["product"]
        assert entry["measurements"] == [min(times, key=lambda one: one["microseconds"])]
    # The compiler reads it.
    assert Database(shipped).find(
        Product.from_json(entries[0]["product"]), entries[0]["measurements"][0]["schedule"]
    )
    other = tmp_path / "other.json"
    assert run(tmp_path / "none.json", None, f"--export={other}") == 1
    assert "expected a database with times with --export, got" in capsys.readouterr().err
    assert not other.exists()
    assert run(database, None, f"--export={database}") == 1
    assert "times would go" in capsys.readouterr().err


def test_wrong_product_lists(database, tmp_path, capsys):
    path = tmp_path / "products.txt"
    path.write_text(f"{SPEC}\n5x5x8:2\n")
    assert run(database, FakeTimer(), f"--product-list={path}") == 1
    assert "products.txt:2: expected a product such as" in capsys.readouterr().err
    path.write_text("# none\n")
    assert run(database, FakeTimer(), f"--product-list={path}") == 1
    assert "expected products, got none in" in capsys.readouterr().err
    assert run(database, FakeTimer(), f"--product-list={tmp_path}/no.txt") == 1
    assert "no.txt" in capsys.readouterr().err


def test_the_products_of_nms_own_data(capsys):
    tuning_products.main([])
    lines = capsys.readouterr().out.splitlines()
    products = [parse_product(one) for one in lines if not one.startswith("#")]
    assert len(set(products)) == len(products) == 400 + 13 * 4 * 20
    assert lines[:2] == ["# llama", "256x2048x2048:16:32:32:f32:feature"]
    tuning_products.main(["--only=classes"])
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == "# classes" and second.startswith("1x2048x2048:16:32:32:f32:token")


def test_entries_of_a_product_twice_are_one(database):
    product = parse_product(SPEC, "sm_90a")
    time = {"schedule": "#nm.schedule<kind = #nm.gone>", "gpu": "A", "driver": "1",
            "date": "d", "commit": "c"}
    entries = [{"product": product.to_json(), "measurements": [{**time, "microseconds": one}]}
               for one in (2.0, 1.0)]
    database.write_text(json.dumps({"version": 1, "entries": entries}))
    assert Database(database).find(product, time["schedule"]) == 1.0


def test_a_device_that_fails_ends_the_run(database, capsys):
    timer = FakeTimer(fail_at=1, error=nm.ProgramError(5, "illegal address"))
    assert run(database, timer, "--products", SPEC) == 1
    said = capsys.readouterr().err
    assert "96x128x64" in said and "#nm.schedule<" in said and "illegal address" in said
    assert len(read(database)[0]["measurements"]) == 1


def test_a_candidate_that_does_not_compile_is_left_out(database, monkeypatch, capsys):
    def list_more(*arguments):
        (job,) = list_jobs(*arguments)
        broken = Candidate("#nm.schedule<kind = #nm.gone>", "gone", 1.0)
        return [Job(job.product, job.layers, [broken, job.candidates[0]])]

    monkeypatch.setattr(tune, "list_jobs", list_more)
    timer = FakeTimer()
    assert run(database, timer, "--products", SPEC) == 1
    said = capsys.readouterr()
    assert "1 time taken on GPU A, 0 known, 1 failed" in said.out
    assert "#nm.gone" in said.err
    assert len(timer.schedules) == 1


def test_the_products_of_a_module(database, tmp_path):
    path = nm.Module(PRODUCT).save(tmp_path / "module.mlir")
    timer = FakeTimer()
    assert run(database, timer, str(path), "--products", SPEC, "--candidates=2") == 0
    products = [Product.from_json(one["product"]) for one in read(database)]
    assert [(one.m, one.n, one.k) for one in products] == [(2, 2, 8), (96, 128, 64)]
    assert {one.chip for one in products} == {"sm_90a"}


def test_dry_run(database, capsys):
    def no_gpu(device):
        raise AssertionError("a dry run asks for no GPU")

    assert run(database, FakeTimer(), "--products", SPEC, "--candidates=1") == 0
    capsys.readouterr()
    arguments = ["--products", SPEC, "1x64x64:2:4", "--candidates=2", "--dry-run"]
    assert run(database, no_gpu, *arguments, "--chip=sm_90a") == 0
    said = capsys.readouterr().out
    assert "96x128x64 8:32, unit = 1x32 f32 token/token: 2 candidates\n" in said
    assert "us predicted, 999.0 us measured: 32x128 tile, 64 rows a step\n" in said
    assert "us predicted: 32x64 tile, 64 rows a step\n    #nm.schedule<kind = #nm.fma<" in said
    assert "2 products, 4 candidates" in said
    assert run(database, no_gpu, *arguments, "--chip=sm_80") == 0
    assert "measured" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--products", "5x"], "expected a product such as 512x1024x4096:8:32:32:f16"),
        (["--products", "5x5x8:2"], "expected a product such as"),
        (["--products", "5x5x0:2:4"], "expected a product such as"),
        (["--products", "5x5x8:2:4:f17"], "or a layout (token, feature;"),
        (["--products", "5x5x8:5:4"], "expected keep <= window, got keep=5 of window=4"),
        (["--products", "5x5x8:2:4:f64/i8", "--chip=sm_80"], "expected --chip=sm_90"),
        (["none.mlir"], "cannot open input file 'none.mlir'"),
        (["--products", SPEC, "--option", "stages=9"], "expected --stages from 1 to 4, got 9"),
    ],
)
def test_what_is_refused(database, capsys, arguments, said):
    assert run(database, FakeTimer(), *arguments) == 1
    assert said in capsys.readouterr().err
    assert not database.exists()


@pytest.mark.parametrize(
    "arguments",
    [[], ["--candidates=0", SPEC], ["--weights=w"], ["--products", SPEC, "--budget=0"],
     ["--products", SPEC, "--jobs=no"], ["--products", SPEC, "--export=f"]],
)
def test_usage(database, arguments):
    with pytest.raises(SystemExit) as exit:
        run(database, FakeTimer(), *arguments)
    assert exit.value.code == 2


def test_a_file_that_is_no_database(database, capsys):
    database.write_text('{"version": 1,\n "entries": 5}')
    assert run(database, FakeTimer(), "--products", SPEC) == 1
    assert "tuning.json:2:13: error: expected an array of entries" in capsys.readouterr().err
    assert database.read_text().endswith('5}')


def test_a_module_without_products(database, tmp_path, capsys):
    path = tmp_path / "empty.mlir"
    path.write_text("module {}")
    assert run(database, FakeTimer(), str(path)) == 1
    assert "expected a module with N:M-sparse products, got none" in capsys.readouterr().err


def test_without_a_gpu(database, capsys, monkeypatch):
    def no_context(kind, ordinal):
        raise nm.ProgramError(3, "no driver")

    monkeypatch.setattr(timers._native, "context", no_context)
    assert tune.main([f"--database={database}", "--products", SPEC]) == 1
    assert "no driver; --dry-run needs no GPU" in capsys.readouterr().err


def test_two_that_write_lose_nothing(database):
    product = parse_product(SPEC, "sm_90a")
    one, other = Database(database), Database(database)
    for writer, schedule in ((one, "a"), (other, "b"), (one, "c")):
        writer.add(product, {"schedule": schedule, "microseconds": 1.0, "gpu": "GPU A"})
    (entry,) = read(database)
    assert [time["schedule"] for time in entry["measurements"]] == ["a", "b", "c"]
    assert one.find(product, "b") == 1.0
    assert one.find(product, "b", "GPU B") is None


# Types, layouts, units, windows of all of k and a partial last one.
@pytest.mark.parametrize(
    "spec",
    [
        "40x64x104:2:4", "40x64x100:8:32:32:f32:feature", "1x64x64:2:4:i8",
        "16x32x64:4:all:1x8:f16/i8:feature/feature", "8x32x64:1:2:4x4:f64",
        "20x64x128:8:32:32:bf16", "1x32x64:2:4:f32:feature", "16x33x300:200:300:1x3:f16",
    ],
)
def test_every_product_can_be_measured(database, spec):
    product = parse_product(spec, "sm_90")
    (job,) = list_jobs(None, [product], ["--chip=sm_90"])
    assert job.product == product
    timer = FakeTimer()
    done = measure([Job(product, [], job.candidates[:1])], timer, Database(database))
    assert (done.measured, done.failed) == (1, [])


def test_named_products_keep_their_layouts():
    # Which a compiled module would change.
    product = parse_product("4096x4096x4096:8:32:32:token", "sm_90")
    (job,) = list_jobs(None, [product], ["--chip=sm_90"])
    assert job.product == product


def test_a_scale_makes_floats_of_integers(database):
    product = parse_product("16x32x64:2:4:i8", "sm_90")
    scaled = Product.from_json({**product.to_json(), "c_type": "f16"})
    (job,) = list_jobs(None, [scaled], ["--chip=sm_90"])
    assert job.product == scaled
    assert measure([job], FakeTimer(), Database(database)).failed == []


def test_median():
    batches = []

    def time(launch, count):
        batches.append(count)
        return count * next(milliseconds)

    milliseconds = itertools.chain([9, 0.5], [1, 2, 30, 4, 5])
    assert get_median(time, print) == 4
    assert batches == [3, 1] + [20] * 5


class FakeCuda:
    """CUDA's driver as far as _cuda calls it: keeps the names of the calls."""

    def __init__(self, fails=""):
        self.calls, self.fails = [], fails

    def __getattr__(self, name):
        def call(*arguments):
            self.calls.append(name)
            if name == "cuGetErrorString":
                arguments[1]._obj.value = b"out of luck"
            elif name == "cuEventElapsedTime":
                arguments[0]._obj.value = 2.5
            elif name == "cuDriverGetVersion":
                arguments[0]._obj.value = 13020
            return 700 if name == self.fails else 0

        return call


def make_stream(monkeypatch, fake):
    monkeypatch.setattr(_cuda.ctypes, "CDLL", lambda name: fake)
    return _cuda.Stream(0)


def test_a_graph_is_captured_and_timed(monkeypatch):
    fake = FakeCuda()
    stream = make_stream(monkeypatch, fake)
    fake.calls.clear()
    with stream.captured(lambda: fake.calls.append("launch")) as launch:
        assert stream.time(launch, 2) == 2.5
    assert fake.calls == [
        "cuStreamBeginCapture_v2", "launch", "cuStreamEndCapture",
        "cuGraphInstantiateWithFlags", "cuGraphDestroy",
        "cuEventRecord", "cuGraphLaunch", "cuGraphLaunch", "cuEventRecord",
        "cuEventSynchronize", "cuEventElapsedTime", "cuGraphExecDestroy",
    ]
    assert stream.get_cuda_version() == "13.2"


def test_a_capture_that_fails_is_ended(monkeypatch):
    fake = FakeCuda()
    stream = make_stream(monkeypatch, fake)

    def enqueue():
        raise Error("refused")

    with pytest.raises(Error, match="refused"), stream.captured(enqueue):
        pass
    assert fake.calls[-1] == "cuStreamEndCapture"


def test_the_driver_says_what_is_wrong(monkeypatch):
    with pytest.raises(Error, match=r"cuDeviceGet: out of luck \(CUDA error 700\)"):
        make_stream(monkeypatch, FakeCuda(fails="cuDeviceGet"))

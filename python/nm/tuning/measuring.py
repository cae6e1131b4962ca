"""Measuring schedules, and the database that keeps the times (docs/Tuning.md).

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import datetime
import fcntl
import functools
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nm.errors import Error, ToolError
from nm.runtime._files import replace_file
from nm.runtime.tools import run_tool
from nm.tuning.products import (
    Product,
    parse_product,
    write_measured_module,
    write_module,
    write_weight,
)
from nm.tuning.timers import Timer

_VERSION = 1


@dataclass(frozen=True)
class Candidate:
    """A schedule that the planner chooses from.

    Attributes:
        schedule: the text of the #nm.schedule.
        name: for people, such as "64x128 tile, 64 rows a step".
        predicted: microseconds by the planner's model.
    """

    schedule: str
    name: str
    predicted: float


@dataclass(frozen=True)
class Job:
    """A product to measure, the layers that compute it, and its candidates, the fastest
    by prediction first."""

    product: Product
    layers: list[str]
    candidates: list[Candidate]


#
# What to measure
#


def read_products(path: str | os.PathLike[str]) -> list[Product]:
    """The products of a file: one a line, as `parse_product` takes it; what is behind a #
    is left out.

    Raises:
        Error: a line is no product; says which.
        OSError: the file cannot be read.
    """
    products = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if text := line.partition("#")[0].strip():
            try:
                products.append(parse_product(text))
            except Error as error:
                raise Error(f"{path}:{number}: {error}") from None
    return products


_KEEP_LAYOUTS = "--no-propagate-layouts"


def list_jobs(
    module: str | None, products: Sequence[Product], options: Sequence[str]
) -> list[Job]:
    """The products of a module and others, each with its candidates.

    Args:
        module: the path of a module; None for none.
        products: others.
        options: of nm-compile, for both.

    Raises:
        ToolError: nm-compile refuses the module, an option or a product.
    """
    jobs: dict[Product, Job] = {}
    with tempfile.TemporaryDirectory(prefix="nm-tune-") as folder:
        inputs = [] if module is None else [module]
        if products:
            text = Path(folder) / "products.mlir"
            text.write_text(write_module(products), encoding="utf-8")
            inputs.append(str(text))
        for one in inputs:
            output = Path(folder) / "candidates.json"
            # The data of the module's weights is none of the products'.
            given = [
                option
                for option in options
                if one == module or not option.startswith("--weights=")
            ]
            # Others have the layouts that they name.
            if one != module and _KEEP_LAYOUTS not in given:
                given.append(_KEEP_LAYOUTS)
            arguments = [one, *given, "--emit=candidates", "-o", str(output)]
            run_tool("nm-compile", arguments, one)
            for row in json.loads(output.read_text(encoding="utf-8"))["products"]:
                job = _read_job(row)
                jobs.setdefault(job.product, job)
    return list(jobs.values())


def _read_job(row: dict[str, Any]) -> Job:
    candidates = [
        Candidate(one["schedule"], one["name"], one["predicted_microseconds"])
        for one in row["candidates"]
    ]
    return Job(Product.from_json(row["product"]), row["layers"], candidates)


#
# The database
#


class Database:
    """A tuning database: a file, which need not be there yet.

    Raises:
        ToolError: it is there and no such database; says where in it and why.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._entries: dict[Product, dict[str, Any]] = {}
        self._state: tuple[int, ...] = ()  # of the file when it was read or written
        if self.path.exists():
            self._check()
            self._read()

    def _check(self) -> None:
        """Lets the compiler say what is wrong: it is who reads the file."""
        with tempfile.TemporaryDirectory(prefix="nm-tune-") as folder:
            empty = Path(folder) / "empty.mlir"
            empty.write_text("module {}\n")
            database = f"--tuning-database={self.path}"
            run_tool("nm-compile", [empty, database, "--emit=mlir", "-o", os.devnull])

    def _read(self) -> None:
        self._state = _get_state(self.path)
        entries = json.loads(self.path.read_text(encoding="utf-8"))["entries"]
        self._entries = {}
        for entry in entries:
            # A file that was written by hand may have two of a product.
            product = Product.from_json(entry["product"])
            known = self._entries.setdefault(product, {**entry, "measurements": []})
            known["measurements"] += entry["measurements"]

    def find(self, product: Product, schedule: str, gpu: str | None = None) -> float | None:
        """The last time of a schedule in microseconds, on `gpu` if that is given; None
        if there is none."""
        entry = self._entries.get(product)
        times = [
            one["microseconds"]
            for one in (entry or {"measurements": []})["measurements"]
            if one["schedule"] == schedule and gpu in (None, one["gpu"])
        ]
        return times[-1] if times else None

    def add(self, product: Product, measurement: dict[str, Any]) -> None:
        """Adds a time to what the file holds by now, whole or not at all.

        Raises:
            OSError: the file cannot be written.
        """
        with _locked(self.path.absolute().parent):
            # Thousands of times make it slow to read.
            if self.path.exists() and _get_state(self.path) != self._state:
                self._read()
            new = {"product": product.to_json(), "measurements": []}
            self._entries.setdefault(product, new)["measurements"].append(measurement)
            _write_entries(self.path, self._entries.values())
            self._state = _get_state(self.path)

    def export(self, path: str | os.PathLike[str]) -> int:
        """Writes what decides to another file: the fastest schedule of each product, of
        the GPU that was measured last. Returns how many; none are not written.

        Raises:
            OSError: the file cannot be written.
        """
        entries = [
            {**entry, "measurements": [_find_fastest(entry["measurements"])]}
            for entry in self._entries.values()
            if entry["measurements"]
        ]
        if entries:
            _write_entries(Path(path), entries)
        return len(entries)


def _get_state(path: Path) -> tuple[int, ...]:
    """What changes when a file is replaced."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _find_fastest(measurements: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """By the last time of each schedule, as the planner takes them."""
    gpu = measurements[-1]["gpu"]
    last = {one["schedule"]: one for one in measurements if one["gpu"] == gpu}
    return min(last.values(), key=lambda one: float(one["microseconds"]))


def _write_entries(path: Path, entries: Iterable[dict[str, Any]]) -> None:
    """A line a time. (json.dumps with an indent takes ten times as long.)"""
    texts = []
    for entry in entries:
        times = ",\n".join(f"    {json.dumps(one)}" for one in entry["measurements"])
        product = json.dumps(entry["product"])
        texts.append(f'  {{"product": {product},\n   "measurements": [\n{times}\n   ]}}')
    joined = ",\n".join(texts)
    text = f'{{\n "version": {_VERSION},\n "entries": [\n{joined}\n ]\n}}\n'
    # In the folder of the file itself, where a link leads to one.
    replace_file(path.resolve(), lambda file: file.write(text.encode()))


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps other processes from writing there: two may measure on two GPUs."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


#
# Measuring
#


@dataclass
class Outcome:
    """What a run did.

    Attributes:
        measured: how many times were taken.
        known: how many candidates had a time already.
        left: how many it did not come to.
        failed: what was said of those that could not be compiled.
    """

    measured: int = 0
    known: int = 0
    left: int = 0
    failed: list[str] = field(default_factory=list)


def measure(
    jobs: Sequence[Job],
    timer: Timer,
    database: Database,
    *,
    again: bool = False,
    workers: int = 1,
    is_over: Callable[[], bool] = lambda: False,
    begin: Callable[[str], None] = lambda name: None,
    finish: Callable[[Job], None] = lambda job: None,
) -> Outcome:
    """Measures the candidates of all jobs, one job after the other; each time is in the
    file as soon as it is taken. Others are compiled meanwhile.

    Args:
        jobs: what to measure.
        timer: what measures.
        database: where times are kept.
        again: measure what has a time on this GPU, too.
        workers: how many are compiled at a time.
        is_over: whether no more is to be measured.
        begin: is told each candidate.
        finish: is told each product that is done.

    Raises:
        Error: the device failed: later times would mean nothing.
        OSError: the file cannot be written.
    """
    outcome = Outcome()
    left = {
        job.product: [
            one
            for one in job.candidates
            if again or database.find(job.product, one.schedule, timer.gpu) is None
        ]
        for job in jobs
    }
    outcome.left = sum(map(len, left.values()))
    outcome.known = sum(len(job.candidates) for job in jobs) - outcome.left
    with _compile_ahead(left, workers) as take_program:
        for job in jobs:
            for candidate in left[job.product]:
                if is_over():
                    return outcome
                begin(f"{job.product}: {candidate.name}")
                outcome.left -= 1
                try:
                    with take_program() as program:
                        time = _measure(timer, program, job.product, candidate)
                except ToolError as error:
                    outcome.failed.append(f"{job.product}: {candidate.schedule}: {error}")
                    continue
                database.add(job.product, _describe(timer, candidate.schedule, time))
                outcome.measured += 1
            finish(job)
    return outcome


# A program, while it is used.
_Taken = contextlib.AbstractContextManager[Path]


@contextlib.contextmanager
def _compile_ahead(
    candidates: Mapping[Product, Sequence[Candidate]], workers: int
) -> Iterator[Callable[[], _Taken]]:
    """What gives the programs of all candidates, in their order; some are compiled before
    they are asked for, but not all, as disks are finite."""
    with (
        tempfile.TemporaryDirectory(prefix="nm-tune-") as name,
        concurrent.futures.ThreadPoolExecutor(workers) as pool,
    ):
        waiting = (
            (compiler, candidate)
            for number, (product, listed) in enumerate(candidates.items())
            for compiler in [_Compiler(product, Path(name, str(number)), len(listed))]
            for candidate in listed
        )
        running: collections.deque[tuple[_Compiler, concurrent.futures.Future[Path]]]
        running = collections.deque()

        def submit(count: int) -> None:
            for compiler, candidate in itertools.islice(waiting, count):
                running.append((compiler, pool.submit(compiler.compile, candidate)))

        @contextlib.contextmanager
        def take_program() -> Iterator[Path]:
            submit(1)
            compiler, future = running.popleft()
            try:
                yield future.result()
            finally:
                compiler.drop(future)

        submit(workers)
        try:
            yield take_program
        finally:
            pool.shutdown(cancel_futures=True)


class _Compiler:
    """Makes programs of a product, which all have the same weight."""

    def __init__(self, product: Product, folder: Path, count: int) -> None:
        self._product = product
        self._folder = folder
        self._left = count  # candidates that need the weight
        self._lock = threading.Lock()
        self._numbers = itertools.count()

    def compile(self, candidate: Candidate) -> Path:
        weights = self._folder / "weights.safetensors"
        with self._lock:
            number = next(self._numbers)
            if not weights.exists():
                self._folder.mkdir(exist_ok=True)
                write_weight(self._product, weights)
        module, program = (self._folder / f"{number}.{one}" for one in ("mlir", "nm"))
        text = write_measured_module(self._product, candidate.schedule)
        module.write_text(text, encoding="utf-8")
        arguments = [f"--weights={weights}", f"--chip={self._product.chip}"]
        arguments += ["--emit=program", "-o", str(program)]
        run_tool("nm-compile", [module, *arguments], text)
        return program

    def drop(self, future: concurrent.futures.Future[Path]) -> None:
        """Removes what was made and, behind the last one, the weight."""
        if not future.exception():
            future.result().unlink()
        self._left -= 1
        if self._left == 0:
            shutil.rmtree(self._folder, ignore_errors=True)


def _measure(timer: Timer, program: Path, product: Product, candidate: Candidate) -> float:
    try:
        return timer.measure(program, float(product.m) * product.n * product.k)
    except Error as error:
        raise Error(f"{product}: {candidate.schedule}: {error}") from error


def _describe(timer: Timer, schedule: str, microseconds: float) -> dict[str, Any]:
    now = datetime.datetime.now(datetime.timezone.utc)
    return {
        "schedule": schedule,
        "microseconds": round(microseconds, 3),
        "gpu": timer.gpu,
        "driver": timer.driver,
        "date": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": get_commit(),
    }


@functools.cache
def get_commit() -> str:
    """The commit of the checkout that this package is in; nm's version elsewhere."""
    from nm import __version__

    root = Path(__file__).resolve().parents[3]
    if not (root / "python" / "nm").is_dir():
        return __version__
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return said.strip() or __version__

"""Measuring schedules, and the database that keeps the times (docs/Tuning.md).

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import functools
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nm._files import replace_file
from nm.errors import Error, ToolError
from nm.products import Product, write_measured_module, write_module, write_weight
from nm.timers import Timer
from nm.tools import run_tool

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
        self._content: dict[str, Any] = {"version": _VERSION, "entries": []}
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
        self._content = json.loads(self.path.read_text(encoding="utf-8"))

    def find(self, product: Product, schedule: str, gpu: str | None = None) -> float | None:
        """The last time of a schedule in microseconds, on `gpu` if that is given; None
        if there is none."""
        entry = self._find_entry(product)
        times = [
            one["microseconds"]
            for one in (entry or {"measurements": []})["measurements"]
            if one["schedule"] == schedule and gpu in (None, one["gpu"])
        ]
        return times[-1] if times else None

    def _find_entry(self, product: Product) -> dict[str, Any] | None:
        for entry in self._content["entries"]:
            if Product.from_json(entry["product"]) == product:
                found: dict[str, Any] = entry
                return found
        return None

    def add(self, product: Product, measurement: dict[str, Any]) -> None:
        """Adds a time to what the file holds by now, whole or not at all.

        Raises:
            OSError: the file cannot be written.
        """
        with _locked(self.path.absolute().parent):
            if self.path.exists():
                self._read()
            entry = self._find_entry(product)
            if entry is None:
                entry = {"product": product.to_json(), "measurements": []}
                self._content["entries"].append(entry)
            entry["measurements"].append(measurement)
            self._write()

    def _write(self) -> None:
        text = json.dumps(self._content, indent=1) + "\n"
        # In the folder of the file itself, where a link leads to one.
        replace_file(self.path.resolve(), lambda file: file.write(text.encode()))


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
        failed: what was said of those that could not be compiled.
    """

    measured: int = 0
    known: int = 0
    failed: list[str] = field(default_factory=list)


def measure(
    jobs: Sequence[Job],
    timer: Timer,
    database: Database,
    *,
    again: bool = False,
    begin: Callable[[str], None] = lambda name: None,
    finish: Callable[[Job], None] = lambda job: None,
) -> Outcome:
    """Measures the candidates of all jobs; each time is in the file as soon as it is
    taken.

    Args:
        jobs: what to measure.
        timer: what measures.
        database: where times are kept.
        again: measure what has a time on this GPU, too.
        begin: is told each candidate.
        finish: is told each product that is done.

    Raises:
        Error: the device failed: later times would mean nothing.
        OSError: the file cannot be written.
    """
    outcome = Outcome()
    for job in jobs:
        left = [
            one
            for one in job.candidates
            if again or database.find(job.product, one.schedule, timer.gpu) is None
        ]
        outcome.known += len(job.candidates) - len(left)
        with _compiler(job.product) as compile_candidate:
            for candidate in left:
                begin(f"{job.product}: {candidate.name}")
                try:
                    program = compile_candidate(candidate.schedule)
                except ToolError as error:
                    outcome.failed.append(f"{job.product}: {candidate.schedule}: {error}")
                    continue
                time = _measure(timer, program, job.product, candidate)
                database.add(job.product, _describe(timer, candidate.schedule, time))
                outcome.measured += 1
        finish(job)
    return outcome


@contextlib.contextmanager
def _compiler(product: Product) -> Iterator[Callable[[str], Path]]:
    """What makes a program of the product by a schedule; all have the same weight."""
    with tempfile.TemporaryDirectory(prefix="nm-tune-") as name:
        folder = Path(name)
        weights, program = folder / "weights.safetensors", folder / "program.nm"

        def compile_candidate(schedule: str) -> Path:
            if not weights.exists():
                write_weight(product, weights)
            module = folder / "product.mlir"
            text = write_measured_module(product, schedule)
            module.write_text(text, encoding="utf-8")
            arguments = [f"--weights={weights}", f"--chip={product.chip}"]
            # Not over one that is mapped.
            program.unlink(missing_ok=True)
            arguments += ["--emit=program", "-o", str(program)]
            run_tool("nm-compile", [module, *arguments], text)
            return program

        yield compile_candidate


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

    root = Path(__file__).resolve().parents[2]
    if not (root / "python" / "nm").is_dir():
        return __version__
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return said.strip() or __version__

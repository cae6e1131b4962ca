"""The command nm-tune: measures schedules on a GPU, for the planner to choose by.

In a checkout it is `python -m nm.tune`.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from nm.errors import Error
from nm.runtime.progress import counter
from nm.tuning.measuring import Candidate, Database, Job, list_jobs, measure, read_products
from nm.tuning.products import parse_product
from nm.tuning.timers import CudaTimer, Timer

_OVERVIEW = """measure schedules on a GPU, for the planner to choose by

The planner of nm predicts how long each candidate for a product takes. nm-tune
compiles the best of them by prediction, each by itself with a random weight,
measures them on the GPU, and keeps the times in a tuning database, which
nm-compile reads:

  nm-tune model.mlir
  nm-compile model.mlir --tuning-database=tuning.json -o model.ptx --report=-

A time is a kernel's, warm: the median of five batches of launches of a CUDA
graph. Each is in the file as soon as it is taken. nm-tune may be interrupted
(Ctrl-C), or given a --budget, and goes on where it was when it is called again.
"""

_DETAILS = """products:
  MxNxK:KEEP:WINDOW[:UNIT][:TYPE][:LAYOUT] is C[m,n] = A[m,k] x B[k,n] with a weight B
  that keeps KEEP of each WINDOW units along k (a number, or `all`).
    UNIT    rows and columns of a unit, such as 1x32 or 32 (default: 1x1)
    TYPE    f16, bf16, f32, f64 or i8, or two of them, of A and the weight, such as
            f16/i8 (default: f32)
    LAYOUT  how A lies, token ([m, k]) or feature ([k, m]), or two of them, of A and C
            (default: token)

examples:
  What there is to measure, without a GPU:
    nm-tune model.mlir --dry-run --chip=sm_90

  The products of a model whose weights lie beside it:
    nm-tune model.mlir --weights=model.safetensors --database=h200.json

  Two products, all of their candidates:
    nm-tune --products 512x1024x4096:8:32:32:f16 1x4096x4096:2:4 --candidates=1000

  A list of products, ten minutes at a time, and what of it decides:
    nm-tune --product-list=products.txt --database=h200.json --jobs=8 --budget=600
    nm-tune --database=h200.json --export=TuningData.json

  Other rings of buffers: the same options as nm-compile's, here and there:
    nm-tune model.mlir --option stages=4
    nm-compile model.mlir --stages=4 --tuning-database=tuning.json -o model.ptx

exit status: 0 when all candidates have times, 1 for an error or when some could not be
compiled, 3 when the budget was spent before, 130 when it was interrupted
"""


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "nm-tune", description=_OVERVIEW, epilog=_DETAILS, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("module", nargs="?", metavar="IN.mlir", help="a model or module that nm-compile reads")
    add("--products", nargs="+", action="extend", default=[], metavar="PRODUCT",
        help="products to measure, see below")
    add("--product-list", metavar="FILE",
        help="a file of such products, one a line; what is behind a # is left out")
    add("--database", default="tuning.json", metavar="FILE",
        help="where times are kept (default: tuning.json)")
    add("--candidates", type=_read_count, default=16, metavar="N",
        help="schedules of each product, the best by prediction (default: 16)")
    add("--jobs", type=_read_count, default=1, metavar="N",
        help="candidates that are compiled at a time (default: 1)")
    add("--budget", type=_read_count, metavar="SECONDS",
        help="begin no more measurements after so long; what is left is measured when "
        "nm-tune is called again")
    add("--export", metavar="FILE",
        help="write the fastest schedule of each product of the database to another one, "
        "and measure nothing")
    add("--again", action="store_true",
        help="measure also what has a time on this GPU; old times stay in the file")
    add("--dry-run", action="store_true",
        help="list products and candidates with predicted times, and those that the "
        "database has; needs no GPU")
    add("--device", default="cuda:0", metavar="cuda:N", help="the GPU (default: cuda:0)")
    add("--chip", metavar="sm_NN",
        help="with --dry-run: the chip (default: the module's, or nm-compile's); else the "
        "GPU's")
    add("--weights", metavar="FILE",
        help="data of IN.mlir's weights, as nm-compile takes it")
    add("--option", action="append", default=[], metavar="NAME[=VALUE]",
        help="an option of nm-compile for the list of candidates, such as stages=4")
    return parser


def _read_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got `{text}`")
    return int(text)


def main(
    arguments: Sequence[str] | None = None, make_timer: Callable[[str], Timer] = CudaTimer
) -> int:
    """Runs the command; returns its exit status.

    Args:
        arguments: by default those of the process.
        make_timer: gives what measures on the device of that name.
    """
    start = time.monotonic()
    parser = _make_parser()
    options = parser.parse_args(arguments)
    if options.export:
        if options.module or options.products or options.product_list:
            parser.error("expected a database alone with --export, got products")
    elif not (options.module or options.products or options.product_list):
        parser.error("expected a module, --products or --product-list, got none")
    if options.weights and options.module is None:
        parser.error("expected a module with --weights")
    try:
        return _export(options) if options.export else _run(options, make_timer, start)
    except KeyboardInterrupt:
        _say(f"interrupted; what was measured is in {options.database}: call it again to go on")
        return 130
    except (Error, OSError) as error:
        _say(str(error))
        return 1


def _say(text: str) -> None:
    print(f"nm-tune: {text}", file=sys.stderr)


def _export(options: argparse.Namespace) -> int:
    if Path(options.export).resolve() == Path(options.database).resolve():
        raise Error(f"expected another file with --export, got {options.export}: times would go")
    count = Database(options.database).export(options.export)
    if not count:
        raise Error(f"expected a database with times with --export, got {options.database}")
    print(f"the fastest schedules of {_count(count, 'product')} are in {options.export}")
    return 0


def _run(
    options: argparse.Namespace, make_timer: Callable[[str], Timer], start: float
) -> int:
    # What is wrong on the command line is said before a GPU is asked for.
    products = [parse_product(one) for one in options.products]
    if options.product_list:
        products += read_products(options.product_list)
    database = Database(options.database)
    timer = None if options.dry_run else _get_timer(options, make_timer)
    given = [f"--chip={options.chip}"] if options.chip else []
    if timer is not None and not options.chip:
        given = [f"--capability={timer.capability}"]
    given += [f"--{one}" for one in options.option]
    given += [f"--weights={options.weights}"] if options.weights else []
    jobs = [
        Job(one.product, one.layers, one.candidates[: options.candidates])
        for one in list_jobs(options.module, products, given)
    ]
    if not jobs:
        raise Error(
            f"expected a module with N:M-sparse products, got none in {options.module}: "
            "nm-compile --report says why"
            if options.module
            else f"expected products, got none in {options.product_list}"
        )
    if timer is None:
        _list(jobs, database)
        return 0

    def is_over() -> bool:
        return options.budget is not None and time.monotonic() - start >= options.budget

    return _measure(jobs, timer, database, options, is_over)


def _get_timer(options: argparse.Namespace, make_timer: Callable[[str], Timer]) -> Timer:
    try:
        timer = make_timer(options.device)
    except Error as error:
        raise Error(f"{error}; --dry-run needs no GPU") from error
    # sm_90a is an sm_90 with more instructions.
    chip = f"sm_{timer.capability}"
    if options.chip and options.chip.removesuffix("a") != chip:
        raise Error(
            f"expected --chip={chip}, which {timer.gpu} is, got {options.chip}: only a "
            "GPU of that chip can measure for it"
        )
    return timer


def _list(jobs: Sequence[Job], database: Database) -> None:
    for job in jobs:
        print(f"{job.product}: {_count(len(job.candidates), 'candidate')}")
        for layer in job.layers:
            if layer != str(job.product):
                print(f"    of {layer}")
        for one in job.candidates:
            time = database.find(job.product, one.schedule)
            measured = "" if time is None else f", {time:.1f} us measured"
            print(f"  {one.predicted:.1f} us predicted{measured}: {one.name}")
            print(f"    {one.schedule}")
    total = sum(len(job.candidates) for job in jobs)
    print(f"{_count(len(jobs), 'product')}, {_count(total, 'candidate')}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _measure(
    jobs: Sequence[Job],
    timer: Timer,
    database: Database,
    options: argparse.Namespace,
    is_over: Callable[[], bool],
) -> int:
    def finish(job: Job) -> None:
        print(_summarize(job, timer, database), flush=True)

    total = sum(
        options.again or database.find(job.product, one.schedule, timer.gpu) is None
        for job in jobs
        for one in job.candidates
    )
    with counter("nm-tune", total) as begin:
        outcome = measure(
            jobs, timer, database, again=options.again, workers=options.jobs,
            is_over=is_over, begin=begin, finish=finish,
        )
    for one in outcome.failed:
        _say(one)
    print(
        f"{_count(outcome.measured, 'time')} taken on {timer.gpu}, {outcome.known} known, "
        f"{len(outcome.failed)} failed; {database.path}"
    )
    if outcome.left:
        left = _count(outcome.left, "candidate")
        _say(f"the budget is spent: {left} left; call it again to go on")
        return 3
    return 1 if outcome.failed else 0


def _summarize(job: Job, timer: Timer, database: Database) -> str:
    """The fastest candidate of a product, and the one that was predicted to be."""
    times: list[tuple[float, Candidate]] = []
    for one in job.candidates:
        time = database.find(job.product, one.schedule, timer.gpu)
        if time is not None:
            times.append((time, one))
    if not times:
        return f"{job.product}: no candidate has a time"
    time, best = min(times, key=lambda one: one[0])
    text = f"{job.product}: {time:.1f} us by {best.name}"
    if times[0][1] is best:
        return text + ", as predicted"
    return text + f"; {times[0][0]:.1f} us by {times[0][1].name}, which was predicted"


def command() -> None:
    """The command nm-tune of a wheel."""
    sys.exit(main())


if __name__ == "__main__":
    command()

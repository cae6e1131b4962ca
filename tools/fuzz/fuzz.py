#!/usr/bin/env python3
# fuzz.py - Mutates inputs of nm and keeps those that it does not stand.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: fuzz.py KIND [--count N] [--seconds S] [--seed N] ...   (README.md)

import argparse
import pathlib
import sys
import tempfile
import time

from nm_fuzz.campaign import Campaign
from nm_fuzz.contractions import Contractions
from nm_fuzz.databases import Databases
from nm_fuzz.jobs import run_jobs
from nm_fuzz.kinds import PTX, Npy, Passes
from nm_fuzz.programs import Programs
from nm_fuzz.schedules import Schedules
from nm_fuzz.weights_files import WeightsFiles
from nm_fuzz.tools import Compile, Options, Run
from nm_fuzz.worker import HANG_LIMIT, Worker, find_worker

KINDS = {
    "passes": Passes,
    "compile": Compile,
    "run": Run,
    "ptx": PTX,
    "npy": Npy,
    "options": Options,
    "schedules": Schedules,
    "contractions": Contractions,
    "programs": Programs,
    "safetensors": WeightsFiles,
    "databases": Databases,
}


def parse_arguments():
    parser = argparse.ArgumentParser(description="Mutates inputs of nm; tools/fuzz/README.md.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--count", type=int, default=1000, help="inputs to try (default: 1000)")
    parser.add_argument("--seconds", type=float, default=0, help="stop earlier, after this time")
    parser.add_argument("--seed", type=int, default=1, help="decides all inputs (default: 1)")
    parser.add_argument("--start", type=int, default=0, help="index of the first input")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that share the inputs (default: 1)")
    parser.add_argument("--devices", nargs="+", metavar="D", help="of nm-run, where results are known: cpu emulator cuda")
    parser.add_argument("--bin", help="where nm-fuzz-worker is (default: in PATH or build/release)")
    parser.add_argument("--hang-limit", type=int, default=HANG_LIMIT, metavar="S", help="seconds (default: 20)")
    parser.add_argument("--out", help="directory for findings and log (default: a temporary one)")
    parser.add_argument("--corpus", nargs="+", help="files and directories instead of test/")
    parser.add_argument("--minimise", type=float, default=60, metavar="S", help="seconds for each finding (default: 60)")
    parser.add_argument("--verbose", action="store_true", help="a line for each input")
    parser.add_argument("--show", action="store_true", help="print the input --start and do not run it")
    parser.add_argument("--seeded-defects", action="store_true", help="let the worker fail where a name asks for it")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    out = pathlib.Path(arguments.out or tempfile.mkdtemp(prefix="nm-fuzz-")).resolve()
    out.mkdir(parents=True, exist_ok=True)
    if arguments.jobs > 1 and not arguments.show:
        return run_jobs(arguments, out)
    options = ["--seeded-defects"] * arguments.seeded_defects
    if "cuda" in (arguments.devices or []):
        options.append("--no-memory-limit")
    worker = Worker(find_worker(arguments.bin), arguments.hang_limit, options)
    kind = KINDS[arguments.kind](worker, out / "work", arguments.corpus)
    if arguments.devices:
        if not hasattr(kind, "devices"):
            raise SystemExit(f"expected a kind with known results for --devices, got {arguments.kind}")
        kind.devices = arguments.devices
    campaign = Campaign(arguments.kind, kind, arguments.seed, out)
    if arguments.show:
        case = campaign.make(arguments.start)
        print(kind.command(case, "input" + kind.suffix), file=sys.stderr)
        sys.stdout.buffer.write(case.text)
        return 0

    print(f"{arguments.kind}: seed {arguments.seed}, findings in {out}", flush=True)
    begin = time.monotonic()
    tried = campaign.run(arguments.count, arguments.seconds, arguments.start, arguments.verbose)
    seconds = time.monotonic() - begin
    if arguments.minimise:
        campaign.minimise(arguments.minimise)
    log = campaign.write_log(tried, seconds)
    worker.stop()
    counts = ", ".join(f"{count} {word}" for word, count in log["outcomes"].items())
    print(f"{arguments.kind}: {tried} inputs in {seconds:.1f} s: {counts}")
    return 1 if campaign.failures() else 0


if __name__ == "__main__":
    sys.exit(main())

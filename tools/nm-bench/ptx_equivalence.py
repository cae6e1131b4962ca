#!/usr/bin/env python3
# ptx_equivalence.py - nm's f32 kernels beside ones written in CUDA.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles vector-wise f32 products (L = 32, M = 32) by nm-compile, and the kernels in cuda/
with the same tile, step and stages by nvcc, both with ptxas, and prints a line a kernel:
registers, spilled bytes, shared memory, instructions of the main loop in PTX, all of them
("loop", and an FMA) and by class, and in machine code ("machine"). Needs numpy and ptxas (as
find_ptxas.sh finds it), nvcc on PATH or as NVCC, nm-compile in NM_BIN or on PATH, and no GPU.

Usage: ptx_equivalence.py [--cases='128x256-*'] [--chip=sm_80] [--json=FILE]

A case is its tile, the units kept, stages, whether a step loads the first operands of the
next (prefetch), and whether a warpgroup only copies (producers). A loop inside a step counts
as often as it runs, one that waits for an mbarrier once.

Cases with producers are compiled for sm_90a, all others for sm_90, or all for --chip; where
its name has no "a", those with producers are left out. Their main loop is that of the threads
that compute; their registers are those of each thread before producers give theirs.

Exits with 1 where nm's kernel spills, uses local memory, has not one barrier a step, or with
producers one wait, one fence, one release and no barrier; or where it has more instructions
an FMA in its main loop than nvcc's by more than --tolerance. --only-nm needs no nvcc; --check
also runs nvcc's kernels, those with tensor maps too, in the emulator (libnm.so) and compares
with f64."""

import argparse
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import device_times
import emulate_ptx
import machine_loops
import nm_modules
import numpy as np
import ptx_loops
import fma_schedules

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tools/nm-bench/cuda"
WINDOW = UNIT_N = 32
EXTENT = 512  # m, n and k: any that tiles and steps divide make the same loop
TILES = ("128x256", "64x128", "32x64")
# The planner's rows a step, by the units kept of 32; with producers, and their stages.
STEPS = {16: 32, 12: 64, 8: 64, 4: 128}
PRODUCER_STEPS = {16: 32, 12: 32, 8: 64, 4: 128}
PRODUCER_STAGES = {16: 3, 12: 3, 8: 3, 4: 2}
PRODUCERS = 4  # warps
SEED = 1
REFUSAL = "expected a schedule within"  # nm-compile of more shared memory than there is


@dataclasses.dataclass(frozen=True)
class Case:
    tile: str
    keep: int
    stages: int
    prefetch: bool
    producers: int = 0  # warps

    def __str__(self):
        ahead = "-prefetch" if self.prefetch else ""
        roles = "-producers" if self.producers else ""
        return f"{self.tile}-{self.keep}of{WINDOW}-{self.stages}stages{ahead}{roles}"

    @property
    def chip(self):
        """What the case is compiled for where no chip is asked for."""
        return "sm_90a" if self.producers else "sm_90"

    def fits(self, chip):
        """Only chips with features of their own let producers give registers to others."""
        return not self.producers or chip.endswith("a")

    @property
    def source(self):
        return SOURCES / ("vw_fma_producers.cu" if self.producers else "vw_fma.cu")

    @property
    def step(self):
        return (PRODUCER_STEPS if self.producers else STEPS)[self.keep]

    @property
    def rows(self):
        """Rows of values a step."""
        return self.step // WINDOW * self.keep

    @property
    def step_fmas(self):
        """FMAs of a thread a step."""
        m, n = fma_schedules.TILES[self.tile][2]
        return self.rows * m * n

    @property
    def block(self):
        return tuple(map(int, self.tile.split("x")))

    @property
    def product(self):
        schedule = fma_schedules.make_schedule(
            self.tile, self.step, self.stages, packed=False, prefetch=self.prefetch,
            producers=self.producers)
        return nm_modules.Product(
            EXTENT, EXTENT, EXTENT, self.keep, WINDOW, UNIT_N, feature_major=True,
            schedule=schedule)

    @property
    def synchronization(self):
        """Instructions of the main loop that wait for other threads, and let them go on."""
        names = ("bar.sync", "mbarrier wait", "fence", "mbarrier arrive")
        return dict(zip(names, (0, 1, 1, 1) if self.producers else (1, 0, 0, 0)))

    @property
    def macros(self):
        thread = fma_schedules.TILES[self.tile][2]
        return {
            "M": EXTENT, "N": EXTENT, "K": EXTENT,
            "BLOCK_M": self.block[0], "BLOCK_N": self.block[1],
            "THREAD_M": thread[0], "THREAD_N": thread[1],
            "STEP": self.step, "ROWS": self.rows,
            "STAGES": self.stages, "PREFETCH": int(self.prefetch),
        }


def all_cases():
    """Those of the planner, with and without prefetch; four stages where they fit. Then those
    with producers."""
    alike = [Case(tile, keep, stages, prefetch) for tile in TILES for keep in STEPS
             for stages in ((2, 4) if keep == 16 else (2,)) for prefetch in (False, True)]
    return alike + [Case(TILES[0], keep, stages, prefetch=False, producers=PRODUCERS)
                    for keep, stages in PRODUCER_STAGES.items()]


def run(command):
    """What the command prints to both streams."""
    done = subprocess.run(
        [str(one) for one in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def find_tool(name, variable, place):
    """The path of a tool: `place`, which `variable` gives, or on PATH."""
    found = place and shutil.which(place) or shutil.which(name)
    return found or sys.exit(f"expected {name} on PATH or by {variable}, got none")


def find_compiler():
    folder = os.environ.get("NM_BIN")
    return find_tool("nm-compile", "NM_BIN", folder and f"{folder}/nm-compile")


def find_ptxas():
    script = ROOT / "tools/scripts/find_ptxas.sh"
    found = subprocess.run([script], capture_output=True, text=True, check=False)
    return find_tool("ptxas", "NM_PTXAS", found.stdout.strip())


@dataclasses.dataclass(frozen=True)
class Tools:
    nm_compile: str
    ptxas: str
    nvcc: str | None

    @staticmethod
    def find(only_nm):
        return Tools(
            find_compiler(), find_ptxas(),
            None if only_nm else find_tool("nvcc", "NVCC", os.environ.get("NVCC")))


def compile_nm(tools, case, chip, folder):
    """nm's PTX and its dynamic shared memory."""
    module, ptx, report = (folder / f"nm.{end}" for end in ("mlir", "ptx", "json"))
    weight = nm_modules.random_weight(case.product, SEED)
    nm_modules.write_module(module, case.product, *weight)
    run([tools.nm_compile, module, f"--chip={chip}", "-o", ptx, f"--report={report}"])
    (kernel,) = json.loads(report.read_text())["kernels"]
    return ptx, kernel["shared_memory_bytes"]


def compile_cuda(tools, case, chip, folder):
    """nvcc's PTX and its dynamic shared memory."""
    ptx = folder / "cuda.ptx"
    macros = [f"-DNM_{name}={value}" for name, value in case.macros.items()]
    run([tools.nvcc, f"-arch={chip}", "-O3", "-ptx", *macros, case.source, "-o", ptx])
    return ptx, int(re.search(r"dynamic_shared_bytes = (\d+)", ptx.read_text())[1])


def parse_ptxas(text):
    """Registers, spilled bytes, bytes of the stack and of static shared memory in what
    ptxas -v prints of one kernel."""
    def number(pattern):
        return sum(map(int, re.findall(pattern, text)))

    return {
        "registers": number(r"Used (\d+) registers"),
        "spill_bytes": number(r"(\d+) bytes spill"),
        "stack_bytes": number(r"(\d+) bytes stack frame"),
        "static_shared_bytes": number(r"(\d+) bytes smem"),
    }


def measure(tools, case, chip, ptx, dynamic):
    """A kernel's row."""
    cubin = ptx.with_suffix(".cubin")
    said = run([tools.ptxas, "-v", f"-arch={chip}", ptx, "-o", cubin])
    lines = ptx_loops.kernel_lines(ptx.read_text())
    counts = ptx_loops.count_classes(ptx_loops.find_step(lines, case.step_fmas))
    total = sum(counts.values())
    code = machine_loops.read_code(cubin.read_bytes())
    return {
        "chip": chip,
        **parse_ptxas(said),
        "dynamic_shared_bytes": dynamic,
        "machine_instructions": len(code),
        "machine_loop": machine_loops.count_step(code, chip, case.step_fmas),
        "main_loop": counts,
        "main_loop_instructions": total,
        "instructions_per_fma": round(total / case.step_fmas, 4),
        "local_in_kernel": ptx_loops.count_classes(lines)["local"],
    }


def pack_positions(case, indices):
    """The positions in a step as vw_fma.h describes them."""
    rows = nm_modules.rows_of(case.product, indices)[:, ::UNIT_N] % case.step
    steps, blocks = EXTENT // case.step, EXTENT // case.block[1]
    parts = rows.reshape(steps, case.rows, blocks, -1).transpose(2, 0, 3, 1)
    return np.ascontiguousarray(parts, np.int32)


def make_arguments(case, a, values, indices):
    """The operands as the case's CUDA kernel takes them."""
    positions = pack_positions(case, indices)
    if not case.producers:
        return [a, values, positions]
    panels = values.reshape(len(values), -1, case.block[1]).swapaxes(0, 1)
    box = emulate_ptx.Boxes(a, (case.step, case.block[0]))
    return [box, np.ascontiguousarray(panels), positions]


def check_cuda(case, ptx, dynamic):
    """Runs nvcc's kernel in the emulator; the largest relative error."""
    values, indices = nm_modules.random_weight(case.product, SEED)
    a = np.random.default_rng(SEED).standard_normal((EXTENT, EXTENT), np.float32)
    c = np.full((EXTENT, EXTENT), np.nan, np.float32)
    block_m, block_n = case.block
    emulate_ptx.launch(
        ptx.read_text(), case.source.stem, (EXTENT // block_m, EXTENT // block_n),
        block_n + 32 * case.producers, dynamic, [*make_arguments(case, a, values, indices), c])
    expected = a.T.astype(float) @ nm_modules.expand(case.product, values, indices)
    error = float(np.abs(c - expected).max() / np.abs(expected).max())
    if not error < 1e-5:
        sys.exit(f"{case}: {case.source.name} computes something else: relative error {error}")
    return error


def measure_case(tools, case, chip, check):
    """The rows of nm's kernel and of nvcc's, if there is one."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = {"nm": measure(tools, case, chip, *compile_nm(tools, case, chip, folder))}
        if tools.nvcc:
            compiled = compile_cuda(tools, case, chip, folder)
            rows["nvcc"] = measure(tools, case, chip, *compiled)
            if check:
                rows["nvcc"]["relative_error"] = check_cuda(case, *compiled)
    if tools.nvcc:
        compare(rows["nm"], rows["nvcc"])
    return rows


def compare(ours, theirs):
    """Adds to our row its instructions of a step by theirs."""
    ours["of_nvcc"] = round(
        ours["main_loop_instructions"] / theirs["main_loop_instructions"], 4)
    machine = ours["machine_loop"], theirs["machine_loop"]
    if all(machine):
        ours["machine_of_nvcc"] = round(machine[0]["all"] / machine[1]["all"], 4)


def complaints(case, rows, tolerance):
    """What is worse about nm's kernel than it should be."""
    ours, theirs = rows["nm"], rows.get("nvcc")
    if ours["spill_bytes"]:
        also = f", {theirs['spill_bytes']} by nvcc's" if theirs else ""
        yield f"{ours['spill_bytes']} bytes are spilled{also}"
    elif ours["local_in_kernel"] or ours["stack_bytes"]:
        yield "local memory is used"
    for name, expected in case.synchronization.items():
        if ours["main_loop"][name] != expected:
            yield f"expected {expected} {name} a step, got {ours['main_loop'][name]}"
    for key, what in (("of_nvcc", "PTX"), ("machine_of_nvcc", "machine code")):
        if ours.get(key, 0) > 1 + tolerance:
            yield f"{ours[key]} times nvcc's instructions an FMA in {what}"


COLUMNS = {
    "regs": "registers", "spill": "spill_bytes", "static": "static_shared_bytes",
    "dynamic": "dynamic_shared_bytes",
    "loop": "main_loop_instructions", "an FMA": "instructions_per_fma", "of nvcc": "of_nvcc",
    "machine": "machine", "of its": "machine_of_nvcc",
}


def print_line(cells):
    name, by, *numbers = cells
    print(f"{name:34}{by:5}", *(f"{one:>{width}}" for one, width in numbers), flush=True)


def print_rows(case, rows):
    for by, row in rows.items():
        machine = {"machine": (row["machine_loop"] or {}).get("all", "?")}
        known = {**row, **machine, **row["main_loop"]}
        numbers = [known.get(key, "") for key in (*COLUMNS.values(), *ptx_loops.CLASSES)]
        print_line([str(case), by, *zip(numbers, widths())])


def widths():
    return [max(7, len(one)) for one in (*COLUMNS, *ptx_loops.CLASSES)]


def make_json(tools, results, worse):
    """What is printed, with a line a kernel."""
    head = {
        "what": f"nm's f32 vector-wise kernels beside those of {SOURCES.relative_to(ROOT)}",
        **device_times.describe_run(),
        "nvcc": tools.nvcc and run([tools.nvcc, "--version"]).splitlines()[-1],
        "ptxas": run([tools.ptxas, "--version"]).splitlines()[-1],
        "m, n, k": EXTENT,
        "worse": worse,
    }
    kernels = ",\n".join(
        "  " + json.dumps({"case": case, "by": by, **row})
        for case, rows in results.items() for by, row in rows.items())
    return json.dumps(head, indent=1)[:-2] + f',\n "kernels": [\n{kernels}\n ]\n}}\n'


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="*", help="a pattern of names, such as "
                        "64x128-16of32-4stages-prefetch (default: *)")
    parser.add_argument("--chip", help="(default: sm_90, of cases with producers sm_90a)")
    parser.add_argument("--tolerance", type=float, default=0.05, help="(default: 0.05)")
    parser.add_argument("--only-nm", action="store_true", help="leave nvcc's out")
    parser.add_argument("--check", action="store_true", help="run nvcc's in the emulator")
    parser.add_argument("--json", type=pathlib.Path, help="file for what is printed")
    options = parser.parse_args()
    cases = [one for one in all_cases() if fnmatch.fnmatchcase(str(one), options.cases)
             and one.fits(options.chip or one.chip)]
    if not cases:
        sys.exit(f"expected a pattern of names such as {all_cases()[0]}, got {options.cases}"
                 + (f", which {options.chip} has none of" if options.chip else ""))
    tools = Tools.find(options.only_nm)
    print_line(["", "", *zip((*COLUMNS, *ptx_loops.CLASSES), widths())])
    results, worse = {}, []
    for case in cases:
        chip = options.chip or case.chip
        try:
            rows = results[str(case)] = measure_case(tools, case, chip, options.check)
        except RuntimeError as error:
            if REFUSAL not in str(error):
                sys.exit(str(error))
            print(f"{case}: more shared memory than {chip} has")
            continue
        print_rows(case, rows)
        worse += [f"{case}: {one}" for one in complaints(case, rows, options.tolerance)]
    print(*worse, f"{len(results)} cases, {len(worse)} worse than they should be", sep="\n")
    if options.json:
        options.json.write_text(make_json(tools, results, worse))
    return 1 if worse or not results else 0


if __name__ == "__main__":
    sys.exit(main())

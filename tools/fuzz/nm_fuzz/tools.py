# tools.py - Kinds that run a whole tool: nm-compile, nm-run, any command line.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import shlex
import shutil

import numpy

from . import corpus, mutate_options
from .compare import compare_results
from .kinds import mutate_module
from .outcome import (ACCEPTED, CRASH, FATAL, HANG, ONE_DEVICE, REFUSED, SILENT, SLOW, UNDEFINED,
                      WRONG, Case, Outcome)  # fmt: skip
from .signature import make_signature
from .undefined import fill_empty_tensors
from .worker import WorkerDied

CHIPS = ["sm_90", "sm_90", "sm_90", "sm_80", "sm_120"]
# Where a program runs: a frame without a name is code that was compiled in memory.
LAUNCHES = r"launch|nmrt|HostProgram::call|emulator::|\(error\) "
# What MLIR's own passes get wrong, so that it proves nothing: one-shot bufferization
# writes in place across branches of cf, and into slices that overlap themselves.
NO_REFERENCE = re.compile(rb"\bcf\.(cond_)?br\b|extract_slice [^\n]*\[(\d+, )*0(, \d+)*\] :")


class Tool:
    """Runs tools in the worker's forks, in a directory of its own."""

    suffix = ".mlir"

    def __init__(self, worker, directory, paths):
        self.worker = worker
        self.directory = pathlib.Path(directory).resolve()
        self.entries = corpus.load_programs(paths)
        self.own = [] if paths else corpus.load_modules([corpus.OWN])

    def choose(self, rng):
        """Every third program is one of the fuzzers' own, which all run."""
        return rng.choice(self.own if self.own and rng.random() < 0.33 else self.entries)

    def clear(self):
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)

    def call(self, tool, arguments, fill=0):
        """The outcome of a command, with its output as the details; refused means
        any exit code but 0."""
        log = self.directory.with_suffix(".log")
        try:
            seconds = self.worker.hang_limit
            parts = [seconds, self.directory, log, fill, tool, *arguments]
            # The fork ends itself; a minute more is for the stack that it prints.
            accepted, reply = self.worker.call("tool", *parts, limit=seconds + 60)
        except WorkerDied as died:
            return Outcome(CRASH, make_signature("the worker ended", died.stderr), died.stderr)
        output = log.read_text(errors="replace") if log.exists() else ""
        word, code = reply.decode().split()
        if not accepted or word == "signal":
            if "hang limit reached" in output:
                return Outcome(HANG, make_signature("hang", output), output)
            return Outcome(CRASH, make_signature(f"signal {code}", output), output)
        if code == "0":
            return Outcome(ACCEPTED, details=output)
        if not re.search(r"error:|nm-(opt|run|compile)|cannot open|no such option", output):
            return Outcome(SILENT, f"exit {code} without a word", output)
        fatal = re.search(r"LLVM ERROR|unrealized|failed to legalize|Cannot select", output)
        return Outcome(FATAL if fatal else REFUSED, details=output)


class Compile(Tool):
    """Modules through nm-compile; the PTX must be what the emulator reads."""

    def make(self, rng):
        entry = self.choose(rng)
        text = mutate_module(entry, rng, self.worker)
        return Case(text, {"entry": entry.name, "chip": rng.choice(CHIPS), "seed": rng.getrandbits(32)})

    def run(self, case):
        self.clear()
        (self.directory / "in.mlir").write_bytes(case.text)
        chip = case.settings["chip"]
        outcome = self.call("compile", ["in.mlir", f"--chip={chip}", "-o", "out.ptx"])
        if outcome.kind != ACCEPTED:
            return outcome
        ptx = self.directory / "out.ptx"
        if not ptx.is_file():
            return Outcome(WRONG, "exit 0 without the output")
        try:
            accepted, reply = self.worker.call("ptx", case.settings["seed"], ptx.read_bytes())
        except WorkerDied as died:
            return Outcome(CRASH, make_signature("emulator", died.stderr), died.stderr)
        if not accepted and ptx.stat().st_size:
            error = re.sub(r"\d+", "N", reply.decode(errors="replace"))
            return Outcome(WRONG, f"the emulator refuses the PTX: {error[:80]}", error)
        return outcome

    def command(self, case, name):
        return f"nm-compile {name} --chip={case.settings['chip']} -o out.ptx"


class Run(Tool):
    """Modules through nm-run on two devices, which must agree."""

    def make(self, rng):
        entry = self.choose(rng)
        text = mutate_module(entry, rng, self.worker, is_small=True)
        names = re.findall(r"func\.func (?:public )?@([\w$.-]+)", text.decode(errors="replace"))
        return Case(text, {"entry": entry.name, "function": rng.choice(names or ["main"]),
                           "seed": rng.randrange(1000), "size": rng.choice([0, 1, 3, 3, 5, 8])})  # fmt: skip

    def arguments(self, case, name, device, directory, seed):
        settings = case.settings
        return [name, f"--entry={settings['function']}", f"--device={device}", f"--seed={seed}",
                f"--dynamic-size={settings['size']}", f"--output-dir={directory}"]  # fmt: skip

    def call_device(self, case, device, directory, fill=85):
        arguments = self.arguments(case, "in.mlir", device, directory, case.settings["seed"])
        outcome = self.call("run", arguments, fill)
        # A loop that the mutation made long is no hang of the compiler.
        if outcome.kind == HANG and re.search(LAUNCHES, outcome.details):
            return Outcome(SLOW, details=outcome.details)
        return outcome

    def run(self, case):
        self.clear()
        (self.directory / "in.mlir").write_bytes(case.text)
        cpu = self.call_device(case, "cpu", "cpu")
        if cpu.is_failure:
            return cpu
        emulator = self.call_device(case, "emulator", "emulator")
        if emulator.is_failure:
            return emulator
        if cpu.kind != ACCEPTED and emulator.kind != ACCEPTED:
            return cpu
        if cpu.kind != ACCEPTED or emulator.kind != ACCEPTED:
            words = f"cpu: {cpu.kind}, emulator: {emulator.kind}"
            kind = SLOW if SLOW in (cpu.kind, emulator.kind) else ONE_DEVICE
            return Outcome(kind, words, cpu.details[-600:] + "\n" + emulator.details[-600:])
        return self.compare(case)

    def compare(self, case):
        words = "wrong result of"
        difference = compare_results(self.directory / "cpu", self.directory / "emulator")
        if not difference:
            if NO_REFERENCE.search(case.text):
                return Outcome(ACCEPTED)
            # nm's devices share passes; what MLIR's own passes cannot run is not judged.
            arguments = self.arguments(case, "in.mlir", "cpu", "reference", case.settings["seed"])
            if self.call("reference", arguments, 85).kind != ACCEPTED:
                return Outcome(ACCEPTED)
            words = "not what MLIR's passes give:"
            difference = compare_results(self.directory / "cpu", self.directory / "reference")
        if not difference:
            return Outcome(ACCEPTED, "as the reference")
        if self.is_undefined(case):
            return Outcome(UNDEFINED, details=difference)
        return Outcome(WRONG, f"{words} {case.settings['entry']}", difference)

    def is_undefined(self, case):
        """Whether the result depends on memory that nobody wrote: it changes with the
        bytes of fresh memory, or with what tensor.empty holds."""
        again = self.call_device(case, "cpu", "again", fill=170)
        if again.kind != ACCEPTED or compare_results(self.directory / "cpu", self.directory / "again"):
            return True
        fills = {
            "first": {"value": 1},
            "second": {"value": 6},
            "nan": {"value": 6, "nan": True},
            # Divisors that are large, or count up, make zeros of many numbers.
            "ones": {"value": -1, "equal": True},
        }
        for name, fill in fills.items():
            (self.directory / "in.mlir").write_bytes(fill_empty_tensors(case.text, **fill))
            if self.call_device(case, "cpu", name).kind != ACCEPTED:
                return False
        first = self.directory / "first"
        return any(compare_results(first, self.directory / name) for name in fills)

    def command(self, case, name):
        return "\n".join(
            "nm-run " + shlex.join(self.arguments(case, name, device, device, case.settings["seed"]))
            for device in ("cpu", "emulator")
        )


class Options(Tool):
    """Command lines of nm-compile, nm-run and nm-opt: right but for some options."""

    suffix = ".txt"
    MODULE = """func.func @main(%x: tensor<?x64xf32>) -> tensor<?x8xf32> {
  %w = nm.constant {values = dense<0.5> : tensor<32x8xf32>, indices = dense<0> : tensor<32x8xi8>}
      : !nm.condensed<64x8xf32, #nm.pattern<1:2>>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x8xf32>
  %y = nm.spmm %x, %w outs(%e : tensor<?x8xf32>)
      : tensor<?x64xf32>, !nm.condensed<64x8xf32, #nm.pattern<1:2>> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
"""

    def __init__(self, worker, directory, paths):
        super().__init__(worker, directory, paths)
        self.options = {}
        for tool in ("compile", "run", "opt"):
            self.clear()
            options, passes = mutate_options.read_help(self.call(tool, ["--help"]).details)
            if tool == "opt":
                options = {name: listed for name, listed in options.items() if name.startswith("nm-")}
            self.options[tool] = options, {name: passes[name] for name in passes if name in options}

    def make(self, rng):
        tool = rng.choice(["compile", "compile", "run", "run", "opt"])
        words = mutate_options.make(tool, *self.options[tool], rng)
        return Case("\n".join(words).encode(), {"tool": tool})

    def run(self, case):
        self.clear()
        (self.directory / "in.mlir").write_text(self.MODULE)
        (self.directory / "text.txt").write_text("no array\n")
        numpy.save(self.directory / "x.npy", numpy.ones((3, 64), numpy.float32))
        numpy.save(self.directory / "wrong.npy", numpy.ones((3, 65), numpy.int8))
        words = case.text.decode(errors="replace").split("\n")
        before = (self.directory / "in.mlir").stat().st_mtime_ns
        outcome = self.call(case.settings["tool"], words)
        if outcome.kind == ACCEPTED:
            return self.check_outputs(words, before) or outcome
        return outcome

    def check_outputs(self, words, before):
        """What was asked for was written, each into a file of its own."""
        outputs = re.findall(r"(?m)^(?:--(?:output|report|counters|o)=|-o\n)(.+)$", "\n".join(words))
        files = [name for name in outputs if name not in ("-", "")]
        # A bare option of those takes the next word, whatever it is.
        if any(re.match("--(help|version|o$|output$|report$|counters$)", word) for word in words):
            return None
        if len(set(files)) < len(files):
            return Outcome(WRONG, "two outputs went to one file")
        for name in files:
            path = self.directory / name
            if name == "in.mlir" and path.stat().st_mtime_ns != before:
                return Outcome(WRONG, "the input was overwritten")
            if not path.exists():
                return Outcome(WRONG, "exit 0 without an output")
        return None

    def command(self, case, name):
        words = case.text.decode(errors="replace").split("\n")
        return f"nm-{case.settings['tool']} " + shlex.join(words)

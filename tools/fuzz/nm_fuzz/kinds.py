# kinds.py - The kinds of input: how each is made, tried, and run by hand.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import io
import re

import numpy

from . import corpus, mutate_mlir, mutate_npy, mutate_ptx
from .outcome import ACCEPTED, CRASH, FATAL, HANG, REFUSED, SILENT, WRONG, Case, Outcome
from .signature import make_signature
from .worker import WorkerDied

# What nm-opt runs on any module of linalg, beside the passes of the RUN lines.
WHOLE = "nm-to-ptx-pipeline"


def judge_death(died):
    """The outcome of a request that ended the worker."""
    if died.is_hang:
        return Outcome(HANG, make_signature("hang", died.stderr), died.stderr)
    if died.status == 1 and re.search(r"^nm-fuzz-worker: ", died.stderr, re.MULTILINE):
        return Outcome(FATAL, details=died.stderr)
    word = f"signal {-died.status}" if died.status < 0 else f"exit {died.status}"
    return Outcome(CRASH, make_signature(word, died.stderr), died.stderr)


def judge_reply(accepted, text):
    if accepted:
        return Outcome(ACCEPTED, details=text)
    return Outcome(REFUSED, details=text) if text.strip() else Outcome(SILENT, "refused without a word")


def mutate_module(entry, rng, worker, is_small=False):
    """A module with its text or, as often, its operations changed."""
    text = entry.text
    if rng.random() < 0.5:
        text = mutate_mlir.mutate(text, rng, is_small)
        if rng.random() < 0.7:
            return text.encode(errors="replace")
    accepted, changed = worker.call("mutate", rng.getrandbits(32), text.encode(errors="replace"))
    return changed if accepted else mutate_mlir.mutate(text, rng, is_small).encode(errors="replace")


class Passes:
    """Modules through the passes of their RUN lines, in the worker's process."""

    suffix = ".mlir"

    def __init__(self, worker, directory, paths):
        self.worker = worker
        self.entries = corpus.load_modules(paths)

    def make(self, rng):
        entry = rng.choice(self.entries)
        pipeline = rng.choice(entry.pipelines)
        if "tensor<" in entry.text and rng.random() < 0.1:
            pipeline = WHOLE
        text = mutate_module(entry, rng, self.worker)
        return Case(text, {"entry": entry.name, "pipeline": pipeline})

    def run(self, case):
        try:
            accepted, text = self.worker.call("passes", case.settings["pipeline"], case.text)
        except WorkerDied as died:
            return judge_death(died)
        return judge_reply(accepted, text.decode(errors="replace"))

    def command(self, case, name):
        return f"nm-opt {name} --pass-pipeline='builtin.module({case.settings['pipeline']})'"


class PTX:
    """PTX text through the emulator's parser and interpreter, in the process."""

    suffix = ".ptx"

    def __init__(self, worker, directory, paths):
        self.worker = worker
        self.entries = corpus.load_ptx(paths)

    def make(self, rng):
        entry = rng.choice(self.entries)
        text = mutate_ptx.mutate(keep_some_kernels(entry.text, rng), rng)
        settings = {"entry": entry.name, "seed": rng.getrandbits(32)}
        return Case(text.encode(errors="replace"), settings)

    def run(self, case):
        try:
            accepted, text = self.worker.call("ptx", case.settings["seed"], case.text)
        except WorkerDied as died:
            return judge_death(died)
        text = text.decode(errors="replace")
        if "failed without a message" in text:
            return Outcome(SILENT, "a launch failed without a message")
        return judge_reply(accepted, text)

    def command(self, case, name):
        return f"nm-fuzz-worker: request ptx, seed {case.settings['seed']}, text {name}"


def keep_some_kernels(text, rng):
    """The text with one or two of its kernels: mutation of those tells more."""
    parts = re.split(r"(?m)^(?=\s*(?:\.visible )?\.entry)", text)
    head, kernels = parts[0], parts[1:]
    return head + "".join(rng.sample(kernels, min(len(kernels), rng.choice([1, 1, 2])))) if kernels else text


def differ(ours, theirs):
    """Whether bytes differ, or for floats numbers: NaN is NaN."""
    if ours.dtype.kind == "f":
        return not numpy.array_equal(ours, theirs, equal_nan=True)
    return ours.tobytes() != theirs.tobytes()


class Npy:
    """.npy files through the reader, whose arrays must be numpy's."""

    suffix = ".npy"

    def __init__(self, worker, directory, paths):
        self.worker = worker

    def make(self, rng):
        return Case(mutate_npy.make(rng), {})

    def run(self, case):
        try:
            accepted, text = self.worker.call("npy", case.text)
        except WorkerDied as died:
            return judge_death(died)
        if not accepted:
            return judge_reply(accepted, text.decode(errors="replace"))
        ours = numpy.load(io.BytesIO(text))
        try:
            theirs = numpy.load(io.BytesIO(case.text), max_header_size=2**20)
        except Exception as error:
            return Outcome(WRONG, f"numpy refuses it: {type(error).__name__}", str(error))
        if theirs.dtype.kind == "V":  # bf16, which numpy lacks: written as f4.
            theirs = (theirs.view("<u2").astype("<u4") << 16).view("<f4")
        if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
            return Outcome(WRONG, "type or shape is not numpy's", f"{ours.dtype}{ours.shape}")
        # On the way from bf16 to f4 a signalling NaN becomes a quiet one.
        if differ(ours, theirs):
            return Outcome(WRONG, "elements are not numpy's")
        return Outcome(ACCEPTED)

    def command(self, case, name):
        return f"nm-run MODULE --input={name}"

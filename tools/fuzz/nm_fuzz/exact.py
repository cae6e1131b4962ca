# exact.py - Kinds whose results are known: small integers, so that sums are exact.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy

from .outcome import ACCEPTED, WRONG, Case, Outcome
from .tools import Tool

TYPES = {"f32": numpy.float32, "f16": numpy.float16}
PATTERNS = [(2, 4), (1, 4), (8, 32), (4, 8), (3, 10), (16, 32)]
UNITS = [1, 1, 4, 8, 32, 32]

WHOLE_MODULE = """{body}
{{-# dialect_resources: {{ builtin: {{ w: "0x04000000{data}" }} }} #-}}
"""


def make_weight(generator, k, n, keep, window, unit, dtype):
    """Small integers [k, n], `keep` of each `window` rows of each `unit` columns."""
    weight = numpy.zeros((k, n), dtype)
    for column in range(0, n, unit):
        columns = range(column, min(column + unit, n))
        for row in range(0, k, window):
            rows = generator.permutation(range(row, min(row + window, k)))[:keep]
            values = generator.integers(1, 4, (len(rows), len(columns)))
            weight[numpy.ix_(rows, columns)] = values
    return weight


def make_input(generator, shape, dtype):
    return generator.integers(-3, 4, shape).astype(dtype)


def make_case(body, weight, x, y, **settings):
    """The module `body` with the resource `w`, its argument and its result."""
    text = WHOLE_MODULE.format(body=body, data=weight.tobytes().hex())
    arrays = {"x": x.tolist(), "y": y.tolist(), "type": str(x.dtype)}
    return Case(text.encode(), {**arrays, **settings})


class Exact(Tool):
    """Modules through nm-run on each of `devices`: whatever is accepted has to give `y`
    of the case, to the bit."""

    devices = ("cpu", "emulator")

    def write(self, case):
        self.clear()
        (self.directory / "in.mlir").write_bytes(case.text)
        numpy.save(self.directory / "x.npy", numpy.array(case.settings["x"], case.settings["type"]))
        numpy.save(self.directory / "y.npy", numpy.array(case.settings["y"], numpy.float32))

    def run(self, case):
        self.write(case)
        outcomes = [self.call("run", self.arguments("in.mlir", device)) for device in self.devices]
        for outcome in outcomes:
            if outcome.is_failure:
                return outcome
            if "tolerance 0: FAILED" in outcome.details:
                return Outcome(WRONG, "not numpy's result", outcome.details)
            # What was compiled has to run: the emulator finds races and stray reads.
            if "failed with status" in outcome.details:
                return Outcome(WRONG, "the call fails", outcome.details)
        # The CPU obeys no schedule, so that another device may refuse alone.
        refusals = [outcome for outcome in outcomes if outcome.kind != ACCEPTED]
        return refusals[0] if refusals else outcomes[0]

    def arguments(self, name, device):
        return [name, "--entry=main", f"--device={device}", "--input=x.npy", "--expect=y.npy", "--tolerance=0"]

    def command(self, case, name):
        return "nm-run " + " ".join(self.arguments(name, self.devices[-1]))

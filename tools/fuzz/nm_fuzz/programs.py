# programs.py - The kind of compiled programs with something else in them.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

from .outcome import ACCEPTED, HANG, SLOW, Case, Outcome
from .tools import LAUNCHES, Tool


class Programs(Tool):
    """Files whose checksums were mended, so that only what they hold is wrong. nm-run
    shows them, or runs them in the emulator; whatever they compute is right."""

    suffix = ".nm"

    def __init__(self, worker, directory, paths):
        super().__init__(worker, directory, paths)
        self.programs = []
        for entry in self.entries if paths else self.own:
            self.clear()
            (self.directory / "in.mlir").write_text(entry.text)
            arguments = ["in.mlir", "--emit=program", "--chip=sm_90", "-o", "out.nm"]
            if self.call("compile", arguments).kind == ACCEPTED:
                self.programs.append((entry.name, (self.directory / "out.nm").read_bytes()))
        if not self.programs:
            raise SystemExit("expected a module that compiles, got none")

    def make(self, rng):
        name, program = rng.choice(self.programs)
        _, changed = self.worker.call("mutate_program", rng.getrandbits(32), program)
        return Case(changed, {"entry": name, "is shown": rng.random() < 0.1, "seed": rng.getrandbits(32)})

    def run(self, case):
        self.clear()
        (self.directory / "in.nm").write_bytes(case.text)
        outcome = self.call("run", self.arguments(case, "in.nm"))
        # A loop that the file itself asks for is no hang of nm.
        if outcome.kind == HANG and re.search(LAUNCHES, outcome.details):
            return Outcome(SLOW, details=outcome.details)
        return outcome

    @staticmethod
    def arguments(case, name):
        if case.settings["is shown"]:
            return [name, "--show-code"]
        return [name, "--device=emulator", f"--seed={case.settings['seed']}", "--dynamic-size=5"]

    def command(self, case, name):
        return "nm-run " + " ".join(self.arguments(case, name))

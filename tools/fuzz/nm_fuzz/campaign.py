# campaign.py - Tries many inputs, keeps what fails, and writes the log.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import dataclasses
import datetime
import json
import pathlib
import random
import subprocess
import sys
import time

from .minimise import minimise
from .outcome import CRASH, HANG, SLOW, Outcome
from .signature import find_upstream, get_frames, is_outside_nm
from .worker import WorkerDied

ROOT = pathlib.Path(__file__).resolve().parents[3]


@dataclasses.dataclass
class Finding:
    """All inputs that fail in one way; the first one stands for them."""

    number: int
    outcome: object
    case: object
    indices: list
    upstream: str


class Campaign:
    """Input number `index` of a seed depends on both and on nothing else."""

    def __init__(self, name, kind, seed, out):
        self.name, self.kind, self.seed, self.out = name, kind, seed, pathlib.Path(out)
        self.counts = collections.Counter()
        self.findings = {}
        self.examples = {}

    def make(self, index):
        return self.kind.make(random.Random(f"{self.name} {self.seed} {index}"))

    def run_one(self, index):
        """Returns the case and its outcome; no case when making it failed."""
        from .kinds import judge_death

        try:
            case = self.make(index)
        except WorkerDied as died:
            return None, judge_death(died)
        outcome = self.kind.run(case)
        if outcome.kind == HANG and self.kind.run(case).kind != HANG:
            # The machine was busy: the same input, tried again, ends.
            return case, Outcome(SLOW, "did not hang again", outcome.details)
        return case, outcome

    def run(self, count, seconds, start=0, verbose=False):
        """Returns the number of inputs that were tried."""
        begin = time.monotonic()
        for index in range(start, start + count):
            if seconds and time.monotonic() - begin > seconds:
                return index - start
            case, outcome = self.run_one(index)
            self.counts[outcome.kind] += 1
            if verbose:
                print(index, outcome.kind, outcome.signature, flush=True)
            if outcome.is_failure:
                self.note(index, case, outcome)
            elif outcome.kind not in ("accepted", "refused"):
                self.keep_example(index, case, outcome)
        return count

    def note(self, index, case, outcome):
        key = (outcome.kind, outcome.signature)
        if key in self.findings:
            self.findings[key].indices.append(index)
            return
        upstream = find_upstream(outcome.signature, outcome.details, case.text if case else b"")
        finding = Finding(len(self.findings), outcome, case, [index], upstream)
        self.findings[key] = finding
        if case and outcome.kind == CRASH:
            outcome.details = self.get_symbols(case) or outcome.details
        word = "upstream's" if upstream else "finding"
        print(f"{word}: {self.name} {index}: {outcome.kind}: {outcome.signature}", flush=True)
        self.write(finding)

    def get_symbols(self, case):
        """The output of the crash with the names of all functions; nothing when the
        input alone, in a new worker, does not crash."""
        self.kind.worker.use_symbolizer(True)
        outcome = self.kind.run(case)
        self.kind.worker.use_symbolizer(False)
        return outcome.details if outcome.kind == CRASH else ""

    def keep_example(self, index, case, outcome):
        """A few inputs of every outcome that is no failure but may be of interest."""
        kept = self.examples.setdefault(outcome.kind, [])
        if case is None or len(kept) >= 40:
            return
        kept.append(index)
        folder = self.out / outcome.kind.replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{index}{self.kind.suffix}").write_bytes(case.text)
        text = f"{self.kind.command(case, 'input')}\n{outcome.signature}\n{outcome.details[-4000:]}"
        (folder / f"{index}.txt").write_text(text)

    def folder(self, finding):
        return self.out / f"{finding.number:02}-{finding.outcome.kind}"

    def write(self, finding):
        folder = self.folder(finding)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "output.txt").write_text(finding.outcome.signature + "\n\n" + finding.outcome.details)
        if not finding.case:  # The worker died while it made the input.
            again = f"tools/fuzz/fuzz.py {self.name} --seed {self.seed} --start {finding.indices[0]} --show"
            (folder / "command.txt").write_text(again + "\n")
        else:
            name = "input" + self.kind.suffix
            (folder / name).write_bytes(finding.case.text)
            (folder / "command.txt").write_text(self.kind.command(finding.case, name) + "\n")
            settings = {"seed": self.seed, "index": finding.indices[0], **finding.case.settings}
            (folder / "settings.json").write_text(json.dumps(settings, indent=1) + "\n")

    def minimise(self, seconds):
        """Writes the smallest input of each finding that is nm's."""
        for finding in self.findings.values():
            if finding.case is None or finding.upstream or finding.outcome.kind == HANG:
                continue
            wanted = (finding.outcome.kind, finding.outcome.signature)

            def fails(text):
                outcome = self.kind.run(dataclasses.replace(finding.case, text=text))
                return (outcome.kind, outcome.signature) == wanted

            small = minimise(finding.case.text, fails, seconds)
            (self.folder(finding) / ("smallest" + self.kind.suffix)).write_bytes(small)

    def write_log(self, tried, seconds):
        """One JSON object about the run, into the output directory."""
        log = {
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "commit": get_commit(),
            "command": get_command(),
            "kind": self.name,
            "seed": self.seed,
            "inputs": tried,
            "seconds": round(seconds, 1),
            "outcomes": dict(sorted(self.counts.items())),
            "findings": [self.describe(finding) for finding in self.findings.values()],
        }
        self.out.mkdir(parents=True, exist_ok=True)
        (self.out / "log.json").write_text(json.dumps(log, indent=1) + "\n")
        return log

    def describe(self, finding):
        outcome = finding.outcome
        facts = {
            "outcome": outcome.kind,
            "signature": outcome.signature,
            "count": len(finding.indices),
            "indices": finding.indices[:10],
            "folder": self.folder(finding).name,
        }
        if finding.upstream:
            facts["upstream"] = finding.upstream
        if outcome.kind in (CRASH, HANG):
            facts["outside nm"] = is_outside_nm(outcome.details)
            facts["stack"] = get_frames(outcome.details)[:24]
        return facts

    def failures(self):
        return [finding for finding in self.findings.values() if not finding.upstream]


def get_commit():
    done = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"], capture_output=True, text=True
    )
    return done.stdout.strip() or "unknown"


def get_command():
    return " ".join(["tools/fuzz/fuzz.py", *sys.argv[1:]])

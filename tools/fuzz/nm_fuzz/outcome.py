# outcome.py - A case that is tried, and what it gave.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses


@dataclasses.dataclass
class Case:
    """One mutated input: its bytes, and how it is run."""

    text: bytes
    settings: dict


# What a case may give. Those of FAILURES are findings.
ACCEPTED = "accepted"
REFUSED = "refused"  # With a diagnostic.
FATAL = "fatal"  # Refused by LLVM's fatal error handler: one line, without a place.
UNDEFINED = "undefined"  # The result depends on memory that nobody wrote.
ONE_DEVICE = "one device"  # One device ran it, the other refused or failed.
SLOW = "slow"  # A kernel or loop that the mutation made long: not a hang of nm.
CRASH = "crash"
HANG = "hang"
WRONG = "wrong"
SILENT = "silent"  # Refused without a word.
FAILURES = (CRASH, HANG, WRONG, SILENT)


@dataclasses.dataclass
class Outcome:
    kind: str
    signature: str = ""
    details: str = ""

    @property
    def is_failure(self):
        return self.kind in FAILURES

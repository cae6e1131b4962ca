#!/usr/bin/env python3
# check_spec_labels.py - Checks that rules, verifiers and negative tests agree.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A rule of docs/Spec.md has a label such as `spmm_c2`. The same label stands in
# a comment at the check in lib/Dialect/NM/IR, and in the name of a function of a
# *-invalid.mlir test (`@spmm_c2` or, for several cases, `@spmm_c2_rank`). This
# script fails when one of the three sets lacks a label that another has.

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABEL = r"([a-z]+(?:_[a-z]+)*_c[0-9]+)"


def labels(files, pattern):
    """Returns each label that `pattern` finds, with the first file it is in."""
    found = {}
    for path in sorted(files):
        for label in re.findall(pattern, path.read_text(), re.MULTILINE):
            found.setdefault(label, path.relative_to(ROOT))
    return found


def main():
    places = {
        "docs/Spec.md": labels(
            [ROOT / "docs/Spec.md"], r"^\s*[-|] \(`" + LABEL + r"`\)"
        ),
        "a verifier": labels(
            (ROOT / "lib/Dialect/NM/IR").glob("*.cpp"), r"//.*\b" + LABEL + r"\b"
        ),
        "a negative test": labels(
            (ROOT / "test/Dialect/NM").glob("*-invalid.mlir"),
            r"func\.func (?:private )?@" + LABEL + r"(?:_[a-z]\w*)?\(",
        ),
    }
    everything = sorted(set().union(*places.values()))
    errors = 0
    for label in everything:
        for place, found in places.items():
            if label in found:
                continue
            seen = next(p[label] for p in places.values() if label in p)
            print(f"{label}: in {seen}, but expected in {place} too")
            errors += 1
    if not everything:
        print("expected at least one label, got none")
        return 1
    print(f"{len(everything)} rules checked, {errors} places missing")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

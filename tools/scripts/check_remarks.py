#!/usr/bin/env python3
# check_remarks.py - Checks that remarks, passes and lit tests agree.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that remarks, passes and lit tests agree.

A remark is a row of include/nm/Support/Remarks.td. A pass emits it and its
description names it; a lit test checks its kind, name and category; a test that
checks a remark says which function, layer or line it belongs to. Nothing emits a
remark past the table. Every pass has a lit test that runs no other pass of nm."""

import collections
import re
import sys

from remark_table import ROOT, dump_records, read_table

# The text of a lit test: each RUN line whole.
RUN = re.compile(r"^(?://|#|;)\s*RUN:(.*)$", re.MULTILINE)
CONTINUED = re.compile(r"\\\n(?://|#|;)\s*RUN:")
# What MLIR has to make remarks with. Remarks.cpp hands it what the table has.
MLIR_EMITTERS = re.compile(
    r"\bremark::(?:passed|missed|failed|analysis|add|metric|reason|suggest)\("
)
EMITTED = re.compile(r"\bemitRemark\([^;]*?RemarkId::(\w+)\)")
ANCHOR = re.compile(r"Function=\w|Layer=\w|#@LINE")


def read_passes():
    """Returns the description of each pass, by its name."""
    passes = {}
    for path in (ROOT / "include/nm").rglob("Passes.td"):
        records = dump_records(path)
        for name in records["!instanceof"]["PassBase"]:
            passes[records[name]["argument"]] = records[name]["description"]
    return passes


def read_tests():
    """Returns the text of each lit test, by its path."""
    paths = [p for p in (ROOT / "test").rglob("*") if p.suffix in (".mlir", ".test")]
    return {
        path.relative_to(ROOT): CONTINUED.sub(" ", path.read_text())
        for path in sorted(paths)
        if "Inputs" not in path.parts
    }


def check_names(table):
    """No two remarks have one name, whatever the case: it is not looked at."""
    names = [(r.category.lower(), r.name.lower()) for r in table.remarks]
    for (category, name), count in collections.Counter(names).items():
        if count > 1:
            yield f"{category} has {count} remarks `{name}`"


def check_descriptions(table, passes):
    """The description of a pass names its remarks."""
    expected = collections.defaultdict(list)
    for remark in table.remarks:
        expected[remark.category].append(f"`{remark.name}`")
    for category in sorted(set(expected) - set(passes)):
        yield f"{category}: has remarks, but no pass has this name"
    for name, description in sorted(passes.items()):
        words = " ".join(description.split())
        lines = re.findall(r"Remarks: ((?:`[\w-]+`(?:, )?)+)\.", words)
        wanted = [", ".join(expected[name])] if name in expected else []
        if lines != wanted:
            yield (
                f"{name}: expected its description to say "
                f"{'Remarks: ' + wanted[0] + '.' if wanted else 'no remarks'}"
                f", got {lines}"
            )


def check_sources(table):
    """Every remark is emitted, and only through the table."""
    own = {ROOT / "include/nm/Support/Remarks.h", ROOT / "lib/Support/Remarks.cpp"}
    emitted = set()
    for folder in ["include", "lib", "tools"]:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h") or path in own:
                continue
            text = path.read_text()
            emitted.update(EMITTED.findall(text))
            if match := MLIR_EMITTERS.search(text):
                yield f"{path.relative_to(ROOT)}: {match[0]}...) passes the table by"
    for remark in table.remarks:
        if remark.id not in emitted:
            yield f"RemarkId::{remark.id}: no emitRemark in lib has it"


def check_remark_tests(table, tests):
    """Every remark is checked, with the function, layer or line it belongs to."""
    missing = {f"[{r.kind}] {r.name} | Category:{r.category} |" for r in table.remarks}
    keys = "|".join(re.escape(key) for key in table.keys)
    kinds = "|".join({remark.kind for remark in table.remarks})
    about = re.compile(rf"\[(?:{kinds})\] |Category:|[|,] (?:{keys})=|: (?:{keys})=")
    check = re.compile(r"^//\s*[A-Z][\w-]*:.*$", re.MULTILINE)
    for path, text in tests.items():
        if not any("--remarks-filter" in line for line in RUN.findall(text)):
            continue
        for line in check.findall(text):
            missing = {remark for remark in missing if remark not in line}
            if "RUN:" not in line and about.search(line) and not ANCHOR.search(line):
                yield f"{path}: expected a function, layer or line in: {line}"
    for remark in sorted(missing):
        yield f"expected a lit test with: {remark}"


def check_pass_tests(passes, tests):
    """Every pass is run without another one of nm by some test."""
    alone = set()
    for text in tests.values():
        for command in re.split(r"\||&&|;", "|".join(RUN.findall(text))):
            if not re.search(r"(?<![\w%-])nm-opt\s", command):
                continue
            names = set(re.findall(r"(?<![\w/])-{0,2}(nm-[\w-]+)", command))
            run = names & set(passes)
            if len(run) == 1:
                alone |= run
    for name in sorted(set(passes) - alone):
        yield f"{name}: no test runs nm-opt with this pass of nm alone"


def main():
    table, passes, tests = read_table(), read_passes(), read_tests()
    errors = [
        *check_names(table),
        *check_descriptions(table, passes),
        *check_sources(table),
        *check_remark_tests(table, tests),
        *check_pass_tests(passes, tests),
    ]
    for error in errors:
        print(error)
    if not table.remarks or not passes or not tests:
        print("expected remarks, passes and tests, got none")
        return 1
    print(f"{len(table.remarks)} remarks, {len(passes)} passes, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

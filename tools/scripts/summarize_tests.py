#!/usr/bin/env python3
# summarize_tests.py - Adds up the results of all test runners of nm.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: summarize_tests.py RESULTS_DIRECTORY SUITE...
#
# Reads what tools/check left there: unit.xml (ctest), lit.json (lit), python.xml
# (pytest), bare.xml (pytest without PyTorch), lints.json (run_lints.py) and
# guides.json (follow_guides.py), as far as they are named. Fails when a test failed, when a runner left nothing and when a
# runner ran nothing.

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

LIT_OUTCOME = {
    "PASS": "passed",
    "XFAIL": "passed",
    "FLAKYPASS": "passed",
    "UNSUPPORTED": "skipped",
    "SKIPPED": "skipped",
    "EXCLUDED": "skipped",
}


def unit(path):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.get("status") == "run":
            yield case.get("name"), "passed"
        elif case.get("status") == "disabled" or case.find("skipped") is not None:
            yield case.get("name"), "skipped"
        else:
            yield case.get("name"), "failed"


def lit(path):
    for test in json.loads(path.read_text())["tests"]:
        yield test["name"], LIT_OUTCOME.get(test["code"], "failed")


def python(path):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            yield name, "failed"
        else:
            yield name, "passed" if case.find("skipped") is None else "skipped"


def checks(path):
    for name, result in json.loads(path.read_text()).items():
        yield name, "passed" if result == "PASS" else "failed"


READERS = {
    "unit.xml": unit,
    "lit.json": lit,
    "python.xml": python,
    "bare.xml": python,
    "lints.json": checks,
    "guides.json": checks,
}


def main():
    directory = pathlib.Path(sys.argv[1])
    total = collections.Counter()
    for name in sys.argv[2:]:
        try:
            outcomes = list(READERS[name](directory / name))
        except (OSError, ValueError, KeyError, ElementTree.ParseError) as error:
            print(f"{name}: no results ({error})")
            outcomes = [(name, "failed")]
        count = collections.Counter(outcome for _, outcome in outcomes)
        if not count["passed"] and not count["failed"]:
            print(f"{name}: expected tests, got none")
            count["failed"] += 1
        print(f"{name}: " + ", ".join(f"{n} {o}" for o, n in sorted(count.items())))
        for test, outcome in outcomes:
            if outcome == "failed":
                print(f"  FAILED {test}")
        total += count
    line = f"{total['passed']} passed, {total['failed']} failed"
    if total["skipped"]:
        line += f", {total['skipped']} skipped"
    print(line)
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

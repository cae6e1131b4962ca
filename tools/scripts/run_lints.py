#!/usr/bin/env python3
# run_lints.py - Runs the checks of nm's sources, and records what each gave.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: run_lints.py RESULTS.json

import json
import pathlib
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent

LINTS = {
    "format": ["format.sh", "-c"],
    "spec labels": ["check_spec_labels.py"],
    "remarks": ["check_remarks.py"],
    "errors": ["check_errors.py"],
    "generated docs": ["generate_docs.sh", "-c"],
    "rooms": ["check_rooms.py", "-c"],
    "guides apply": ["follow_guides.py", "--check"],
    "Python types": ["check_types.sh"],
}


def main():
    results = {}
    for name, (script, *arguments) in LINTS.items():
        done = subprocess.run([SCRIPTS / script, *arguments])
        results[name] = "PASS" if done.returncode == 0 else "FAIL"
        print(f"{results[name]}: {name}", flush=True)
    if len(sys.argv) > 1:
        pathlib.Path(sys.argv[1]).write_text(json.dumps(results))
    return 0 if "FAIL" not in results.values() else 1


if __name__ == "__main__":
    sys.exit(main())

"""Imports every torch-mlir file of a directory and compares what is raised with
the table of that directory.

usage: check_raises.py DIRECTORY

For each NAME.mlir, examples.json says how many products have an N:M-sparse
constant (`raise_expected`). A raised weight must be gone: only the weights that
were not raised are left as constants.
"""

import json
import pathlib
import re
import subprocess
import sys

REMARKS = ["--remarks-filter=nm-.*", "--remark-format=emitRemark"]
MATRIX = re.compile(r"arith\.constant dense.*: tensor<\d+x\d+x\w+>$", re.M)


def check(path, expected):
    """Returns a line of the table and whether it is as expected."""
    done = subprocess.run(
        ["nm-opt", "--nm-import-linalg", *REMARKS, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    remarks = [l for l in done.stderr.splitlines() if " remark: " in l]
    raised = sum("[Passed] raised" in l for l in remarks)
    missed = [l for l in remarks if "[Missed] not-raised" in l]
    products = len(re.findall(r"= nm\.spm[mv] ", done.stdout))
    left = len(MATRIX.findall(done.stdout))
    ok = (
        done.returncode == 0
        and raised == products == expected
        and left == len(missed)
    )
    verdict = "ok" if ok else "UNEXPECTED"
    return (
        f"{path.stem:36} raised {raised} of {expected}, not raised {len(missed)},"
        f" weights left {left}: {verdict}",
        ok,
    )


def main():
    directory = pathlib.Path(sys.argv[1])
    table = json.loads((directory / "examples.json").read_text())
    good = len(table) > 0
    for name in sorted(table):
        expected = table[name]["raise_expected"]
        line, ok = check(directory / (name + ".mlir"), expected)
        print(line)
        good &= ok
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

"""Runs a command of nm-run and checks how many kernels it launched.

usage: count_launches.py MOST COMMAND...
"""

import re
import subprocess
import sys


def main():
    most, command = int(sys.argv[1]), sys.argv[2:]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{run.stdout}{run.stderr}failed with exit code {run.returncode}")
    total = re.search(r"^total +(\d+) ", run.stdout, re.MULTILINE)
    if not total:
        sys.exit(f"{run.stdout}expected a table of kernels")
    launches = int(total[1])
    print(f"{launches} launches")
    if not 0 < launches <= most:
        sys.exit(f"expected 1 to {most} launches, got {launches}")


if __name__ == "__main__":
    main()

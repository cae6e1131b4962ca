# sanitizer.py - What compute-sanitizer says of a command.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import subprocess

TOOLS = ("memcheck", "racecheck")
SECONDS = 300
STATUS = 99  # of a command that did something wrong


def check(tool, command):
    """"passed", "failed", or "not run" where the machine has no such tool or refuses it; and
    the summary, or what was said."""
    words = ["compute-sanitizer", f"--tool={tool}", f"--error-exitcode={STATUS}", *command]
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              errors="replace", timeout=SECONDS, check=False)
    except FileNotFoundError as error:
        return "not run", str(error)
    except subprocess.TimeoutExpired:
        return "not run", f"expected an end within {SECONDS} s"
    text = done.stdout + done.stderr
    summary = [line for line in text.splitlines() if "SUMMARY" in line]
    if not summary:
        return "not run", text[-1000:]
    if done.returncode:
        return "failed", text[-2000:]
    return "passed", " ".join(summary)

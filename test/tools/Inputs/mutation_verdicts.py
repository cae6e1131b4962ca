# mutation_verdicts.py - What the mutation script makes of commands that end badly.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: mutation_verdicts.py RUN.PY

import importlib.util
import sys

spec = importlib.util.spec_from_file_location("mutation", sys.argv[1])
mutation = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mutation)

DRIVER = "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1"
for name, script in [
    ("killed", "kill -9 $$"),
    ("killed below", "(kill -9 $BASHPID)"),
    ("killed below a driver", DRIVER),
    ("failed", "exit 1"),
    ("crashed", "kill -11 $$"),
    ("good", "echo 'out of memory' >&2"),
]:
    try:
        print("%s: judged, %d" % (name, mutation.run(["bash", "-c", script]).returncode))
    except mutation.NotJudged as reason:
        print("%s: not judged, %s" % (name, reason))

#!/usr/bin/env python3
# check_errors.py - Errors of MLIR code go through emitters.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no function of MLIR code says through an argument why it failed.

Folders of lib with an MLIR library (nm_add_mlir_library) and their headers have
LogicalResult or FailureOr with an emitter (docs/Rationale.md, "One style of errors
a layer"); a parameter such as `std::string &error` is refused."""

import re
import sys

from check_rooms import ROOT, list_files

PARAMETER = re.compile(r"(?<!const )\bstd::string ?[&*] ?(?:error|reason|message|why)\w*\s*[,)]")


def find_mlir_folders():
    """The folders of lib and of include/nm that link MLIR."""
    for path in list_files("lib/**/CMakeLists.txt"):
        if "nm_add_mlir_library(" in path.read_text():
            yield path.parent
            yield ROOT / "include/nm" / path.parent.relative_to(ROOT / "lib")


def main():
    folders = set(find_mlir_folders())
    errors = []
    for path in list_files("lib", "include/nm"):
        if path.suffix not in (".cpp", ".h") or path.parent not in folders:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if found := PARAMETER.search(line):
                errors.append(
                    f"{path.relative_to(ROOT)}:{number}: expected LogicalResult or FailureOr "
                    f"and an emitter (docs/Rationale.md), got `{found.group()}`")
    for error in errors:
        print(error, file=sys.stderr)
    if not folders:
        print("expected folders with nm_add_mlir_library, got none", file=sys.stderr)
    return 1 if errors or not folders else 0


if __name__ == "__main__":
    sys.exit(main())

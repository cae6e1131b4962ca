#!/usr/bin/env python3
# remark_table.py - Reads the table of remarks, and prints its page.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: remark_table.py   (generate_docs.sh writes docs/generated/Remarks.md so)

import json
import os
import pathlib
import subprocess
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "include/nm/Support/Remarks.td"

INTRODUCTION = """# Remarks

What a pass did, or left undone that a user may want done, it reports as MLIR remarks:
`nm-opt` prints those of the passes that `--remarks-filter` matches.

```sh
nm-opt model.mlir --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark
```

Every remark names the function that it is about, and has the key `Layer` where the
location of the op names a layer. The other keys are those of its row, some of which a
remark may lack.
"""


class Remark(NamedTuple):
    id: str
    kind: str
    category: str
    name: str
    keys: list[str]  # as users read them
    description: str


class Table(NamedTuple):
    keys: dict[str, str]  # the meaning of each key
    remarks: list[Remark]


def dump_records(path):
    """Returns what the .td file `path` defines."""
    prefix = pathlib.Path(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"))
    tool = prefix / "bin/llvm-tblgen"
    if not tool.exists():
        raise SystemExit(
            f"expected llvm-tblgen at {tool} (set LLVM_PREFIX): install llvm-22"
        )
    includes = ["-I", ROOT / "include", "-I", prefix / "include"]
    done = subprocess.run(
        [tool, "--dump-json", *includes, path], capture_output=True, check=True
    )
    return json.loads(done.stdout)


def read_table():
    records = dump_records(TABLE)
    keys = [records[name] for name in records["!instanceof"]["RemarkKeyRow"]]
    spellings = {key["!name"]: key["Spelling"] for key in keys}
    remarks = [
        Remark(
            row["!name"],
            row["Kind"],
            row["Category"],
            row["Name"],
            [spellings[key["def"]] for key in row["Keys"]],
            row["Description"],
        )
        for row in (records[name] for name in records["!instanceof"]["RemarkRow"])
    ]
    return Table(
        {key["Spelling"]: key["Meaning"] for key in keys},
        sorted(remarks, key=lambda remark: (remark.category, remark.name)),
    )


def main():
    table = read_table()
    print(INTRODUCTION)
    print("| key | holds |\n|---|---|")
    for key in sorted(table.keys, key=str.lower):
        print(f"| `{key}` | {table.keys[key]} |")
    for category in sorted({remark.category for remark in table.remarks}):
        print(f"\n## {category}\n\n| remark | kind | keys | says |\n|---|---|---|---|")
        for remark in table.remarks:
            if remark.category != category:
                continue
            keys = ", ".join(f"`{key}`" for key in remark.keys)
            print(
                f"| `{remark.name}` | {remark.kind.lower()} | {keys} "
                f"| {remark.description} |"
            )


if __name__ == "__main__":
    main()

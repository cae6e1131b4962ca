#!/usr/bin/env bash
# run_examples.sh - Runs every example that has a recorded output, and checks it.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: run_examples.sh NM_RUN EXAMPLES_DIRECTORY [OPTIONS OF nm-run...]
#
# An example is NAME.mlir with NAME.x.bin and NAME.y.bin beside it.
set -uo pipefail
if [ $# -lt 2 ]; then
  echo "usage: run_examples.sh NM_RUN EXAMPLES_DIRECTORY [OPTIONS...]" >&2
  exit 2
fi
nm_run=$1
examples=$2
shift 2

passed=0
failed=0
for expected in "$examples"/*.y.bin; do
  name=${expected%.y.bin}
  echo "== $(basename "$name")"
  if "$nm_run" "$name.mlir" --input="$name.x.bin" --expect="$expected" "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $(basename "$name")"
  fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed != 0 ]

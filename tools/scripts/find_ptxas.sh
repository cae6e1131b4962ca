#!/usr/bin/env bash
# find_ptxas.sh - Prints the path of a ptxas that works; fails if there is none.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# In order: $NM_PTXAS, PATH, $NM_VENV, nm's own .venv, an installed CUDA toolkit.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

for candidate in "${NM_PTXAS:-}" "$(command -v ptxas)" \
  ${NM_VENV:+"$NM_VENV"/lib/python3*/site-packages/nvidia/cu*/bin/ptxas} \
  "$root"/.venv/lib/python3*/site-packages/nvidia/cu*/bin/ptxas \
  /usr/local/cuda*/bin/ptxas; do
  if [ -n "$candidate" ] && "$candidate" --version > /dev/null 2>&1; then
    echo "$candidate"
    exit 0
  fi
done
exit 1

#!/usr/bin/env bash
# check_types.sh - Checks the types of the Python package with mypy, strictly.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "$0")/../../python"
exec "${NM_VENV:-../.venv}/bin/python3" -m mypy --cache-dir=../build/mypy

#!/usr/bin/env bash
# format.sh - Formats the C++ and CUDA of nm with clang-format 22.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: format.sh -c   checks, and lists what is not formatted (CI)
#        format.sh -f   formats in place
set -euo pipefail
cd "$(dirname "$0")/../.."

clang_format=${CLANG_FORMAT:-}
if [ -z "$clang_format" ]; then
  for candidate in clang-format-22 /usr/lib/llvm-22/bin/clang-format clang-format; do
    if command -v "$candidate" > /dev/null; then
      clang_format=$candidate
      break
    fi
  done
fi
# Another version formats differently.
if ! "$clang_format" --version 2> /dev/null | grep -q 'version 22\.'; then
  echo "expected clang-format 22, got '${clang_format:-none}': install clang-format-22" >&2
  exit 1
fi

# With files that are not yet added: they will be.
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.h' '*.c' '*.cu' ':!:*/Inputs/*')
case "${1:-}" in
  -f) "$clang_format" -i "${files[@]}" ;;
  -c)
    if ! "$clang_format" --dry-run -Werror "${files[@]}"; then
      echo "not formatted: run tools/scripts/format.sh -f" >&2
      exit 1
    fi
    echo "format: ${#files[@]} files checked"
    ;;
  *)
    echo "usage: format.sh -c | -f" >&2
    exit 2
    ;;
esac

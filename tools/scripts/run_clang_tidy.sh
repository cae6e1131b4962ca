#!/usr/bin/env bash
# run_clang_tidy.sh - Runs clang-tidy 22 with the committed .clang-tidy.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: run_clang_tidy.sh [FILE...]
#
# Without files, all C++ of lib, tools and test/unit. Fails when there is a
# warning. Configures build/tidy with clang++-22, whose precompiled header
# clang-tidy can read, and builds only that and the generated headers.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in clang++-22 clang-tidy-22; do
  command -v $tool > /dev/null || {
    echo "expected $tool on PATH: run tools/scripts/setup.sh --deep" >&2
    exit 1
  }
done

build=build/tidy
cmake -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DNM_ASSERTIONS=ON \
  -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 > /dev/null
cmake --build $build --target NMTableGen NMPrecompiledHeader > /dev/null

files=("$@")
if [ $# = 0 ]; then
  mapfile -t files < <(git ls-files 'lib/*.cpp' 'tools/*.cpp' 'test/unit/*.cpp')
fi
# clang-tidy counts the warnings of LLVM's headers, which it does not print, on
# stderr; what is wrong is on stdout.
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -n 4 clang-tidy-22 -p $build --quiet \
    --warnings-as-errors='*' 2> /dev/null

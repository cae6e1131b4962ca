#!/usr/bin/env bash
# pack_for_gpu.sh - Packs nm for a machine that has a GPU driver but no LLVM.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: pack_for_gpu.sh [BUILD_DIRECTORY]
#
# Installs what is missing for that (setup.sh --static), builds the static preset
# (in BUILD_DIRECTORY, build/static if not given) and leaves in dist/nm-gpu: nm.xz,
# lib/libnm.so, install.sh, the examples and the script that runs them. There,
# `bash install.sh && bash run_examples.sh ./nm-run examples` does the rest, and Python
# finds nm by PYTHONPATH and NM_BIN=dist/nm-gpu/bin; xz is needed there. The binary must
# not need more than glibc.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${1:-build/static}
dist=dist/nm-gpu
limit=$((45 * 1024 * 1024))

tools/scripts/setup.sh --static
[ -f "$build/build.ninja" ] || cmake --preset static -B "$build"
cmake --build "$build" --target nm NMLibrary

foreign=$(ldd "$build/bin/nm" |
  grep -vE '^[[:space:]]*(linux-vdso|/lib64/ld-linux|lib(c|m|dl|rt|pthread)\.so)' || true)
if [ -n "$foreign" ]; then
  echo "expected a binary that needs only glibc, got one that needs:" >&2
  echo "$foreign" >&2
  exit 1
fi

rm -rf "$dist"
mkdir -p "$dist/lib"
strip -o "$dist/nm" "$build/bin/nm"
strip -o "$dist/lib/libnm.so" "$build/lib/libnm.so"
stripped=$(stat -c %s "$dist/nm")
# Threads split the file into blocks; two of them cost little size.
xz -T2 -6 "$dist/nm"
size=$(stat -c %s "$dist/nm.xz")
if [ "$size" -gt $limit ]; then
  echo "expected at most $limit bytes of nm.xz, got $size" >&2
  exit 1
fi

tools=$(cd "$build/bin" && find . -type l -name 'nm-*' -printf '%f ')
{
  echo '#!/bin/sh'
  echo '# Unpacks nm and makes the links that name its tools.'
  echo 'set -e'
  echo 'cd "$(dirname "$0")"'
  echo '[ -x nm ] || { xz -dk nm.xz && chmod +x nm; }'
  echo 'mkdir -p bin'
  echo "for tool in $tools; do ln -sf nm \$tool; ln -sf ../nm bin/\$tool; done"
} > "$dist/install.sh"
cp tools/scripts/run_examples.sh "$dist/"
cp -r test/integration/Inputs/torch-mlir "$dist/examples"

printf 'nm: %d bytes stripped, %d as xz (limit %d), glibc %s or newer\n' \
  "$stripped" "$size" $limit \
  "$(objdump -T "$build/bin/nm" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1 | cut -d_ -f2)"
du -sh "$dist"

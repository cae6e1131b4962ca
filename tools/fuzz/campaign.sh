#!/usr/bin/env bash
# campaign.sh - A long run of every fuzzer, with one log.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: campaign.sh SEED [COUNT [JOBS]]
#
# Tries COUNT inputs of each kind (1000) in JOBS processes (one a core). Builds the
# worker with sanitizers (build/asan-ubsan) for the kinds that run in one process, and
# without (build/release) for whole tools. Leaves in build/fuzz/SEED the findings and
# campaign.json, the logs of all, for docs/results. Exits with 1 when there are
# findings. 20,000 inputs of each kind take some six hours of a core.
set -euo pipefail
cd "$(dirname "$0")/../.."

seed=${1:?usage: campaign.sh SEED [COUNT [JOBS]]}
count=${2:-1000}
jobs=${3:-$(nproc)}
out=build/fuzz/$seed
mkdir -p "$out"

for preset in asan-ubsan release; do
  [ -f build/$preset/build.ninja ] || cmake --preset $preset
  cmake --build build/$preset --target nm-fuzz-worker
done

# fuzz PRESET KIND: as many processes as --jobs says share the inputs.
fuzz() {
  .venv/bin/python3 tools/fuzz/fuzz.py "$2" --count "$count" --seed "$seed" \
    --jobs "$jobs" --bin "build/$1/bin" --out "$out/$2" || status=1
}

status=0
for kind in ptx npy passes; do fuzz asan-ubsan $kind; done
for kind in compile run options schedules contractions programs safetensors databases; do
  fuzz release $kind
done

(
  cd "$out"
  echo '['
  separator=
  for log in */log.json; do
    printf '%s' "$separator"
    cat "$log"
    separator=,
  done
  echo ']'
) > "$out/campaign.json"
echo "the log is $out/campaign.json"
exit $status

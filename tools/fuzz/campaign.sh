#!/usr/bin/env bash
# campaign.sh - A long run of every fuzzer, with one log.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: campaign.sh SEED
#
# Builds the worker with sanitizers (build/asan-ubsan) for the kinds that run in one
# process, and without (build/release) for whole tools. Leaves in build/fuzz/SEED the
# findings and campaign.json, the logs of all, for docs/results. Exits with 1 when
# there are findings. Seven minutes on two cores, once the worker is built.
set -euo pipefail
cd "$(dirname "$0")/../.."

seed=${1:?usage: campaign.sh SEED}
out=build/fuzz/$seed
mkdir -p "$out"

for preset in asan-ubsan release; do
  [ -f build/$preset/build.ninja ] || cmake --preset $preset
  cmake --build build/$preset --target nm-fuzz-worker
done

# fuzz KIND COUNT PRESET
fuzz() {
  .venv/bin/python3 tools/fuzz/fuzz.py "$1" --count "$2" --seed "$seed" \
    --bin "build/$3/bin" --out "$out/$1" || failed=1
}
in_process() {
  failed=0
  for kind in ptx npy passes; do fuzz $kind 20000 asan-ubsan; done
  return $failed
}
whole_tools() {
  failed=0
  for kind in compile run; do fuzz $kind 2500 release; done
  fuzz options 1000 release
  fuzz schedules 1000 release
  return $failed
}

status=0
in_process &
whole_tools || status=1
wait $! || status=1

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

#!/usr/bin/env bash
# check_deep.sh - The checks that are too long for CI (docs/Testing.md).
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: check_deep.sh [STEP...]     (tools/check --deep runs all steps)
#
# Steps: tidy, roundtrip, debug, asan-ubsan. Each one's whole output is in
# build/deep/STEP.log; build/deep/summary.json says what passed, and how long it
# took, for docs/results. Goes on after a step that failed, and then exits with 1.
set -euo pipefail
cd "$(dirname "$0")/../.."

steps=("$@")
[ $# != 0 ] || steps=(tidy roundtrip debug asan-ubsan)
for step in "${steps[@]}"; do
  case $step in
    tidy | roundtrip | debug | asan-ubsan) ;;
    *)
      echo "check_deep: expected one of tidy, roundtrip, debug, asan-ubsan, got $step" >&2
      exit 2
      ;;
  esac
done

logs=build/deep
mkdir -p $logs
tools/scripts/setup.sh --deep
if ptxas=$(tools/scripts/find_ptxas.sh); then
  export NM_PTXAS=$ptxas
fi

# Unit and lit tests of the build folder $1; both run, whatever the first gives.
run_tests() {
  local status=0 lit
  ctest --test-dir "$1" --output-on-failure --parallel "$(nproc)" || status=1
  lit=$(sed -n 's/^NM_LIT:FILEPATH=//p' "$1/CMakeCache.txt")
  "$lit" -v -j "$(nproc)" "$1/test" || status=1
  return $status
}

run_preset() {
  cmake --preset "$1" "${@:2}" && cmake --build "build/$1" && run_tests "build/$1"
}

run_step() {
  case $1 in
    tidy) tools/scripts/run_clang_tidy.sh ;;
    roundtrip) NM_VERIFY_ROUNDTRIP=1 run_preset release ;;
    debug) run_preset debug ;;
    asan-ubsan) run_preset asan-ubsan -DNM_WERROR=ON ;;
  esac
}

failed=0
rows=()
for step in "${steps[@]}"; do
  began=$SECONDS
  echo "== $step (its output: $logs/$step.log)"
  # errexit does not hold in what is asked for its status: the steps chain theirs.
  if run_step "$step" > "$logs/$step.log" 2>&1; then result=passed; else result=failed; fi
  [ $result = passed ] || { failed=1; tail -n 20 "$logs/$step.log"; }
  rows+=("{\"step\": \"$step\", \"result\": \"$result\", \"seconds\": $((SECONDS - began))}")
  echo "$step: $result after $((SECONDS - began)) s"
done

{
  echo "{\"date\": \"$(date -u +%F)\","
  echo " \"commit\": \"$(git rev-parse HEAD)\","
  echo " \"command\": \"tools/check --deep\","
  echo ' "steps": ['
  (IFS=$'\n'; printf '%s\n' "${rows[*]}" | sed '$!s/$/,/; s/^/  /')
  echo ' ]}'
} > $logs/summary.json
cat $logs/summary.json
exit $failed

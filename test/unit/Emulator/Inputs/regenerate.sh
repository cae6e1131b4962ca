#!/bin/sh
# Compiles every .cu file of this directory to the .ptx file that the tests read.
# Needs nvcc (13.0 was used); the tests do not.
set -e
cd "$(dirname "$0")"
for source in *.cu; do
  nvcc -ptx -arch=sm_90 -O3 -o "${source%.cu}.ptx" "$source"
  # Nothing that depends on the machine.
  sed -i -e '/^\/\/ Cuda compilation tools/d' -e '/^\/\/ Based on/d' \
      -e '/^\/\/ Compiler Build ID/d' "${source%.cu}.ptx"
done

#!/usr/bin/env bash
# build_wheel.sh - Builds nm's wheel: the Python package with all that it runs.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: build_wheel.sh [BUILD_DIRECTORY]
#
# Builds the static preset (in BUILD_DIRECTORY, build/static if not given), puts the
# tools (one binary), libnm.so and licences beside the package and leaves
# dist/nm-VERSION-py3-none-manylinux_*.whl, which needs numpy and the C library that
# its name says. Then installs it in an empty environment and tries it there
# (try_wheel.py). Installs what is missing (setup.sh --static).
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${1:-build/static}
limit=$((60 * 1024 * 1024))
stage=$build/wheel

tools/scripts/setup.sh --static
[ -f "$build/build.ninja" ] || cmake --preset static -B "$build"
cmake --build "$build" --target nm NMLibrary

rm -rf "$stage"
mkdir -p "$stage/nm/bin" "$stage/nm/lib" "$stage/nm/licenses"
find python/nm -name '*.py' -o -name py.typed | tar -c -T - | tar -x -C "$stage" --strip-components=1
strip -o "$stage/nm/bin/nm" "$build/bin/nm"
strip --strip-unneeded -o "$stage/nm/lib/libnm.so" "$build/lib/libnm.so"
for tool in opt compile run; do
  printf '#!/bin/sh\nexec "${0%%/*}/nm" %s "$@"\n' $tool > "$stage/nm/bin/nm-$tool"
  chmod +x "$stage/nm/bin/nm-$tool"
done

# What is linked statically comes with its licence.
cp LICENSE "$stage/nm/licenses/nm"
for package in llvm-22-dev libstdc++-12-dev zlib1g-dev libzstd-dev libxxhash-dev; do
  cp -L "/usr/share/doc/$package/copyright" "$stage/nm/licenses/$package"
done

# Scripts are the wheel's only: in a checkout the tools themselves are on PATH.
sed -e 's|^nm = \["py.typed"\]|nm = ["py.typed", "bin/*", "lib/*", "licenses/*"]|' \
  python/pyproject.toml > "$stage/pyproject.toml"
cat >> "$stage/pyproject.toml" << 'END'

[project.scripts]
nm-opt = "nm.runtime.tools:opt_main"
nm-compile = "nm.runtime.tools:compile_main"
nm-run = "nm.runtime.tools:run_main"
nm-tune = "nm.tune:command"
END

glibc=$(objdump -T "$stage/nm/bin/nm" "$stage/nm/lib/libnm.so" |
  grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
platform=manylinux_${glibc#GLIBC_}_$(uname -m)
platform=${platform//./_}

rm -rf "$stage/environment" "$stage/out"
python3 -m venv "$stage/environment"
pip=("$stage/environment/bin/python" -m pip --disable-pip-version-check -q)
"${pip[@]}" install 'setuptools>=61' wheel
"${pip[@]}" wheel --no-build-isolation --no-deps -w "$stage/out" "$stage"
"$stage/environment/bin/python" -m wheel tags --remove --python-tag py3 --abi-tag none \
  --platform-tag "$platform" "$stage"/out/*.whl > /dev/null
mkdir -p dist
rm -f dist/nm-*.whl
mv "$stage"/out/*.whl dist/
wheel=$(echo dist/nm-*.whl)
size=$(stat -c %s "$wheel")
if [ "$size" -gt $limit ]; then
  echo "expected a wheel of at most $limit bytes, got $size" >&2
  exit 1
fi

# An environment with nothing but numpy, and no tools on PATH.
rm -rf "$stage/environment"
python3 -m venv "$stage/environment"
"${pip[@]}" install "$wheel"
env -i PATH="$PWD/$stage/environment/bin:/usr/bin:/bin" HOME="$HOME" \
  "$stage/environment/bin/python" -I tools/scripts/try_wheel.py
echo "$wheel: $size bytes (limit $limit)"

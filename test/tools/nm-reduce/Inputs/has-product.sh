#!/bin/sh
# has-product.sh - Whether a module still has what is looked for: exits with 1.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: has-product.sh MODULE.mlir
if grep -q 'nm\.spmv' "$1"; then
  exit 1
fi
exit 0

# __init__.py - The fuzzers of nm (tools/fuzz/README.md).
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

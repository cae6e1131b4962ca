"""Models to N:M patterns, and what became of their layers: what nm.prune does.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

"""What torch-mlir refuses or gets wrong, in ops that it lowers right.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Each file changes the graph of an exported program in one way; lowering.py calls them in
their order.
"""

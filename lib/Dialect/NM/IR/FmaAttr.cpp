//===- FmaAttr.cpp - The geometry of multiply-adds on CUDA cores ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyExtents.h"
#include "nm/Dialect/NM/IR/NMDialect.h"

using namespace mlir;
using namespace nm;

LogicalResult FmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              DenseI64ArrayAttr warps, DenseI64ArrayAttr lanes,
                              DenseI64ArrayAttr thread) {
  // fma_c1
  if (failed(verifyExtents(emitError, "warps", warps, {1, 1})) ||
      failed(verifyExtents(emitError, "lanes", lanes, {1, 1})) ||
      failed(verifyExtents(emitError, "thread", thread, {1, 1})))
    return failure();
  // fma_c2
  if (failed(verifyLanes(emitError, lanes)))
    return failure();
  // fma_c3
  return verifyWarps(emitError, warps);
}

int64_t FmaAttr::getNumThreads() const {
  return getWarps()[0] * getWarps()[1] * 32;
}

int64_t FmaAttr::getBlockM() const {
  return getWarps()[0] * getLanes()[0] * getThread()[0];
}

int64_t FmaAttr::getBlockN() const {
  return getWarps()[1] * getLanes()[1] * getThread()[1];
}

// A thread multiplies one row at a time, of any operands.
int64_t FmaAttr::getSliceRows() const { return 1; }

// Threads read rows of A and of the values along them.
int64_t FmaAttr::getRowPadding() const { return 0; }

LogicalResult
FmaAttr::verifyProduct(function_ref<InFlightDiagnostic()> emitError,
                       const PatternAttr &pattern, Type a, Type weight) const {
  return success();
}

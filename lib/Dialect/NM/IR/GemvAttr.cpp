//===- GemvAttr.cpp - Products of few rows --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyExtents.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/NumberOps.h"
#include <numeric>

using namespace mlir;
using namespace nm;

LogicalResult GemvAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               DenseI64ArrayAttr warps, DenseI64ArrayAttr lanes,
                               DenseI64ArrayAttr thread) {
  // gemv_c1
  if (failed(verifyExtents(emitError, "warps", warps, {1, 1})) ||
      failed(verifyExtents(emitError, "lanes", lanes, {1, 1})) ||
      failed(verifyExtents(emitError, "thread", thread, {1, 1, 1})))
    return failure();
  // gemv_c2
  if (failed(verifyLanes(emitError, lanes)))
    return failure();
  // gemv_c3
  return verifyWarps(emitError, warps);
}

int64_t GemvAttr::getNumThreads() const {
  return getWarps()[0] * getWarps()[1] * 32;
}

int64_t GemvAttr::getBlockM() const { return getThread()[0]; }

int64_t GemvAttr::getBlockN() const {
  return getWarps()[0] * getLanes()[0] * getThread()[1];
}

int64_t GemvAttr::getSliceRows() const {
  return getWarps()[1] * getLanes()[1] * getThread()[2];
}

int64_t GemvAttr::getSumThreads() const {
  return getWarps()[1] * getLanes()[1];
}

// Lanes of a warp add theirs by shuffles, but those of a cluster, which leave
// all to the other blocks.
int64_t GemvAttr::countSharedSums(int64_t blocks) const {
  int64_t warps = getWarps()[0] * getWarps()[1];
  if (blocks > 1)
    return warps * 32 * getThread()[0] * getThread()[1];
  if (getWarps()[1] == 1)
    return 0;
  return warps * getLanes()[0] * getThread()[0] * getThread()[1];
}

/// Whether a thread of so many rows can read indices of `pattern` in words, and
/// a step has whole ones: `wordRows` are those of the fewest whole words.
static bool readsWords(PatternAttr pattern, int64_t wordRows, int64_t stepK,
                       int64_t threadRows) {
  return !pattern.isWindowAll() && pattern.getUnitK() == 1 &&
         threadRows % wordRows == 0 &&
         pattern.getCondensedRows(stepK) % wordRows == 0;
}

WeightForm GemvAttr::chooseForm(const CondensedType &weight, int64_t stepK,
                                bool isPromoted) const {
  PatternAttr pattern = weight.getPattern();
  WeightForm form;
  if (isPromoted)
    return form;
  form.coding = IndexCoding::Positions;
  int64_t rows = getThread()[2];
  int64_t bits = weight.getElementType().getIntOrFloatBitWidth();
  if (getThread()[1] == 1 && pattern.areBitsBest(bits) &&
      readsWords(pattern, pattern.getBitsUnits(), stepK, rows))
    form.coding = IndexCoding::Bits;
  else if (pattern.isMaskSmall() &&
           readsWords(pattern, pattern.getMaskUnits(), stepK, rows))
    form.coding = IndexCoding::Mask;
  // A thread of one column reads 16 bytes of it at once.
  if (getThread()[1] != 1 || pattern.getUnitK() != 1)
    return form;
  form.laneRows = std::gcd(std::gcd(rows, int64_t(128 / bits)),
                           pattern.getCondensedRows(stepK));
  return form;
}

bool GemvAttr::readsForm(const PatternAttr &pattern,
                         const WeightForm &form) const {
  int64_t rows = getThread()[2];
  if (form.fragments)
    return false;
  if (rows % form.laneRows != 0)
    return false;
  if (form.coding != IndexCoding::Mask && form.coding != IndexCoding::Bits)
    return true;
  if (pattern.isWindowAll() || pattern.getUnitK() != 1)
    return false;
  return rows % (form.coding == IndexCoding::Mask ? pattern.getMaskUnits()
                                                  : pattern.getBitsUnits()) ==
         0;
}

// A row of C takes an element of A, whatever the columns of a thread.
bool GemvAttr::readsAlongK() const { return true; }

// A word a load is what a bank holds: narrow elements of several rows take as
// many loads less, and a window of 32 words has no bank conflicts.
int64_t GemvAttr::getWordRows(Type element) const {
  int64_t bits = element.getIntOrFloatBitWidth();
  return getBlockM() == 1 ? 1 : std::max<int64_t>(1, 32 / bits);
}

// Lanes read single elements of A, or rows of few.
int64_t GemvAttr::getRowPadding() const { return 0; }

LogicalResult
GemvAttr::verifyProduct(function_ref<InFlightDiagnostic()> emitError,
                        const PatternAttr &pattern, Type a, Type weight) const {
  // gemv_c4
  if (pattern.getUnitN() % getThread()[1] != 0)
    return emitError() << "expected columns of a thread that divide a unit's, "
                          "got "
                       << getThread()[1] << " and " << pattern;
  // gemv_c5
  int64_t rows = getSliceRows(), unitK = pattern.getUnitK();
  if (rows % unitK != 0 && unitK % rows != 0)
    return emitError() << "expected units of rows that divide the " << rows
                       << " that gemv multiplies at once, or of a multiple, "
                          "got "
                       << pattern;
  // gemv_c6
  Type sum = getAccumulatorType(a, weight);
  if (sum && sum.getIntOrFloatBitWidth() != 32)
    return emitError() << "expected sums of 32 bits for gemv, got " << sum;
  return success();
}

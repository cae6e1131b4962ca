//===- MmaGemvAttr.cpp - Few rows on tensor cores -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyExtents.h"
#include "nm/Dialect/NM/IR/FewRows.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

LogicalResult MmaGemvAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  DenseI64ArrayAttr warps,
                                  DenseI64ArrayAttr tile) {
  // mma_gemv_c1
  if (failed(verifyExtents(emitError, "warps", warps, {1, 1})) ||
      failed(verifyExtents(emitError, "tile", tile, {1, 16})))
    return failure();
  // mma_gemv_c2
  if (tile[1] % 16 != 0)
    return emitError() << "expected a tile of a multiple of 16 columns, got "
                       << tile[1];
  // mma_gemv_c3
  return verifyWarps(emitError, warps);
}

int64_t MmaGemvAttr::getNumThreads() const {
  return getWarps()[0] * getWarps()[1] * 32;
}

int64_t MmaGemvAttr::getBlockM() const { return getTile()[0]; }

int64_t MmaGemvAttr::getBlockN() const { return getWarps()[0] * getTile()[1]; }

int64_t MmaGemvAttr::getSliceRows() const { return getWarps()[1] * 16; }

int64_t MmaGemvAttr::getSumThreads() const { return getWarps()[1]; }

// Each warp leaves the sums of all rows; rows of the buffer are padded.
int64_t MmaGemvAttr::countSharedSums(int64_t blocks) const {
  return getSumThreads() * getBlockM() * (getBlockN() + kSumRowPadding);
}

// Another product of the kernel may read A's tile (nm-fuse-launches).
bool MmaGemvAttr::keepsTiles() const { return true; }

bool MmaGemvAttr::readsAlongK() const { return true; }

WeightForm MmaGemvAttr::chooseForm(const CondensedType &weight, int64_t stepK,
                                   bool isPromoted) const {
  WeightForm form;
  if (isPromoted)
    return form;
  form.laneRows = 16;
  form.coding = IndexCoding::Positions;
  form.fragments = true;
  return form;
}

bool MmaGemvAttr::readsForm(const PatternAttr &pattern,
                            const WeightForm &form) const {
  return form.coding != IndexCoding::Mask && form.coding != IndexCoding::Bits &&
         form.laneRows == (form.fragments ? 16 : 1);
}

// Lanes read elements of A, whose rows are padded anyway.
int64_t MmaGemvAttr::getRowPadding() const { return 0; }

LogicalResult
MmaGemvAttr::verifyProduct(function_ref<InFlightDiagnostic()> emitError,
                           const PatternAttr &pattern, Type a,
                           Type weight) const {
  // mma_gemv_c4
  if (!(a.isF16() || a.isBF16()) || (weight != a && !weight.isInteger(8)))
    return emitError() << "expected A of f16 or bf16, and a weight of its type "
                          "or of i8, for mma_gemv, got "
                       << a << " and " << weight;
  // mma_gemv_c5
  if (pattern.getUnitN() % getTile()[1] != 0)
    return emitError()
           << "expected columns of a tile that divide a unit's, got "
           << getTile()[1] << " and " << pattern;
  // mma_gemv_c6
  int64_t rows = getSliceRows(), unitK = pattern.getUnitK();
  if (rows % unitK != 0 && unitK % rows != 0)
    return emitError() << "expected units of rows that divide the " << rows
                       << " that mma_gemv multiplies at once, or of a "
                          "multiple, got "
                       << pattern;
  return success();
}

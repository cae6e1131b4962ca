//===- MmaSyncAttr.cpp - The instruction kind mma_sync --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyExtents.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Layout/Geometry.h"

using namespace mlir;
using namespace nm;

LogicalResult MmaSyncAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  DenseI64ArrayAttr warps,
                                  DenseI64ArrayAttr tile) {
  // mma_sync_c1
  if (failed(verifyExtents(emitError, "warps", warps, {1, 1})) ||
      failed(verifyExtents(emitError, "tile", tile, {16, 16})))
    return failure();
  // mma_sync_c2
  if (tile[0] % 16 != 0 || tile[1] % 16 != 0)
    return emitError() << "expected a tile of multiples of 16, got " << tile[0]
                       << " x " << tile[1];
  // mma_sync_c3
  return verifyWarps(emitError, warps);
}

int64_t MmaSyncAttr::getNumThreads() const {
  return getWarps()[0] * getWarps()[1] * 32;
}

int64_t MmaSyncAttr::getBlockM() const { return getWarps()[0] * getTile()[0]; }

int64_t MmaSyncAttr::getBlockN() const { return getWarps()[1] * getTile()[1]; }

int64_t MmaSyncAttr::getSliceRows() const { return 16; }

// Each lane reads 16 bytes of a row of its own: rows of a multiple of 128 bytes
// would lie on the same banks.
int64_t MmaSyncAttr::getRowPadding() const { return 16; }

// A lane has its part of 16 columns and rows as eight elements that follow each
// other, as `mma_gemv` does, so that both read one array.
WeightForm MmaSyncAttr::chooseForm(const CondensedType &weight, int64_t stepK,
                                   bool isPromoted) const {
  WeightForm form;
  if (weight.getPattern().getCondensedRows(stepK) % layout::kFragmentRows != 0)
    return form;
  form.laneRows = layout::kFragmentRows;
  form.fragments = true;
  return form;
}

bool MmaSyncAttr::readsForm(const PatternAttr &pattern,
                            const WeightForm &form) const {
  return form.coding != IndexCoding::Mask && form.coding != IndexCoding::Bits &&
         form.laneRows == (form.fragments ? layout::kFragmentRows : 1);
}

LogicalResult
MmaSyncAttr::verifyProduct(function_ref<InFlightDiagnostic()> emitError,
                           const PatternAttr &pattern, Type a,
                           Type weight) const {
  // mma_sync_c4
  if (!(a.isF16() || a.isBF16()) || (weight != a && !weight.isInteger(8)))
    return emitError() << "expected A of f16 or bf16, and a weight of its type "
                          "or of i8, for mma_sync, got "
                       << a << " and " << weight;
  // mma_sync_c5
  if (pattern.getUnitN() % 8 != 0)
    return emitError() << "expected units of a multiple of 8 columns for "
                          "mma_sync, got "
                       << pattern;
  // mma_sync_c6
  if (pattern.getUnitK() % 16 != 0 && 16 % pattern.getUnitK() != 0)
    return emitError() << "expected units of rows that divide 16, or of a "
                          "multiple, for mma_sync, got "
                       << pattern;
  return success();
}

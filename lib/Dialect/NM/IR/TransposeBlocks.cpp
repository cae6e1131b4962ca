//===- TransposeBlocks.cpp - Blocks that threads transpose ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/TransposeBlocks.h"
#include "llvm/Support/MathExtras.h"

using namespace nm;

std::optional<int64_t> TransposeBlocks::getExtent(mlir::Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits < 16 || bits > 64)
    return std::nullopt;
  return 128 / bits;
}

std::optional<TransposeBlocks> TransposeBlocks::get(mlir::Type element,
                                                    int64_t tileRows,
                                                    int64_t tileColumns,
                                                    int64_t threads) {
  std::optional<int64_t> extent = getExtent(element);
  int64_t elements;
  if (!extent || threads < 1 || tileRows < 1 || tileColumns < 1 ||
      llvm::MulOverflow(tileRows, tileColumns, elements))
    return std::nullopt;
  int64_t height = *extent;
  if (tileColumns % height != 0 || elements / (height * height) < threads)
    height /= 2;
  if (tileRows % *extent != 0 || tileColumns % height != 0)
    return std::nullopt;
  return TransposeBlocks{*extent, height, tileRows / *extent,
                         tileColumns / height, threads};
}

int64_t TransposeBlocks::getTurns() const {
  return llvm::divideCeil(getNumBlocks(), threads);
}

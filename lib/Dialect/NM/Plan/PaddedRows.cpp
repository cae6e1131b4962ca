//===- PaddedRows.cpp - Where a transposed A is written -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PaddedRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Rows begin at multiples of so many bytes, the line of L2.
static constexpr int64_t kLineBytes = 128;

/// The elements of a line. A has no elements of less than a byte.
static int64_t getLineElements(Type element) {
  return kLineBytes * 8 / element.getIntOrFloatBitWidth();
}

bool nm::areWholeLines(int64_t m, Type element) {
  return !ShapedType::isDynamic(m) && m % getLineElements(element) == 0;
}

Value nm::createPaddedRows(ImplicitLocOpBuilder &b, RankedTensorType type,
                           OpFoldResult m) {
  int64_t k = type.getDimSize(0), line = getLineElements(type.getElementType());
  int64_t length = ShapedType::kDynamic;
  SmallVector<Value> dynamicLength;
  if (std::optional<int64_t> known = getConstantIntValue(m)) {
    length = llvm::alignTo(*known, line);
  } else {
    Value multiple = arith::ConstantIndexOp::create(b, line);
    Value lines = arith::CeilDivUIOp::create(b, cast<Value>(m), multiple);
    dynamicLength.push_back(arith::MulIOp::create(b, lines, multiple));
  }
  // An allocation is not made smaller, as an empty tensor of which a slice is
  // read would be.
  Value buffer = bufferization::AllocTensorOp::create(
      b, RankedTensorType::get({k, length}, type.getElementType()),
      dynamicLength);
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(b, buffer, {zero, zero},
                                        {b.getIndexAttr(k), m}, {one, one});
}

//===- ThreadWords.cpp - A thread's values as words of memory -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadWords.h"
#include "ByteNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

/// Scalars that go through memory as one vector.
static constexpr size_t kScalarsOfWord = 4;

/// By an intrinsic, not inline PTX: LLVM keeps what computes an operand of that
/// until it selects instructions, sums of rows that C has not among it.
static Value moveNumber(ImplicitLocOpBuilder &b, Value number) {
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), number);
  Value order = arith::ConstantIntOp::create(b, 0x3210, 32);
  bits = permuteBytes(b, bits, bits, order);
  return arith::BitcastOp::create(b, number.getType(), bits);
}

Value nm::moveFromLoop(ImplicitLocOpBuilder &b, Value value) {
  if (!getElementTypeOrSelf(value).isF32())
    return value;
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return moveNumber(b, value);
  SmallVector<Value> numbers;
  for (int64_t e = 0; e < type.getNumElements(); ++e)
    numbers.push_back(moveNumber(b, vector::ExtractOp::create(b, value, e)));
  return vector::FromElementsOp::create(b, type, numbers);
}

ThreadWords::ThreadWords(ImplicitLocOpBuilder &b, ValueRange values) {
  for (Value value : values)
    words.push_back(moveFromLoop(b, value));
  if (isa<VectorType>(values.front().getType()))
    return;
  isPacked = true;
  auto type = VectorType::get({kScalarsOfWord}, values.front().getType());
  FragmentValues scalars = std::move(words);
  words.clear();
  for (size_t i = 0; i < scalars.size(); i += kScalarsOfWord)
    words.push_back(vector::FromElementsOp::create(
        b, type, ValueRange(scalars).slice(i, kScalarsOfWord)));
}

VectorType ThreadWords::getType() const {
  return cast<VectorType>(words.front().getType());
}

int64_t ThreadWords::getBytes() const {
  return getWidth() * int64_t(getType().getElementTypeBitWidth()) / 8;
}

FragmentValues ThreadWords::unpack(ImplicitLocOpBuilder &b,
                                   ValueRange words) const {
  if (!isPacked)
    return FragmentValues(words);
  FragmentValues scalars;
  for (Value word : words)
    for (size_t e = 0; e < kScalarsOfWord; ++e)
      scalars.push_back(vector::ExtractOp::create(b, word, e));
  return scalars;
}

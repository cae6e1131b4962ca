//===- ByteNumbers.cpp - Numbers of i8 without conversions ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

static Value createWord(ImplicitLocOpBuilder &b, uint32_t bits) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(bits)));
}

Value nm::permuteBytes(ImplicitLocOpBuilder &b, Value low, Value high,
                       Value selector) {
  return LLVM::CallIntrinsicOp::create(b, b.getI32Type(),
                                       b.getStringAttr("llvm.nvvm.prmt"),
                                       ValueRange{low, high, selector})
      .getResult(0);
}

Value nm::toPair(ImplicitLocOpBuilder &b, Value word, Type element) {
  Value one = vector::FromElementsOp::create(
      b, VectorType::get({1}, b.getI32Type()), word);
  return vector::BitCastOp::create(b, VectorType::get({2}, element), one);
}

/// Each i8 of `word` and 128, which is no longer negative.
static Value addBias(ImplicitLocOpBuilder &b, Value word) {
  return arith::XOrIOp::create(b, word, createWord(b, 0x80808080));
}

std::array<Value, 2> nm::bytesToPairs(ImplicitLocOpBuilder &b, Value word) {
  Type f16 = b.getF16Type();
  Value biased = addBias(b, word);
  // 1024, twice, and what 128 more are with it.
  Value exponents = createWord(b, 0x64646464);
  Value offset = arith::ConstantOp::create(
      b, DenseElementsAttr::get(VectorType::get({2}, f16),
                                b.getF16FloatAttr(1152).getValue()));
  auto convert = [&](uint32_t selector) -> Value {
    Value bits = permuteBytes(b, biased, exponents, createWord(b, selector));
    return arith::SubFOp::create(b, toPair(b, bits, f16), offset);
  };
  Value first = convert(0x4140), second = convert(0x4342);
  return {first, second};
}

std::array<Value, 4> nm::bytesToNumbers(ImplicitLocOpBuilder &b, Value word) {
  Value biased = addBias(b, word);
  // 2^23, and what 128 more are with it.
  Value exponent = createWord(b, 0x4B000000);
  Value offset = arith::ConstantOp::create(b, b.getF32FloatAttr(8388736));
  std::array<Value, 4> numbers;
  for (uint32_t i = 0; i < 4; ++i) {
    Value bits = permuteBytes(b, biased, exponent, createWord(b, 0x7540 + i));
    numbers[i] = arith::SubFOp::create(
        b, arith::BitcastOp::create(b, b.getF32Type(), bits), offset);
  }
  return numbers;
}

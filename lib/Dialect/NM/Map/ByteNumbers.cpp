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
#include "nm/Support/NumberOps.h"

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

static std::array<Value, 2> bytesToF16(ImplicitLocOpBuilder &b, Value word) {
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

/// By f32, whose last bits are as many as a byte has; those of bf16 are not.
static std::array<Value, 2> bytesToBF16(ImplicitLocOpBuilder &b, Value word) {
  std::array<Value, 4> numbers = bytesToNumbers(b, word);
  auto wide = VectorType::get({2}, b.getF32Type());
  auto narrow = VectorType::get({2}, b.getBF16Type());
  auto convert = [&](int64_t first) -> Value {
    ValueRange two = ArrayRef(numbers).slice(first, 2);
    return arith::TruncFOp::create(
        b, narrow, vector::FromElementsOp::create(b, wide, two));
  };
  Value first = convert(0), second = convert(2);
  return {first, second};
}

std::array<Value, 2> nm::bytesToPairs(ImplicitLocOpBuilder &b, Value word,
                                      Type element) {
  return element.isF16() ? bytesToF16(b, word) : bytesToBF16(b, word);
}

llvm::SmallVector<Value> nm::toPairs(ImplicitLocOpBuilder &b, Value values,
                                     Type element) {
  auto type = cast<VectorType>(values.getType());
  bool areBytes = type.getElementType().isInteger(8);
  Value numbers = areBytes ? values : convertNumber(b, values, element);
  int64_t ofWord = areBytes ? 4 : 2;
  auto wordsType =
      VectorType::get({type.getNumElements() / ofWord}, b.getI32Type());
  Value words = vector::BitCastOp::create(b, wordsType, numbers);
  llvm::SmallVector<Value> pairs;
  for (int64_t i = 0; i < wordsType.getNumElements(); ++i) {
    Value word = vector::ExtractOp::create(b, words, i);
    if (areBytes)
      llvm::append_range(pairs, bytesToPairs(b, word, element));
    else
      pairs.push_back(toPair(b, word, element));
  }
  return pairs;
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

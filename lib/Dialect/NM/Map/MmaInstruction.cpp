//===- MmaInstruction.cpp - mma.m16n8k16 ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaInstruction.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

/// A register as NVVM wants it: two f16, or two bf16 in an i32.
static Value toRegister(ImplicitLocOpBuilder &b, Value pair) {
  auto type = cast<VectorType>(pair.getType());
  if (type.getElementType().isF16())
    return pair;
  Value bits =
      vector::BitCastOp::create(b, VectorType::get({1}, b.getI32Type()), pair);
  return vector::ExtractOp::create(b, bits, 0);
}

SmallVector<Value> nm::createMma(ImplicitLocOpBuilder &b, ValueRange first,
                                 ValueRange second, ValueRange sums) {
  Type element = cast<VectorType>(first.front().getType()).getElementType();
  NVVM::MMATypes type =
      element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  auto toRegisters = [&](ValueRange pairs) {
    return llvm::map_to_vector(pairs,
                               [&](Value pair) { return toRegister(b, pair); });
  };
  SmallVector<Value> firsts = toRegisters(first), seconds = toRegisters(second);
  auto result = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, b.getF32Type()));
  Value mma = NVVM::MmaOp::create(
      b, result, firsts, seconds, sums, ArrayRef<int64_t>{16, 8, 16},
      /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
      std::array<NVVM::MMATypes, 2>{type, type},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  SmallVector<Value> results;
  for (int64_t i = 0; i < 4; ++i)
    results.push_back(LLVM::ExtractValueOp::create(b, mma, i));
  return results;
}

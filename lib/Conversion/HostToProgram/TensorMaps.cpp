//===- TensorMaps.cpp - nm.tensor_map to an instruction -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "nm/Dialect/NM/IR/TensorMaps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;
using program::Opcode;

/// The number of CUtensorMapSwizzle for a swizzle of `bytes` bytes.
static uint32_t getSwizzleNumber(int64_t bytes) {
  return bytes == 0 ? 0 : llvm::Log2_64(uint64_t(bytes) / kTensorMapUnit);
}

/// What is a list of the instruction begins with the innermost dimension, as
/// the driver takes it.
template <typename Range>
static void appendReversed(SmallVectorImpl<uint32_t> &words, Range &&list) {
  words.push_back(llvm::size(list));
  llvm::append_range(words, llvm::reverse(list));
}

void FunctionEmitter::emitTensorMap(TensorMapOp op) {
  MemRefType type = op.getSource().getType();
  Type element = type.getElementType();
  const BufferView view = views.find(op.getSource())->second;
  SmallVector<Number> strides;
  for (auto [dim, stride] : llvm::enumerate(type.getStridesAndOffset().first)) {
    Number number = ShapedType::isDynamic(stride) ? getStride(view, dim)
                                                  : code.constant(stride);
    strides.push_back(toBytes(number, element));
  }
  Number first = toBytes(view.offset, element);
  Numbers places;
  for (unsigned i = 0, e = countPlaces(op.getType()); i < e; ++i)
    places.push_back(code.addNumber());
  SmallVector<uint32_t> words = {places[0], view.buffer, first,
                                 uint32_t(*getTensorMapElement(element)),
                                 getSwizzleNumber(op.getSwizzle())};
  appendReversed(words, view.sizes);
  appendReversed(words, ArrayRef(strides).drop_back());
  appendReversed(words, op.getBox());
  code.emit(Opcode::EncodeTensorMap, words);
  numbers[op] = places;
}

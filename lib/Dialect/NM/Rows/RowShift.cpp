//===- RowShift.cpp - Vectors that begin between others -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowShift.h"
#include "RowAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

/// A vector has so many bytes, the most that one access of a thread moves.
static constexpr int64_t kVectorBytes = 16;
/// A vector has so many words of 32 bits, of which registers are.
static constexpr int64_t kWords = kVectorBytes / 4;

bool nm::canLoadShifted(Value memref, int64_t count) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t bytes = *getElementBytes(type.getElementType());
  return type.getRank() == 1 && type.hasStaticShape() &&
         (bytes == 2 || bytes == 4) && count * bytes == kVectorBytes;
}

/// The words of the vector of `memref` that begins at `place`.
static SmallVector<Value> loadWords(ImplicitLocOpBuilder &b, Value memref,
                                    Value place, int64_t count) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  Value vector = vector::LoadOp::create(
      b, VectorType::get({count}, element), memref, place,
      /*nontemporal=*/false, llvm::MaybeAlign(kVectorBytes));
  Value words = vector::BitCastOp::create(
      b, VectorType::get({kWords}, b.getI32Type()), vector);
  SmallVector<Value> values;
  for (int64_t i = 0; i < kWords; ++i)
    values.push_back(vector::ExtractOp::create(b, words, i));
  return values;
}

/// `words` from the one `distance` on, if `bytes` has the bit of as many bytes:
/// `count` of them.
static SmallVector<Value> shiftWords(ImplicitLocOpBuilder &b,
                                     ArrayRef<Value> words, Value bytes,
                                     int64_t distance, int64_t count) {
  Value bit = arith::AndIOp::create(b, bytes, indexConstant(b, 4 * distance));
  Value isFar = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit,
                                      indexConstant(b, 0));
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(
        arith::SelectOp::create(b, isFar, words[i + distance], words[i]));
  return values;
}

/// Words that begin in the middle of `words`, if `bytes` has the bit of that.
static SmallVector<Value> shiftHalves(ImplicitLocOpBuilder &b,
                                      ArrayRef<Value> words, Value bytes) {
  Value bit = arith::AndIOp::create(b, bytes, indexConstant(b, 2));
  Value isHalf = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit,
                                       indexConstant(b, 0));
  Value half = arith::ConstantIntOp::create(b, 16, 32);
  SmallVector<Value> values;
  for (int64_t i = 0; i < kWords; ++i) {
    Value low = arith::ShRUIOp::create(b, words[i], half);
    Value high = arith::ShLIOp::create(b, words[i + 1], half);
    values.push_back(arith::SelectOp::create(
        b, isHalf, arith::OrIOp::create(b, low, high), words[i]));
  }
  return values;
}

/// The elements of two vectors that follow each other from element `shift` on.
static SmallVector<Value> loadOfTwo(ImplicitLocOpBuilder &b, Value memref,
                                    Value first, int64_t count, Value shift) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  SmallVector<Value> words = loadWords(b, memref, first, count);
  llvm::append_range(words,
                     loadWords(b, memref, addIndex(b, first, count), count));
  int64_t bytesOfElement = *getElementBytes(element);
  Value bytes = mulIndex(b, shift, bytesOfElement);
  words = shiftWords(b, words, bytes, /*distance=*/2, kWords + 2);
  words = shiftWords(b, words, bytes, /*distance=*/1, kWords + 1);
  if (bytesOfElement == 2)
    words = shiftHalves(b, words, bytes);
  words.resize(kWords);
  Value all = vector::FromElementsOp::create(
      b, VectorType::get({kWords}, b.getI32Type()), words);
  Value vector =
      vector::BitCastOp::create(b, VectorType::get({count}, element), all);
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(vector::ExtractOp::create(b, vector, i));
  return values;
}

SmallVector<Value> nm::loadShifted(ImplicitLocOpBuilder &b, Value memref,
                                   Value place, int64_t count, Value shift) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t last = type.getDimSize(0) - 2 * count;
  Value first = arith::SubIOp::create(b, place, shift);
  Value areThere = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, first,
                                         indexConstant(b, last));
  SmallVector<Type> types(count, type.getElementType());
  auto choice = scf::IfOp::create(b, types, areThere, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, loadOfTwo(b, memref, first, count, shift));
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loadElements(b, memref, place, count, /*width=*/1));
  return choice.getResults();
}

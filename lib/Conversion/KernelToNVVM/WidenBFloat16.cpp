//===- WidenBFloat16.cpp - bf16 to f32 without a conversion unit ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bf16 number is the upper half of an f32. Two of them in a word become two
// f32 by a shift and a mask, at the full rate of integer ops and without taking
// the word apart; conversions have a fraction of that rate.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMWIDENBFLOAT16PASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// An integer constant of `type`, a number or a vector of them.
static Value createBits(ImplicitLocOpBuilder &b, Type type, uint32_t bits) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  TypedAttr attr = b.getIntegerAttr(element, APInt(element.getWidth(), bits));
  if (auto vector = dyn_cast<VectorType>(type))
    attr = SplatElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

/// Numbers one by one, or vectors of a length that is no multiple of two.
static Value widenEach(ImplicitLocOpBuilder &b, Value narrow, Type wide) {
  auto like = [&](Type element) -> Type {
    auto vector = dyn_cast<VectorType>(wide);
    return vector ? Type(vector.clone(element)) : element;
  };
  Value bits = arith::BitcastOp::create(b, like(b.getI16Type()), narrow);
  Type word = like(b.getI32Type());
  bits = arith::ExtUIOp::create(b, word, bits);
  Value shift = createBits(b, word, 16);
  bits = arith::ShLIOp::create(b, bits, shift);
  return arith::BitcastOp::create(b, wide, bits);
}

/// Vectors of whole words: the even elements are the lower halves.
static Value widenPairs(ImplicitLocOpBuilder &b, Value narrow,
                        VectorType wide) {
  int64_t pairs = wide.getNumElements() / 2;
  auto words = VectorType::get({pairs}, b.getI32Type());
  auto halves = VectorType::get({pairs}, b.getF32Type());
  Value shift = createBits(b, words, 16);
  Value mask = createBits(b, words, 0xffff0000);
  Value bits = vector::BitCastOp::create(b, words, narrow);
  Value low = arith::ShLIOp::create(b, bits, shift);
  Value high = arith::AndIOp::create(b, bits, mask);
  Value even = arith::BitcastOp::create(b, halves, low);
  Value odd = arith::BitcastOp::create(b, halves, high);
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < pairs; ++i)
    order.append({i, pairs + i});
  return vector::ShuffleOp::create(b, wide, even, odd, order);
}

static void widen(arith::ExtFOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type result = op.getType(), wide = b.getF32Type();
  auto vector = dyn_cast<VectorType>(result);
  if (vector)
    wide = vector.clone(b.getF32Type());
  Value value = vector && vector.getRank() == 1 && !vector.isScalable() &&
                        vector.getNumElements() % 2 == 0
                    ? widenPairs(b, op.getIn(), cast<VectorType>(wide))
                    : widenEach(b, op.getIn(), wide);
  if (wide != result)
    value = arith::ExtFOp::create(b, result, value);
  op.replaceAllUsesWith(value);
  op.erase();
}

namespace {
struct WidenBFloat16 : nm::impl::NMWidenBFloat16PassBase<WidenBFloat16> {
  void runOnOperation() override {
    SmallVector<arith::ExtFOp> ops;
    getOperation()->walk([&](arith::ExtFOp op) {
      if (getElementTypeOrSelf(op.getIn()).isBF16())
        ops.push_back(op);
    });
    for (arith::ExtFOp op : ops)
      widen(op);
  }
};
} // namespace

//===- RowDigits.cpp - Places along dimensions ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowDigits.h"
#include "RowAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"

using namespace mlir;
using namespace nm;

/// Bits of a word, of which two are what numbers are multiplied by.
static constexpr int64_t kWordBits = 32;

SmallVector<Value> nm::createReciprocals(ImplicitLocOpBuilder &b, RowsOp op) {
  SmallVector<Value> reciprocals;
  for (int64_t dim = 0, e = op.getNumDims(); dim < e; ++dim) {
    reciprocals.push_back({});
    bool isDivisor = dim != 0 && dim != int64_t(op.getRows());
    if (!isDivisor || !ShapedType::isDynamic(op.getStaticExtent(dim)))
      continue;
    // Of an empty array there is nothing to divide.
    Value extent =
        arith::MaxUIOp::create(b, getExtent(b, op, dim), indexConstant(b, 1));
    reciprocals.back() =
        arith::DivUIOp::create(b, indexConstant(b, -1), extent);
  }
  return reciprocals;
}

/// The quotient of `number`, of 32 bits, and what `reciprocal` is of, by two
/// products of 32 bits each.
static Value divide(ImplicitLocOpBuilder &b, Value number, Value reciprocal) {
  Type wide = b.getI64Type();
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(b, wide, value);
  };
  Value bits = constant(kWordBits);
  auto takeHigh = [&](Value value) {
    return arith::ShRUIOp::create(b, value, bits).getResult();
  };
  Value factor = arith::IndexCastUIOp::create(b, wide, reciprocal);
  Value low = arith::AndIOp::create(b, factor, constant(UINT32_MAX));
  Value next = arith::AddIOp::create(b, arith::ExtUIOp::create(b, wide, number),
                                     constant(1));
  Value carried = takeHigh(arith::MulIOp::create(b, next, low));
  Value product = arith::MulIOp::create(b, next, takeHigh(factor));
  Value quotient = takeHigh(arith::AddIOp::create(b, product, carried));
  return arith::TruncIOp::create(b, number.getType(), quotient);
}

/// The digits of `linear`, an index, as indices: those of `extents`, the first
/// of which bounds nothing. They are computed in `type`, where it is of 32 bits
/// by `reciprocals`, as far as there are any.
static SmallVector<Value> getDigits(ImplicitLocOpBuilder &b, Value linear,
                                    ArrayRef<Value> extents,
                                    ArrayRef<Value> reciprocals, Type type) {
  auto toType = [&](Value value, Type to) {
    return b.createOrFold<arith::IndexCastUIOp>(to, value);
  };
  bool isNarrow = !type.isIndex();
  Value rest = isNarrow ? toType(linear, type) : linear;
  SmallVector<Value> digits;
  for (auto [extent, reciprocal] : llvm::reverse(
           llvm::zip_equal(extents.drop_front(), reciprocals.drop_front()))) {
    Value divisor = isNarrow ? toType(extent, type) : extent;
    Value quotient = isNarrow && reciprocal
                         ? divide(b, rest, reciprocal)
                         : arith::DivUIOp::create(b, rest, divisor).getResult();
    digits.push_back(arith::SubIOp::create(
        b, rest, arith::MulIOp::create(b, quotient, divisor)));
    rest = quotient;
  }
  digits.push_back(rest);
  std::reverse(digits.begin(), digits.end());
  if (isNarrow)
    for (Value &digit : digits)
      digit = toType(digit, b.getIndexType());
  return digits;
}

Value nm::createAreNarrow(ImplicitLocOpBuilder &b, RowsOp op, int64_t begin,
                          int64_t end) {
  if (end - begin <= 1 || getStaticPoints(op, begin, end))
    return {};
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ule,
                               countPoints(b, op, begin, end),
                               indexConstant(b, INT32_MAX));
}

SmallVector<Value> nm::computeDigits(ImplicitLocOpBuilder &b, RowsOp op,
                                     Value linear, int64_t begin, int64_t end,
                                     ArrayRef<Value> reciprocals,
                                     Numbers numbers) {
  if (begin == end)
    return {};
  SmallVector<Value> extents, of(end - begin);
  for (int64_t dim = begin; dim < end; ++dim)
    extents.push_back(getExtent(b, op, dim));
  if (!reciprocals.empty())
    of = llvm::to_vector(reciprocals.slice(begin, end - begin));
  Type narrow = b.getI32Type(), wide = b.getIndexType();
  if (auto points = getStaticPoints(op, begin, end))
    numbers = *points <= INT32_MAX ? Numbers::Narrow : Numbers::Wide;
  if (end - begin == 1)
    numbers = Numbers::Wide;
  if (numbers != Numbers::Unknown)
    return getDigits(b, linear, extents, of,
                     numbers == Numbers::Narrow ? narrow : wide);
  auto choice = scf::IfOp::create(b, SmallVector<Type>(extents.size(), wide),
                                  createAreNarrow(b, op, begin, end),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (Type type : {narrow, wide}) {
    b.setInsertionPointToStart(type == narrow ? choice.thenBlock()
                                              : choice.elseBlock());
    scf::YieldOp::create(b, getDigits(b, linear, extents, of, type));
  }
  return llvm::to_vector_of<Value>(choice.getResults());
}

//===- NumberOps.cpp - Arithmetic on numbers of any type ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/NumberOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

const NumericType *nm::lookupNumericType(Type type) {
  // Storage of a type that is no row, such as an 8-bit float, must not be
  // mistaken for one: a float is known by its width and its precision.
  for (int id = 0; id < kElementTypes; ++id) {
    const NumericType &row = getNumericType(static_cast<ElementType>(id));
    if (auto floatType = dyn_cast<FloatType>(type)) {
      if (row.isFloat() && floatType.getWidth() == row.bits &&
          floatType.getFPMantissaWidth() == row.precision)
        return &row;
    } else if (auto integer = dyn_cast<IntegerType>(type)) {
      NumberKind kind =
          integer.isUnsigned() ? NumberKind::Unsigned : NumberKind::Signed;
      if (row.kind == kind && integer.getWidth() == row.bits &&
          !integer.isSigned())
        return &row;
    } else if (auto complex = dyn_cast<ComplexType>(type)) {
      const NumericType *part = lookupNumericType(complex.getElementType());
      if (part && row.part == part->id)
        return &row;
    }
  }
  return nullptr;
}

std::optional<uint64_t> nm::getElementBytes(Type type) {
  if (type.isIndex()) // host code is 64-bit
    return 8;
  const NumericType *row = lookupNumericType(type);
  if (row)
    return row->bytes;
  auto integer = dyn_cast<IntegerType>(type);
  if (integer && integer.getWidth() >= 1 && integer.getWidth() <= 64)
    return llvm::PowerOf2Ceil(llvm::divideCeil(integer.getWidth(), 8));
  return std::nullopt;
}

Type nm::getType(MLIRContext *context, ElementType type) {
  const NumericType &row = getNumericType(type);
  if (row.isComplex())
    return ComplexType::get(getType(context, *row.part));
  if (!row.isFloat())
    return IntegerType::get(context, row.bits,
                            row.kind == NumberKind::Unsigned
                                ? IntegerType::Unsigned
                                : IntegerType::Signless);
  Builder b(context);
  for (Type candidate :
       {b.getF16Type(), b.getBF16Type(), b.getF32Type(), b.getF64Type()})
    if (lookupNumericType(candidate) == &row)
      return candidate;
  llvm_unreachable("every float of the table is a type of MLIR");
}

Type nm::getAccumulatorType(Type a, Type weight) {
  const NumericType *typeA = lookupNumericType(a);
  const NumericType *typeWeight = lookupNumericType(weight);
  if (!typeA || !typeWeight)
    return {};
  std::optional<ElementType> accumulator =
      getAccumulator(typeA->id, typeWeight->id);
  return accumulator ? getType(a.getContext(), *accumulator) : Type();
}

bool nm::isAccumulator(Type type) {
  const NumericType *row = lookupNumericType(type);
  return row && isAccumulator(row->id);
}

bool nm::isProductResult(Type accumulator, Type result) {
  const NumericType *from = lookupNumericType(accumulator);
  const NumericType *to = lookupNumericType(result);
  return from && to && isProductResult(from->id, to->id);
}

Type nm::getEpilogueType(Type accumulator, bool hasScale) {
  if (hasScale && isa<IntegerType>(accumulator))
    return Float32Type::get(accumulator.getContext());
  return accumulator;
}

Value nm::convertNumber(ImplicitLocOpBuilder &b, Value value, Type element) {
  Type from = getElementTypeOrSelf(value);
  if (from == element)
    return value;
  Type to = element;
  if (auto shaped = dyn_cast<ShapedType>(value.getType()))
    to = shaped.clone(element);
  if (isa<IntegerType>(from) && isa<FloatType>(element))
    return arith::SIToFPOp::create(b, to, value);
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = element.getIntOrFloatBitWidth();
  if (isa<IntegerType>(from)) {
    if (fromBits < toBits)
      return arith::ExtSIOp::create(b, to, value);
    return arith::TruncIOp::create(b, to, value);
  }
  if (fromBits < toBits)
    return arith::ExtFOp::create(b, to, value);
  if (fromBits > toBits)
    return arith::TruncFOp::create(b, to, value);
  // Between f16 and bf16, through the f32 that holds both.
  return convertNumber(b, convertNumber(b, value, b.getF32Type()), element);
}

Value nm::createAdd(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (isa<FloatType>(getElementTypeOrSelf(x)))
    return arith::AddFOp::create(b, x, y);
  return arith::AddIOp::create(b, x, y);
}

Value nm::createMul(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (isa<FloatType>(getElementTypeOrSelf(x)))
    return arith::MulFOp::create(b, x, y);
  return arith::MulIOp::create(b, x, y);
}

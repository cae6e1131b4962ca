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

/// The type of MLIR that `row`, whose class is `T`, is.
template <typename T>
static Type makeType(MLIRContext *context, const NumericType &row) {
  if constexpr (std::is_same_v<T, IntegerType>)
    return IntegerType::get(context, row.bits,
                            row.kind == NumberKind::Unsigned
                                ? IntegerType::Unsigned
                                : IntegerType::Signless);
  else if constexpr (std::is_same_v<T, ComplexType>)
    return ComplexType::get(getType(context, *row.part));
  else
    return T::get(context);
}

Type nm::getType(MLIRContext *context, ElementType type) {
  using Maker = Type (*)(MLIRContext *, const NumericType &);
  // In the order of the table, as the values of ElementType are.
  static constexpr Maker makers[] = {
#define NM_NUMERIC_TYPE(id, mlirType, ...) makeType<mlirType>,
#include "nm/Numbers/NumericTypes.def"
  };
  return makers[static_cast<size_t>(type)](context, getNumericType(type));
}

const NumericType *nm::lookupNumericType(Type type) {
#define NM_NUMERIC_TYPE(id, mlirType, ...)                                     \
  if (isa<mlirType>(type) &&                                                   \
      getType(type.getContext(), ElementType::id) == type)                     \
    return &getNumericType(ElementType::id);
#include "nm/Numbers/NumericTypes.def"
  return nullptr;
}

bool nm::isFloatNumber(Type type) {
  const NumericType *row = lookupNumericType(type);
  return row && row->isFloat();
}

bool nm::isOperandType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return (integer && integer.isSignless()) || isFloatNumber(type);
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

std::string nm::listProductResults(Type accumulator) {
  const NumericType *row = lookupNumericType(accumulator);
  return row ? listProductResults(row->id) : "no";
}

/// How MLIR writes the types of the rows for which `isListed(row)` holds.
template <typename Predicate>
static void appendTypes(MLIRContext *context, Predicate isListed,
                        std::vector<std::string> &names) {
  for (const NumericType &row : getNumericTypes()) {
    if (!isListed(row))
      continue;
    names.emplace_back();
    llvm::raw_string_ostream(names.back()) << getType(context, row.id);
  }
}

std::string nm::listElementTypes(MLIRContext *context) {
  std::vector<std::string> names;
  appendTypes(
      context, [](const NumericType &row) { return row.isFloat(); }, names);
  names.emplace_back("integers of 1 to 64 bits");
  names.emplace_back("index");
  appendTypes(
      context, [](const NumericType &row) { return row.isComplex(); }, names);
  return joinWithOr(names);
}

std::string nm::listNumericTypes(MLIRContext *context) {
  std::vector<std::string> names;
  appendTypes(context, [](const NumericType &) { return true; }, names);
  return joinWithOr(names);
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

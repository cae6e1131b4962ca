//===- NMTypes.cpp - Types of the nm dialect
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Support/NumberOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;

#define GET_TYPEDEF_CLASSES
#include "nm/Dialect/NM/IR/NMTypes.cpp.inc"

void NMDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "nm/Dialect/NM/IR/NMTypes.cpp.inc"
      >();
}

/// Parses `<AxBxT`, leaving what follows to the caller.
static ParseResult parseMatrix(AsmParser &parser,
                               SmallVector<int64_t, 2> &shape,
                               Type &elementType) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return failure();
  if (shape.size() != 2)
    return parser.emitError(loc, "expected 2 extents, got ") << shape.size();
  return success();
}

//===----------------------------------------------------------------------===//
// !nm.condensed
//===----------------------------------------------------------------------===//

Type CondensedType::parse(AsmParser &parser) {
  SmallVector<int64_t, 2> shape;
  Type elementType;
  PatternAttr pattern;
  PackingAttr packing;
  if (parseMatrix(parser, shape, elementType) || parser.parseComma() ||
      parser.parseAttribute(pattern))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(packing))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<CondensedType>(
      parser.getContext(), shape[0], shape[1], elementType, pattern, packing);
}

void CondensedType::print(AsmPrinter &printer) const {
  printer << "<" << getK() << "x" << getN() << "x" << getElementType() << ", "
          << getPattern();
  if (getPacking())
    printer << ", " << getPacking();
  printer << ">";
}

LogicalResult
CondensedType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t k,
                      int64_t n, Type elementType, PatternAttr pattern,
                      PackingAttr packing) {
  constexpr int64_t limit = int64_t(1) << 31;
  // condensed_c1
  if (k < 1 || n < 1 || k >= limit || n >= limit)
    return emitError() << "expected extents from 1 to 2^31 - 1, got " << k
                       << "x" << n;
  // condensed_c2
  if (!getAccumulatorType(elementType, elementType))
    return emitError() << "expected " << listOperandTypes() << " elements, got "
                       << elementType;
  // condensed_c3
  if (pattern.getKeep() > pattern.getWindowUnits(k))
    return emitError() << "expected at most " << pattern.getWindowUnits(k)
                       << " kept units (all of k), got " << pattern.getKeep();
  if (!packing)
    return success();
  // condensed_c4,
  // condensed_c5,
  // condensed_c6,
  // condensed_c7,
  // condensed_c8,
  // condensed_c9,
  // condensed_c10,
  // condensed_c11,
  // condensed_c12
  std::string error;
  if (!layout::Geometry::get(getWeight(k, n, pattern), nm::getPacking(packing),
                             error))
    return emitError() << error;
  return success();
}

IntegerType CondensedType::getIndexType() const {
  if (getPacking())
    return IntegerType::get(getContext(),
                            unsigned(getGeometry(*this).getIndexBytes() * 8));
  int64_t units = getPattern().getWindowUnits(getK());
  return IntegerType::get(getContext(),
                          unsigned(sparsity::getPositionBytes(units) * 8));
}

/// A shape of lib/Layout as MLIR holds it.
template <unsigned Size>
static SmallVector<int64_t, Size> toShape(const std::vector<int64_t> &shape) {
  return SmallVector<int64_t, Size>(shape.begin(), shape.end());
}

SmallVector<int64_t, 3> CondensedType::getValuesShape() const {
  if (!getPacking())
    return {getPattern().getCondensedRows(getK()), getN()};
  return toShape<3>(getGeometry(*this).getValuesShape());
}

SmallVector<int64_t, 3> CondensedType::getIndicesShape() const {
  PatternAttr pattern = getPattern();
  if (!getPacking())
    return {pattern.getCondensedRows(getK()) / pattern.getUnitK(),
            pattern.getUnitColumns(getN())};
  return toShape<3>(getGeometry(*this).getIndicesShape());
}

SmallVector<int64_t, 2> CondensedType::getColumnsShape() const {
  if (!getPacking() || getPacking().getColumns() == 0)
    return {};
  return toShape<2>(
      getGeometry(*this).getColumnsShape(getPacking().getColumns()));
}

RankedTensorType CondensedType::getValuesTensorType() const {
  return RankedTensorType::get(getValuesShape(), getElementType());
}

RankedTensorType CondensedType::getIndicesTensorType() const {
  return RankedTensorType::get(getIndicesShape(), getIndexType());
}

//===----------------------------------------------------------------------===//
// !nm.fragment
//===----------------------------------------------------------------------===//

Type FragmentType::parse(AsmParser &parser) {
  SmallVector<int64_t, 2> shape;
  Type elementType;
  if (parseMatrix(parser, shape, elementType))
    return {};
  Role role = Role::Sum;
  if (succeeded(parser.parseOptionalComma())) {
    SMLoc place = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return {};
    std::optional<Role> named = symbolizeRole(name);
    if (!named) {
      parser.emitError(place)
          << "expected rows, values or positions, got " << name;
      return {};
    }
    role = *named;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<FragmentType>(parser.getContext(), shape[0],
                                         shape[1], elementType, role);
}

void FragmentType::print(AsmPrinter &printer) const {
  printer << "<" << getM() << "x" << getN() << "x" << getElementType();
  if (getRole() != Role::Sum)
    printer << ", " << stringifyRole(getRole());
  printer << ">";
}

LogicalResult FragmentType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   int64_t m, int64_t n, Type elementType,
                                   Role role) {
  // fragment_c1
  if (m < 1 || n < 1)
    return emitError() << "expected positive extents, got " << m << "x" << n;
  // fragment_c2
  if (role == Role::Sum && !isAccumulator(elementType))
    return emitError() << "expected f32 or i32 elements, got " << elementType;
  // fragment_c3
  if (role == Role::Positions && !elementType.isIndex())
    return emitError() << "expected positions of index, got " << elementType;
  return success();
}

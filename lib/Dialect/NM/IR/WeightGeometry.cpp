//===- WeightGeometry.cpp - Packed types in plain C++ ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/WeightGeometry.h"

using namespace mlir;
using namespace nm;

layout::Weight nm::getWeight(int64_t k, int64_t n, PatternAttr pattern) {
  return {k,
          n,
          {pattern.getKeep(), pattern.getWindow(), pattern.getUnitK(),
           pattern.getUnitN()}};
}

layout::IndexCoding nm::getCoding(IndexCoding coding) {
  switch (coding) {
  case IndexCoding::Positions:
    return layout::IndexCoding::Positions;
  case IndexCoding::Mask:
    return layout::IndexCoding::Mask;
  case IndexCoding::Bits:
    return layout::IndexCoding::Bits;
  default:
    return layout::IndexCoding::Rows;
  }
}

IndexCoding nm::getCoding(layout::IndexCoding coding) {
  switch (coding) {
  case layout::IndexCoding::Positions:
    return IndexCoding::Positions;
  case layout::IndexCoding::Mask:
    return IndexCoding::Mask;
  case layout::IndexCoding::Bits:
    return IndexCoding::Bits;
  case layout::IndexCoding::Rows:
    return IndexCoding::Rows;
  }
  llvm_unreachable("all codings are named");
}

layout::Packing nm::getPacking(PackingAttr packing) {
  return {packing.getBlockN(),
          packing.getStepK(),
          packing.getPanels(),
          packing.getLaneRows(),
          getCoding(packing.getCoding()),
          packing.getFragments(),
          packing.getPositionRows(),
          packing.getValueRows(),
          packing.getValueColumns()};
}

layout::Geometry nm::getGeometry(CondensedType type) {
  std::string error;
  std::optional<layout::Geometry> geometry = layout::Geometry::get(
      getWeight(type.getK(), type.getN(), type.getPattern()),
      getPacking(type.getPacking()), error);
  assert(geometry && "expected a type that its verifier has checked");
  return *geometry;
}

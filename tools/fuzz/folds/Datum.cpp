//===- Datum.cpp - What an interpreted value is ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Datum.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace mlir;
using namespace nm::folds;

int64_t nm::folds::countElements(llvm::ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    if (llvm::MulOverflow(count, extent, count))
      return std::numeric_limits<int64_t>::max();
  return count;
}

int64_t nm::folds::linearize(llvm::ArrayRef<int64_t> position,
                             llvm::ArrayRef<int64_t> extents) {
  int64_t place = 0;
  for (auto [coordinate, extent] : llvm::zip_equal(position, extents))
    place = place * extent + coordinate;
  return place;
}

bool nm::folds::advance(llvm::MutableArrayRef<int64_t> position,
                        llvm::ArrayRef<int64_t> extents) {
  for (size_t axis = position.size(); axis-- > 0;) {
    if (++position[axis] < extents[axis])
      return true;
    position[axis] = 0;
  }
  return false;
}

unsigned nm::folds::getWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

static bool isNaN(const llvm::APInt &bits, Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type && llvm::APFloat(type.getFloatSemantics(), bits).isNaN();
}

bool nm::folds::isRefinement(const Datum &expected, const Datum &got,
                             Type type) {
  if (expected.extents != got.extents)
    return false;
  Type element = getElementTypeOrSelf(type);
  for (auto [before, after] :
       llvm::zip_equal(expected.elements, got.elements)) {
    if (before.isPoison)
      continue;
    if (after.isPoison)
      return false;
    if (before.bits != after.bits &&
        !(isNaN(before.bits, element) && isNaN(after.bits, element)))
      return false;
  }
  return true;
}

static void print(llvm::raw_ostream &os, const Scalar &scalar, Type element) {
  if (scalar.isPoison) {
    os << "poison";
    return;
  }
  if (auto type = dyn_cast<FloatType>(element)) {
    llvm::SmallString<16> text;
    llvm::APFloat(type.getFloatSemantics(), scalar.bits).toString(text);
    os << text;
    return;
  }
  scalar.bits.print(os, /*isSigned=*/scalar.bits.getBitWidth() > 1);
}

std::string nm::folds::toString(const Datum &datum, Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Type element = getElementTypeOrSelf(type);
  if (!isa<TensorType>(type)) {
    print(os, datum.scalar(), element);
    return text;
  }
  llvm::interleave(datum.extents, os, "x");
  os << "[";
  llvm::interleaveComma(datum.elements, os, [&](const Scalar &scalar) {
    print(os, scalar, element);
  });
  os << "]";
  return text;
}

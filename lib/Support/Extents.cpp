//===- Extents.cpp - Products of extents ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/Extents.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

std::optional<int64_t> nm::getProduct(ArrayRef<int64_t> extents,
                                      int64_t limit) {
  int64_t product = 1;
  for (int64_t extent : extents)
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(product, extent, product) || product > limit)
      return std::nullopt;
  return product;
}

uint64_t nm::getArrayBytes(ArrayRef<int64_t> shape, uint64_t elementBytes) {
  uint64_t bytes = elementBytes;
  for (int64_t extent : shape)
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return bytes;
}

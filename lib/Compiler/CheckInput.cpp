//===- CheckInput.cpp - Constants that cannot be compiled -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckInput.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

/// Bytes of the elements of `type`; none where 64 bits do not hold the number.
static std::optional<uint64_t> getBytes(ShapedType type) {
  bool overflows = false;
  uint64_t bits = 8 * nm::getElementBytes(type.getElementType()).value_or(0);
  if (auto integer = dyn_cast<IntegerType>(type.getElementType()))
    bits = integer.getWidth();
  for (int64_t extent : type.getShape()) {
    bool overflow;
    bits = llvm::SaturatingMultiply<uint64_t>(bits, extent, &overflow);
    overflows |= overflow;
  }
  return overflows ? std::nullopt : std::optional(llvm::divideCeil(bits, 8));
}

static LogicalResult checkResource(Operation *op,
                                   DenseResourceElementsAttr attr) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob)
    return op->emitOpError()
           << "expected the data of `" << attr.getRawHandle().getKey()
           << "`, got none: it was elided; print the module again with all of "
              "its data (without --mlir-elide-resource-strings-if-larger, "
              "large_elements_limit and the like)";
  ShapedType type = attr.getType();
  // The type itself is refused where nothing can be made of it.
  if (!nm::getElementBytes(type.getElementType()) ||
      type.getElementType().isInteger(1))
    return success();
  std::optional<uint64_t> bytes = getBytes(type);
  if (bytes && *bytes == blob->getData().size())
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "expected ";
  if (bytes)
    diag << *bytes;
  else
    diag << "2^61 or more";
  return diag << " bytes of data in `" << attr.getRawHandle().getKey()
              << "` for " << type << ", got " << blob->getData().size();
}

LogicalResult nm::checkConstants(ModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) {
    for (NamedAttribute named : op->getAttrs())
      if (auto attr = dyn_cast<DenseResourceElementsAttr>(named.getValue()))
        if (failed(checkResource(op, attr)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

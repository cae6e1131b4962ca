//===- VerifyConstants.cpp - The data of constants is there ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody else compares the data of a resource with its type: the parser takes
// any, and LLVM reads as much as the type says.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "nm/Support/NumberOps.h"
#include "nm/Transforms/Checks/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMVERIFYCONSTANTSPASS
#include "nm/Transforms/Checks/Passes.h.inc"
} // namespace nm

using namespace mlir;

/// Bits of an element in a resource; nothing where there is no rule for them.
static std::optional<uint64_t> getBits(Type element) {
  // A bool is a bit or a byte, depending on who wrote it.
  if (element.isInteger(1))
    return std::nullopt;
  if (element.isIntOrFloat())
    return element.getIntOrFloatBitWidth();
  std::optional<uint64_t> bytes = nm::getElementBytes(element);
  return bytes ? std::optional<uint64_t>(8 * *bytes) : std::nullopt;
}

/// Bytes of the elements of `type`; none where 64 bits do not hold the number.
static std::optional<uint64_t> getBytes(ShapedType type, uint64_t bits) {
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  for (int64_t extent : type.getShape()) {
    bool overflows;
    bits = llvm::SaturatingMultiply<uint64_t>(bits, extent, &overflows);
    if (overflows)
      return std::nullopt;
  }
  return llvm::divideCeil(bits, 8);
}

static LogicalResult verifyResource(Operation *op,
                                    DenseResourceElementsAttr attr) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob)
    return op->emitOpError()
           << "expected the data of `" << attr.getRawHandle().getKey()
           << "`, got none: it was elided; print the module again with all of "
              "its data (without --mlir-elide-resource-strings-if-larger, "
              "large_elements_limit and the like), or give a file that has "
              "it (--weights)";
  ShapedType type = attr.getType();
  bool isEmpty = llvm::is_contained(type.getShape(), 0);
  std::optional<uint64_t> bits = getBits(type.getElementType());
  if (!bits && !isEmpty)
    return success();
  std::optional<uint64_t> bytes = getBytes(type, bits.value_or(0));
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

namespace {
struct VerifyConstants : nm::impl::NMVerifyConstantsPassBase<VerifyConstants> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      WalkResult ofOp =
          op->getAttrDictionary().walk([&](DenseResourceElementsAttr attr) {
            return WalkResult(verifyResource(op, attr));
          });
      return ofOp;
    });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace

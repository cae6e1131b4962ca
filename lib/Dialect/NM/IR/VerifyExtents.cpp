//===- VerifyExtents.cpp - Lists of extents in attributes -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyExtents.h"

using namespace mlir;

LogicalResult nm::verifyExtents(function_ref<InFlightDiagnostic()> emitError,
                                StringRef name, ArrayRef<int64_t> values,
                                ArrayRef<int64_t> least) {
  if (values.size() != least.size())
    return emitError() << "expected " << least.size() << " extents of " << name
                       << ", got " << values.size();
  for (auto [value, lower] : llvm::zip(values, least))
    if (value < lower || value >= (int64_t(1) << 31))
      return emitError() << "expected " << name << " extents of at least "
                         << lower << " and below 2^31, got " << value;
  return success();
}

LogicalResult
nm::verifyLanes(llvm::function_ref<InFlightDiagnostic()> emitError,
                ArrayRef<int64_t> lanes) {
  if (lanes[0] > 32 || lanes[1] > 32 || lanes[0] * lanes[1] != 32)
    return emitError() << "expected lanes whose product is 32, got " << lanes[0]
                       << " x " << lanes[1];
  return success();
}

LogicalResult
nm::verifyWarps(llvm::function_ref<InFlightDiagnostic()> emitError,
                ArrayRef<int64_t> warps) {
  if (warps[0] > 32 || warps[1] > 32 || warps[0] * warps[1] > 32)
    return emitError() << "expected at most 32 warps a block, got " << warps[0]
                       << " x " << warps[1];
  return success();
}

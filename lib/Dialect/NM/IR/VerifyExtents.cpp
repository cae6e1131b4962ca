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

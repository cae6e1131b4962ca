//===- BufferNames.cpp - What a buffer is, in words -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/BufferNames.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Support/Locations.h"

using namespace mlir;

std::string nm::describeBuffer(memref::AllocOp alloc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << alloc.getType();
  if (auto function = alloc->getParentOfType<FunctionOpInterface>())
    os << " of @" << function.getName();
  if (StringRef layer = getLayerName(alloc.getLoc()); !layer.empty())
    os << " in `" << layer << "`";
  os << getShortPlace(alloc.getLoc());
  return text;
}

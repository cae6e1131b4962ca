//===- BufferNames.h - What a buffer is, in words ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_BUFFERNAMES_H
#define NM_SUPPORT_BUFFERNAMES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <string>

namespace nm {

/// What the buffer of `alloc` is, for errors: its type and function, and the
/// layer and the line of the source where they are known.
std::string describeBuffer(mlir::memref::AllocOp alloc);

} // namespace nm

#endif // NM_SUPPORT_BUFFERNAMES_H

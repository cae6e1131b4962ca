//===- SwizzledBuffers.h - The attribute nm.swizzle -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_SWIZZLEDBUFFERS_H
#define NM_DIALECT_NM_IR_SWIZZLEDBUFFERS_H

#include "mlir/IR/BuiltinTypes.h"

namespace nm {

/// The unit attribute of an allocation of a swizzled buffer.
inline constexpr llvm::StringLiteral kSwizzleAttrName = "nm.swizzle";

/// Bytes that a lane reads at once, and chunks of them on all banks.
inline constexpr int64_t kSwizzledChunkBytes = 16;
inline constexpr int64_t kChunksOfBanks = 8;

/// Whether rows of `columns` elements can be swizzled: whole chunks, a multiple
/// of eight of them or one, two or four.
bool canSwizzle(int64_t columns, mlir::Type element);

/// Checks that the rules of `nm.swizzle` hold where `op` has it.
mlir::LogicalResult verifySwizzle(mlir::Operation *op,
                                  mlir::NamedAttribute attribute);

} // namespace nm

#endif // NM_DIALECT_NM_IR_SWIZZLEDBUFFERS_H

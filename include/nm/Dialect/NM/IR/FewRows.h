//===- FewRows.h - Sizes of kernels for few rows ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the planner has to know of the kernels whose threads share k, and the
// passes that write them out do.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_FEWROWS_H
#define NM_DIALECT_NM_IR_FEWROWS_H

#include <cstdint>

namespace nm {

/// Bytes of the weight that a thread reads in a turn that is the only one of
/// its kernel, at most: behind it none waits.
inline constexpr int64_t kMostBytesAtOnce = 192;

/// Words by which rows of the sums of warps are padded on tensor cores: the
/// lanes of a warp store to four pairs of rows at once.
inline constexpr int64_t kSumRowPadding = 4;

} // namespace nm

#endif // NM_DIALECT_NM_IR_FEWROWS_H

//===- GemvThreads.h - How threads share few rows ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_GEMVTHREADS_H
#define NM_LIB_PLANNER_GEMVTHREADS_H

#include "nm/Planner/Strategy.h"

#include <optional>
#include <utility>

namespace nm {
namespace gemv {

/// Rows of a block on CUDA cores, and on tensor cores.
inline constexpr int64_t kBlockRows = 8, kMmaBlockRows = 16;
/// Columns of a warp: those of a unit mostly, so that its lanes read whole
/// lines of the weight, or one a lane.
inline constexpr int64_t kColumns = 32;
/// Warps that share k. Fewer than eight warps have too little under way, and
/// are for few condensed rows (H200, 87.5 %: 8192^2 of f32 18.0 us with four,
/// 10.6 with eight).
inline constexpr int64_t kEnoughWarps = 8, kManyWarps = 16;
/// Warps side by side of a block that has many of them.
inline constexpr int64_t kManySideBySide = 4;
/// A weight may be padded by one row of so many, the better ones first: with
/// fewer warps, which more numbers of rows suit, too little of it is under way.
inline constexpr int64_t kPaddedShares[] = {16, 4};

/// Warps side by side, and those that share k.
using WarpExtents = std::pair<int64_t, int64_t>;

/// Bits of an element.
int64_t getBits(mlir::Type type);
/// Elements of the weight that a thread reads at once.
int64_t getWidth(const ProductInfo &product);
/// Columns of a thread: 16 bytes, where they divide a unit, or one.
int64_t getThreadColumns(const ProductInfo &product);
/// Whether threads of eight warps have enough to read.
bool hasEnoughBytes(const ProductInfo &product);
/// Whether threads read masks, each of one column.
bool readsMasks(const ProductInfo &product);
/// Whether they read positions of bits.
bool readsBits(const ProductInfo &product);
/// Condensed rows of a thread in a slice that reads positions of bits, the
/// better ones first.
llvm::SmallVector<int64_t> getBitsRows(const ProductInfo &product);
/// Condensed rows of a thread in a slice, the better ones first: of one column
/// whole masks, or 16 bytes.
llvm::SmallVector<int64_t> getThreadRows(const ProductInfo &product);
/// Whether blocks of 32 columns are more than the GPU has SMs.
bool haveAllSMs(const ProductInfo &product, const TargetInfo &target);
/// Warps side by side, and those that share k, of threads that read positions
/// of bits of a weight for one row, where blocks have all SMs: as many as read
/// all at once, and where that is little, with one tile of A for two. Threads
/// of i8 have the most to decode for a byte, so many warps share it.
WarpExtents getBitsWarps(const ProductInfo &product);
/// The kind for CUDA cores of so many warps side by side and `warps` that share
/// k, with blocks of at most `mostRows` rows and `rows` condensed rows a
/// thread.
InstructionKind makeGemv(const ProductInfo &product, int64_t sideBySide,
                         int64_t warps, int64_t mostRows, int64_t rows);
/// The kind for tensor cores, of so many warps, with blocks of at most
/// `mostRows` rows.
InstructionKind makeMmaGemv(const ProductInfo &product, int64_t sideBySide,
                            int64_t warps, int64_t mostRows);
/// Whether tensor cores can do the product.
bool canMma(const ProductInfo &product);
/// Whether CUDA cores can.
bool canFma(const ProductInfo &product);
/// The schedule of `kind` with k shared by so many blocks, each in so many
/// steps of whole slices; null where k is not cut so evenly that the weight is
/// padded by no more than one row of `paddedShare`.
ScheduleAttr makeSchedule(const ProductInfo &product, InstructionKind kind,
                          int64_t splitK, int64_t steps, int64_t paddedShare);

} // namespace gemv
} // namespace nm

#endif // NM_LIB_PLANNER_GEMVTHREADS_H

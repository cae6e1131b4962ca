//===- GemvThreads.cpp - How threads share few rows -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemvThreads.h"
#include "mlir/IR/Builders.h"
#include "nm/Dialect/NM/IR/FewRows.h"
#include "nm/Dialect/NM/KernelPlan/StepTurns.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace nm;
using namespace nm::gemv;

/// Rows of C with which these kinds may be better than tiles that go through
/// shared memory.
static constexpr int64_t kMostRows = 64;
/// Columns of a thread with several rows, which has a sum for each of both.
static constexpr int64_t kColumnsOfRows = 4;
/// Bytes of the weight that a thread of eight warps should have to read.
/// Threads with fewer wait for their first ones mostly, and sixteen warps have
/// more of them under way.
static constexpr int64_t kEnoughBytes = 384;
/// Condensed rows of a thread in a slice.
static constexpr int64_t kThreadRows[] = {4, 2, 1};
/// Condensed rows of a thread that reads a mask at once, and bytes of values of
/// one that reads positions of bits.
static constexpr int64_t kMostMaskRows = 32, kMostSliceBytes = 384;
/// Slices of a turn that have enough under way.
static constexpr int64_t kSlicesOfTurn = 4;

int64_t gemv::getBits(Type type) { return type.getIntOrFloatBitWidth(); }

int64_t gemv::getWidth(const ProductInfo &product) {
  return 128 / getBits(product.weight.getElementType());
}

int64_t gemv::getThreadColumns(const ProductInfo &product) {
  PatternAttr pattern = product.weight.getPattern();
  if (pattern.getUnitN() % 8 != 0 && pattern.getUnitK() == 1)
    return 1;
  int64_t most = std::min<int64_t>(getWidth(product), kColumns / 2);
  if (product.m > 1)
    most = std::min(most, kColumnsOfRows);
  return std::gcd(most, pattern.getUnitN());
}

/// Bytes of the weight that a thread reads where so many warps share k.
static int64_t getThreadBytes(const ProductInfo &product, int64_t warps) {
  CondensedType weight = product.weight;
  int64_t rows = weight.getPattern().getCondensedRows(weight.getK());
  int64_t threads = warps * 32 / kColumns;
  return rows / threads * getBits(weight.getElementType()) / 8;
}

bool gemv::hasEnoughBytes(const ProductInfo &product) {
  return getThreadBytes(product, kEnoughWarps) >= kEnoughBytes;
}

bool gemv::readsMasks(const ProductInfo &product) {
  return getThreadColumns(product) == 1 &&
         product.weight.getPattern().isMaskSmall();
}

bool gemv::readsBits(const ProductInfo &product) {
  CondensedType weight = product.weight;
  return getThreadColumns(product) == 1 &&
         weight.getPattern().areBitsBest(getBits(weight.getElementType()));
}

SmallVector<int64_t> gemv::getBitsRows(const ProductInfo &product) {
  PatternAttr pattern = product.weight.getPattern();
  int64_t width = getWidth(product);
  int64_t ofWords = std::lcm(width, pattern.getBitsUnits());
  // Of whole windows, too, no index has to be divided by their units.
  int64_t ofWindows = std::lcm(ofWords, int64_t(pattern.getKeep()));
  SmallVector<int64_t> rows;
  if (ofWindows / width * 16 <= kMostSliceBytes)
    rows.push_back(ofWindows);
  if (ofWords != ofWindows)
    rows.push_back(ofWords);
  return rows;
}

SmallVector<int64_t> gemv::getThreadRows(const ProductInfo &product) {
  SmallVector<int64_t> rows;
  if (getThreadColumns(product) == 1) {
    int64_t width = getWidth(product);
    PatternAttr pattern = product.weight.getPattern();
    int64_t ofMask = std::lcm(width, pattern.getMaskUnits());
    if (readsBits(product))
      llvm::append_range(rows, getBitsRows(product));
    if (readsMasks(product) && ofMask <= kMostMaskRows)
      rows.push_back(ofMask);
    for (; width > kThreadRows[0]; width /= 2)
      rows.push_back(width);
  }
  llvm::append_range(rows, kThreadRows);
  return rows;
}

bool gemv::haveAllSMs(const ProductInfo &product, const TargetInfo &target) {
  return product.weight.getN() > target.numSMs * kColumns;
}

WarpExtents gemv::getBitsWarps(const ProductInfo &product) {
  CondensedType weight = product.weight;
  PatternAttr pattern = weight.getPattern();
  int64_t rows = std::lcm(getWidth(product), pattern.getBitsUnits());
  bool areWhole =
      pattern.getCondensedRows(weight.getK()) % (kManyWarps * rows) == 0;
  auto readsAtOnce = [&](int64_t warps) {
    return getThreadBytes(product, warps) <= kMostBytesAtOnce;
  };
  if (areWhole && readsAtOnce(kManyWarps))
    return {1, kManyWarps};
  if (readsAtOnce(kEnoughWarps))
    return {2, kEnoughWarps};
  if (weight.getElementType().isInteger(8))
    return {2, kManyWarps};
  return {1, kEnoughWarps};
}

/// Rows of C of a block: blocks of at most `most` have the same number, but for
/// the last one, and an even one, so that threads read pairs of A.
static int64_t getBlockRows(const ProductInfo &product, int64_t most) {
  if (product.m <= most)
    return product.m;
  return llvm::alignTo(
      llvm::divideCeil(product.m, llvm::divideCeil(product.m, most)), 2);
}

InstructionKind gemv::makeGemv(const ProductInfo &product, int64_t sideBySide,
                               int64_t warps, int64_t mostRows, int64_t rows) {
  Builder b(product.weight.getContext());
  int64_t columns = getThreadColumns(product), lanes = kColumns / columns;
  return GemvAttr::get(
      b.getContext(), b.getDenseI64ArrayAttr({sideBySide, warps}),
      b.getDenseI64ArrayAttr({lanes, 32 / lanes}),
      b.getDenseI64ArrayAttr({getBlockRows(product, mostRows), columns, rows}));
}

/// Columns of a warp on tensor cores: those of a unit; 0 where they are no
/// whole operands.
static int64_t getMmaColumns(const ProductInfo &product) {
  int64_t columns = std::gcd(product.weight.getPattern().getUnitN(), kColumns);
  return columns % 16 == 0 ? columns : 0;
}

InstructionKind gemv::makeMmaGemv(const ProductInfo &product,
                                  int64_t sideBySide, int64_t warps,
                                  int64_t mostRows) {
  Builder b(product.weight.getContext());
  return MmaGemvAttr::get(
      b.getContext(), b.getDenseI64ArrayAttr({sideBySide, warps}),
      b.getDenseI64ArrayAttr(
          {getBlockRows(product, mostRows), getMmaColumns(product)}));
}

bool gemv::canMma(const ProductInfo &product) {
  Type a = product.a, weight = product.weight.getElementType();
  return product.m <= kMostRows && (a.isF16() || a.isBF16()) &&
         (weight == a || weight.isInteger(8)) && getMmaColumns(product) != 0;
}

bool gemv::canFma(const ProductInfo &product) {
  PatternAttr pattern = product.weight.getPattern();
  return product.m <= kMostRows &&
         (pattern.getUnitN() % 8 == 0 || pattern.getUnitK() == 1);
}

/// Whether `slices` are one turn, or are cut into turns with almost enough
/// under way: of a prime number each would be a turn.
static bool areTurns(int64_t slices) {
  return slices <= 2 * kSlicesOfTurn ||
         getTurn(slices, /*unit=*/1, kSlicesOfTurn) >= kSlicesOfTurn - 1;
}

/// Rows of k of each of `steps` steps: whole windows, and as many as make whole
/// slices where that is little more than there are; nothing where k is not cut
/// evenly.
static std::optional<int64_t> getStep(const ProductInfo &product,
                                      InstructionKind kind, int64_t steps,
                                      int64_t paddedShare) {
  PatternAttr pattern = product.weight.getPattern();
  if (pattern.isWindowAll())
    return steps == 1 ? std::optional<int64_t>(0) : std::nullopt;
  int64_t k = product.weight.getK(), windows = pattern.getNumWindows(k);
  int64_t slice = kind.getSliceRows();
  int64_t ofWindow = pattern.getKeep() * pattern.getUnitK();
  int64_t ofSlices = slice / std::gcd(slice, ofWindow);
  int64_t ofStep = llvm::alignTo(llvm::divideCeil(windows, steps), ofSlices);
  auto isPaddedBy = [&](int64_t ofStep, int64_t share) {
    return (ofStep * steps - windows) * share <= windows;
  };
  if (!isPaddedBy(ofStep, paddedShare))
    return std::nullopt;
  if (!areTurns(ofStep * ofWindow / slice)) {
    int64_t ofTurns = llvm::alignTo(ofStep, kSlicesOfTurn * ofSlices);
    if (isPaddedBy(ofTurns, kPaddedShares[0]))
      ofStep = ofTurns;
  }
  return ofStep * pattern.getWindowRows(k);
}

ScheduleAttr gemv::makeSchedule(const ProductInfo &product,
                                InstructionKind kind, int64_t splitK,
                                int64_t steps, int64_t paddedShare) {
  std::optional<int64_t> step =
      getStep(product, kind, splitK * steps, paddedShare);
  if (!step)
    return {};
  Builder b(product.weight.getContext());
  return ScheduleAttr::get(
      b.getContext(), kind,
      b.getDenseI64ArrayAttr({kind.getBlockM(), kind.getBlockN(), *step}),
      /*promote_a=*/true, /*promote_weight=*/false, /*packed=*/false,
      /*stages=*/1, /*prefetch=*/false, splitK, CopyEngine::CpAsync,
      /*stream_k=*/0, /*persistent=*/0, /*producers=*/0);
}

//===- SharedK.cpp - What kinds whose threads share k have in common ------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedK.h"
#include "Positions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/IR/FewRows.h"
#include "nm/Target/TargetInfo.h"

using namespace mlir;
using namespace nm;

/// Bytes of the weight that a thread reads in a turn: what is under way at
/// once.
static constexpr int64_t kMostBytes = 128;
/// Elements of A that it reads in a turn, and for each register that it has.
/// With more, ptxas keeps too many of their addresses.
static constexpr int64_t kMostElements = 512, kElementsOfRegister = 12;
/// Registers for what is neither weight nor sums.
static constexpr int64_t kOtherRegisters = 32;

int64_t nm::getSliceUnits(int64_t sliceRows, PatternAttr pattern) {
  return llvm::divideCeil(sliceRows, pattern.getUnitK());
}

/// Slices of the step of `op`, if it is the only one of the kernel.
static std::optional<int64_t> countSlices(TileMmaOp op, int64_t sliceRows) {
  auto loop = op->getParentOfType<scf::ForOp>();
  std::optional<APInt> steps;
  if (loop)
    steps = loop.getStaticTripCount();
  int64_t k = getSchedule(op->getParentOfType<gpu::LaunchOp>()).getStepK();
  if (!steps || *steps != 1 || k == 0)
    return std::nullopt;
  return op.getPattern().getCondensedRows(k) / sliceRows;
}

SlicePlan nm::planSharedSlices(TileMmaOp op, const ThreadSlice &slice) {
  Type element = cast<MemRefType>(op.getValues().getType()).getElementType();
  int64_t bytes = slice.weights * int64_t(element.getIntOrFloatBitWidth()) / 8;
  int64_t registers =
      getTarget(op).registersPerSM / slice.threads - kOtherRegisters;
  int64_t mostElements =
      std::min(kMostElements, kElementsOfRegister * registers);
  // Beside those of a turn, those of the next are on the way.
  auto fits = [&](int64_t slices) {
    return bytes * slices <= kMostBytes &&
           slice.elements * slices <= mostElements &&
           2 * bytes * slices / 4 + slice.sums <= registers;
  };
  int64_t slices = 1;
  while (fits(2 * slices))
    slices *= 2;
  std::optional<int64_t> all = countSlices(op, slice.rows);
  if (all && bytes * *all <= kMostBytesAtOnce &&
      slice.elements * *all <= mostElements &&
      bytes * *all / 4 + slice.sums <= registers)
    slices = std::max(slices, *all);
  return {slice.rows, getSliceUnits(slice.rows, op.getPattern()),
          slice.rows * slices};
}

FragmentValues nm::loadThreadPositions(LoadPositionsOp op, Value k0,
                                       int64_t rows, int64_t sliceRows,
                                       Value unitColumn) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  int64_t unitK = op.getPattern().getUnitK();
  int64_t units = getSliceUnits(sliceRows, op.getPattern());
  FragmentValues positions;
  for (int64_t slice = 0; slice < op.getType().getM(); slice += units) {
    Value first = addIndex(b, op.getFirst(), slice);
    if (unitK == 1) {
      // Those of neighbouring units may be one access.
      llvm::append_range(positions, loadPositions(b, op, addIndex(b, first, k0),
                                                  rows, unitColumn));
      continue;
    }
    for (int64_t u = 0; u < rows; ++u) {
      Value row = addIndex(b, k0, u);
      Value unit =
          units > 1 ? addIndex(b, first, divIndex(b, row, unitK)) : first;
      Value place = units > 1 ? remIndex(b, row, unitK) : row;
      Value position = loadPositions(b, op, unit, 1, unitColumn).front();
      positions.push_back(addIndex(b, position, place));
    }
  }
  return positions;
}

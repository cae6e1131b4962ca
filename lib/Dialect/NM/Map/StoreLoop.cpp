//===- StoreLoop.cpp - Stores part by part --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An activation takes some 25 instructions, the exchange of sums that a
// residual is added to five, and a thread has 128 sums: written out, that is a
// block of code for which ptxas takes longer than for all others of the kernel.
// In a loop over parts of the sums the first values that it carries are those
// of the part, as registers have no index, and move on by as many from turn to
// turn.
//
//===----------------------------------------------------------------------===//

#include "StoreLoop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Utils/EpilogueMath.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace nm;

/// Sums of a part: enough that what one needs does not wait for another; and
/// more with a residual, as each part waits for its own.
static constexpr int64_t kSumsOfPart = 16, kSumsWithResidual = 32;
/// Fewer sums are written out.
static constexpr int64_t kFewSums = 64;

static int64_t countSums(ValueRange acc) {
  int64_t count = 0;
  for (Value value : acc) {
    auto vector = dyn_cast<VectorType>(value.getType());
    count += vector ? vector.getNumElements() : 1;
  }
  return count;
}

/// Whether `op` takes many instructions a sum: by its activation, or as lanes
/// exchange sums, not pairs of elements, where a residual is added to them.
static bool isLong(TileStoreOp op) {
  auto launch = op->getParentOfType<gpu::LaunchOp>();
  Type element =
      cast<MemRefType>(op.getDestination().getType()).getElementType();
  if (op.getResidual() && element.getIntOrFloatBitWidth() < 32)
    return true;
  if (op.getEpilogue() == Epilogue::None || op.getEpilogue() == Epilogue::Relu)
    return false;
  return chooseEpilogueMath(getSchedule(launch), element) ==
         EpilogueMath::Exact;
}

static int64_t chooseParts(KindMapper &kind, TileStoreOp op, ValueRange acc) {
  int64_t sums = countSums(acc);
  if (sums < kFewSums || !isLong(op))
    return 1;
  // Where rows are neighbours in memory, those of a part should be many.
  bool isAlongM = op.getCLayout() == Layout::FeatureMajor;
  int64_t ofPart = op.getResidual() ? kSumsWithResidual : kSumsOfPart;
  int64_t most = isAlongM ? 2 : sums / ofPart;
  return kind.countParts(int64_t(llvm::bit_floor(uint64_t(most))));
}

void nm::lowerStoreInParts(KindMapper &kind, TileStoreOp op, ValueRange acc) {
  int64_t parts = chooseParts(kind, op, acc);
  if (parts == 1)
    return kind.lowerStore(op, acc, SumPart());
  ImplicitLocOpBuilder b(op.getLoc(), op);
  scf::ForOp loop = createCountedLoop(b, parts, /*step=*/1, acc);
  Block *body = loop.getBody();
  if (!body->empty())
    body->back().erase();
  ValueRange carried = loop.getRegionIterArgs();
  size_t count = acc.size() / parts;
  SmallVector<Value> next(carried.drop_front(count));
  llvm::append_range(next, carried.take_front(count));
  b.setInsertionPointToEnd(body);
  auto yield = scf::YieldOp::create(b, next);
  op->moveBefore(yield);
  kind.lowerStore(op, carried.take_front(count),
                  {parts, loop.getInductionVar()});
}

//===- PromoteShared.cpp - Tiles into shared memory -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Dialect/NM/Utils/Swizzle.h"
#include "nm/Support/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMPROMOTESHAREDPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// One operand of nm.tile_mma that goes through a workgroup buffer.
struct Promotion {
  StringRef name;
  OpOperand *operand;
  SmallVector<int64_t, 3> shape; // of the buffer
  int64_t padding = 0;           // more elements a row
  bool swizzle = false;
  bool transpose = false;

  int64_t getNumElements() const {
    int64_t rows = ShapedType::getNumElements(ArrayRef(shape).drop_back());
    return rows * (shape.back() + padding);
  }
};
} // namespace

/// Stores of a transposed copy go down a column: 16 bytes more a row put the
/// rows on different banks and keep them aligned. A single column lies
/// contiguous, so that the rows of a window of 32 words are on 32 banks.
static int64_t transposePadding(Type element, int64_t columns) {
  return columns == 1 ? 0 : 16 * 8 / element.getIntOrFloatBitWidth();
}

/// Lanes along n read the same place of rows of packed indices, four at a time
/// where that is aligned: an odd number of such reads a row puts the rows on
/// different banks.
static int64_t indexPadding(int64_t rows, int64_t columns) {
  int64_t width = columns % 4 == 0 ? 4 : 1;
  return rows > 1 && columns / width % 2 == 0 ? width : 0;
}

/// The extents of a whole tile: those of the operand, the static bound where
/// one is dynamic.
static SmallVector<int64_t, 3> tileShape(Value operand,
                                         ArrayRef<int64_t> bounds) {
  auto type = cast<MemRefType>(operand.getType());
  SmallVector<int64_t, 3> shape;
  for (auto [extent, bound] : llvm::zip(type.getShape(), bounds))
    shape.push_back(ShapedType::isDynamic(extent) ? bound : extent);
  return shape;
}

namespace {
/// Decides how tiles lie in shared memory, as the schedule's kind reads them.
class Promoter {
public:
  Promoter(TileMmaOp mma, ScheduleAttr schedule)
      : mma(mma), schedule(schedule), pattern(mma.getPattern()),
        acc(mma.getAcc().getType()),
        rowPadding(schedule.getKind().getRowPadding()) {}

  /// What the schedule wants to have promoted and is not yet.
  SmallVector<Promotion> getAll() {
    if (schedule.getPromoteA() && !isWorkgroup(mma.getA()))
      addA();
    if (schedule.getPromoteWeight() && !isWorkgroup(mma.getValues()))
      addWeight();
    return std::move(promotions);
  }

private:
  /// What puts rows on different banks, where the kind wants that. The copy
  /// engine writes whole rows, or mixes them itself.
  bool isSwizzled(Type element, int64_t columns) const {
    return rowPadding != 0 && schedule.getEngine() != CopyEngine::Bulk &&
           canSwizzle(columns, element);
  }
  int64_t getPadding(Type element, int64_t columns) const {
    return isSwizzled(element, columns)
               ? 0
               : rowPadding * 8 / int64_t(element.getIntOrFloatBitWidth());
  }

  /// Rows of k of A's tile: static but in the last of several steps. Indices
  /// may name places beyond k in a partial last window.
  int64_t getRowsOfA() {
    bool featureMajor = mma.getALayout() == Layout::FeatureMajor;
    int64_t rows =
        cast<MemRefType>(mma.getA().getType()).getDimSize(featureMajor ? 0 : 1);
    if (ShapedType::isDynamic(rows))
      rows = schedule.getStepK();
    return llvm::alignTo(rows,
                         pattern.getUnitK() *
                             (pattern.isWindowAll() ? 1 : pattern.getWindow()));
  }

  void addA() {
    bool featureMajor = mma.getALayout() == Layout::FeatureMajor;
    // What stays as it lies is copied 16 bytes at a time.
    bool stays = acc.getM() == 1 || schedule.getKind().readsAlongK();
    Type element = cast<MemRefType>(mma.getA().getType()).getElementType();
    if (stays && !featureMajor && !schedule.getPacked())
      return addAlongK(element);
    bool swizzle = isSwizzled(element, acc.getM());
    int64_t padding = getPadding(element, acc.getM());
    if (!featureMajor && !swizzle)
      padding = std::max(padding, transposePadding(element, acc.getM()));
    promotions.push_back({"A",
                          &mma.getAMutable(),
                          {getRowsOfA(), acc.getM()},
                          padding,
                          swizzle,
                          !featureMajor});
  }

  /// Adds a token-major A whose rows of m lie along k, each or several as one.
  void addAlongK(Type element) {
    int64_t m = acc.getM(), k = getRowsOfA();
    int64_t together = schedule.getKind().getWordRows(element);
    Promotion promotion = {"A", &mma.getAMutable(), {m, k}};
    if (together == 1) {
      promotion.padding = transposePadding(element, m);
    } else {
      promotion.shape = {int64_t(llvm::divideCeil(m, together)), k, together};
      promotion.transpose = true;
    }
    promotions.push_back(promotion);
  }

  void addWeight() {
    int64_t step = schedule.getStepK();
    int64_t rows = step == 0 ? 0 : pattern.getCondensedRows(step);
    auto values = cast<MemRefType>(mma.getValues().getType());
    Type element = values.getElementType();
    int64_t valueRows = values.getDimSize(getRowDim(values));
    if (ShapedType::isDynamic(valueRows))
      valueRows = rows;
    // A row of the buffer has the columns of all panels, each as often as rows
    // of it lie together. Lanes read a fragment as it lies.
    int64_t columns = acc.getN() * int64_t(mma.getLaneRows());
    bool isSpread = !mma.getFragments();
    promotions.push_back({"values",
                          &mma.getValuesMutable(),
                          {valueRows, columns},
                          isSpread ? getPadding(element, columns) : 0,
                          isSpread && isSwizzled(element, columns)});
    SmallVector<int64_t, 3> shape =
        tileShape(mma.getIndices(), {rows / pattern.getUnitK(),
                                     pattern.getUnitColumns(acc.getN())});
    // The copy engine brings them at once.
    bool isPadded = mma.getCoding() == IndexCoding::Rows &&
                    schedule.getEngine() != CopyEngine::Tma;
    int64_t padding = isPadded ? indexPadding(shape[0], shape[1]) : 0;
    promotions.push_back({"indices", &mma.getIndicesMutable(), shape, padding});
  }

  TileMmaOp mma;
  ScheduleAttr schedule;
  PatternAttr pattern;
  FragmentType acc;
  int64_t rowPadding;
  SmallVector<Promotion> promotions;
};
} // namespace

/// Checks that the buffers have static extents, whose bytes 64 bits hold. A
/// step of 0 means all of k, which no op of the kernel tells where A hides it.
static LogicalResult verifyBounds(TileMmaOp mma, ScheduleAttr schedule) {
  for (Value operand : {mma.getA(), mma.getValues(), mma.getIndices()})
    for (int64_t extent : cast<MemRefType>(operand.getType()).getShape())
      if (extent > std::numeric_limits<int32_t>::max())
        return mma.emitOpError("expected tiles with extents below 2^31, got ")
               << operand.getType();
  if (schedule.getStepK() != 0)
    return success();
  auto isDynamic = [](Value tile, int64_t dim) {
    return cast<MemRefType>(tile.getType()).isDynamicDim(dim);
  };
  bool featureMajor = mma.getALayout() == Layout::FeatureMajor;
  if (schedule.getPromoteA() && isDynamic(mma.getA(), featureMajor ? 0 : 1))
    return mma.emitOpError("expected A of static extent along k, or a schedule "
                           "with a step of k, to promote A");
  auto values = cast<MemRefType>(mma.getValues().getType());
  if (schedule.getPromoteWeight() && values.isDynamicDim(getRowDim(values)))
    return mma.emitOpError("expected values of a static number of rows, or a "
                           "schedule with a step of k, to promote them");
  return success();
}

/// Whether a block may copy to its buffers when it has read them before: in
/// another step, or for another tile.
static bool isCopiedAgain(TiledKernel kernel) {
  auto steps = dyn_cast<scf::ForOp>(kernel.mma->getParentOp());
  if (!steps)
    return kernel.mma->getParentOp() != kernel.launch;
  std::optional<StepCount> count = getStepCount(steps);
  return steps->getParentOp() != kernel.launch || !count || count->most > 1;
}

static LogicalResult promote(TiledKernel kernel) {
  auto [launch, schedule, mma] = kernel;
  if (failed(verifyBounds(mma, schedule)))
    return failure();
  ImplicitLocOpBuilder b(mma.getLoc(), mma);
  SmallVector<Promotion> promotions = Promoter(mma, schedule).getAll();
  if (promotions.empty())
    return success();
  if (isCopiedAgain(kernel))
    gpu::BarrierOp::create(b);
  for (Promotion &promotion : promotions) {
    Value source = promotion.operand->get();
    Type element = cast<MemRefType>(source.getType()).getElementType();
    Value buffer;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&launch.getBody().front());
      buffer =
          allocateWorkgroup(b, promotion.shape, element, promotion.padding);
      if (promotion.swizzle)
        setSwizzled(buffer);
    }
    TileCopyOp::create(b, source, buffer, /*predicate=*/Value(),
                       /*barrier=*/Value(), promotion.transpose,
                       /*async=*/false, /*cached=*/false);
    promotion.operand->set(buffer);
    if (promotion.transpose)
      mma.setALayout(Layout::FeatureMajor);
    emitRemark(mma, RemarkId::Promoted)
        << remarkKey(RemarkKey::Operand, promotion.name)
        << remarkKey(RemarkKey::Bytes, promotion.getNumElements() *
                                           element.getIntOrFloatBitWidth() / 8);
  }
  gpu::BarrierOp::create(b);
  return success();
}

namespace {
struct PromoteShared : nm::impl::NMPromoteSharedPassBase<PromoteShared> {
  void runOnOperation() override {
    if (failed(forEachKernel(getOperation(), promote)))
      signalPassFailure();
  }
};
} // namespace

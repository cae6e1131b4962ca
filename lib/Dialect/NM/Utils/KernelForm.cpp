//===- KernelForm.cpp - Kernels in the form of the tile level -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace nm;

static bool isOnFragments(Operation *op) {
  return isa<TileZeroOp, TileMmaOp, LoadPositionsOp, LoadRowsOp, LoadValuesOp,
             MmaOp, TileReduceOp, TileStoreOp>(op);
}

static LogicalResult verifyThreads(gpu::LaunchOp launch,
                                   ScheduleAttr schedule) {
  int64_t threads = schedule.getNumThreads();
  // The producers are beside them.
  for (auto roles : launch.getBody().getOps<RolesOp>())
    threads += 32 * int64_t(roles.getProducers());
  if (getConstantIntValue(launch.getBlockSizeX()) == threads &&
      getConstantIntValue(launch.getBlockSizeY()) == 1 &&
      getConstantIntValue(launch.getBlockSizeZ()) == 1)
    return success();
  return launch.emitOpError()
         << "expected " << threads << " x 1 x 1 threads, as its schedule says";
}

/// Checks that the blocks which share the steps of a tile form a cluster.
static LogicalResult verifyCluster(gpu::LaunchOp launch,
                                   ScheduleAttr schedule) {
  int64_t splitK = schedule.getSplitK();
  if (splitK == 1 || (launch.hasClusterSize() &&
                      getConstantIntValue(launch.getClusterSizeX()) == splitK &&
                      getConstantIntValue(launch.getClusterSizeY()) == 1 &&
                      getConstantIntValue(launch.getClusterSizeZ()) == 1))
    return success();
  return launch.emitOpError() << "expected clusters of " << splitK
                              << " x 1 x 1 blocks, as its schedule says";
}

static bool carriesFragment(scf::ForOp loop) {
  return loop && llvm::any_of(loop.getRegionIterArgs(), [](Value value) {
           return isa<FragmentType>(value.getType());
         });
}

/// What `op` is in, where the warps that compute are taken for the block.
static Operation *getParentOfBlock(Operation *op) {
  Operation *parent = op->getParentOp();
  auto roles = dyn_cast<RolesOp>(parent);
  if (roles && op->getParentRegion() == &roles.getConsume())
    return roles->getParentOp();
  return parent;
}

/// Whether `op` is in `launch`, or in its loop over what a block has of tiles.
static bool isInTile(Operation *op, gpu::LaunchOp launch,
                     ScheduleAttr schedule) {
  Operation *parent = getParentOfBlock(op);
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (loop && schedule.hasTileLoop())
    parent = getParentOfBlock(loop);
  return parent == launch;
}

/// Whether all threads of the launch execute `op`, and a lowering that follows
/// the fragments finds it: only loops that carry one, and whose bounds all
/// threads agree on, are between, and that over tiles.
static bool isInKernelForm(Operation *op, gpu::LaunchOp launch,
                           ScheduleAttr schedule) {
  while (carriesFragment(dyn_cast<scf::ForOp>(op->getParentOp())))
    op = op->getParentOp();
  return isInTile(op, launch, schedule);
}

/// Checks the extents of a fragment that are the block's.
static LogicalResult verifyExtents(Operation *op, FragmentType fragment,
                                   ScheduleAttr schedule) {
  Role role = fragment.getRole();
  bool ofM = role == Role::Sum || role == Role::Rows;
  bool ofN = role == Role::Sum || role == Role::Values;
  if ((!ofM || fragment.getM() == schedule.getBlockM()) &&
      (!ofN || fragment.getN() == schedule.getBlockN()))
    return success();
  return op->emitOpError() << "expected fragments of " << schedule.getBlockM()
                           << "x" << schedule.getBlockN()
                           << ", the schedule's block, got " << fragment.getM()
                           << "x" << fragment.getN();
}

static LogicalResult verifyFragment(Operation *op, Type type,
                                    ScheduleAttr schedule) {
  auto fragment = dyn_cast<FragmentType>(type);
  if (!fragment)
    return success();
  if (failed(verifyExtents(op, fragment, schedule)))
    return failure();
  if (isa<scf::ForOp>(op) || isOnFragments(op) ||
      (isa<scf::YieldOp>(op) && isa<scf::ForOp>(op->getParentOp())))
    return success();
  return op->emitOpError("unsupported: a fragment in an op other than those of "
                         "nm and loops");
}

/// Checks that the sums of the blocks that share a tile are added once, and
/// that only what was added is stored.
static LogicalResult verifyReduction(Operation *op, gpu::LaunchOp launch,
                                     ScheduleAttr schedule) {
  auto store = dyn_cast<TileStoreOp>(op);
  bool isShared = schedule.getSplitK() > 1 || schedule.getStreamK() != 0;
  if (store && isShared && !store.getValue().getDefiningOp<TileReduceOp>())
    return store.emitOpError("expected the result of nm.tile_reduce, as "
                             "blocks share the steps");
  auto reduce = dyn_cast<TileReduceOp>(op);
  if (!reduce)
    return success();
  if (!isShared || !isInTile(reduce, launch, schedule))
    return reduce.emitOpError("expected it in the launch, outside of loops, of "
                              "a schedule with split_k above 1 or stream_k");
  if (reduce.isAcrossGrid() != (schedule.getStreamK() != 0))
    return reduce.emitOpError("expected it across the grid with stream_k, and "
                              "across the cluster with split_k");
  for (Operation *user : reduce->getUsers())
    if (!isa<TileStoreOp>(user))
      return user->emitOpError(
          "unsupported: use of an nm.tile_reduce, of whose "
          "result a block has a part; expected "
          "nm.tile_store");
  if (!reduce->hasOneUse())
    return reduce.emitOpError("expected one nm.tile_store of its result, of "
                              "which a block adds what it stores");
  return success();
}

/// Checks one op of a kernel.
static LogicalResult verifyOp(Operation *op, gpu::LaunchOp launch,
                              ScheduleAttr schedule) {
  if (isOnFragments(op) && !isInKernelForm(op, launch, schedule))
    return op->emitOpError("expected it in the launch, or below it in loops "
                           "that carry a fragment, so that all threads reach "
                           "it");
  if (failed(verifyReduction(op, launch, schedule)))
    return failure();
  for (Type type : op->getOperandTypes())
    if (failed(verifyFragment(op, type, schedule)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(verifyFragment(op, type, schedule)))
      return failure();
  return success();
}

namespace {
/// What is known of a launch: that of a kernel has a tile_mma, or a pattern of
/// its slices.
struct Kernel {
  gpu::LaunchOp launch;
  ScheduleAttr schedule;
  TileMmaOp mma;
  PatternAttr pattern;
  TileReduceOp reduce;
  Operation *first = nullptr; // op on fragments
};
} // namespace

/// Checks that the kernel's instruction kind can multiply what `op` does.
static LogicalResult verifyOperands(Operation *op, const Kernel &kernel) {
  InstructionKind kind = kernel.schedule.getKind();
  auto emitError = [&] { return op->emitOpError(); };
  auto verify = [&](PatternAttr pattern, Type a, Type weight) {
    return kind.verifyProduct(emitError, pattern, getElementTypeOrSelf(a),
                              getElementTypeOrSelf(weight));
  };
  if (auto mma = dyn_cast<TileMmaOp>(op))
    return verify(mma.getPattern(), mma.getA().getType(),
                  mma.getValues().getType());
  auto slice = dyn_cast<MmaOp>(op);
  if (!slice)
    return success();
  FragmentType rows = slice.getRows().getType();
  if (rows.getN() != kind.getSliceRows())
    return slice.emitOpError()
           << "expected slices of " << kind.getSliceRows()
           << " rows, as the kind multiplies at once, got " << rows.getN();
  if (!kernel.pattern)
    return slice.emitOpError("expected nm.load_positions before it");
  return verify(kernel.pattern, rows.getElementType(),
                slice.getValues().getType().getElementType());
}

/// Checks that the ops of `kernel` compute one product, and notes it.
static LogicalResult noteProduct(Operation *op, Kernel &kernel) {
  auto mma = dyn_cast<TileMmaOp>(op);
  auto load = dyn_cast<LoadPositionsOp>(op);
  if (mma && (kernel.mma || kernel.pattern))
    return mma.emitOpError("unsupported: a second nm.tile_mma in one kernel");
  if (load && kernel.mma)
    return load.emitOpError("unsupported: beside an nm.tile_mma in one kernel");
  if (load && kernel.pattern && kernel.pattern != load.getPattern())
    return load.emitOpError()
           << "expected the kernel's pattern " << kernel.pattern << ", got "
           << load.getPattern();
  auto reduce = dyn_cast<TileReduceOp>(op);
  if (reduce && kernel.reduce)
    return reduce.emitOpError(
        "unsupported: a second nm.tile_reduce in one kernel");
  if (mma)
    kernel.mma = mma;
  if (reduce)
    kernel.reduce = reduce;
  if (failed(verifyOperands(op, kernel)))
    return failure();
  if (load)
    kernel.pattern = load.getPattern();
  return success();
}

/// The kernel that `launch` is; one without a product where it has no ops on
/// fragments, or none any more.
static FailureOr<Kernel> getKernel(gpu::LaunchOp launch) {
  Kernel kernel{launch, getSchedule(launch), {}, {}, {}};
  WalkResult result = launch.walk([&](Operation *op) {
    if (!isOnFragments(op) && !kernel.schedule)
      return WalkResult::advance();
    if (!kernel.schedule) {
      op->emitOpError() << "expected a schedule, the attribute '"
                        << kScheduleAttrName << "', on the gpu.launch";
      return WalkResult::interrupt();
    }
    if (op != launch && failed(verifyOp(op, launch, kernel.schedule)))
      return WalkResult::interrupt();
    if (isOnFragments(op) && !kernel.first)
      kernel.first = op;
    return failed(noteProduct(op, kernel)) ? WalkResult::interrupt()
                                           : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  bool hasProduct = kernel.mma || kernel.pattern;
  if (kernel.first && !hasProduct) {
    kernel.first->emitOpError("expected an nm.tile_mma, or an nm.mma of "
                              "operands that are loaded, in its kernel");
    return failure();
  }
  if (hasProduct && (failed(verifyThreads(launch, kernel.schedule)) ||
                     failed(verifyCluster(launch, kernel.schedule))))
    return failure();
  return kernel;
}

/// Calls `transform` for each kernel below `root` with a product.
static LogicalResult
forEach(Operation *root,
        function_ref<LogicalResult(const Kernel &)> transform) {
  // Collected first, as kernels change.
  SmallVector<Kernel> kernels;
  WalkResult result = root->walk([&](gpu::LaunchOp launch) {
    FailureOr<Kernel> kernel = getKernel(launch);
    if (failed(kernel))
      return WalkResult::interrupt();
    if (kernel->first)
      kernels.push_back(*kernel);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (const Kernel &kernel : kernels)
    if (failed(transform(kernel)))
      return failure();
  return success();
}

LogicalResult
nm::forEachKernel(Operation *root,
                  function_ref<LogicalResult(TiledKernel)> transform) {
  return forEach(root, [&](const Kernel &kernel) -> LogicalResult {
    if (!kernel.mma)
      return success();
    return transform({kernel.launch, kernel.schedule, kernel.mma});
  });
}

LogicalResult
nm::forEachLoadedKernel(Operation *root,
                        function_ref<LogicalResult(LoadedKernel)> transform) {
  return forEach(root, [&](const Kernel &kernel) -> LogicalResult {
    if (TileMmaOp mma = kernel.mma)
      return mma.emitOpError("expected operands in fragments; run "
                             "nm-load-fragments before");
    return transform({kernel.launch, kernel.pattern});
  });
}

std::optional<StepCount> nm::getStepCount(scf::ForOp loop) {
  Value end = loop.getUpperBound();
  if (auto count = getConstantIntValue(end))
    return StepCount{*count, *count};
  if (auto most = end.getDefiningOp<arith::MinUIOp>())
    if (auto count = getConstantIntValue(most.getRhs()))
      return StepCount{0, *count};
  auto choice = end.getDefiningOp<arith::SelectOp>();
  if (!choice)
    return std::nullopt;
  auto one = getConstantIntValue(choice.getTrueValue());
  auto other = getConstantIntValue(choice.getFalseValue());
  if (!one || !other)
    return std::nullopt;
  return StepCount{std::min(*one, *other), std::max(*one, *other)};
}

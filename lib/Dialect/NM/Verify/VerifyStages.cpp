//===- VerifyStages.cpp - What each stage promises ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One check a stage: a function that says what is wrong with an op after the
// stage, and the pass that probably missed it. A module that passes the check
// is what the next stage expects. That of the import is in VerifyImported.cpp.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Utils/KernelForm.h"
#include "nm/Dialect/NM/Verify/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMVERIFYBUFFEREDPASS
#define GEN_PASS_DEF_NMVERIFYLOADEDPASS
#define GEN_PASS_DEF_NMVERIFYLOWEREDPASS
#define GEN_PASS_DEF_NMVERIFYMAPPEDPASS
#define GEN_PASS_DEF_NMVERIFYPACKEDPASS
#define GEN_PASS_DEF_NMVERIFYPLANNEDPASS
#define GEN_PASS_DEF_NMVERIFYPROMOTEDPASS
#define GEN_PASS_DEF_NMVERIFYTILEDPASS
#include "nm/Dialect/NM/Verify/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// What is wrong with an op; nothing when `expected` is empty.
struct Violation {
  StringRef expected;
  StringRef missedBy; // a pass
};

using Check = Violation (*)(Operation *);
} // namespace

/// Reports the first op below `root` that `check` objects to.
static LogicalResult verifyStage(Operation *root, Check check) {
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Violation violation = check(op);
    if (violation.expected.empty())
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitOpError()
                              << "expected " << violation.expected;
    diag.attachNote() << violation.missedBy << " probably missed it";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Questions of several checks
//===----------------------------------------------------------------------===//

/// The schedule of the kernel around `op`; null outside of those of nm-tile.
static ScheduleAttr getKernelSchedule(Operation *op) {
  auto launch = op->getParentOfType<gpu::LaunchOp>();
  return launch ? getSchedule(launch) : ScheduleAttr();
}

//===----------------------------------------------------------------------===//
// One function a stage
//===----------------------------------------------------------------------===//

static Violation checkPlanned(Operation *op) {
  if (isa<nm::ConstantOp>(op))
    return {"the parts of a constant weight (nm.assemble)",
            "nm-split-constants"};
  auto product = dyn_cast<ProductOpInterface>(op);
  if (product && !product.getScheduleAttr())
    return {"a schedule", "nm-select-schedule"};
  return {};
}

/// Tiling leaves no product, and nothing after it makes one.
static Violation checkProduct(Operation *op) {
  if (isa<ProductOpInterface>(op))
    return {"a gpu.launch in place of the product", "nm-tile"};
  return {};
}

static Violation checkTiled(Operation *op) {
  if (isa<TileMmaOp>(op) && !getKernelSchedule(op))
    return {"a gpu.launch with a schedule around it", "nm-tile"};
  return checkProduct(op);
}

static Violation checkPromoted(Operation *op) {
  auto mma = dyn_cast<TileMmaOp>(op);
  ScheduleAttr schedule = mma ? getKernelSchedule(mma) : ScheduleAttr();
  if (!schedule)
    return checkProduct(op);
  if (schedule.getPromoteA() && !isWorkgroup(mma.getA()))
    return {"A in workgroup memory, as the schedule says", "nm-promote-shared"};
  if (schedule.getPromoteWeight() &&
      !(isWorkgroup(mma.getValues()) && isWorkgroup(mma.getIndices())))
    return {"values and indices in workgroup memory, as the schedule says",
            "nm-promote-shared"};
  return {};
}

static Violation checkPacked(Operation *op) {
  auto mma = dyn_cast<TileMmaOp>(op);
  if (mma && mma.getColumns() && isWorkgroup(mma.getA()))
    return {"a promoted A that holds the listed rows only", "nm-pack-tile"};
  return checkProduct(op);
}

/// Kernels without a loop over several steps have nothing to overlap.
static Violation checkBuffered(Operation *op) {
  auto copy = dyn_cast<TileCopyOp>(op);
  auto gather = dyn_cast<TileGatherOp>(op);
  auto fetch = dyn_cast<TileFetchOp>(op);
  if ((!copy || copy.getAsync()) && (!gather || gather.getAsync()) &&
      (!fetch || fetch.getAsync()))
    return checkProduct(op);
  ScheduleAttr schedule = getKernelSchedule(op);
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!schedule || schedule.getStages() == 1 || !loop)
    return {};
  std::optional<StepCount> steps = getStepCount(loop);
  if (!steps || steps->most == 1)
    return {};
  return {"an asynchronous copy in the loop over steps of a schedule with "
          "several stages",
          "nm-double-buffer"};
}

static Violation checkLoaded(Operation *op) {
  if (isa<TileMmaOp>(op))
    return {"slices with operands in fragments", "nm-load-fragments"};
  return checkProduct(op);
}

static Violation checkMapped(Operation *op) {
  if (isa<TileZeroOp, TileMmaOp, TileCopyOp, TileGatherOp, TileFetchOp,
          TileTransposeOp, TileBoxOp, InitBarriersOp, CommitOp, WaitOp,
          ArriveOp, RolesOp, TileReduceOp, TileStoreOp, LoadPositionsOp,
          LoadRowsOp, LoadValuesOp, MmaOp>(op) ||
      (isa_and_nonnull<NMDialect>(op->getDialect()) &&
       op->getParentOfType<gpu::LaunchOp>()))
    return {"ops of one thread in a kernel", "nm-map-to-threads"};
  auto alloc = dyn_cast<memref::AllocOp>(op);
  if (alloc && isWorkgroup(alloc))
    return {"a place in dynamic shared memory", "nm-allocate-shared"};
  return checkProduct(op);
}

static Violation checkLowered(Operation *op) {
  if (isa<gpu::GPUModuleOp>(op) || !op->getParentOfType<gpu::GPUModuleOp>() ||
      isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
    return {};
  return {"only ops of the llvm and nvvm dialects in a gpu.module",
          "convert-gpu-to-nvvm"};
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

namespace {
template <typename Base, Check check> struct VerifyStage : Base {
  void runOnOperation() override {
    if (failed(verifyStage(this->getOperation(), check)))
      this->signalPassFailure();
    this->markAllAnalysesPreserved();
  }
};

#define NM_VERIFY_STAGE(Stage)                                                 \
  struct Verify##Stage                                                         \
      : VerifyStage<nm::impl::NMVerify##Stage##PassBase<Verify##Stage>,        \
                    check##Stage> {};

NM_VERIFY_STAGE(Planned)
NM_VERIFY_STAGE(Tiled)
NM_VERIFY_STAGE(Promoted)
NM_VERIFY_STAGE(Packed)
NM_VERIFY_STAGE(Buffered)
NM_VERIFY_STAGE(Loaded)
NM_VERIFY_STAGE(Mapped)
NM_VERIFY_STAGE(Lowered)
#undef NM_VERIFY_STAGE
} // namespace

//===- AllocateShared.cpp - Workgroup buffers in dynamic memory ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "nm/Dialect/NM/Transforms/Passes.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMALLOCATESHAREDPASS
#include "nm/Dialect/NM/Transforms/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes of `type`, rounded up so that what follows starts at a 16-byte
/// boundary.
static int64_t alignedBytes(MemRefType type) {
  uint64_t bytes =
      type.getNumElements() * *getElementBytes(type.getElementType());
  return llvm::alignTo(bytes, 16);
}

/// Places the buffers of `launch` one after another.
static LogicalResult allocate(gpu::LaunchOp launch, int64_t limit) {
  SmallVector<memref::AllocOp> buffers;
  launch.walk([&](memref::AllocOp alloc) {
    if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType()))
      buffers.push_back(alloc);
  });
  if (buffers.empty())
    return success();
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  b.setInsertionPointToStart(&launch.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  Value memory = gpu::DynamicSharedMemoryOp::create(b, type);
  int64_t offset = 0;
  for (memref::AllocOp buffer : buffers) {
    if (!buffer.getType().hasStaticShape() ||
        !getElementBytes(buffer.getType().getElementType()))
      return buffer.emitOpError("unsupported: workgroup buffer of type ")
             << buffer.getType() << "; expected a static shape of numbers";
    b.setInsertionPoint(buffer);
    Value view = memref::ViewOp::create(b, buffer.getType(), memory,
                                        indexConstant(b, offset), ValueRange());
    offset += alignedBytes(buffer.getType());
    buffer.replaceAllUsesWith(view);
    buffer.erase();
  }
  if (offset > limit)
    return launch.emitOpError()
           << "expected at most " << limit
           << " bytes of shared memory a block, got " << offset
           << "; choose a smaller block, step or number of stages";
  b.setInsertionPoint(launch);
  Value size = arith::ConstantIntOp::create(b, offset, 32);
  launch.getDynamicSharedMemorySizeMutable().assign(size);
  return success();
}

namespace {
struct AllocateShared : nm::impl::NMAllocateSharedPassBase<AllocateShared> {
  using NMAllocateSharedPassBase::NMAllocateSharedPassBase;

  void runOnOperation() override {
    int64_t limit = getTarget(getOperation()).sharedMemoryPerBlock;
    WalkResult result = getOperation()->walk([&](gpu::LaunchOp launch) {
      return failed(allocate(launch, limit)) ? WalkResult::interrupt()
                                             : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

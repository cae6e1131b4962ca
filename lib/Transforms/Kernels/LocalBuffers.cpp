//===- LocalBuffers.cpp - Memory of a single thread -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "nm/Support/NumberOps.h"
#include "nm/Transforms/Kernels/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMLOCALBUFFERSPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes of one buffer of a thread. A GPU takes them from device memory for all
/// threads that may run at once: 2048 a multiprocessor, on 132 of which these
/// are 4 GiB.
static constexpr uint64_t kMostBytes = 16384;

/// Makes `alloc`, in the body of `launch`, an allocation on the thread's stack.
static LogicalResult makeLocal(gpu::LaunchOp launch, memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  std::optional<uint64_t> bytes = getElementBytes(type.getElementType());
  if (!type.hasStaticShape() || !bytes ||
      static_cast<uint64_t>(type.getNumElements()) > kMostBytes / *bytes)
    return alloc.emitOpError("unsupported: memory of ")
           << type << " for each thread of a kernel; expected a known size of "
           << kMostBytes << " bytes at most; move it out of the op's body";
  // Once, at the start: in a loop the stack would grow with each iteration.
  OpBuilder b(launch.getBody());
  auto local = memref::AllocaOp::create(b, alloc.getLoc(), type, ValueRange(),
                                        alloc.getAlignmentAttr());
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  alloc.replaceAllUsesWith(local.getResult());
  alloc.erase();
  return success();
}

namespace {
struct LocalBuffers : nm::impl::NMLocalBuffersPassBase<LocalBuffers> {
  void runOnOperation() override {
    SmallVector<std::pair<gpu::LaunchOp, memref::AllocOp>> found;
    getOperation()->walk([&](gpu::LaunchOp launch) {
      launch.walk([&](memref::AllocOp alloc) {
        if (!alloc.getType().getMemorySpace())
          found.emplace_back(launch, alloc);
      });
    });
    for (auto [launch, alloc] : found)
      if (failed(makeLocal(launch, alloc)))
        return signalPassFailure();
  }
};
} // namespace

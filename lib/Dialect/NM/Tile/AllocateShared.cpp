//===- AllocateShared.cpp - Workgroup buffers in dynamic memory ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "nm/Dialect/NM/KernelPlan/KernelPlan.h"
#include "nm/Dialect/NM/Tile/Passes.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMALLOCATESHAREDPASS
#include "nm/Dialect/NM/Tile/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Bytes of `type`, rounded up so that what follows starts at a 16-byte
/// boundary.
static int64_t alignedBytes(MemRefType type) {
  uint64_t bytes =
      type.getNumElements() * *getElementBytes(type.getElementType());
  return llvm::alignTo(bytes, kSharedAlignment);
}

namespace {
/// A buffer, and when it is in use: places among the ops of the kernel's body.
struct Buffer {
  memref::AllocOp alloc;
  int64_t bytes, alignment;
  unsigned first = std::numeric_limits<unsigned>::max(), last = 0;
  int64_t offset = 0;
};

/// Gives the buffers of one kernel their places.
class Allocator {
public:
  explicit Allocator(gpu::LaunchOp launch) : launch(launch) {
    for (auto [i, op] : llvm::enumerate(launch.getBody().front())) {
      places[&op] = unsigned(i);
      if (isSeparator(op))
        separators.push_back(unsigned(i));
    }
  }

  /// Adds a buffer; fails where it cannot be placed.
  LogicalResult add(memref::AllocOp alloc) {
    if (!alloc.getType().hasStaticShape() ||
        !getElementBytes(alloc.getType().getElementType()))
      return alloc.emitOpError("unsupported: workgroup buffer of type ")
             << alloc.getType() << "; expected a static shape of numbers";
    Buffer buffer = {alloc, alignedBytes(alloc.getType()),
                     int64_t(alloc.getAlignment().value_or(kSharedAlignment))};
    setLifetime(buffer);
    place(buffer);
    buffers.push_back(buffer);
    return success();
  }

  ArrayRef<Buffer> getBuffers() const { return buffers; }

  /// The bytes of all.
  int64_t getBytes() const {
    int64_t bytes = 0;
    for (const Buffer &buffer : buffers)
      bytes = std::max(bytes, buffer.offset + buffer.bytes);
    return bytes;
  }

private:
  /// Whether no thread of the block, nor a copy that it issued, accesses memory
  /// for what precedes `op` once some thread is beyond it.
  static bool isSeparator(Operation &op) {
    auto wait = dyn_cast_or_null<NVVM::CpAsyncWaitGroupOp>(op.getPrevNode());
    return isa<gpu::BarrierOp>(op) && wait && wait.getN() == 0;
  }

  /// Follows the buffer and the addresses in it to their uses.
  void setLifetime(Buffer &buffer) {
    Block &body = launch.getBody().front();
    llvm::SetVector<Value> addresses;
    addresses.insert(buffer.alloc);
    for (size_t i = 0; i < addresses.size(); ++i)
      for (Operation *user : addresses[i].getUsers()) {
        unsigned place = places.lookup(body.findAncestorOpInBlock(*user));
        buffer.first = std::min(buffer.first, place);
        // What a region takes has another name there: it may be in use always.
        // A barrier is one until the block ends.
        bool isHidden = user->getNumRegions() != 0 ||
                        user->hasTrait<OpTrait::IsTerminator>() ||
                        isa<NVVM::MBarrierInitOp>(user);
        buffer.last =
            std::max(buffer.last, isHidden ? unsigned(places.size()) : place);
        // What is read from the buffer is none of its addresses.
        if (isMemoryEffectFree(user))
          addresses.insert_range(user->getResults());
      }
  }

  bool mayShare(const Buffer &x, const Buffer &y) const {
    return llvm::any_of(separators, [&](unsigned separator) {
      return (x.last < separator && separator < y.first) ||
             (y.last < separator && separator < x.first);
    });
  }

  /// Behind all that are in use at the same time.
  void place(Buffer &buffer) const {
    for (const Buffer &other : buffers)
      if (!mayShare(buffer, other))
        buffer.offset = std::max<int64_t>(
            buffer.offset,
            llvm::alignTo(other.offset + other.bytes, buffer.alignment));
  }

  gpu::LaunchOp launch;
  DenseMap<Operation *, unsigned> places;
  SmallVector<unsigned> separators;
  SmallVector<Buffer> buffers;
};
} // namespace

/// Places the buffers of `launch`.
static LogicalResult allocate(gpu::LaunchOp launch, int64_t limit) {
  Allocator allocator(launch);
  WalkResult result = launch.walk([&](memref::AllocOp alloc) {
    bool isShared =
        gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType());
    return isShared && failed(allocator.add(alloc)) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (allocator.getBuffers().empty())
    return success();
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  b.setInsertionPointToStart(&launch.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto type = MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  Value memory = gpu::DynamicSharedMemoryOp::create(b, type);
  for (const Buffer &buffer : allocator.getBuffers()) {
    memref::AllocOp alloc = buffer.alloc;
    b.setInsertionPoint(alloc);
    Value offset = indexConstant(b, buffer.offset);
    Value view = memref::ViewOp::create(b, alloc.getType(), memory, offset,
                                        ValueRange());
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  }
  int64_t bytes = allocator.getBytes();
  if (bytes > limit)
    return launch.emitOpError()
           << "expected at most " << limit
           << " bytes of shared memory a block, got " << bytes
           << "; choose a smaller block, step or number of stages";
  b.setInsertionPoint(launch);
  Value size = arith::ConstantIntOp::create(b, bytes, 32);
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

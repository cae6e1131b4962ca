//===- FlattenKernelArgs.cpp - Kernel buffers as pointers and indices -----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memref argument of a kernel costs 2 * rank + 3 kernel parameters, most of
// them known. Here it becomes a pointer and what is unknown of its layout; the
// typed memref is rebuilt inside. Stock lowerings to bare pointers, which only
// know static shapes, then work for all.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Transforms/Kernels/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMFLATTENKERNELARGSPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The layout of a memref argument: static values and kDynamic.
namespace {
struct StridedLayout {
  int64_t offset = 0;
  SmallVector<int64_t> sizes, strides;
  /// Strides follow from the sizes, so none are passed.
  bool isIdentity = false;
};

/// What is known of one memref argument of a kernel.
struct ArgumentUse {
  bool isRead = false, isWritten = false, isUnknown = false;
  bool onlyRead() const { return !isWritten && !isUnknown; }
};
} // namespace

static bool needsFlattening(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && (memref.getRank() != 0 || !memref.getLayout().isIdentity());
}

static FailureOr<StridedLayout> getLayout(MemRefType type) {
  StridedLayout layout;
  layout.sizes = llvm::to_vector(type.getShape());
  layout.isIdentity = type.getLayout().isIdentity();
  if (failed(type.getStridesAndOffset(layout.strides, layout.offset)))
    return failure();
  return layout;
}

/// Number of index arguments that go with the pointer.
static unsigned countIndices(const StridedLayout &layout) {
  auto dynamic = [](ArrayRef<int64_t> values) {
    return llvm::count(values, ShapedType::kDynamic);
  };
  return dynamic(layout.sizes) +
         (layout.isIdentity ? 0 : dynamic(layout.strides)) +
         ShapedType::isDynamic(layout.offset);
}

/// Whether an argument of `type` names memory.
static bool isMemory(Type type) { return isa<MemRefType, TensorMapType>(type); }

/// How the kernel uses the memory behind `buffer`, through all views of it.
static void collectUse(Value buffer, ArgumentUse &use) {
  for (OpOperand &operand : buffer.getUses()) {
    Operation *user = operand.getOwner();
    if (auto view = dyn_cast<ViewLikeOpInterface>(user);
        view && view.getViewSource() == buffer) {
      collectUse(user->getResult(0), use);
      continue;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects || user->getNumRegions() != 0) {
      use.isUnknown = true;
      continue;
    }
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances) {
      if (effect.getValue() && effect.getValue() != buffer)
        continue;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        use.isRead = true;
      else
        use.isWritten = true;
    }
    // A result that is a buffer may be another view.
    use.isUnknown |=
        llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  }
}

/// The buffer of host code behind `operand` of a launch, through views of it;
/// null where a tensor map is none.
static Value findBuffer(Value operand) {
  if (isa<TensorMapType>(operand.getType())) {
    auto map = operand.getDefiningOp<TensorMapOp>();
    return map ? findBuffer(map.getSource()) : Value();
  }
  return memref::skipViewLikeOps(cast<MemrefValue>(operand));
}

/// Whether two operands of a launch are known to lie in different allocations.
static bool areDistinct(Value a, Value b) {
  a = findBuffer(a);
  b = findBuffer(b);
  if (!a || !b)
    return false;
  auto isAllocation = [](Value buffer) {
    return buffer.getDefiningOp<memref::AllocOp>();
  };
  auto isArgument = [](Value buffer) {
    auto argument = dyn_cast<BlockArgument>(buffer);
    return argument && argument.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  };
  auto global = [](Value buffer) {
    return buffer.getDefiningOp<memref::GetGlobalOp>();
  };
  if (global(a) && global(b))
    return global(a).getName() != global(b).getName();
  if (isAllocation(a))
    return a != b && (isAllocation(b) || isArgument(b) || global(b));
  return isAllocation(b) && (isArgument(a) || global(a));
}

/// Marks pointers: `readonly` where the kernel only reads through them, and
/// `noalias` where every other argument lies elsewhere or both are only read.
/// By a tensor map a kernel may read and write.
static void annotate(gpu::GPUFuncOp kernel, ArrayRef<ArgumentUse> uses,
                     ArrayRef<gpu::LaunchFuncOp> launches,
                     SmallVectorImpl<SmallVector<StringRef>> &attributes) {
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i) {
    if (!isa<MemRefType>(kernel.getArgument(i).getType()))
      continue;
    if (uses[i].onlyRead())
      attributes[i].push_back(LLVM::LLVMDialect::getReadonlyAttrName());
    bool alone = !launches.empty();
    for (unsigned j = 0; j < e && alone; ++j) {
      if (j == i || !isMemory(kernel.getArgument(j).getType()) ||
          (uses[i].onlyRead() && uses[j].onlyRead()))
        continue;
      alone = llvm::all_of(launches, [&](gpu::LaunchFuncOp launch) {
        return areDistinct(launch.getKernelOperand(i),
                           launch.getKernelOperand(j));
      });
    }
    if (alone)
      attributes[i].push_back(LLVM::LLVMDialect::getNoAliasAttrName());
  }
}

/// Rebuilds the memref of type `type` from a pointer and indices, which are
/// consumed from the front of `indices`.
static Value rebuild(OpBuilder &b, Location loc, MemRefType type,
                     const StridedLayout &layout, Value base,
                     ValueRange &indices) {
  auto take = [&](int64_t known) -> OpFoldResult {
    if (!ShapedType::isDynamic(known))
      return b.getIndexAttr(known);
    Value value = indices.front();
    indices = indices.drop_front();
    return value;
  };
  OpFoldResult offset = take(layout.offset);
  SmallVector<OpFoldResult> sizes, strides;
  for (int64_t size : layout.sizes)
    sizes.push_back(take(size));
  if (!layout.isIdentity) {
    for (int64_t stride : layout.strides)
      strides.push_back(take(stride));
  } else {
    strides.resize(sizes.size());
    OpFoldResult stride = b.getIndexAttr(1);
    for (int64_t i = sizes.size() - 1; i >= 0; --i) {
      strides[i] = stride;
      if (i > 0 && ShapedType::isDynamic(layout.strides[i - 1]))
        stride =
            isOneInteger(stride)
                ? sizes[i]
                : OpFoldResult(
                      arith::MulIOp::create(
                          b, loc,
                          getValueOrCreateConstantIndexOp(b, loc, stride),
                          getValueOrCreateConstantIndexOp(b, loc, sizes[i]))
                          .getResult());
      else if (i > 0)
        stride = b.getIndexAttr(layout.strides[i - 1]);
    }
  }
  return memref::ReinterpretCastOp::create(b, loc, type, base, offset, sizes,
                                           strides);
}

/// Gives the kernel its new signature.
static void rewriteKernel(gpu::GPUFuncOp kernel,
                          ArrayRef<std::optional<StridedLayout>> layouts,
                          ArrayRef<SmallVector<StringRef>> attributes) {
  OpBuilder b(kernel.getContext());
  Block &entry = kernel.getBody().front();
  b.setInsertionPointToStart(&entry);
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> argAttrs;
  unsigned count = kernel.getNumArguments(), position = 0;
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument old = entry.getArgument(position);
    Location loc = old.getLoc();
    NamedAttrList attrs(function_interface_impl::getArgAttrDict(kernel, i));
    for (StringRef name : attributes[i])
      attrs.set(name, b.getUnitAttr());
    argAttrs.push_back(attrs.getDictionary(b.getContext()));
    if (!layouts[i]) {
      types.push_back(old.getType());
      ++position;
      continue;
    }
    auto type = cast<MemRefType>(old.getType());
    auto baseType =
        MemRefType::get({}, type.getElementType(), MemRefLayoutAttrInterface(),
                        type.getMemorySpace());
    unsigned indexCount = countIndices(*layouts[i]);
    types.push_back(baseType);
    Value base = entry.insertArgument(position + 1, baseType, loc);
    for (unsigned k = 0; k < indexCount; ++k) {
      types.push_back(b.getIndexType());
      argAttrs.push_back(b.getDictionaryAttr({}));
      entry.insertArgument(position + 2 + k, b.getIndexType(), loc);
    }
    ValueRange indices = entry.getArguments().slice(position + 2, indexCount);
    old.replaceAllUsesWith(rebuild(b, loc, type, *layouts[i], base, indices));
    entry.eraseArgument(position);
    position += 1 + indexCount;
  }
  // Attributions follow the arguments in the block and keep their places.
  kernel.setFunctionType(b.getFunctionType(types, {}));
  SmallVector<Attribute> all(argAttrs.begin(), argAttrs.end());
  kernel.setArgAttrsAttr(b.getArrayAttr(all));
}

/// Passes the pointer and the unknown values of each memref.
static void rewriteLaunch(gpu::LaunchFuncOp launch,
                          ArrayRef<std::optional<StridedLayout>> layouts) {
  OpBuilder b(launch);
  SmallVector<Value> operands;
  for (auto [operand, layout] :
       llvm::zip_equal(launch.getKernelOperands(), layouts)) {
    if (!layout) {
      operands.push_back(operand);
      continue;
    }
    auto parts =
        memref::ExtractStridedMetadataOp::create(b, launch.getLoc(), operand);
    operands.push_back(parts.getBaseBuffer());
    if (ShapedType::isDynamic(layout->offset))
      operands.push_back(parts.getOffset());
    for (auto [known, value] : llvm::zip_equal(layout->sizes, parts.getSizes()))
      if (ShapedType::isDynamic(known))
        operands.push_back(value);
    if (!layout->isIdentity)
      for (auto [known, value] :
           llvm::zip_equal(layout->strides, parts.getStrides()))
        if (ShapedType::isDynamic(known))
          operands.push_back(value);
  }
  launch.getKernelOperandsMutable().assign(operands);
}

namespace {
struct FlattenKernelArgs
    : nm::impl::NMFlattenKernelArgsPassBase<FlattenKernelArgs> {
  void runOnOperation() override {
    DenseMap<Operation *, SmallVector<gpu::LaunchFuncOp>> launches;
    SymbolTableCollection symbols;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (Operation *kernel =
              symbols.lookupNearestSymbolFrom(launch, launch.getKernel()))
        launches[kernel].push_back(launch);
    });
    // In the order of the text, so that the result is too.
    WalkResult result = getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel() || kernel.isExternal())
        return WalkResult::advance();
      return failed(flatten(kernel, launches[kernel])) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult flatten(gpu::GPUFuncOp kernel,
                        ArrayRef<gpu::LaunchFuncOp> launches) {
    unsigned count = kernel.getNumArguments();
    SmallVector<std::optional<StridedLayout>> layouts(count);
    SmallVector<ArgumentUse> uses(count);
    for (unsigned i = 0; i < count; ++i) {
      Type type = kernel.getArgument(i).getType();
      uses[i].isUnknown = isa<TensorMapType>(type);
      if (!isa<BaseMemRefType>(type))
        continue;
      collectUse(kernel.getArgument(i), uses[i]);
      if (!needsFlattening(type))
        continue;
      FailureOr<StridedLayout> layout = getLayout(cast<MemRefType>(type));
      if (failed(layout))
        return kernel.emitOpError("expected arguments with strided layouts, "
                                  "got argument ")
               << i << " of type " << type;
      layouts[i] = *layout;
    }
    SmallVector<SmallVector<StringRef>> attributes(count);
    annotate(kernel, uses, launches, attributes);
    rewriteKernel(kernel, layouts, attributes);
    for (gpu::LaunchFuncOp launch : launches)
      rewriteLaunch(launch, layouts);
    return success();
  }
};
} // namespace

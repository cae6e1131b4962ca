//===- PlanMemory.cpp - Callers provide the memory of a call --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that allocates can wait for the device, fail half-way, and cannot be
// captured into a graph. Here sizes are computed before it, by a function of
// their own, and results and temporaries become arguments.
//
//===----------------------------------------------------------------------===//

#include "PlanFunction.h"
#include "WorkspaceLayout.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "nm/Support/MemRefs.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/PlannedFunctions.h"
#include "nm/Support/Remarks.h"
#include "nm/Transforms/Buffers/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMPLANMEMORYPASS
#include "nm/Transforms/Buffers/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {

/// One function, and what is planned of it.
class FunctionPlanner {
public:
  explicit FunctionPlanner(func::FuncOp function)
      : function(function), plan(function) {}

  void run();

private:
  /// Whether the plan can compute the sizes of `alloc`, and does so where the
  /// function itself would.
  bool isPlannable(memref::AllocOp alloc);
  void takeAssertions();
  /// Makes arguments of the results that are allocations of sizes that the plan
  /// computes.
  void takeResults();
  bool takeResult(Value value, unsigned index);
  void addBuffer(memref::AllocOp alloc);
  void collectBuffers();
  /// Makes views of the workspace of all buffers that were collected.
  void placeBuffers();

  func::FuncOp function;
  PlanFunction plan;
  /// What the plan returns.
  SmallVector<Value> planned;
  SmallVector<memref::AllocOp> allocs;
  SmallVector<PlannedBuffer> buffers;
};

} // namespace

bool FunctionPlanner::isPlannable(memref::AllocOp alloc) {
  if (!alloc.getType().getLayout().isIdentity())
    return false;
  bool isUnconditional = alloc->getParentOp() == function.getOperation();
  return llvm::all_of(alloc.getDynamicSizes(), [&](Value size) {
    // A branch that is not taken may compute sizes that make no sense.
    return isUnconditional || size.getDefiningOp<memref::DimOp>()
               ? plan.canCompute(size)
               : plan.canComputeIfReached(size, alloc);
  });
}

/// In the order of the text, so that the first that fails is the same.
void FunctionPlanner::takeAssertions() {
  for (auto assertion : llvm::make_early_inc_range(
           function.getBody().front().getOps<cf::AssertOp>()))
    if (plan.canCompute(assertion.getArg()))
      plan.takeAssertion(assertion);
}

/// The allocation of which `value` is all, in the same order, though perhaps of
/// another shape; null if it is something else.
static memref::AllocOp findAllocation(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      return alloc;
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(
            op))
      break;
    value = op->getOperand(0);
  }
  return nullptr;
}

/// The memory of `argument` with the shape of `alloc`.
static Value createViewLike(memref::AllocOp alloc, Value argument) {
  MemRefType type = alloc.getType();
  if (type == argument.getType())
    return argument;
  ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
  SmallVector<OpFoldResult> sizes = alloc.getMixedSizes(), strides;
  OpFoldResult stride = b.getIndexAttr(1);
  for (OpFoldResult size : llvm::reverse(sizes)) {
    strides.push_back(stride);
    stride = affine::makeComposedFoldedAffineApply(
        b, b.getLoc(), b.getAffineSymbolExpr(0) * b.getAffineSymbolExpr(1),
        {stride, size});
  }
  std::reverse(strides.begin(), strides.end());
  return memref::ReinterpretCastOp::create(
      b, type, argument, OpFoldResult(b.getIndexAttr(0)), sizes, strides);
}

bool FunctionPlanner::takeResult(Value value, unsigned index) {
  auto type = dyn_cast<MemRefType>(value.getType());
  memref::AllocOp alloc = type ? findAllocation(value) : nullptr;
  if (!alloc || alloc->getParentOp() != function.getOperation() ||
      !type.getLayout().isIdentity() || !isPlannable(alloc))
    return false;
  (void)plan.computeBytes(alloc); // for the assertion
  ImplicitLocOpBuilder b(alloc.getLoc(),
                         function.getBody().front().getTerminator());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(createDim(b, value, dim));
  if (!llvm::all_of(sizes, [&](Value size) { return plan.canCompute(size); }))
    return false;
  for (Value size : sizes)
    planned.push_back(plan.compute(size));
  auto attributes =
      b.getDictionaryAttr(b.getNamedAttr(kResultAttr, b.getIndexAttr(index)));
  unsigned place = function.getNumArguments();
  (void)function.insertArgument(place, type, attributes, alloc.getLoc());
  Value view = createViewLike(alloc, function.getArgument(place));
  alloc.replaceAllUsesWith(view);
  alloc.erase();
  return true;
}

void FunctionPlanner::takeResults() {
  auto terminator =
      cast<func::ReturnOp>(function.getBody().front().getTerminator());
  SmallVector<Value> returned;
  for (auto [index, value] : llvm::enumerate(terminator.getOperands()))
    if (!takeResult(value, index))
      returned.push_back(value);
  terminator->setOperands(returned);
  function.removeResAttrsAttr();
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             function.getArgumentTypes(),
                                             TypeRange(ValueRange(returned))));
}

/// Lets sizes of views be computed from the sizes of what they are views of.
static void resolveDims(func::FuncOp function) {
  SmallVector<memref::DimOp> dims;
  function.walk([&](memref::DimOp dim) {
    if (dim.getConstantIndex() && isa<MemRefType>(dim.getSource().getType()))
      dims.push_back(dim);
  });
  for (memref::DimOp dim : dims) {
    ImplicitLocOpBuilder b(dim.getLoc(), dim);
    dim.replaceAllUsesWith(
        createDim(b, dim.getSource(), *dim.getConstantIndex()));
    dim.erase();
  }
}

/// The op that frees `buffer` in the block where it is allocated; null if that
/// is not how it ends.
static memref::DeallocOp findDealloc(memref::AllocOp alloc) {
  memref::DeallocOp found;
  for (Operation *user : alloc->getUsers())
    if (auto dealloc = dyn_cast<memref::DeallocOp>(user)) {
      if (found || dealloc->getBlock() != alloc->getBlock())
        return nullptr;
      found = dealloc;
    }
  return found;
}

void FunctionPlanner::addBuffer(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  PlannedBuffer buffer;
  uint64_t factor = *getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      factor *= size;
  buffer.staticFactor = factor;
  if (type.hasStaticShape())
    buffer.bytes = factor;
  llvm::append_range(buffer.dynamicSizes, alloc.getDynamicSizes());
  buffers.push_back(buffer);
  allocs.push_back(alloc);
}

void FunctionPlanner::collectBuffers() {
  DenseMap<Operation *, uint64_t> order;
  function.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { order.try_emplace(op, order.size()); });
  function.walk<WalkOrder::PreOrder>([&](memref::AllocOp alloc) {
    memref::DeallocOp dealloc = findDealloc(alloc);
    bool isSized = isPlannable(alloc);
    if (!dealloc || !isSized) {
      nm::emitRemark(alloc, RemarkId::AllocatedInCall) << remarkKey(
          RemarkKey::Text, isSized ? "it leaves the block that makes it"
                                   : "its size, or whether a call comes to it, "
                                     "depends on data");
      return;
    }
    addBuffer(alloc);
    buffers.back().begin = order.lookup(alloc);
    buffers.back().end = order.lookup(dealloc);
  });
}

/// Slots follow the buffers of known size.
void FunctionPlanner::placeBuffers() {
  uint64_t staticBytes = layOutStatic(buffers);
  SmallVector<Value> bytes(layOutDynamic(buffers)), offsets;
  for (auto [buffer, alloc] : llvm::zip_equal(buffers, allocs)) {
    if (buffer.bytes)
      continue;
    Value size = plan.computeBytes(alloc);
    Value &slot = bytes[buffer.slot];
    slot = slot ? plan.max(slot, size) : size;
  }
  Value end = plan.constant(staticBytes);
  for (Value slot : bytes) {
    offsets.push_back(end);
    end = plan.add(end, plan.align(slot, kBufferAlignment));
  }
  planned.append(offsets.begin(), offsets.end());
  planned.push_back(end);

  OpBuilder b(function.getContext());
  auto addArgument = [&](Type type, DictionaryAttr attributes) {
    unsigned place = function.getNumArguments();
    (void)function.insertArgument(place, type, attributes, function.getLoc());
    return function.getArgument(place);
  };
  // In the order in which the plan returns them.
  SmallVector<Value> begins;
  for (size_t i = 0; i < offsets.size(); ++i)
    begins.push_back(addArgument(b.getIndexType(), DictionaryAttr()));
  Value workspace = addArgument(
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type()),
      b.getDictionaryAttr(b.getNamedAttr(kWorkspaceAttr, b.getUnitAttr())));
  for (auto [buffer, alloc] : llvm::zip_equal(buffers, allocs)) {
    findDealloc(alloc).erase();
    b.setInsertionPoint(alloc);
    Value begin = buffer.bytes ? arith::ConstantIndexOp::create(
                                     b, alloc.getLoc(),
                                     static_cast<int64_t>(buffer.offset))
                                     .getResult()
                               : begins[buffer.slot];
    Value view =
        memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(), workspace,
                               begin, alloc.getDynamicSizes());
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  }
}

void FunctionPlanner::run() {
  resolveDims(function);
  takeAssertions();
  takeResults();
  collectBuffers();
  placeBuffers();
  plan.finish(planned);
  function->setAttr(kPlanAttr,
                    FlatSymbolRefAttr::get(plan.getFunction().getNameAttr()));
}

/// Moves the body of a function to a private one, which it calls, where others
/// call it as it is, or where it has branches.
static void moveBody(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  if (function.getBody().hasOneBlock() &&
      SymbolTable::symbolKnownUseEmpty(function, module))
    return;
  func::FuncOp body = function.clone();
  body.setPrivate();
  SymbolTable symbols(module);
  symbols.insert(body);
  (void)SymbolTable::replaceAllSymbolUses(function, body.getNameAttr(), module);
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  Block *entry = function.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(entry);
  auto call =
      func::CallOp::create(b, function.getLoc(), body, entry->getArguments());
  func::ReturnOp::create(b, function.getLoc(), call.getResults());
}

/// What a call allocates itself is of no negative size; in a function that is
/// called there is a remark as well.
static void handleAllocations(func::FuncOp function) {
  function.walk([&](memref::AllocOp alloc) {
    ImplicitLocOpBuilder b(alloc.getLoc(), alloc);
    assertSizes(b, alloc, alloc.getDynamicSizes());
    if (!function.isPublic())
      nm::emitRemark(alloc, RemarkId::AllocatedInCall)
          << remarkKey(RemarkKey::Text, "it is of a function that is called");
  });
}

namespace {
struct PlanMemory : nm::impl::NMPlanMemoryPassBase<PlanMemory> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      moveBody(function);
      FunctionPlanner(function).run();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      handleAllocations(function);
  }
};
} // namespace

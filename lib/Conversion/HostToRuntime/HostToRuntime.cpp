//===- HostToRuntime.cpp - Host code to calls of the runtime --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's lowerings of memref and cf abort where memory runs out or an
// assertion fails; here the function returns a status, and the runtime
// (include/nm-c/Runtime.h) keeps the message.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "nm/Conversion/HostToRuntime/Passes.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Support/BufferNames.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/RawElements.h"

namespace nm {
#define GEN_PASS_DEF_NMHOSTTORUNTIMEPASS
#include "nm/Conversion/HostToRuntime/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// The product of the sizes and the element's bytes; all ones if that passes 64
/// bits, which no allocation satisfies.
static Value computeBytes(HostFunction &f, MemRefType type,
                          ValueRange dynamicSizes) {
  ImplicitLocOpBuilder &b = f.b;
  Type i64 = b.getI64Type();
  int64_t elementBytes =
      DataLayout::closest(b.getInsertionBlock()->getParentOp())
          .getTypeSize(type.getElementType());
  uint64_t known = elementBytes;
  Value bytes, overflowed;
  bool knownOverflow = false;
  for (int64_t size : type.getShape()) {
    uint64_t product;
    if (!ShapedType::isDynamic(size)) {
      knownOverflow |= __builtin_mul_overflow(known, uint64_t(size), &product);
      known = product;
    }
  }
  if (knownOverflow)
    return f.constant(i64, -1);
  bytes = f.constant(i64, known);
  auto pairType =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {i64, b.getI1Type()});
  for (Value size : dynamicSizes) {
    Value pair =
        LLVM::UMulWithOverflowOp::create(b, pairType, bytes, f.toLLVM(size));
    bytes = LLVM::ExtractValueOp::create(b, pair, ArrayRef<int64_t>{0});
    Value carry = LLVM::ExtractValueOp::create(b, pair, ArrayRef<int64_t>{1});
    overflowed = overflowed
                     ? LLVM::OrOp::create(b, overflowed, carry).getResult()
                     : carry;
  }
  if (overflowed)
    bytes = LLVM::SelectOp::create(b, overflowed, f.constant(i64, -1), bytes);
  return bytes;
}

/// A row-major descriptor of the memory at `pointer`.
static Value createDescriptor(HostFunction &f, MemRefType type, Value pointer,
                              ValueRange dynamicSizes) {
  ImplicitLocOpBuilder &b = f.b;
  auto descriptor =
      MemRefDescriptor::poison(b, b.getLoc(), f.types.convertType(type));
  descriptor.setAllocatedPtr(b, b.getLoc(), pointer);
  descriptor.setAlignedPtr(b, b.getLoc(), pointer);
  descriptor.setConstantOffset(b, b.getLoc(), 0);
  SmallVector<Value> sizes;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(f.constant(b.getI64Type(), size));
      continue;
    }
    sizes.push_back(f.toLLVM(dynamicSizes.front()));
    dynamicSizes = dynamicSizes.drop_front();
  }
  Value stride = f.constant(b.getI64Type(), 1);
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    descriptor.setSize(b, b.getLoc(), i, sizes[i]);
    descriptor.setStride(b, b.getLoc(), i, stride);
    if (i > 0)
      stride = LLVM::MulOp::create(b, stride, sizes[i]);
  }
  return descriptor;
}

/// A size that was computed, not taken from another buffer, may be anything.
static void checkSizes(HostFunction &f, memref::AllocOp op) {
  Value areNatural;
  for (Value size : op.getDynamicSizes()) {
    if (size.getDefiningOp<memref::DimOp>())
      continue;
    Value zero = arith::ConstantIndexOp::create(f.b, 0);
    Value isNatural =
        arith::CmpIOp::create(f.b, arith::CmpIPredicate::sge, size, zero);
    areNatural = areNatural ? arith::AndIOp::create(f.b, areNatural, isNatural)
                            : isNatural;
  }
  if (areNatural)
    f.checkAssertion(areNatural,
                     "a size of " + describeBuffer(op) + " is negative");
}

static LogicalResult lowerAlloc(HostFunction &f, memref::AllocOp op) {
  MemRefType type = op.getType();
  if (!type.getLayout().isIdentity())
    return op.emitOpError("unsupported: allocation with a layout; expected "
                          "row-major");
  checkSizes(f, op);
  Value slot = f.createSlot(f.pointerType());
  Value bytes = computeBytes(f, type, op.getDynamicSizes());
  Value what = f.symbols.addressOf(f.b, "nm_buffer",
                                   describeBuffer(op) + std::string(1, '\0'));
  f.callChecked("nmrtHostAlloc", {bytes, what, slot});
  Value pointer = LLVM::LoadOp::create(f.b, f.pointerType(), slot);
  Value memref = f.memrefOf(
      createDescriptor(f, type, pointer, op.getDynamicSizes()), type);
  op.replaceAllUsesWith(memref);
  f.rememberBuffer(memref, pointer);
  return success();
}

/// LLVM's arrays of constants have no complex elements; such a global becomes
/// one of its parts, which lie in the same order.
static LogicalResult splitComplexGlobal(memref::GlobalOp global) {
  MemRefType type = global.getType();
  auto complex = dyn_cast<ComplexType>(type.getElementType());
  if (!complex)
    return success();
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(2);
  auto parts = RankedTensorType::get(shape, complex.getElementType());
  if (auto initial = dyn_cast_or_null<ElementsAttr>(
          global.getInitialValue().value_or(nullptr))) {
    FailureOr<RawElements> data = RawElements::get(initial, ignoreReason);
    if (failed(data))
      return global.emitOpError("expected the data of ") << type;
    global.setInitialValueAttr(makeElements(
        parts, data->copy(), getElementsName(initial, global.getName())));
  }
  global.setType(MemRefType::get(shape, complex.getElementType(), AffineMap(),
                                 type.getMemorySpace()));
  return success();
}

/// The complex global that `op` names holds parts instead (splitComplexGlobal).
static LogicalResult lowerComplexGlobal(HostFunction &f,
                                        memref::GetGlobalOp op) {
  auto global = f.symbols.lookup<memref::GlobalOp>(op.getName());
  MemRefType type = op.getType();
  if (!global || global.isUninitialized() || global.isExternal())
    return op.emitOpError("unsupported: global without an initial value");
  Value parts =
      memref::GetGlobalOp::create(f.b, global.getType(), op.getName());
  Value pointer = f.descriptorOf(parts).alignedPtr(f.b, f.b.getLoc());
  op.replaceAllUsesWith(
      f.memrefOf(createDescriptor(f, type, pointer, {}), type));
  return success();
}

/// A call of another function of the module, which has the new signature too.
static LogicalResult lowerCall(HostFunction &f, func::CallOp op) {
  auto callee = f.symbols.lookup<func::FuncOp>(op.getCallee());
  if (!callee || callee.isExternal())
    return op.emitOpError("unsupported: call of a function without a body, @")
           << op.getCallee();
  ImplicitLocOpBuilder &b = f.b;
  SmallVector<Value> operands = {f.context()}, slots;
  for (Type type : op.getResultTypes()) {
    slots.push_back(f.createSlot(f.types.convertType(type)));
    operands.push_back(slots.back());
  }
  llvm::append_range(operands, op.getOperands());
  f.check(func::CallOp::create(b, op.getCallee(), b.getI32Type(), operands)
              .getResult(0));
  for (auto [result, slot] : llvm::zip_equal(op.getResults(), slots)) {
    Type type = result.getType();
    Value value = LLVM::LoadOp::create(b, f.types.convertType(type), slot);
    if (!isa<MemRefType>(type)) {
      result.replaceAllUsesWith(f.fromLLVM(value, type));
      continue;
    }
    Value memref = f.memrefOf(value, type);
    result.replaceAllUsesWith(memref);
    f.rememberBuffer(memref,
                     MemRefDescriptor(value).allocatedPtr(b, b.getLoc()));
  }
  return success();
}

/// Lowers and erases `op` if later passes would lower it otherwise. They know
/// what to do with loads and with a dealloc, which becomes a call of free.
static LogicalResult lowerOp(HostFunction &f, Operation *op) {
  f.b.setLoc(op->getLoc());
  f.b.setInsertionPoint(op);
  LogicalResult result = success();
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    f.checkAssertion(assertion.getArg(), assertion.getMsg());
  } else if (auto call = dyn_cast<func::CallOp>(op)) {
    result = lowerCall(f, call);
  } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    result = lowerAlloc(f, alloc);
  } else if (auto global = dyn_cast<memref::GetGlobalOp>(op);
             global && isa<ComplexType>(global.getType().getElementType())) {
    result = lowerComplexGlobal(f, global);
  } else if (isa<gpu::LaunchFuncOp>(op)) {
    result = op->emitOpError("unsupported: launch without a device");
  } else if (isa<TensorMapOp>(op)) {
    result = op->emitOpError("unsupported: tensor map without a device");
  } else {
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      f.forgetBuffer(dealloc.getMemref());
    return success();
  }
  if (succeeded(result))
    op->erase();
  return result;
}

/// Sizes in bytes are computed of all buffers.
static LogicalResult checkBuffers(Operation *op) {
  auto isUnknown = [](Type type) {
    auto buffer = dyn_cast<BaseMemRefType>(type);
    return buffer && !isa<VectorType>(buffer.getElementType()) &&
           !getElementBytes(buffer.getElementType());
  };
  SmallVector<Type> types(op->getResultTypes());
  if (auto function = dyn_cast<func::FuncOp>(op))
    llvm::append_range(types, function.getArgumentTypes());
  for (Type type : types)
    if (isUnknown(type))
      return op->emitOpError("unsupported: buffer of type ")
             << type << "; expected elements that are numbers";
  return success();
}

static LogicalResult lowerFunction(func::FuncOp function,
                                   ModuleSymbols &symbols,
                                   const LLVMTypeConverter &types) {
  SmallVector<Operation *> ops;
  WalkResult structured = function.walk([&](Operation *op) {
    if (op->getNumRegions() != 0 && op != function) {
      op->emitOpError("expected host code without regions; run "
                      "convert-scf-to-cf first");
      return WalkResult::interrupt();
    }
    if (failed(checkBuffers(op)))
      return WalkResult::interrupt();
    ops.push_back(op);
    return WalkResult::advance();
  });
  if (structured.wasInterrupted())
    return failure();
  if (function.isPublic())
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      UnitAttr::get(function.getContext()));
  HostFunction f(function, symbols, types);
  for (Operation *op : ops)
    if (op != function && failed(lowerOp(f, op)))
      return failure();
  f.finish();
  return success();
}

/// The data of `resource`, which is one number, in the attribute itself; null
/// where they cannot be read, which is reported at `global`.
static DenseElementsAttr inlineNumber(DenseResourceElementsAttr resource,
                                      memref::GlobalOp global) {
  auto data = RawElements::get(
      resource, [&](const Twine &reason) { global.emitOpError(reason); });
  if (failed(data))
    return nullptr;
  auto type = cast<ShapedType>(resource.getType());
  std::vector<char> bytes = data->copy();
  if (type.getElementType().isInteger(1))
    return DenseElementsAttr::get(type, ArrayRef<bool>(bytes.front() != 0));
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

/// The translation to LLVM divides by the number of elements of a resource, and
/// the lowering of a global without dimensions asks a resource for its element,
/// which ends the process.
static LogicalResult replaceSmallResources(ModuleOp module) {
  for (auto global : module.getOps<memref::GlobalOp>()) {
    auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(
        global.getInitialValueAttr());
    if (!resource)
      continue;
    if (resource.getType().getNumElements() == 0) {
      global.setInitialValueAttr(
          DenseElementsAttr::get(resource.getType(), ArrayRef<Attribute>()));
    } else if (resource.getType().getRank() == 0) {
      DenseElementsAttr number = inlineNumber(resource, global);
      if (!number)
        return failure();
      global.setInitialValueAttr(number);
    }
  }
  return success();
}

namespace {
struct HostToRuntime : nm::impl::NMHostToRuntimePassBase<HostToRuntime> {
  using NMHostToRuntimePassBase::NMHostToRuntimePassBase;

  void runOnOperation() override;
};
} // namespace

void HostToRuntime::runOnOperation() {
  ModuleOp module = getOperation();
  if (failed(replaceSmallResources(module)))
    return signalPassFailure();
  LLVMTypeConverter types(&getContext());
  ModuleSymbols symbols(module);
  for (auto global : module.getOps<memref::GlobalOp>())
    if (failed(splitComplexGlobal(global)))
      return signalPassFailure();
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (func::FuncOp function : functions)
    if (failed(lowerFunction(function, symbols, types)))
      return signalPassFailure();
}

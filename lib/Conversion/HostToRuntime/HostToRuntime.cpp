//===- HostToRuntime.cpp - Host code to calls of the runtime --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers what touches the device to include/nm-c/Runtime.h. Upstream's
// gpu-to-llvm has launches, copies and frees without a status, loads modules in
// global constructors and makes a stream for each launch.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "nm/Conversion/HostToRuntime/Passes.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Support/BufferNames.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/RawElements.h"
#include "llvm/Support/FormatVariadic.h"

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

/// `callee` allocates: nmrtAllocFor or nmrtHostAlloc.
static LogicalResult lowerAlloc(HostFunction &f, memref::AllocOp op,
                                StringRef callee) {
  MemRefType type = op.getType();
  if (!type.getLayout().isIdentity())
    return op.emitOpError("unsupported: allocation with a layout; expected "
                          "row-major");
  checkSizes(f, op);
  Value slot = f.createSlot(f.pointerType());
  Value bytes = computeBytes(f, type, op.getDynamicSizes());
  Value what = f.symbols.addressOf(f.b, "nm_buffer",
                                   describeBuffer(op) + std::string(1, '\0'));
  f.callChecked(callee, {bytes, what, slot});
  Value pointer = LLVM::LoadOp::create(f.b, f.pointerType(), slot);
  Value memref = f.memrefOf(
      createDescriptor(f, type, pointer, op.getDynamicSizes()), type);
  op.replaceAllUsesWith(memref);
  f.rememberBuffer(memref, pointer);
  return success();
}

static LogicalResult lowerDealloc(HostFunction &f, memref::DeallocOp op) {
  MemRefDescriptor descriptor = f.descriptorOf(op.getMemref());
  Value pointer = descriptor.allocatedPtr(f.b, f.b.getLoc());
  f.forgetBuffer(op.getMemref());
  f.callChecked("nmrtFree", pointer);
  return success();
}

/// The address of the first element.
static Value getFirstElement(HostFunction &f, Value memref) {
  MemRefDescriptor descriptor = f.descriptorOf(memref);
  Location loc = f.b.getLoc();
  Type element =
      f.types.convertType(cast<MemRefType>(memref.getType()).getElementType());
  return LLVM::GEPOp::create(
      f.b, f.pointerType(), element, descriptor.alignedPtr(f.b, loc),
      ArrayRef<LLVM::GEPArg>{descriptor.offset(f.b, loc)});
}

/// Both sides are contiguous, though a layout may say it with strides: others
/// have become loops. `host` copies without a device.
static LogicalResult lowerCopy(HostFunction &f, memref::CopyOp op, bool host) {
  auto type = dyn_cast<MemRefType>(op.getTarget().getType());
  if (!type)
    return op.emitOpError("unsupported: copy of an unranked buffer");
  MemRefDescriptor descriptor = f.descriptorOf(op.getTarget());
  SmallVector<Value> sizes;
  for (int64_t i = 0, e = type.getRank(); i < e; ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(descriptor.size(f.b, f.b.getLoc(), i));
  Value bytes = computeBytes(f, type, sizes);
  Value target = getFirstElement(f, op.getTarget());
  Value source = getFirstElement(f, op.getSource());
  if (host)
    LLVM::MemcpyOp::create(f.b, target, source, bytes, /*isVolatile=*/false);
  else
    f.callChecked("nmrtCopy", {target, source, bytes});
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

/// On a device a constant is uploaded once. Of a global that functions write,
/// the device's copy is the state: it has the initial value when it is first
/// asked for, and lives as long as the context.
static LogicalResult lowerGetGlobal(HostFunction &f, memref::GetGlobalOp op,
                                    bool host) {
  auto global = f.symbols.lookup<memref::GlobalOp>(op.getName());
  MemRefType type = op.getType();
  if (host && !isa<ComplexType>(type.getElementType()))
    return success();
  if (!global || global.isUninitialized() || global.isExternal())
    return op.emitOpError("unsupported: global without an initial value");
  Value hostCopy =
      memref::GetGlobalOp::create(f.b, global.getType(), op.getName());
  Value pointer = f.descriptorOf(hostCopy).alignedPtr(f.b, f.b.getLoc());
  if (!host) {
    Value slot = f.createSlot(f.pointerType());
    f.callChecked("nmrtConstant", {pointer, computeBytes(f, type, {}), slot});
    pointer = LLVM::LoadOp::create(f.b, f.pointerType(), slot);
  }
  op.replaceAllUsesWith(
      f.memrefOf(createDescriptor(f, type, pointer, {}), type));
  op.erase();
  return success();
}

/// A size or an index that host code needs: its bytes are copied, which waits
/// for the kernels that make them. An index is checked, as it would be on the
/// CPU.
static LogicalResult lowerLoad(HostFunction &f, memref::LoadOp op) {
  ImplicitLocOpBuilder &b = f.b;
  MemRefType type = op.getMemRefType();
  Location loc = b.getLoc();
  MemRefDescriptor descriptor = f.descriptorOf(op.getMemref());
  Value place = descriptor.offset(b, loc);
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    Value position = f.toLLVM(index);
    // A negative index is a large one.
    Value isInside = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, position,
                                          descriptor.size(b, loc, axis));
    f.checkAssertion(isInside, llvm::formatv("the index of an element that the "
                                             "host reads leaves dimension {0} "
                                             "of {1}",
                                             axis, type)
                                   .str());
    Value step =
        LLVM::MulOp::create(b, position, descriptor.stride(b, loc, axis));
    place = LLVM::AddOp::create(b, place, step);
  }
  Type element = f.types.convertType(type.getElementType());
  Value source = LLVM::GEPOp::create(b, f.pointerType(), element,
                                     descriptor.alignedPtr(b, loc),
                                     ArrayRef<LLVM::GEPArg>{place});
  Value slot = f.createSlot(element);
  Value bytes = computeBytes(f, MemRefType::get({}, type.getElementType()), {});
  f.callChecked("nmrtDownload", {slot, source, bytes});
  Value value = LLVM::LoadOp::create(b, element, slot);
  op.replaceAllUsesWith(f.fromLLVM(value, type.getElementType()));
  return success();
}

/// One kernel parameter as it lies in memory.
static Value getParameter(HostFunction &f, Value operand) {
  if (isa<MemRefType>(operand.getType()))
    return f.descriptorOf(operand).alignedPtr(f.b, f.b.getLoc());
  if (operand.getType().isInteger(1)) // one byte, 0 or 1
    return LLVM::ZExtOp::create(f.b, f.b.getI8Type(), operand);
  return f.toLLVM(operand);
}

static LogicalResult lowerLaunch(HostFunction &f, gpu::LaunchFuncOp op) {
  auto binary = f.symbols.lookup<gpu::BinaryOp>(op.getKernelModuleName());
  if (!binary || binary.getObjects().empty())
    return op.emitOpError("expected the kernels of @")
           << op.getKernelModuleName().getValue()
           << " as a gpu.binary with an object; run gpu-module-to-binary first";
  if (op.hasClusterSize() || !op.getAsyncDependencies().empty() ||
      op.getAsyncToken())
    return op.emitOpError("unsupported: launch with clusters or async tokens");
  ImplicitLocOpBuilder &b = f.b;
  StringAttr object = cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject();
  Value image = f.symbols.addressOfImage(b, binary.getName(), object);
  auto addressOfName = [&](StringRef name) {
    return f.symbols.addressOf(b, "nm_kernel_name", (name + Twine('\0')).str());
  };
  Value name = addressOfName(op.getKernelName());
  Value what = addressOfName(getLaunchName(op));

  unsigned count = op.getNumKernelOperands();
  Value parameters = f.createSlot(f.pointerType(), std::max(count, 1u));
  for (unsigned i = 0; i < count; ++i) {
    Value operand = op.getKernelOperand(i);
    if (auto memref = dyn_cast<MemRefType>(operand.getType());
        memref && memref.getRank() != 0)
      return op.emitOpError("expected flat kernel arguments, got ")
             << memref << "; run nm-flatten-kernel-args first";
    Value value = getParameter(f, operand);
    Value slot = f.createSlot(value.getType());
    LLVM::StoreOp::create(b, value, slot);
    Value place =
        LLVM::GEPOp::create(b, f.pointerType(), f.pointerType(), parameters,
                            ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(b, slot, place);
  }

  SmallVector<Value> operands = {
      image, f.constant(b.getI64Type(), object.size()), name, what};
  for (Value size : {op.getGridSizeX(), op.getGridSizeY(), op.getGridSizeZ()})
    operands.push_back(f.toLLVM(size));
  for (Value size :
       {op.getBlockSizeX(), op.getBlockSizeY(), op.getBlockSizeZ()})
    operands.push_back(
        size.getType().isIndex()
            ? arith::IndexCastOp::create(b, b.getI32Type(), size).getResult()
            : size);
  operands.push_back(op.getDynamicSharedMemorySize()
                         ? Value(op.getDynamicSharedMemorySize())
                         : f.constant(b.getI32Type(), 0));
  operands.push_back(parameters);
  operands.push_back(f.constant(b.getI32Type(), count));
  f.callChecked("nmrtLaunchImage", operands);
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

/// Without a device buffers are plain memory, which later passes know to use
/// and to free.
static LogicalResult lowerHostOp(HostFunction &f, Operation *op) {
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    f.forgetBuffer(dealloc.getMemref());
  if (isa<gpu::LaunchFuncOp>(op))
    return op->emitOpError("unsupported: launch without a device");
  return success();
}

namespace {
struct HostToRuntime : nm::impl::NMHostToRuntimePassBase<HostToRuntime> {
  using NMHostToRuntimePassBase::NMHostToRuntimePassBase;

  void runOnOperation() override;

private:
  LogicalResult lowerFunction(func::FuncOp function, ModuleSymbols &symbols,
                              const LLVMTypeConverter &types);
  LogicalResult lowerOp(HostFunction &f, Operation *op);
};
} // namespace

/// Lowers and erases `op` if it is one of those that become calls.
LogicalResult HostToRuntime::lowerOp(HostFunction &f, Operation *op) {
  f.b.setLoc(op->getLoc());
  f.b.setInsertionPoint(op);
  LogicalResult result = success();
  if (auto assertion = dyn_cast<cf::AssertOp>(op))
    f.checkAssertion(assertion.getArg(), assertion.getMsg());
  else if (auto call = dyn_cast<func::CallOp>(op))
    result = lowerCall(f, call);
  else if (auto alloc = dyn_cast<memref::AllocOp>(op))
    result = lowerAlloc(f, alloc, host ? "nmrtHostAlloc" : "nmrtAllocFor");
  else if (auto copy = dyn_cast<memref::CopyOp>(op))
    result = lowerCopy(f, copy, host);
  else if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return lowerGetGlobal(f, global, host);
  else if (host)
    return lowerHostOp(f, op);
  else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    result = lowerDealloc(f, dealloc);
  else if (auto load = dyn_cast<memref::LoadOp>(op))
    result = lowerLoad(f, load);
  else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    result = lowerLaunch(f, launch);
  else
    return success();
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

LogicalResult HostToRuntime::lowerFunction(func::FuncOp function,
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
                      UnitAttr::get(&getContext()));
  HostFunction f(function, symbols, types, /*isDevice=*/!host);
  for (Operation *op : ops)
    if (op != function && failed(lowerOp(f, op)))
      return failure();
  f.finish();
  return success();
}

/// The translation to LLVM divides by the number of elements of a resource.
static void replaceEmptyResources(ModuleOp module) {
  for (auto global : module.getOps<memref::GlobalOp>()) {
    auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(
        global.getInitialValueAttr());
    if (resource && resource.getType().getNumElements() == 0)
      global.setInitialValueAttr(
          DenseElementsAttr::get(resource.getType(), ArrayRef<Attribute>()));
  }
}

void HostToRuntime::runOnOperation() {
  ModuleOp module = getOperation();
  replaceEmptyResources(module);
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
  for (auto binary : llvm::make_early_inc_range(module.getOps<gpu::BinaryOp>()))
    binary.erase();
}

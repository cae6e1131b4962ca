//===- HostFunction.cpp - One host function on its way down ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "nm/Support/SignatureAttributes.h"

using namespace mlir;
using namespace nm;

//===----------------------------------------------------------------------===//
// ModuleSymbols
//===----------------------------------------------------------------------===//

LLVM::GlobalOp ModuleSymbols::createGlobal(ImplicitLocOpBuilder &b,
                                           StringRef name, StringRef data) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), data.size());
  auto global = LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name,
                                       b.getStringAttr(data));
  table.insert(global); // makes the name unique
  return global;
}

Value ModuleSymbols::addressOf(ImplicitLocOpBuilder &b, StringRef name,
                               StringRef data) {
  LLVM::GlobalOp &global = globals[data];
  if (!global)
    global = createGlobal(b, name, data);
  return LLVM::AddressOfOp::create(b, global);
}

LLVM::LLVMFuncOp ModuleSymbols::declare(StringRef name, Type result,
                                        TypeRange parameters) {
  if (auto function = table.lookup<LLVM::LLVMFuncOp>(name))
    return function;
  auto b = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, llvm::to_vector(parameters));
  auto function = LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
  table.insert(function);
  return function;
}

//===----------------------------------------------------------------------===//
// HostFunction
//===----------------------------------------------------------------------===//

HostFunction::HostFunction(func::FuncOp function, ModuleSymbols &symbols,
                           const LLVMTypeConverter &types)
    : b(function.getLoc(), function), symbols(symbols), types(types),
      function(function), resultTypes(function.getResultTypes()) {
  rewriteSignature();
  errorBlock = new Block();
  errorBlock->addArgument(b.getI32Type(), function.getLoc());
  function.getBody().push_back(errorBlock);
}

LLVM::LLVMPointerType HostFunction::pointerType() {
  return LLVM::LLVMPointerType::get(b.getContext());
}

Value HostFunction::constant(Type type, int64_t value) {
  return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
}

Value HostFunction::createSlot(Type type) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  Value one = constant(b.getI64Type(), 1);
  return LLVM::AllocaOp::create(b, pointerType(), type, one);
}

Value HostFunction::toLLVM(Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, b.getI64Type(), value);
  // Null for what has none; the store of such a value is an error of its own.
  Type type = types.convertType(value.getType());
  if (!type || type == value.getType())
    return value;
  return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
}

Value HostFunction::fromLLVM(Value value, Type type) {
  if (type.isIndex())
    return arith::IndexCastOp::create(b, type, value);
  if (type == value.getType())
    return value;
  return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
}

MemRefDescriptor HostFunction::descriptorOf(Value memref) {
  Type type = types.convertType(memref.getType());
  return MemRefDescriptor(
      UnrealizedConversionCastOp::create(b, type, memref).getResult(0));
}

Value HostFunction::memrefOf(Value descriptor, Type type) {
  return UnrealizedConversionCastOp::create(b, type, descriptor).getResult(0);
}

Block *HostFunction::splitBlock() {
  Block *block = b.getInsertionBlock();
  Block *rest = block->splitBlock(b.getInsertionPoint());
  b.setInsertionPointToEnd(block);
  return rest;
}

void HostFunction::check(Value status) {
  Value zero = constant(b.getI32Type(), 0);
  Value isOk = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, status, zero);
  Block *rest = splitBlock();
  cf::CondBranchOp::create(b, isOk, rest, ValueRange(), errorBlock,
                           ValueRange(status));
  b.setInsertionPointToStart(rest);
}

void HostFunction::callChecked(StringRef callee, ValueRange arguments) {
  SmallVector<Value> operands = {context()};
  llvm::append_range(operands, arguments);
  LLVM::LLVMFuncOp function =
      symbols.declare(callee, b.getI32Type(), TypeRange(ValueRange(operands)));
  check(LLVM::CallOp::create(b, function, operands).getResult());
}

void HostFunction::checkAssertion(Value condition, StringRef message) {
  Value text =
      symbols.addressOf(b, "nm_assertion", (message + Twine('\0')).str());
  Block *rest = splitBlock();
  Block *current = b.getInsertionBlock();
  Block *failed = b.createBlock(rest);
  LLVM::LLVMFuncOp report = symbols.declare(
      "nmrtAssertionFailed", b.getI32Type(), {pointerType(), pointerType()});
  Value status =
      LLVM::CallOp::create(b, report, ValueRange{context(), text}).getResult();
  cf::BranchOp::create(b, errorBlock, ValueRange(status));
  b.setInsertionPointToEnd(current);
  cf::CondBranchOp::create(b, condition, rest, ValueRange(), failed,
                           ValueRange());
  b.setInsertionPointToStart(rest);
}

/// Stores to a slot of a buffer, and reads it back. LLVM must leave the slots
/// in memory: kept in a register, each would have an operand for every check of
/// the function where they are freed, and there are as many checks as buffers.
static void storeSlot(ImplicitLocOpBuilder &b, Value pointer, Value slot) {
  LLVM::StoreOp::create(b, pointer, slot, /*alignment=*/0, /*isVolatile=*/true);
}

static Value loadSlot(ImplicitLocOpBuilder &b, Value slot) {
  auto type = LLVM::LLVMPointerType::get(b.getContext());
  return LLVM::LoadOp::create(b, type, slot, /*alignment=*/0,
                              /*isVolatile=*/true);
}

void HostFunction::rememberBuffer(Value memref, Value pointer) {
  Value &slot = bufferSlots[memref];
  if (!slot) {
    OpBuilder::InsertionGuard guard(b);
    slot = createSlot(pointerType());
    b.setInsertionPointAfterValue(slot);
    Value null = LLVM::ZeroOp::create(b, pointerType());
    storeSlot(b, null, slot);
  }
  storeSlot(b, pointer, slot);
}

void HostFunction::forgetBuffer(Value memref) {
  auto found = bufferSlots.find(memref);
  if (found == bufferSlots.end())
    return;
  Value null = LLVM::ZeroOp::create(b, pointerType());
  storeSlot(b, null, found->second);
}

void HostFunction::rewriteSignature() {
  SmallVector<unsigned> positions(1 + resultTypes.size(), 0);
  SmallVector<Type> added(positions.size(), pointerType());
  SmallVector<DictionaryAttr> attributes(positions.size());
  SmallVector<Location> locations(positions.size(), function.getLoc());
  (void)function.insertArguments(positions, added, attributes, locations);
  function.removeResAttrsAttr();
  // They have been read, and LLVM knows none of them.
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    for (StringRef name : {kNameAttr, kStateAttr, kUnsignedAttr, kPartAttr})
      function.removeArgAttr(i, name);
  function.setFunctionType(b.getFunctionType(
      function.getFunctionType().getInputs(), b.getI32Type()));
}

void HostFunction::rewriteReturn(func::ReturnOp op) {
  b.setInsertionPoint(op);
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    Value stored = isa<MemRefType>(value.getType()) ? Value(descriptorOf(value))
                                                    : toLLVM(value);
    LLVM::StoreOp::create(b, stored, function.getArgument(1 + index));
  }
  func::ReturnOp::create(b, constant(b.getI32Type(), 0));
  op.erase();
}

void HostFunction::finish() {
  for (auto op : llvm::make_early_inc_range(function.getOps<func::ReturnOp>()))
    rewriteReturn(op);
  // A buffer that lives when an error occurs is freed; null is no buffer.
  b.setInsertionPointToStart(errorBlock);
  // In the order of the text, which that of the map is not.
  llvm::DenseSet<Value> isBuffer;
  for (auto &entry : bufferSlots)
    isBuffer.insert(entry.second);
  SmallVector<Value> slots;
  function.walk([&](LLVM::AllocaOp slot) {
    if (isBuffer.contains(slot))
      slots.push_back(slot);
  });
  for (Value slot : slots) {
    LLVM::LLVMFuncOp callee = symbols.declare(
        "free", LLVM::LLVMVoidType::get(b.getContext()), Type(pointerType()));
    LLVM::CallOp::create(b, callee, loadSlot(b, slot));
  }
  if (errorBlock->hasNoPredecessors())
    errorBlock->erase();
  else
    func::ReturnOp::create(b, errorBlock->getArgument(0));
}

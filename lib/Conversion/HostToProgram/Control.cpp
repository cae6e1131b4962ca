//===- Control.cpp - Branches, calls and launches -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "nm/Dialect/NM/Utils/KernelNames.h"

using namespace mlir;
using namespace nm;
using program::Opcode;

/// The offset and strides that a type does not say.
static unsigned countUnknown(MemRefType type) {
  if (type.getLayout().isIdentity())
    return 0;
  auto [strides, offset] = type.getStridesAndOffset();
  return llvm::count(strides, ShapedType::kDynamic) +
         (ShapedType::isDynamic(offset) ? 1 : 0);
}

void FunctionEmitter::define(Value value,
                             llvm::function_ref<Number()> addNumber,
                             llvm::function_ref<Buffer()> addBuffer) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) {
    Numbers places;
    for (unsigned i = 0, e = countPlaces(value.getType()); i < e; ++i)
      places.push_back(addNumber());
    numbers[value] = places;
    return;
  }
  BufferView view;
  view.buffer = addBuffer();
  auto known = [&](int64_t number) {
    return ShapedType::isDynamic(number) ? addNumber() : code.constant(number);
  };
  for (int64_t size : type.getShape())
    view.sizes.push_back(known(size));
  view.offset = code.constant(0);
  if (!type.getLayout().isIdentity()) {
    auto [strides, offset] = type.getStridesAndOffset();
    view.offset = known(offset);
    for (int64_t stride : strides)
      view.strides.push_back(known(stride));
  }
  views[value] = std::move(view);
}

void FunctionEmitter::addArgument(Value value,
                                  SmallVectorImpl<Number> &outNumbers,
                                  SmallVectorImpl<Buffer> &outBuffers) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) {
    llvm::append_range(outNumbers, numbers.find(value)->second);
    return;
  }
  const BufferView &view = views.find(value)->second;
  outBuffers.push_back(view.buffer);
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(size))
      outNumbers.push_back(view.sizes[dim]);
  if (countUnknown(type) == 0)
    return;
  auto [strides, offset] = type.getStridesAndOffset();
  if (ShapedType::isDynamic(offset))
    outNumbers.push_back(view.offset);
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (ShapedType::isDynamic(stride))
      outNumbers.push_back(getStride(view, dim));
}

/// Hands `operands` over to the arguments of `target`. Where an argument is
/// itself handed over, all go through places of their own.
void FunctionEmitter::emitMoves(Block *target, ValueRange operands) {
  SmallVector<Number> from, to;
  SmallVector<Buffer> fromBuffers, toBuffers;
  for (auto [operand, argument] :
       llvm::zip_equal(operands, target->getArguments())) {
    addArgument(operand, from, fromBuffers);
    addArgument(argument, to, toBuffers);
  }
  bool isCyclic = llvm::any_of(
      from, [&](Number number) { return llvm::is_contained(to, number); });
  if (isCyclic)
    for (Number &number : from)
      number = code.compute(Opcode::Move, number);
  for (auto [source, destination] : llvm::zip_equal(from, to))
    code.emit(Opcode::Move, {destination, source});
  bool areBuffersCyclic = llvm::any_of(fromBuffers, [&](Buffer buffer) {
    return llvm::is_contained(toBuffers, buffer);
  });
  if (areBuffersCyclic)
    for (Buffer &buffer : fromBuffers) {
      Buffer copy = code.addBuffer();
      code.emit(Opcode::MoveBuffer, {copy, buffer});
      buffer = copy;
    }
  for (auto [source, destination] : llvm::zip_equal(fromBuffers, toBuffers))
    code.emit(Opcode::MoveBuffer, {destination, source});
}

void FunctionEmitter::emitBranch(cf::BranchOp op) {
  emitMoves(op.getDest(), op.getDestOperands());
  code.emit(Opcode::Branch, labels.lookup(op.getDest()));
}

void FunctionEmitter::emitCondBranch(cf::CondBranchOp op) {
  Label yes = code.addLabel(), no = code.addLabel();
  code.emit(Opcode::BranchIf, {numberOf(op.getCondition()), yes, no});
  code.place(yes);
  emitMoves(op.getTrueDest(), op.getTrueDestOperands());
  code.emit(Opcode::Branch, labels.lookup(op.getTrueDest()));
  code.place(no);
  emitMoves(op.getFalseDest(), op.getFalseDestOperands());
  code.emit(Opcode::Branch, labels.lookup(op.getFalseDest()));
}

/// Words of a list: their count, then they.
static void appendList(SmallVectorImpl<uint32_t> &words,
                       ArrayRef<uint32_t> list) {
  words.push_back(list.size());
  words.append(list.begin(), list.end());
}

void FunctionEmitter::emitReturn(func::ReturnOp op) {
  SmallVector<Number> numbers;
  SmallVector<Buffer> buffers;
  for (Value operand : op.getOperands())
    addArgument(operand, numbers, buffers);
  SmallVector<uint32_t> words;
  appendList(words, numbers);
  appendList(words, buffers);
  code.emit(Opcode::Return, words);
}

LogicalResult FunctionEmitter::emitCall(func::CallOp op) {
  std::optional<uint32_t> callee = tables.lookupFunction(op.getCallee());
  if (!callee)
    return op.emitOpError("unsupported: call of a function without a body, @")
           << op.getCallee();
  SmallVector<Number> numbers, resultNumbers;
  SmallVector<Buffer> buffers, resultBuffers;
  for (Value operand : op.getOperands())
    addArgument(operand, numbers, buffers);
  for (Value result : op.getResults())
    define(
        result, [&] { return resultNumbers.emplace_back(code.addNumber()); },
        [&] { return resultBuffers.emplace_back(code.addBuffer()); });
  SmallVector<uint32_t> words = {*callee};
  for (ArrayRef<uint32_t> list :
       {ArrayRef<uint32_t>(numbers), ArrayRef<uint32_t>(buffers),
        ArrayRef<uint32_t>(resultNumbers), ArrayRef<uint32_t>(resultBuffers)})
    appendList(words, list);
  code.emit(Opcode::Call, words);
  return success();
}

void FunctionEmitter::emitAssert(Number condition, StringRef message) {
  code.emit(Opcode::Assert, {condition, tables.getText(message)});
}

LogicalResult FunctionEmitter::emitLaunch(gpu::LaunchFuncOp op) {
  if (!op.getAsyncDependencies().empty() || op.getAsyncToken())
    return op.emitOpError("unsupported: launch with async tokens");
  FailureOr<uint32_t> kernel = tables.getKernel(op);
  if (failed(kernel))
    return failure();
  SmallVector<Number> parameters;
  SmallVector<Buffer> buffers;
  for (Value operand : op.getKernelOperands()) {
    if (auto memref = dyn_cast<MemRefType>(operand.getType())) {
      if (memref.getRank() != 0 || !memref.getLayout().isIdentity())
        return op.emitOpError("expected flat kernel arguments, got ")
               << memref << "; run nm-flatten-kernel-args first";
      buffers.push_back(views.find(operand)->second.buffer);
      continue;
    }
    const Numbers &places = numbers.find(operand)->second;
    if (places.size() == 1 || isa<TensorMapType>(operand.getType())) {
      parameters.push_back(places[0]);
      continue;
    }
    if (getParameterBytes(operand.getType()) == 16) {
      // The kernel reads two places in a row.
      Number real = code.compute(Opcode::Move, places[0]);
      (void)code.compute(Opcode::Move, places[1]);
      parameters.push_back(real);
      continue;
    }
    unsigned bits = 4 * getParameterBytes(operand.getType());
    Number high = code.compute(Opcode::ShLI, {places[1], code.constant(bits)});
    parameters.push_back(code.compute(Opcode::OrI, {places[0], high}));
  }
  SmallVector<uint32_t> words = {*kernel, tables.getText(getLaunchName(op))};
  for (Value size :
       {op.getGridSizeX(), op.getGridSizeY(), op.getGridSizeZ(),
        op.getBlockSizeX(), op.getBlockSizeY(), op.getBlockSizeZ()})
    words.push_back(numberOf(size));
  words.push_back(op.getDynamicSharedMemorySize()
                      ? numberOf(op.getDynamicSharedMemorySize())
                      : code.constant(0));
  appendList(words, parameters);
  appendList(words, buffers);
  code.emit(Opcode::Launch, words);
  return success();
}

//===- Buffers.cpp - Ops on buffers to instructions -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "nm/Support/BufferNames.h"
#include "nm/Support/Locations.h"
#include "nm/Support/NumberOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace nm;
using program::Opcode;

Number FunctionEmitter::getNumber(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return code.constant(cast<IntegerAttr>(attribute).getInt());
  return numberOf(cast<Value>(value));
}

Number FunctionEmitter::getStride(const BufferView &view, size_t dim) {
  if (!view.strides.empty())
    return view.strides[dim];
  int64_t known = 1;
  std::optional<Number> stride;
  for (Number size : llvm::reverse(ArrayRef(view.sizes).drop_front(dim + 1))) {
    if (std::optional<int64_t> constant = code.getConstant(size))
      known *= *constant;
    else
      stride = stride ? code.compute(Opcode::MulI, {*stride, size}) : size;
  }
  if (!stride)
    return code.constant(known);
  return known == 1
             ? *stride
             : code.compute(Opcode::MulI, {*stride, code.constant(known)});
}

Number FunctionEmitter::toBytes(Number place, Type element) {
  int64_t bytes = *getElementBytes(element);
  if (std::optional<int64_t> constant = code.getConstant(place))
    return code.constant(*constant * bytes);
  return bytes == 1 ? place
                    : code.compute(Opcode::MulI, {place, code.constant(bytes)});
}

Number FunctionEmitter::computeBytes(MemRefType type, const BufferView &view) {
  uint64_t known = *getElementBytes(type.getElementType());
  bool overflows = false;
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      overflows |= __builtin_mul_overflow(known, uint64_t(size), &known);
  Number bytes = code.constant(overflows ? -1 : int64_t(known));
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(size))
      bytes = code.compute(Opcode::MulBytes, {bytes, view.sizes[dim]});
  return bytes;
}

LogicalResult FunctionEmitter::emitAlloc(memref::AllocOp op) {
  MemRefType type = op.getType();
  if (!type.getLayout().isIdentity())
    return op.emitOpError("unsupported: allocation with a layout; expected "
                          "row-major");
  BufferView view;
  view.buffer = code.addBuffer();
  view.offset = code.constant(0);
  for (OpFoldResult size : op.getMixedSizes())
    view.sizes.push_back(getNumber(size));
  code.emit(Opcode::Allocate, {view.buffer, computeBytes(type, view),
                               tables.getText(describeBuffer(op))});
  views[op] = std::move(view);
  return success();
}

/// A size or an index that host code needs: a copy to the host, which waits for
/// the kernels that make it. An index is checked, as it would be on the CPU.
LogicalResult FunctionEmitter::emitLoad(memref::LoadOp op) {
  MemRefType type = op.getMemRefType();
  const BufferView view = views.find(op.getMemref())->second;
  Number place = view.offset;
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    Number position = numberOf(index);
    // A negative index is a large one.
    emitAssert(code.compute(Opcode::CmpULT, {position, view.sizes[axis]}),
               addPlace(llvm::formatv("the index of an element that the host "
                                      "reads leaves dimension {0} of {1}",
                                      axis, type)
                            .str(),
                        op.getLoc()));
    Number step = code.compute(Opcode::MulI, {position, getStride(view, axis)});
    place = code.compute(Opcode::AddI, {place, step});
  }
  Type element = type.getElementType();
  Number first = toBytes(place, element);
  auto load = [&](Number byte, uint32_t bytes) {
    return code.compute(Opcode::Load, {view.buffer, byte, bytes});
  };
  uint32_t bytes = *getElementBytes(element);
  if (!isa<ComplexType>(element)) {
    setNumber(op, load(first, bytes));
    return success();
  }
  Number second = code.compute(Opcode::AddI, {first, code.constant(bytes / 2)});
  numbers[op] = {load(first, bytes / 2), load(second, bytes / 2)};
  return success();
}

LogicalResult FunctionEmitter::emitGlobal(memref::GetGlobalOp op) {
  FailureOr<uint32_t> constant = tables.getConstant(op);
  if (failed(constant))
    return failure();
  define(
      op, [&] { return code.addNumber(); },
      [&] {
        Buffer buffer = code.addBuffer();
        code.emit(Opcode::Constant, {buffer, *constant});
        return buffer;
      });
  return success();
}

void FunctionEmitter::emitView(memref::ViewOp op) {
  BufferView view;
  view.buffer = code.addBuffer();
  view.offset = code.constant(0);
  ValueRange dynamicSizes = op.getSizes();
  for (int64_t size : op.getType().getShape()) {
    if (!ShapedType::isDynamic(size)) {
      view.sizes.push_back(code.constant(size));
      continue;
    }
    view.sizes.push_back(numberOf(dynamicSizes.front()));
    dynamicSizes = dynamicSizes.drop_front();
  }
  code.emit(Opcode::Slice,
            {view.buffer, views.find(op.getSource())->second.buffer,
             numberOf(op.getByteShift()), computeBytes(op.getType(), view)});
  views[op] = std::move(view);
}

void FunctionEmitter::emitMetadata(memref::ExtractStridedMetadataOp op) {
  const BufferView view = views.find(op.getSource())->second;
  views[op.getBaseBuffer()] = {view.buffer, code.constant(0), {}, {}};
  setNumber(op.getOffset(), view.offset);
  for (auto [size, number] : llvm::zip_equal(op.getSizes(), view.sizes))
    setNumber(size, number);
  for (auto [dim, stride] : llvm::enumerate(op.getStrides()))
    if (!stride.use_empty())
      setNumber(stride, getStride(view, dim));
}

LogicalResult FunctionEmitter::emitDim(memref::DimOp op) {
  std::optional<int64_t> index = op.getConstantIndex();
  const BufferView &view = views.find(op.getSource())->second;
  if (!index || *index < 0 || *index >= int64_t(view.sizes.size()))
    return op.emitOpError("unsupported: size of a dimension that is not known");
  setNumber(op, view.sizes[*index]);
  return success();
}

std::optional<LogicalResult> FunctionEmitter::emitBufferOp(Operation *op) {
  using Result = std::optional<LogicalResult>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](memref::AllocOp alloc) { return emitAlloc(alloc); })
      .Case([&](memref::LoadOp load) { return emitLoad(load); })
      .Case([&](memref::DimOp dim) { return emitDim(dim); })
      .Case([&](memref::GetGlobalOp global) { return emitGlobal(global); })
      .Case([&](memref::DeallocOp dealloc) {
        code.emit(Opcode::Free, views.find(dealloc.getMemref())->second.buffer);
        return success();
      })
      .Case([&](memref::ViewOp view) {
        emitView(view);
        return success();
      })
      .Case([&](memref::ExtractStridedMetadataOp metadata) {
        emitMetadata(metadata);
        return success();
      })
      .Case([&](TensorMapOp map) {
        emitTensorMap(map);
        return success();
      })
      .Case([&](memref::CastOp cast) {
        BufferView view = views.find(cast.getSource())->second;
        views[cast] = std::move(view);
        return success();
      })
      .Case([&](memref::ReinterpretCastOp cast) {
        BufferView view;
        view.buffer = views.find(cast.getSource())->second.buffer;
        view.offset = getNumber(cast.getMixedOffsets()[0]);
        for (OpFoldResult size : cast.getMixedSizes())
          view.sizes.push_back(getNumber(size));
        for (OpFoldResult stride : cast.getMixedStrides())
          view.strides.push_back(getNumber(stride));
        views[cast] = std::move(view);
        return success();
      })
      .Default([](Operation *) { return std::nullopt; });
}

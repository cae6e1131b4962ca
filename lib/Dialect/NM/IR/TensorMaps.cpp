//===- TensorMaps.cpp - The op nm.tensor_map ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the driver would refuse, as far as the type says it; the rest is refused
// when the map is made.
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/TensorMaps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "nm/Dialect/NM/IR/NMOps.h"

using namespace mlir;
using namespace nm;

std::optional<TensorMapElement> nm::getTensorMapElement(Type type) {
  if (type.isInteger(8))
    return TensorMapElement::U8;
  if (type.isInteger(16))
    return TensorMapElement::U16;
  if (type.isInteger(32))
    return TensorMapElement::I32;
  if (type.isInteger(64))
    return TensorMapElement::I64;
  if (type.isF16())
    return TensorMapElement::F16;
  if (type.isBF16())
    return TensorMapElement::BF16;
  if (type.isF32())
    return TensorMapElement::F32;
  if (type.isF64())
    return TensorMapElement::F64;
  return std::nullopt;
}

Value TensorMapOp::getViewSource() { return getSource(); }

/// Checks rank, strides and memory of the source.
static LogicalResult verifySource(TensorMapOp op, MemRefType type,
                                  ArrayRef<int64_t> strides) {
  if (type.getRank() < 2 || type.getRank() > kMostTensorMapDimensions ||
      strides.back() != 1 || type.getMemorySpace())
    return op.emitOpError()
           << "expected a source in global memory of rank 2 to "
           << kMostTensorMapDimensions << " whose innermost stride is 1, got "
           << type;
  return success();
}

/// Checks the strides of all dimensions but the innermost, as far as they are
/// known.
static LogicalResult verifyStrides(TensorMapOp op, ArrayRef<int64_t> strides,
                                   int64_t elementBytes) {
  // The first that does not fit into the 40 bits of a map.
  constexpr int64_t kTooLong = int64_t(1) << 40;
  for (int64_t stride : strides.drop_back())
    if (!ShapedType::isDynamic(stride) &&
        (stride < 1 || stride >= kTooLong / elementBytes ||
         stride * elementBytes % kTensorMapUnit != 0))
      return op.emitOpError()
             << "expected strides, the innermost aside, of a multiple of "
             << kTensorMapUnit << " bytes below 2^40, got " << stride
             << " elements of " << elementBytes << " bytes";
  return success();
}

/// Checks what a copy moves.
static LogicalResult verifyBox(TensorMapOp op, MemRefType type) {
  ArrayRef<int64_t> box = op.getBox();
  if (int64_t(box.size()) != type.getRank() ||
      !llvm::all_of(box, [](int64_t extent) {
        return extent >= 1 && extent <= kMostTensorMapBox;
      }))
    return op.emitOpError()
           << "expected a box of " << type.getRank() << " extents from 1 to "
           << kMostTensorMapBox << ", got [" << box << "]";
  return success();
}

/// Checks the rows of a box, of `bytes` bytes, and how they are swizzled.
static LogicalResult verifyRows(TensorMapOp op, int64_t bytes) {
  int64_t swizzle = op.getSwizzle();
  // tensor_map_c5
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return op.emitOpError()
           << "expected a swizzle of 0, 32, 64 or 128 bytes, got " << swizzle;
  // tensor_map_c6
  if (bytes % kTensorMapUnit != 0)
    return op.emitOpError() << "expected rows of the box of a multiple of "
                            << kTensorMapUnit << " bytes, got " << bytes;
  // tensor_map_c7
  if (swizzle != 0 && bytes > swizzle)
    return op.emitOpError()
           << "expected rows of the box of at most the " << swizzle
           << " bytes of the swizzle, got " << bytes;
  return success();
}

LogicalResult TensorMapOp::verify() {
  MemRefType type = getSource().getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  // tensor_map_c1
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      failed(verifySource(*this, type, strides)))
    return failure();
  // tensor_map_c2
  std::optional<TensorMapElement> element =
      getTensorMapElement(type.getElementType());
  if (!element)
    return emitOpError() << "expected elements of i8, i16, i32, i64, f16, "
                            "bf16, f32 or f64, got "
                         << type.getElementType();
  int64_t bytes = kTensorMapElementBytes[unsigned(*element)];
  // tensor_map_c3,
  // tensor_map_c4
  if (failed(verifyStrides(*this, strides, bytes)) ||
      failed(verifyBox(*this, type)))
    return failure();
  if (failed(verifyRows(*this, getBox().back() * bytes)))
    return failure();
  // tensor_map_c8
  if ((*this)->getParentOfType<gpu::LaunchOp>() ||
      (*this)->getParentOfType<gpu::GPUModuleOp>())
    return emitOpError("expected host code around it, got a kernel");
  return success();
}

//===- Accesses.cpp - Loads and stores of one thread ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/TileShape.h"

using namespace mlir;
using namespace nm;

Value nm::createZero(ImplicitLocOpBuilder &b, Type type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

bool nm::needsGuard(Value memref, int64_t dim, int64_t bound) {
  auto type = cast<MemRefType>(memref.getType());
  return type.isDynamicDim(dim) || type.getDimSize(dim) < bound;
}

Value nm::isInside(ImplicitLocOpBuilder &b, Value memref, Value i, Value j,
                   Guard guard) {
  Value inside;
  auto check = [&](Value index, int64_t dim) {
    Value within = isBelow(b, index, dimOf(b, memref, dim));
    inside = andIfSet(b, inside, within);
  };
  if (guard.dim0)
    check(i, 0);
  if (guard.dim1)
    check(j, 1);
  return inside;
}

Value nm::selectOrZero(ImplicitLocOpBuilder &b, Value condition, Type type,
                       function_ref<Value()> build) {
  if (!condition)
    return build();
  auto choice = scf::IfOp::create(b, type, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, build());
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, createZero(b, type));
  return choice.getResult(0);
}

bool nm::isOneAccess(Value memref, int64_t width, Guard guard) {
  return maxVectorWidth(memref) % width == 0 &&
         (!guard.dim1 || extentDivisor(memref, 1) % width == 0);
}

/// The alignment of a vector of `width` elements of `memref`, in bytes.
static llvm::MaybeAlign vectorAlignment(Value memref, int64_t width) {
  auto type = cast<MemRefType>(memref.getType());
  return llvm::Align(width * type.getElementTypeBitWidth() / 8);
}

Place nm::getMatrixPlace(ImplicitLocOpBuilder &b, Place place) {
  auto type = cast<MemRefType>(place.memref.getType());
  if (!isInPanels(type))
    return place;
  int64_t columns = type.getDimSize(2);
  Value panel = divIndex(b, place.j, columns);
  return {getPanel(b, place.memref, getAsOpFoldResult(panel)), place.i,
          remIndex(b, place.j, columns)};
}

/// As loadVector along the columns of a tile in panels, of which a vector may
/// cross two.
static Value loadFromPanels(ImplicitLocOpBuilder &b, Place place, int64_t width,
                            Guard guard) {
  auto type = cast<MemRefType>(place.memref.getType());
  if (type.getDimSize(2) % width == 0) {
    Place from = getMatrixPlace(b, place);
    return loadVector(b, from.memref, from.i, from.j, 1, width, guard);
  }
  SmallVector<Value> elements;
  for (int64_t e = 0; e < width; ++e) {
    Place from =
        getMatrixPlace(b, {place.memref, place.i, addIndex(b, place.j, e)});
    Value one = loadVector(b, from.memref, from.i, from.j, 1, 1, guard);
    elements.push_back(vector::ExtractOp::create(b, one, 0));
  }
  return vector::FromElementsOp::create(
      b, VectorType::get({width}, type.getElementType()), elements);
}

Value nm::loadVector(ImplicitLocOpBuilder &b, Value memref, Value i, Value j,
                     int dim, int64_t width, Guard guard) {
  if (isInPanels(cast<MemRefType>(memref.getType())))
    return loadFromPanels(b, {memref, i, j}, width, guard);
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto type = VectorType::get({width}, element);
  if (width > 1 && dim == 1 && isOneAccess(memref, width, guard)) {
    Value inside = isInside(b, memref, i, j, guard);
    return selectOrZero(b, inside, type, [&]() -> Value {
      return vector::LoadOp::create(b, type, memref, ValueRange{i, j},
                                    /*nontemporal=*/false,
                                    vectorAlignment(memref, width));
    });
  }
  SmallVector<Value> elements;
  for (int64_t e = 0; e < width; ++e) {
    Value ie = dim == 0 ? addIndex(b, i, e) : i;
    Value je = dim == 1 ? addIndex(b, j, e) : j;
    Value inside = isInside(b, memref, ie, je, guard);
    elements.push_back(selectOrZero(b, inside, element, [&]() -> Value {
      return memref::LoadOp::create(b, memref, ValueRange{ie, je});
    }));
  }
  return vector::FromElementsOp::create(b, type, elements);
}

void nm::executeIf(ImplicitLocOpBuilder &b, Value condition,
                   function_ref<void()> build) {
  if (!condition)
    return build();
  auto guarded = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPointToStart(guarded.thenBlock());
  build();
}

void nm::storeVector(ImplicitLocOpBuilder &b, Value vector, Value memref,
                     Value i, Value j, Guard guard) {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  if (width > 1 && isOneAccess(memref, width, guard)) {
    executeIf(b, isInside(b, memref, i, j, guard), [&] {
      vector::StoreOp::create(b, vector, memref, ValueRange{i, j},
                              /*nontemporal=*/false,
                              vectorAlignment(memref, width));
    });
    return;
  }
  for (int64_t e = 0; e < width; ++e) {
    Value je = addIndex(b, j, e);
    executeIf(b, isInside(b, memref, i, je, guard), [&] {
      Value element = vector::ExtractOp::create(b, vector, e);
      memref::StoreOp::create(b, element, memref, ValueRange{i, je});
    });
  }
}

void nm::copyAsync(ImplicitLocOpBuilder &b, Place source, Place destination,
                   int64_t width, Guard guard, Value predicate, bool cached) {
  Value inside = isInside(b, source.memref, source.i, source.j, guard);
  Value zero = indexConstant(b, 0);
  if (inside) {
    // Zero fill: nothing is read where the source ends, so the place that is
    // named there may be any; the first is one that exists.
    source.i = arith::SelectOp::create(b, inside, source.i, zero);
    source.j = arith::SelectOp::create(b, inside, source.j, zero);
  }
  Value elements;
  if (Value wanted = andIfSet(b, inside, predicate))
    elements =
        arith::SelectOp::create(b, wanted, indexConstant(b, width), zero);
  auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  auto type = cast<MemRefType>(source.memref.getType());
  bool bypassL1 = !cached && width * type.getElementTypeBitWidth() == 128;
  nvgpu::DeviceAsyncCopyOp::create(
      b, token, destination.memref, ValueRange{destination.i, destination.j},
      source.memref, ValueRange{source.i, source.j}, b.getIndexAttr(width),
      elements, bypassL1 ? b.getUnitAttr() : UnitAttr());
}

Value nm::createView(ImplicitLocOpBuilder &b, Place from, int64_t rows,
                     int64_t columns) {
  OpFoldResult one = b.getIndexAttr(1);
  return memref::SubViewOp::create(
      b, from.memref, SmallVector<OpFoldResult>{from.i, from.j},
      SmallVector<OpFoldResult>{b.getIndexAttr(rows), b.getIndexAttr(columns)},
      SmallVector<OpFoldResult>{one, one});
}

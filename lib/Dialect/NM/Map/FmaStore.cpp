//===- FmaStore.cpp - tile_store to epilogue and stores -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "FmaThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/Utils/EpilogueMath.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

namespace {
class StoreLowering {
public:
  StoreLowering(TileStoreOp op, const FmaThreadMap &map, ValueRange acc)
      : op(op), map(map), acc(acc), b(op.getLoc(), op),
        featureMajor(op.getCLayout() == Layout::FeatureMajor),
        element(
            cast<MemRefType>(op.getDestination().getType()).getElementType()),
        epilogueType(getEpilogueType(op.getValue().getType().getElementType(),
                                     bool(op.getScale()))) {
    FragmentType type = op.getValue().getType();
    Value c = op.getDestination();
    guardM = needsGuard(c, featureMajor ? 1 : 0, type.getM());
    guardN = needsGuard(c, featureMajor ? 0 : 1, type.getN());
  }

  void lower() {
    loadColumns(op.getScale(), scale);
    loadColumns(op.getBias(), bias);
    if (featureMajor)
      storeColumns();
    else
      storeRows();
  }

private:
  /// What `vector` holds for each of the thread's columns, in the epilogue's
  /// type; nothing when it is null.
  void loadColumns(Value vector, SmallVector<Value> &values) {
    if (!vector)
      return;
    for (int64_t g = 0; g < map.groupsN; ++g)
      for (int64_t e = 0; e < map.vecN; ++e)
        values.push_back(loadColumn(vector, addIndex(b, map.column(b, g), e)));
  }

  Value loadColumn(Value vector, Value column) {
    auto type = cast<MemRefType>(vector.getType());
    auto load = [&]() -> Value {
      return memref::LoadOp::create(b, vector, ValueRange{column});
    };
    Value value;
    if (!needsGuard(vector, 0, op.getValue().getType().getN())) {
      value = load();
    } else {
      Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, column,
                                           dimOf(b, vector, 0));
      auto choice = scf::IfOp::create(b, type.getElementType(), inside,
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(choice.thenBlock());
      scf::YieldOp::create(b, load());
      b.setInsertionPointToStart(choice.elseBlock());
      scf::YieldOp::create(b, createZero(b, type.getElementType()));
      value = choice.getResult(0);
    }
    return convertNumber(b, value, epilogueType);
  }

  /// Element (i, column c) of the thread up to the activation, not yet rounded.
  Value finish(int64_t i, int64_t g, int64_t e) {
    Value value = vector::ExtractOp::create(b, acc[i * map.groupsN + g], e);
    value = convertNumber(b, value, epilogueType);
    if (!scale.empty())
      value = createMul(b, value, scale[g * map.vecN + e]);
    if (!bias.empty())
      value = createAdd(b, value, bias[g * map.vecN + e]);
    return createEpilogue(b, op.getEpilogue(), value);
  }

  /// Stores `values`, neighbours in C from (i, j) on.
  void store(ArrayRef<Value> values, Value i, Value j) {
    Guard guard{featureMajor ? guardN : guardM, featureMajor ? guardM : guardN};
    int64_t width = values.size();
    Value vector = vector::FromElementsOp::create(
        b, VectorType::get({width}, epilogueType), values);
    if (op.getResidual()) {
      Value residual = loadVector(b, op.getResidual(), i, j, 1, width, guard);
      vector = createCombine(b, op.getCombine(), vector,
                             convertNumber(b, residual, epilogueType));
    }
    storeVector(b, convertNumber(b, vector, element), op.getDestination(), i, j,
                guard);
  }

  /// Token-major C: groups of columns are neighbours.
  void storeRows() {
    for (int64_t i = 0; i < map.tm; ++i)
      for (int64_t g = 0; g < map.groupsN; ++g) {
        SmallVector<Value> values;
        for (int64_t e = 0; e < map.vecN; ++e)
          values.push_back(finish(i, g, e));
        store(values, map.row(b, i), map.column(b, g));
      }
  }

  /// Feature-major C: groups of rows of m are neighbours.
  void storeColumns() {
    for (int64_t g = 0; g < map.groupsN; ++g)
      for (int64_t e = 0; e < map.vecN; ++e)
        for (int64_t i = 0; i < map.tm; i += map.vecM) {
          SmallVector<Value> values;
          for (int64_t r = 0; r < map.vecM; ++r)
            values.push_back(finish(i + r, g, e));
          store(values, addIndex(b, map.column(b, g), e), map.row(b, i));
        }
  }

  TileStoreOp op;
  const FmaThreadMap &map;
  ValueRange acc;
  ImplicitLocOpBuilder b;
  bool featureMajor, guardM, guardN;
  /// Of C, and in which the epilogue is computed.
  Type element, epilogueType;
  SmallVector<Value> scale, bias;
};
} // namespace

void nm::lowerFmaStore(TileStoreOp op, const FmaThreadMap &map,
                       ValueRange acc) {
  StoreLowering(op, map, acc).lower();
}

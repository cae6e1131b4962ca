//===- TransposeAccess.cpp - What threads move of transpositions ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/TransposedMatrices.h"

using namespace mlir;
using namespace nm;

/// Blocks of an SM for which registers should last: 32 for each of 2048
/// threads, which hide how long a tile is under way.
static constexpr int64_t kResidentBlocks = 8;
/// Elements of a word for which 32 registers last: of four a thread moves 64 of
/// a tile, and spilled.
static constexpr int64_t kMostInWord = 2;

static llvm::MaybeAlign getAlignment(Type element, int64_t width) {
  return llvm::Align(width * *getTransposedBytes(element));
}

SmallVector<Value> nm::loadWord(ImplicitLocOpBuilder &b, Value memref,
                                Value place, int64_t width, Value inside) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto type = VectorType::get({width}, element);
  auto load = [&]() -> Value {
    return vector::LoadOp::create(b, type, memref, place,
                                  /*nontemporal=*/false,
                                  getAlignment(element, width));
  };
  Value vector;
  if (!inside) {
    vector = load();
  } else {
    auto choice = scf::IfOp::create(b, type, inside, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(b, load());
    b.setInsertionPointToStart(choice.elseBlock());
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
    scf::YieldOp::create(b, zero);
    vector = choice.getResult(0);
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i < width; ++i)
    elements.push_back(vector::ExtractOp::create(b, vector, i));
  return elements;
}

void nm::storeWord(ImplicitLocOpBuilder &b, ArrayRef<Value> elements,
                   Value memref, Value place, Value inside) {
  OpBuilder::InsertionGuard guard(b);
  if (inside) {
    auto some = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
    b.setInsertionPointToStart(some.thenBlock());
  }
  Type element = elements.front().getType();
  int64_t width = elements.size();
  Value vector = vector::FromElementsOp::create(
      b, VectorType::get({width}, element), elements);
  vector::StoreOp::create(b, vector, memref, place, /*nontemporal=*/false,
                          getAlignment(element, width));
}

void nm::forWidth(ImplicitLocOpBuilder &b, const Side &side, int64_t inWord,
                  llvm::function_ref<void(int64_t)> build) {
  if (!side.areWordsInCall)
    return build(side.areWords ? inWord : 1);
  auto choice =
      scf::IfOp::create(b, side.areWordsInCall, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  build(inWord);
  b.setInsertionPointToStart(choice.elseBlock());
  build(1);
}

Value nm::countLeft(ImplicitLocOpBuilder &b, OpFoldResult size, Value first,
                    Value inTile, int64_t extent) {
  std::optional<int64_t> known = getConstantIntValue(size);
  if (known && *known % extent == 0)
    return {};
  Value all = getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
  Value left = arith::MinUIOp::create(b, arith::SubIOp::create(b, all, first),
                                      indexConstant(b, extent));
  auto narrow = [&](Value value) {
    return arith::IndexCastOp::create(b, b.getI32Type(), value);
  };
  return arith::SubIOp::create(b, narrow(left), narrow(inTile));
}

Value nm::isLeft(ImplicitLocOpBuilder &b, Value left, int64_t index) {
  if (!left)
    return {};
  Value constant = arith::ConstantIntOp::create(b, left.getType(), index);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, left, constant);
}

gpu::LaunchOp nm::createTransposeLaunch(ImplicitLocOpBuilder &b, Value blocks,
                                        int64_t threads, int64_t inWord) {
  Value one = indexConstant(b, 1);
  auto launch = gpu::LaunchOp::create(b, blocks, one, one,
                                      indexConstant(b, threads), one, one);
  if (inWord <= kMostInWord)
    launch->setAttr(kResidentAttrName, b.getI64IntegerAttr(kResidentBlocks));
  b.setInsertionPointToEnd(&launch.getBody().front());
  auto terminator = gpu::TerminatorOp::create(b);
  b.setInsertionPoint(terminator);
  return launch;
}

Value nm::countBlocks(ImplicitLocOpBuilder &b, Value blocks,
                      OpFoldResult tiles) {
  if (std::optional<int64_t> known = getConstantIntValue(tiles))
    return mulIndex(b, blocks, *known);
  return arith::MulIOp::create(b, blocks, cast<Value>(tiles));
}

std::pair<Value, Value> nm::splitTiles(ImplicitLocOpBuilder &b, Value block,
                                       OpFoldResult tiles) {
  if (std::optional<int64_t> known = getConstantIntValue(tiles))
    return {remIndex(b, block, *known), divIndex(b, block, *known)};
  return splitBlock(b, block, cast<Value>(tiles));
}

TilePlace nm::locateTile(ImplicitLocOpBuilder &b, Value block,
                         OpFoldResult rows, OpFoldResult columns,
                         int64_t extent, bool hasSeveral) {
  auto [column, rest] = splitTiles(b, block, countTiles(b, columns, extent));
  Value firstColumn = mulIndex(b, column, extent);
  if (!hasSeveral)
    return {Value(), mulIndex(b, rest, extent), firstColumn};
  auto [row, matrix] = splitTiles(b, rest, countTiles(b, rows, extent));
  return {matrix, mulIndex(b, row, extent), firstColumn};
}

Value nm::countSquareTiles(ImplicitLocOpBuilder &b, OpFoldResult matrices,
                           OpFoldResult rows, OpFoldResult columns,
                           int64_t extent) {
  Value tiles = getValueOrCreateConstantIndexOp(b, b.getLoc(), matrices);
  for (OpFoldResult size : {rows, columns})
    tiles = countBlocks(b, tiles, countTiles(b, size, extent));
  return tiles;
}

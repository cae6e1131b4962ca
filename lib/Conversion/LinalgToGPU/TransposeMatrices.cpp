//===- TransposeMatrices.cpp - What a transposition moves -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeMatrices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/Extents.h"
#include "nm/Support/TransposedMatrices.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Bytes of a word: a warp's words are a line of memory.
static constexpr int64_t kWordBytes = 4;

int64_t nm::getElementsOfWord(int64_t bytes) {
  return std::max<int64_t>(1, kWordBytes / bytes);
}

OpFoldResult nm::countTiles(ImplicitLocOpBuilder &b, OpFoldResult size,
                            int64_t extent) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return b.getIndexAttr(llvm::divideCeil(*known, extent));
  return arith::CeilDivUIOp::create(b, cast<Value>(size),
                                    indexConstant(b, extent))
      .getResult();
}

bool nm::isRowMajor(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.getLayout().isIdentity();
}

static bool isDynamicDim(Value buffer, int64_t dim) {
  return cast<MemRefType>(buffer.getType()).isDynamicDim(dim);
}

/// `buffer`, which is row-major, with each of `groups` of its dimensions as
/// one. Dimensions of one element that are in none of them belong to the group
/// before, and the first ones to the first.
static Value collapse(ImplicitLocOpBuilder &b, Value buffer,
                      ArrayRef<SmallVector<int64_t>> groups) {
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  SmallVector<ReassociationIndices> all;
  for (ArrayRef<int64_t> group : groups)
    if (!group.empty())
      all.emplace_back(group);
  for (auto [i, group] : llvm::enumerate(all)) {
    int64_t begin = i == 0 ? 0 : group.front();
    int64_t end = i + 1 < all.size() ? all[i + 1].front() : rank;
    group = llvm::to_vector<2>(llvm::seq(begin, end));
  }
  if (int64_t(all.size()) == rank)
    return buffer;
  return memref::CollapseShapeOp::create(b, buffer, all);
}

SmallVector<int64_t> nm::toTarget(ArrayRef<int64_t> dims,
                                  ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> places;
  for (int64_t dim : dims)
    places.push_back(llvm::find(permutation, dim) - permutation.begin());
  return places;
}

Side nm::getSide(ImplicitLocOpBuilder &b, Value buffer,
                 ArrayRef<SmallVector<int64_t>> groups, int64_t inWord) {
  int64_t divisor = 1;
  for (int64_t dim : groups.back())
    if (llvm::MulOverflow(divisor, extentDivisor(buffer, dim), divisor))
      divisor = inWord;
  Side side = {collapse(b, buffer, groups), divisor % inWord == 0, Value()};
  int64_t last = cast<MemRefType>(side.memref.getType()).getRank() - 1;
  if (side.areWords || !isDynamicDim(side.memref, last))
    return side;
  Value rest = remIndex(b, dimOf(b, side.memref, last), inWord);
  side.areWordsInCall = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest,
                                              indexConstant(b, 0));
  return side;
}

/// What `op`, of row-major arrays, transposes, if tiles are of use to it and
/// cover it. A grid of tiles of unknown extents passes 2^31 blocks where no
/// memory has them.
static std::optional<Matrices> getRowMajorMatrices(ImplicitLocOpBuilder &b,
                                                   linalg::TransposeOp op,
                                                   int64_t inWord) {
  auto shape = cast<MemRefType>(op.getInput().getType()).getShape();
  ArrayRef<int64_t> permutation = op.getPermutation();
  auto of = getTransposedDims(shape, permutation);
  if (!of)
    return std::nullopt;
  // Of narrow matrices a tile would be empty for the most part.
  auto multiply = [&](ArrayRef<int64_t> dims) {
    return getProduct(llvm::to_vector<4>(
        llvm::map_range(dims, [&](int64_t dim) { return shape[dim]; })));
  };
  auto matrices = multiply(of->matrices), rows = multiply(of->rows),
       columns = multiply(of->columns);
  auto isNarrow = [](std::optional<int64_t> extent) {
    return extent && *extent < kTransposeLanes;
  };
  if (matrices == 0 || isNarrow(rows) || isNarrow(columns))
    return std::nullopt;
  // Of a grid, along x.
  auto countTiles = [&](int64_t size) {
    return int64_t(llvm::divideCeil(size, kTransposeLanes * inWord));
  };
  bool isKnown = matrices && rows && columns;
  if ((!isKnown && !ShapedType::isDynamicShape(shape)) ||
      (isKnown &&
       !getProduct({*matrices, countTiles(*rows), countTiles(*columns)},
                   INT32_MAX)))
    return std::nullopt;
  Side source =
      getSide(b, op.getInput(), {of->matrices, of->rows, of->columns}, inWord);
  Side target = getSide(b, op.getInit(),
                        {toTarget(of->matrices, permutation),
                         toTarget(of->columns, permutation),
                         toTarget(of->rows, permutation)},
                        inWord);
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, op.getLoc(), source.memref);
  if (of->matrices.empty())
    sizes.insert(sizes.begin(), b.getIndexAttr(1));
  return Matrices(source, target, sizes, inWord);
}

/// What `op` transposes, if it is a matrix whose rows have no gaps between
/// their elements: of any number of rows, or of columns. A grid of them passes
/// 2^31 blocks where no memory has them.
static std::optional<Matrices>
getMatrix(ImplicitLocOpBuilder &b, linalg::TransposeOp op, int64_t inWord) {
  Value source = op.getInput(), target = op.getInit();
  auto isNarrow = [](int64_t extent) {
    return !ShapedType::isDynamic(extent) && extent < kTransposeLanes;
  };
  for (Value matrix : {source, target}) {
    auto type = dyn_cast<MemRefType>(matrix.getType());
    if (!type || type.getRank() != 2 || !type.isStrided() ||
        type.getStridesAndOffset().first.back() != 1 ||
        llvm::any_of(type.getShape(), isNarrow))
      return std::nullopt;
  }
  if (op.getPermutation()[0] != 1)
    return std::nullopt;
  auto movesWords = [&](Value matrix) {
    return maxVectorWidth(matrix) % inWord == 0 &&
           paddedDivisor(matrix, 1) % inWord == 0;
  };
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, op.getLoc(), source);
  sizes.insert(sizes.begin(), b.getIndexAttr(1));
  return Matrices({source, movesWords(source), Value()},
                  {target, movesWords(target), Value()}, sizes, inWord);
}

std::optional<Matrices> nm::getMatrices(ImplicitLocOpBuilder &b,
                                        linalg::TransposeOp op) {
  auto type = cast<ShapedType>(op.getInput().getType());
  std::optional<int64_t> bytes = getTransposedBytes(type.getElementType());
  if (!bytes)
    return std::nullopt;
  int64_t inWord = getElementsOfWord(*bytes);
  return isRowMajor(op.getInput()) && isRowMajor(op.getInit())
             ? getRowMajorMatrices(b, op, inWord)
             : getMatrix(b, op, inWord);
}

//===- PermuteConstant.cpp - Transposed constants -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The evaluator of constants takes every element for a number of its own, which
// is slow, and eight bytes; the weights of a model are mostly transposed, and
// large.
//
//===----------------------------------------------------------------------===//

#include "PermuteConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/RawElements.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace nm;

/// Dimensions of a square of elements that fits the cache.
static constexpr int64_t kTile = 64;

/// For each dimension of the result of `op` that of its only input, if the op
/// does nothing but that.
static std::optional<SmallVector<int64_t>> getPermutation(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInputs() != 1 ||
      linalgOp.getNumDpsInits() != 1 || op->getNumResults() != 1)
    return std::nullopt;
  Block *body = linalgOp.getBlock();
  bool isCopy = llvm::hasSingleElement(*body) &&
                body->getTerminator()->getOperand(0) == body->getArgument(0);
  AffineMap from = linalgOp.getIndexingMapsArray()[0];
  AffineMap to = linalgOp.getIndexingMapsArray()[1];
  if (!isCopy || !from.isPermutation() || !to.isPermutation())
    return std::nullopt;
  SmallVector<int64_t> permutation;
  for (AffineExpr loop : to.getResults())
    permutation.push_back(*from.getResultPosition(loop));
  return permutation;
}

/// Moves a [rows, columns] array with steps of `rowStride` and `columnStride`
/// bytes to row-major order, square by square.
template <size_t Bytes>
static void moveMatrix(const char *from, int64_t rowStride,
                       int64_t columnStride, int64_t rows, int64_t columns,
                       char *to) {
  for (int64_t firstRow = 0; firstRow < rows; firstRow += kTile)
    for (int64_t first = 0; first < columns; first += kTile)
      for (int64_t i = firstRow; i < std::min(firstRow + kTile, rows); ++i)
        for (int64_t j = first; j < std::min(first + kTile, columns); ++j)
          std::memcpy(to + (i * columns + j) * Bytes,
                      from + i * rowStride + j * columnStride, Bytes);
}

static void moveMatrix(size_t bytes, const char *from, int64_t rowStride,
                       int64_t columnStride, int64_t rows, int64_t columns,
                       char *to) {
  auto move = [&](auto size) {
    moveMatrix<decltype(size)::value>(from, rowStride, columnStride, rows,
                                      columns, to);
  };
  switch (bytes) {
  case 1:
    return move(std::integral_constant<size_t, 1>());
  case 2:
    return move(std::integral_constant<size_t, 2>());
  case 4:
    return move(std::integral_constant<size_t, 4>());
  case 8:
    return move(std::integral_constant<size_t, 8>());
  default:
    return move(std::integral_constant<size_t, 16>());
  }
}

/// The elements of `source` with dimension `permutation[i]` as dimension i.
static std::vector<char> permute(const RawElements &source,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> permutation) {
  int64_t bytes = source.getElementBytes(), rank = shape.size();
  SmallVector<int64_t> strides(rank, bytes);
  for (int64_t i = rank - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  std::vector<char> result(source.getData().size());
  // The last two dimensions of the result are a matrix, of which there are
  // as many as the others say.
  int64_t rows = shape[permutation[rank - 2]];
  int64_t columns = shape[permutation[rank - 1]];
  SmallVector<int64_t> index(rank, 0);
  int64_t matrixBytes = rows * columns * bytes;
  for (size_t place = 0; place < result.size(); place += matrixBytes) {
    int64_t offset = 0;
    for (int64_t i = 0; i < rank - 2; ++i)
      offset += index[i] * strides[permutation[i]];
    moveMatrix(bytes, source.getData().data() + offset,
               strides[permutation[rank - 2]], strides[permutation[rank - 1]],
               rows, columns, result.data() + place);
    for (int64_t i = rank - 3; i >= 0; --i) {
      if (++index[i] < shape[permutation[i]])
        break;
      index[i] = 0;
    }
  }
  return result;
}

ElementsAttr nm::permuteConstant(Operation *op) {
  auto permutation = getPermutation(op);
  auto constant = permutation
                      ? op->getOperand(0).getDefiningOp<arith::ConstantOp>()
                      : nullptr;
  auto elements =
      constant ? dyn_cast<ElementsAttr>(constant.getValue()) : nullptr;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!elements || !type || type.getRank() < 2)
    return nullptr;
  auto raw = RawElements::get(elements, ignoreReason);
  bool isOfBytes = succeeded(raw) && !type.getElementType().isInteger(1) &&
                   llvm::isPowerOf2_64(raw->getElementBytes()) &&
                   raw->getElementBytes() <= 16;
  if (!isOfBytes || raw->isSplat() || raw->getData().empty())
    return nullptr;
  return makeElements(
      type, permute(*raw, elements.getShapedType().getShape(), *permutation),
      getElementsName(elements, "nm_folded"));
}

//===- WeightPieces.cpp - Tensors put together of others ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightPieces.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "nm/Dialect/NM/Utils/StridedView.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace nm;

/// Pieces beyond which nothing is put together; hostile modules have chains
/// without end.
static constexpr size_t maxPieces = 256;

static bool isStatic(ArrayRef<int64_t> values) {
  return llvm::all_of(values, ShapedType::isStatic);
}

/// The inputs of `concat`, one behind the other.
static std::optional<SmallVector<Piece>> getPieces(tensor::ConcatOp concat) {
  SmallVector<Piece> pieces;
  int64_t next = 0, dim = concat.getDim();
  for (Value input : concat.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    if (!type.hasStaticShape() || pieces.size() == maxPieces)
      return std::nullopt;
    Piece &piece = pieces.emplace_back();
    piece.value = input;
    piece.offsets.assign(type.getRank(), 0);
    piece.offsets[dim] = next;
    piece.sizes.assign(type.getShape().begin(), type.getShape().end());
    piece.strides.assign(type.getRank(), 1);
    if (llvm::AddOverflow(next, type.getDimSize(dim), next))
      return std::nullopt;
  }
  return pieces;
}

std::optional<SmallVector<Piece>> nm::getPieces(Value value) {
  if (auto concat = value.getDefiningOp<tensor::ConcatOp>())
    return ::getPieces(concat);
  SmallVector<Piece> pieces;
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!isStatic(insert.getStaticOffsets()) ||
        !isStatic(insert.getStaticSizes()) ||
        !isStatic(insert.getStaticStrides()) || pieces.size() == maxPieces)
      return std::nullopt;
    pieces.push_back({insert.getSource(),
                      SmallVector<int64_t>(insert.getStaticOffsets()),
                      SmallVector<int64_t>(insert.getStaticSizes()),
                      SmallVector<int64_t>(insert.getStaticStrides())});
    value = insert.getDest();
  }
  auto type = cast<RankedTensorType>(value.getType());
  if (pieces.empty() || !type.hasStaticShape())
    return std::nullopt;
  // What the slices are written into is below all of them.
  pieces.push_back({value, SmallVector<int64_t>(type.getRank(), 0),
                    SmallVector<int64_t>(type.getShape()),
                    SmallVector<int64_t>(type.getRank(), 1)});
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

/// The last index of a dimension, less one offset: nothing if it overflows.
static std::optional<int64_t> getExtent(int64_t size, int64_t stride) {
  int64_t extent;
  if (size < 1 || stride < 1 || llvm::MulOverflow(size - 1, stride, extent))
    return std::nullopt;
  return extent;
}

std::optional<Piece> nm::findPiece(Value value, ArrayRef<int64_t> offsets,
                                   ArrayRef<int64_t> sizes,
                                   ArrayRef<int64_t> strides) {
  std::optional<SmallVector<Piece>> pieces = getPieces(value);
  if (!pieces || !isStatic(offsets) || !isStatic(sizes) || !isStatic(strides))
    return std::nullopt;
  // What was written last is on top.
  for (const Piece &piece : llvm::reverse(*pieces)) {
    bool isInside = true, isOutside = false;
    for (size_t i = 0, e = offsets.size(); i < e; ++i) {
      std::optional<int64_t> extent = getExtent(sizes[i], strides[i]),
                             length =
                                 getExtent(piece.sizes[i], piece.strides[i]);
      if (!extent || offsets[i] < 0 || *extent > StridedView::maxElements ||
          offsets[i] > StridedView::maxElements)
        return std::nullopt;
      if (!length) // an empty piece
        isOutside = true;
      else
        isOutside |= offsets[i] + *extent < piece.offsets[i] ||
                     offsets[i] > piece.offsets[i] + *length;
      isInside &= length && piece.strides[i] == 1 &&
                  offsets[i] >= piece.offsets[i] &&
                  offsets[i] + *extent <= piece.offsets[i] + *length;
    }
    auto type = cast<RankedTensorType>(piece.value.getType());
    if (isInside && type.getRank() == int64_t(offsets.size()))
      return piece;
    if (!isOutside)
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<PieceWriter> PieceWriter::create(RankedTensorType type,
                                               int64_t maxElements) {
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8 != 0 ||
      !StridedView::create(type.getShape()) ||
      type.getNumElements() > maxElements)
    return std::nullopt;
  return PieceWriter(type, element.getIntOrFloatBitWidth() / 8);
}

bool PieceWriter::write(const Piece &piece, const DenseWeight &data) {
  ArrayRef<int64_t> shape = type.getShape();
  int64_t count = 1;
  SmallVector<int64_t> strides = computeStrides(shape), steps(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    std::optional<int64_t> extent = getExtent(piece.sizes[i], piece.strides[i]);
    if (!extent || piece.offsets[i] < 0 || piece.offsets[i] >= shape[i] ||
        *extent >= shape[i] - piece.offsets[i])
      return false;
    steps[i] = piece.sizes[i] == 1 ? 0 : strides[i] * piece.strides[i];
    count *= piece.sizes[i]; // at most the extents of the type
  }
  if (count != data.getK() * data.getN())
    return false;
  int64_t offset = linearize(piece.offsets, strides);
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t row = 0; row < data.getK(); ++row)
    for (int64_t column = 0; column < data.getN(); ++column) {
      std::memcpy(bytes.data() + offset * elementBytes,
                  data.getElement(row, column), elementBytes);
      for (size_t i = shape.size(); i-- > 0;) {
        offset += steps[i];
        if (++index[i] < piece.sizes[i])
          break;
        offset -= steps[i] * piece.sizes[i];
        index[i] = 0;
      }
    }
  return true;
}

ElementsAttr PieceWriter::take() {
  auto result = DenseElementsAttr::getFromRawBuffer(type, bytes);
  bytes.clear();
  return result;
}

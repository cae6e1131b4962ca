//===- WeightReader.cpp - The elements of a weight ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/ScalarOps.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "nm/Support/Extents.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace nm;

/// Elements beyond which a weight is not computed unless its constants have as
/// many: a few bytes could stand for any amount of memory.
static constexpr int64_t maxComputed = int64_t(1) << 26;

namespace {
/// A leaf [k, n] in memory.
class LeafReader {
public:
  static FailureOr<LeafReader> get(const WeightSource::Leaf &leaf,
                                   ArrayRef<unsigned> kDims,
                                   ArrayRef<unsigned> nDims,
                                   RawElements::ErrorEmitter emitError);

  /// Reads a part of a column.
  void read(int64_t column, int64_t firstRow,
            MutableArrayRef<Scalar> out) const {
    const char *data = raw.getData().data();
    int64_t offset = columns[column], elementBytes = raw.getElementBytes();
    for (auto [i, value] : llvm::enumerate(out))
      value =
          loadScalar(type, data + (offset + rows[firstRow + i]) * elementBytes);
  }

  RawElements raw;
  Type type;
  std::vector<int64_t> rows, columns;
};
} // namespace

FailureOr<LeafReader> LeafReader::get(const WeightSource::Leaf &leaf,
                                      ArrayRef<unsigned> kDims,
                                      ArrayRef<unsigned> nDims,
                                      RawElements::ErrorEmitter emitError) {
  FailureOr<RawElements> raw = RawElements::get(leaf.elements, emitError);
  if (failed(raw))
    return failure();
  Type type = leaf.elements.getElementType();
  if (!isScalarType(type)) {
    emitError(RawElements::Error::Unsupported,
              llvm::formatv("unsupported element type {0}", type));
    return failure();
  }
  LeafReader reader{std::move(*raw), type, leaf.view.getOffsets(kDims),
                    leaf.view.getOffsets(nDims)};
  if (reader.raw.isSplat()) {
    reader.rows.assign(reader.rows.size(), 0);
    reader.columns.assign(reader.columns.size(), 0);
    return reader;
  }
  for (int64_t &column : reader.columns)
    column += leaf.view.getOffset();
  return reader;
}

std::optional<int64_t>
WeightSource::countElements(ArrayRef<unsigned> dims) const {
  SmallVector<int64_t> extents;
  for (unsigned dim : dims)
    extents.push_back(shape[dim]);
  return getProduct(extents);
}

/// Computes the nodes, an array of elements at a time.
class WeightSource::Evaluator {
public:
  Evaluator(const WeightSource &source, ArrayRef<LeafReader> leaves)
      : nodes(source.nodes), leaves(leaves),
        values(nodes.size(), std::vector<Scalar>(blockSize)) {
    for (auto [node, array] : llvm::zip_equal(nodes, values))
      if (!node.leaf && !node.op)
        array.assign(blockSize, node.literal);
  }

  /// Rows of a column that are computed at a time.
  static constexpr int64_t blockSize = 1024;

  /// The elements of a part of a column, until the next call; none where an
  /// element is undefined.
  std::optional<ArrayRef<Scalar>> run(int64_t column, int64_t firstRow,
                                      int64_t count) {
    for (auto [node, array] : llvm::zip_equal(nodes, values)) {
      MutableArrayRef<Scalar> out(array.data(), count);
      if (node.leaf)
        leaves[*node.leaf].read(column, firstRow, out);
      if (!node.op)
        continue;
      SmallVector<const Scalar *, 3> operands;
      for (unsigned operand : node.operands)
        operands.push_back(values[operand].data());
      if (!evaluateOps(node.op, operands, out))
        return std::nullopt;
    }
    return ArrayRef<Scalar>(values.back().data(), count);
  }

private:
  ArrayRef<Node> nodes;
  ArrayRef<LeafReader> leaves;
  std::vector<std::vector<Scalar>> values;
};

FailureOr<DenseWeight>
WeightSource::read(ArrayRef<unsigned> kDims, ArrayRef<unsigned> nDims,
                   RawElements::ErrorEmitter emitError) const {
  auto fail = [&](const Twine &reason) -> LogicalResult {
    emitError(RawElements::Error::Unsupported, reason);
    return failure();
  };
  std::optional<int64_t> rows = countElements(kDims),
                         columns = countElements(nDims);
  int64_t size;
  if (!rows || !columns || llvm::MulOverflow(*rows, *columns, size))
    return fail("the extents of the weight are not known");
  int64_t stored = 0;
  for (const Leaf &leaf : leaves)
    stored += isa<SplatElementsAttr>(leaf.elements)
                  ? 1
                  : leaf.elements.getNumElements();
  if (size > std::max(maxComputed, stored))
    return fail(isSplat() ? "the constant is one value, repeated"
                          : "the weight is far larger than the constants it is "
                            "made of");
  std::vector<LeafReader> readers;
  for (const Leaf &leaf : leaves) {
    FailureOr<LeafReader> reader =
        LeafReader::get(leaf, kDims, nDims, emitError);
    if (failed(reader))
      return failure();
    readers.push_back(std::move(*reader));
  }
  Type type = getElementType();
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() == 0 ||
      type.getIntOrFloatBitWidth() % 8 != 0)
    return fail("the elements of the weight are not of whole bytes");
  if (isView()) {
    LeafReader &leaf = readers.front();
    return DenseWeight(leaf.raw.getData().data(), type, std::move(leaf.rows),
                       std::move(leaf.columns));
  }
  // Column by column: rows are adjacent.
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  std::vector<char> data(size * bytes);
  char *out = data.data();
  Evaluator evaluator(*this, readers);
  for (int64_t column = 0; column < *columns; ++column) {
    for (int64_t row = 0; row < *rows; row += Evaluator::blockSize) {
      std::optional<ArrayRef<Scalar>> part = evaluator.run(
          column, row, std::min(Evaluator::blockSize, *rows - row));
      if (!part)
        return fail("an element of the weight is undefined");
      for (Scalar value : *part) {
        storeScalar(type, value, out);
        out += bytes;
      }
    }
  }
  std::vector<int64_t> rowOffsets(*rows), columnOffsets(*columns);
  for (int64_t row = 0; row < *rows; ++row)
    rowOffsets[row] = row;
  for (int64_t column = 0; column < *columns; ++column)
    columnOffsets[column] = column * *rows;
  return DenseWeight(std::move(data), type, std::move(rowOffsets),
                     std::move(columnOffsets));
}

FailureOr<DenseWeight> WeightSource::read(ArrayRef<unsigned> kDims,
                                          ArrayRef<unsigned> nDims,
                                          ReasonEmitter emitReason) const {
  return read(kDims, nDims, [&](RawElements::Error, const Twine &reason) {
    emitReason(reason);
  });
}

WeightSource::Key WeightSource::getKey(ArrayRef<unsigned> kDims,
                                       ArrayRef<unsigned> nDims) const {
  Key key = {kDims.size(), nDims.size()};
  auto add = [&](const void *pointer) {
    key.push_back(reinterpret_cast<uintptr_t>(pointer));
  };
  for (const Leaf &leaf : leaves) {
    add(leaf.elements.getAsOpaquePointer());
    key.push_back(leaf.view.getOffset());
    for (ArrayRef<unsigned> dims : {kDims, nDims})
      for (unsigned dim : dims) {
        key.push_back(leaf.view.getDim(dim).size());
        for (StridedFactor factor : leaf.view.getDim(dim))
          key.insert(key.end(),
                     {uintptr_t(factor.size), uintptr_t(factor.stride)});
      }
  }
  for (const Node &node : nodes) {
    add(node.type.getAsOpaquePointer());
    key.push_back(node.leaf ? *node.leaf + 1 : 0);
    key.push_back(node.literal.getWord());
    key.push_back(node.operands.size());
    key.insert(key.end(), node.operands.begin(), node.operands.end());
    if (!node.op)
      continue;
    add(node.op->getName().getAsOpaquePointer());
    add(node.op->getAttrDictionary().getAsOpaquePointer());
  }
  return key;
}

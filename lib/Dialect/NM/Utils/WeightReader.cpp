//===- WeightReader.cpp - The elements of a weight ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectResourceBlobManager.h"
#include "nm/Dialect/NM/Utils/ScalarOps.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"

using namespace mlir;
using namespace nm;

/// Elements beyond which a weight is not computed unless its constants have as
/// many: a few bytes could stand for any amount of memory.
static constexpr int64_t maxComputed = int64_t(1) << 26;

namespace {
/// A leaf [k, n] in memory.
class LeafReader {
public:
  static std::optional<LeafReader>
  get(const WeightSource::Leaf &leaf, ArrayRef<unsigned> kDims,
      ArrayRef<unsigned> nDims, RawElements::Error &kind, std::string &error);

  /// Reads a part of a column.
  void read(int64_t column, int64_t firstRow,
            MutableArrayRef<Scalar> out) const {
    int64_t offset = columns[column];
    for (auto [i, value] : llvm::enumerate(out))
      value =
          loadScalar(type, data + (offset + rows[firstRow + i]) * elementBytes);
  }

  const char *data;
  Type type;
  int64_t elementBytes;
  bool isSplat = false;
  /// Empty unless the bytes had to be made.
  std::vector<char> owned;
  std::vector<int64_t> rows, columns;
};
} // namespace

/// Booleans, which attributes hold as bits or as bytes, as bytes.
static std::optional<std::vector<char>> readBooleans(ElementsAttr elements) {
  if (!elements.getElementType().isInteger(1))
    return std::nullopt;
  if (auto dense = dyn_cast<DenseIntElementsAttr>(elements)) {
    auto values = dense.getValues<bool>();
    return std::vector<char>(values.begin(), values.end());
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || int64_t(blob->getData().size()) != elements.getNumElements())
    return std::nullopt;
  return std::vector<char>(blob->getData().begin(), blob->getData().end());
}

std::optional<LeafReader> LeafReader::get(const WeightSource::Leaf &leaf,
                                          ArrayRef<unsigned> kDims,
                                          ArrayRef<unsigned> nDims,
                                          RawElements::Error &kind,
                                          std::string &error) {
  LeafReader reader;
  reader.type = leaf.elements.getElementType();
  if (std::optional<std::vector<char>> bytes = readBooleans(leaf.elements)) {
    reader.owned = std::move(*bytes);
    reader.data = reader.owned.data();
    reader.elementBytes = 1;
  } else {
    std::optional<RawElements> raw =
        RawElements::get(leaf.elements, kind, error);
    if (!raw)
      return std::nullopt;
    if (!isScalarType(reader.type)) {
      kind = RawElements::Error::Unsupported;
      llvm::raw_string_ostream(error)
          << "unsupported element type " << reader.type;
      return std::nullopt;
    }
    reader.data = raw->getData().data();
    reader.elementBytes = raw->getElementBytes();
    reader.isSplat = raw->isSplat();
  }
  reader.rows = leaf.view.getOffsets(kDims);
  reader.columns = leaf.view.getOffsets(nDims);
  if (reader.isSplat) {
    reader.rows.assign(reader.rows.size(), 0);
    reader.columns.assign(reader.columns.size(), 0);
    return reader;
  }
  for (int64_t &column : reader.columns)
    column += leaf.view.getOffset();
  return reader;
}

int64_t WeightSource::countElements(ArrayRef<unsigned> dims) const {
  int64_t count = 1;
  for (unsigned dim : dims)
    if (ShapedType::isDynamic(shape[dim]) ||
        llvm::MulOverflow(count, shape[dim], count))
      return ShapedType::kDynamic;
  return count;
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

std::optional<DenseWeight> WeightSource::read(ArrayRef<unsigned> kDims,
                                              ArrayRef<unsigned> nDims,
                                              RawElements::Error &kind,
                                              std::string &error) const {
  auto fail = [&](StringRef message) {
    kind = RawElements::Error::Unsupported;
    error = message.str();
    return std::nullopt;
  };
  int64_t rows = countElements(kDims), columns = countElements(nDims), size;
  if (ShapedType::isDynamic(rows) || ShapedType::isDynamic(columns) ||
      llvm::MulOverflow(rows, columns, size))
    return fail("the extents of the weight are not known");
  std::vector<LeafReader> readers;
  int64_t stored = 0;
  for (const Leaf &leaf : leaves) {
    bool isSplat = isa<DenseElementsAttr>(leaf.elements) &&
                   cast<DenseElementsAttr>(leaf.elements).isSplat();
    stored += isSplat ? 1 : leaf.elements.getNumElements();
  }
  if (size > std::max(maxComputed, stored))
    return fail(isSplat() ? "the constant is one value, repeated"
                          : "the weight is far larger than the constants it is "
                            "made of");
  for (const Leaf &leaf : leaves) {
    std::optional<LeafReader> reader =
        LeafReader::get(leaf, kDims, nDims, kind, error);
    if (!reader)
      return std::nullopt;
    readers.push_back(std::move(*reader));
  }
  Type type = getElementType();
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() == 0 ||
      type.getIntOrFloatBitWidth() % 8 != 0)
    return fail("the elements of the weight are not of whole bytes");
  if (isView()) {
    LeafReader &leaf = readers.front();
    return DenseWeight(leaf.data, type, std::move(leaf.rows),
                       std::move(leaf.columns));
  }
  // Column by column: rows are adjacent.
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  std::vector<char> data(size * bytes);
  char *out = data.data();
  Evaluator evaluator(*this, readers);
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t row = 0; row < rows; row += Evaluator::blockSize) {
      std::optional<ArrayRef<Scalar>> part = evaluator.run(
          column, row, std::min(Evaluator::blockSize, rows - row));
      if (!part)
        return fail("an element of the weight is undefined");
      for (Scalar value : *part) {
        storeScalar(type, value, out);
        out += bytes;
      }
    }
  }
  std::vector<int64_t> rowOffsets(rows), columnOffsets(columns);
  for (int64_t row = 0; row < rows; ++row)
    rowOffsets[row] = row;
  for (int64_t column = 0; column < columns; ++column)
    columnOffsets[column] = column * rows;
  return DenseWeight(std::move(data), type, std::move(rowOffsets),
                     std::move(columnOffsets));
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

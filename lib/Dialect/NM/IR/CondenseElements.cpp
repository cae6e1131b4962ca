//===- CondenseElements.cpp - Condensing constant weights -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/CondenseElements.h"
#include "nm/Sparsity/Condensed.h"
#include "nm/Support/ElementsData.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace nm;

/// A zero of a float type has no bit set but, maybe, the sign.
template <typename Word>
static bool isNonZero(const char *element, Word ignored) {
  Word word;
  std::memcpy(&word, element, sizeof(Word));
  return (word & static_cast<Word>(~ignored)) != 0;
}

sparsity::NonZeroMask DenseWeight::getMask(bool transposed) const {
  int64_t rows = transposed ? getN() : getK();
  int64_t columns = transposed ? getK() : getN();
  auto create = [&](auto ignored) {
    return sparsity::NonZeroMask::create(
        rows, columns, [&](int64_t row, int64_t column) {
          return isNonZero(transposed ? getElement(column, row)
                                      : getElement(row, column),
                           ignored);
        });
  };
  bool isFloat = isa<FloatType>(elementType);
  switch (elementBytes) {
  case 1:
    return create(static_cast<uint8_t>(isFloat ? 0x80 : 0));
  case 2:
    return create(static_cast<uint16_t>(isFloat ? 0x8000 : 0));
  case 4:
    return create(static_cast<uint32_t>(isFloat ? 0x80000000 : 0));
  default:
    return create(static_cast<uint64_t>(isFloat ? uint64_t(1) << 63 : 0));
  }
}

/// The values [w, n]: the rows of each kept unit, and zeros beyond k.
static std::vector<char> gatherValues(const DenseWeight &weight,
                                      CondensedType type,
                                      ArrayRef<int32_t> indices) {
  PatternAttr pattern = type.getPattern();
  int64_t k = type.getK(), n = type.getN(), bytes = weight.getElementBytes();
  int64_t unitK = pattern.getUnitK(), unitN = pattern.getUnitN();
  int64_t unitColumns = pattern.getUnitColumns(n);
  int64_t windowRows = pattern.getWindowRows(k);
  int64_t rows = pattern.getCondensedRows(k);
  std::vector<char> values(rows * n * bytes, 0);
  char *out = values.data();
  for (int64_t row = 0; row < rows; ++row) {
    int64_t indexRow = row / unitK;
    int64_t firstRow = indexRow / pattern.getKeep() * windowRows + row % unitK;
    const int32_t *index = indices.data() + indexRow * unitColumns;
    for (int64_t column = 0; column < n; ++column, out += bytes) {
      int64_t denseRow = firstRow + index[column / unitN] * unitK;
      if (denseRow < k)
        std::memcpy(out, weight.getElement(denseRow, column), bytes);
    }
  }
  return values;
}

/// `indices` in the storage type of `width` bits.
static std::vector<char> narrow(ArrayRef<int32_t> indices, unsigned width) {
  std::vector<char> data(indices.size() * width / 8);
  for (auto [i, index] : llvm::enumerate(indices))
    std::memcpy(data.data() + i * width / 8, &index, width / 8);
  return data;
}

FailureOr<CondensedElements> nm::condense(const DenseWeight &weight,
                                          const sparsity::NonZeroMask &mask,
                                          CondensedType type, StringRef name,
                                          ReasonEmitter emitReason) {
  PatternAttr pattern = type.getPattern();
  sparsity::Pattern plain{pattern.getKeep(), pattern.getWindow(),
                          pattern.getUnitK(), pattern.getUnitN()};
  // A window far beyond k would ask for memory without bound.
  int64_t rows = pattern.getCondensedRows(type.getK());
  int64_t limit = 2 * type.getK() + 65536;
  if (rows > limit)
    return failWith(emitReason,
                    "expected at most " + Twine(limit) +
                        " condensed rows for k = " + Twine(type.getK()) +
                        ", got " + Twine(rows));
  std::string error;
  std::optional<std::vector<int32_t>> indices =
      sparsity::selectIndices(mask, plain, error);
  if (!indices)
    return failWith(emitReason, error);
  CondensedElements elements;
  elements.values = makeElements(type.getValuesTensorType(),
                                 gatherValues(weight, type, *indices),
                                 name.str() + ".values");
  elements.indices =
      makeElements(type.getIndicesTensorType(),
                   narrow(*indices, type.getIndexType().getWidth()),
                   name.str() + ".indices");
  return elements;
}

/// Checks packed indices, which are i32: each is the first of the Bk rows of a
/// unit, of the step's tile or of the list of its columns.
static LogicalResult
checkPackedIndices(const RawElements &raw, CondensedType type,
                   function_ref<InFlightDiagnostic()> emitError) {
  PackingAttr packing = type.getPacking();
  int64_t unitK = type.getPattern().getUnitK();
  bool listed = packing.getColumns() != 0;
  // The last unit of all of k may be partial.
  int64_t rows =
      listed ? packing.getColumns() : llvm::alignTo(packing.getStepK(), unitK);
  int64_t count = ShapedType::getNumElements(type.getIndicesShape());
  for (int64_t i = 0; i < count; ++i) {
    auto index = static_cast<int32_t>(raw.getUnsigned(i));
    if (index < 0 || index % unitK != 0 || index + unitK > rows)
      return emitError() << "expected packed indices from 0 to " << rows - unitK
                         << ", multiples of " << unitK << " (the "
                         << (listed ? "columns" : "rows") << " of a step), got "
                         << index << " at element " << i;
  }
  return success();
}

/// The elements of `attr`, or an error that says why they cannot be read.
static FailureOr<RawElements>
readRaw(ElementsAttr attr, function_ref<InFlightDiagnostic()> emitError) {
  return RawElements::get(attr,
                          [&](const Twine &reason) { emitError() << reason; });
}

LogicalResult nm::checkIndices(ElementsAttr indices, CondensedType type,
                               function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<RawElements> raw = readRaw(indices, emitError);
  if (failed(raw))
    return failure();
  // constant_c5
  if (type.getPacking())
    return checkPackedIndices(*raw, type, emitError);
  // constant_c4
  int64_t rows = type.getIndicesShape()[0], columns = type.getIndicesShape()[1];
  int64_t units = type.getPattern().getWindowUnits(type.getK());
  int64_t keep = type.getPattern().getKeep();
  auto read = [&](int64_t row, int64_t column) {
    return raw->getUnsigned(row * columns + column);
  };
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      int64_t index = read(row, column);
      // Read as unsigned: an index is never below 0.
      if (index >= units)
        return emitError() << "expected indices below " << units
                           << " (the window), got " << index << " at row "
                           << row << ", column " << column;
      int64_t last = row % keep == 0 ? -1 : read(row - 1, column);
      if (index <= last)
        return emitError()
               << "expected ascending, unique indices in each window, got "
               << index << " after " << last << " at row " << row << ", column "
               << column;
    }
  }
  return success();
}

LogicalResult nm::checkColumns(ElementsAttr columns, CondensedType type,
                               function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<RawElements> raw = readRaw(columns, emitError);
  if (failed(raw))
    return failure();
  int64_t step = type.getPacking().getStepK();
  for (int64_t i = 0, end = columns.getNumElements(); i < end; ++i) {
    auto row = static_cast<int32_t>(raw->getUnsigned(i));
    if (row < -1 || row >= step)
      return emitError() << "expected columns from -1 (none) to " << step - 1
                         << " (the rows of a step), got " << row
                         << " at element " << i;
  }
  return success();
}

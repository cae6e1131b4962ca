//===- CondenseElements.cpp - Condensing constant weights -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/CondenseElements.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Sparsity/Condensed.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/ParallelRanges.h"
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
    sparsity::NonZeroMask mask(rows, columns);
    auto fill = [&](int64_t begin, int64_t end) {
      mask.fill(begin, end, [&](int64_t row, int64_t column) {
        return isNonZero(transposed ? getElement(column, row)
                                    : getElement(row, column),
                         ignored);
      });
    };
    // The mask is filled in tiles of 64 columns.
    parallelRanges(elementType.getContext(), llvm::divideCeil(columns, 64),
                   64 * rows, [&](int64_t begin, int64_t end) {
                     fill(64 * begin, std::min(64 * end, columns));
                   });
    return mask;
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

/// Calls `body` with an unsigned number of `bytes` bytes, for its type.
template <typename Body> static void withWord(int64_t bytes, Body body) {
  if (bytes == 1)
    return body(uint8_t());
  if (bytes == 2)
    return body(uint16_t());
  if (bytes == 4)
    return body(uint32_t());
  body(uint64_t());
}

/// One row of the values, whose elements are words: of each unit that `index`
/// names the row that is `firstRow` in the first unit of the window.
template <typename Word>
static void gatherRow(const DenseWeight &weight, PatternAttr pattern,
                      int64_t firstRow, const int32_t *index, char *out) {
  int64_t k = weight.getK(), n = weight.getN();
  int64_t unitK = pattern.getUnitK(), unitN = pattern.getUnitN();
  for (int64_t column = 0; column < n; ++index) {
    int64_t row = firstRow + *index * unitK;
    int64_t end = n - column < unitN ? n : column + unitN;
    if (row >= k)
      std::memset(out + column * sizeof(Word), 0,
                  (end - column) * sizeof(Word));
    for (; column < end && row < k; ++column)
      std::memcpy(out + column * sizeof(Word), weight.getElement(row, column),
                  sizeof(Word));
    column = end;
  }
}

/// The values [w, n]: the rows of each kept unit, and zeros beyond k.
static SmallVector<char, 0> gatherValues(const DenseWeight &weight,
                                         CondensedType type,
                                         ArrayRef<int32_t> indices) {
  PatternAttr pattern = type.getPattern();
  int64_t n = type.getN(), bytes = weight.getElementBytes();
  int64_t unitK = pattern.getUnitK(), keep = pattern.getKeep();
  int64_t unitColumns = pattern.getUnitColumns(n);
  int64_t windowRows = pattern.getWindowRows(type.getK());
  int64_t rows = pattern.getCondensedRows(type.getK());
  SmallVector<char, 0> values;
  values.resize_for_overwrite(rows * n * bytes);
  withWord(bytes, [&](auto word) {
    parallelRanges(type.getContext(), rows, n, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        int64_t indexRow = row / unitK;
        gatherRow<decltype(word)>(weight, pattern,
                                  indexRow / keep * windowRows + row % unitK,
                                  indices.data() + indexRow * unitColumns,
                                  values.data() + row * n * bytes);
      }
    });
  });
  return values;
}

/// `indices` in the storage type of `width` bits.
static SmallVector<char, 0> narrow(MLIRContext *context,
                                   ArrayRef<int32_t> indices, unsigned width) {
  SmallVector<char, 0> data;
  data.resize_for_overwrite(indices.size() * width / 8);
  withWord(width / 8, [&](auto zero) {
    using Word = decltype(zero);
    parallelRanges(context, indices.size(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Word word = static_cast<Word>(indices[i]);
        std::memcpy(data.data() + i * sizeof(Word), &word, sizeof(Word));
      }
    });
  });
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
  // A unit column runs along all rows of units.
  auto loop = [&](int64_t count,
                  const std::function<void(int64_t, int64_t)> &body) {
    parallelRanges(type.getContext(), count,
                   llvm::divideCeil(type.getK(), pattern.getUnitK()), body);
  };
  std::optional<std::vector<int32_t>> indices =
      sparsity::selectIndices(mask, plain, error, loop);
  if (!indices)
    return failWith(emitReason, error);
  CondensedElements elements;
  elements.values = makeElements(type.getValuesTensorType(),
                                 gatherValues(weight, type, *indices),
                                 name.str() + ".values");
  elements.indices = makeElements(
      type.getIndicesTensorType(),
      narrow(type.getContext(), *indices, type.getIndexType().getWidth()),
      name.str() + ".indices");
  return elements;
}

/// How many of `count` elements are to be looked at: of one value that is
/// repeated, `different`. There may be billions, of a few bytes of text.
static int64_t limitToSplat(const RawElements &raw, int64_t count,
                            int64_t different = 1) {
  return raw.isSplat() ? std::min(count, different) : count;
}

/// Checks packed positions in the window, or in several.
static LogicalResult
checkPositions(const RawElements &raw, CondensedType type,
               function_ref<InFlightDiagnostic()> emitError) {
  int64_t units = type.getPacking()
                      .joinWindows(type.getPattern())
                      .getWindowUnits(type.getK());
  int64_t count =
      limitToSplat(raw, ShapedType::getNumElements(type.getIndicesShape()));
  int64_t wrong = findFirst(type.getContext(), count, 1, [&](int64_t i) {
    return int64_t(raw.getUnsigned(i)) >= units;
  });
  if (wrong == count)
    return success();
  return emitError() << "expected packed positions below " << units
                     << (type.getPacking().getPositionRows() == 0
                             ? " (the window), got "
                             : " (position_rows), got ")
                     << raw.getUnsigned(wrong) << " at element " << wrong;
}

/// Checks packed masks: each window keeps as many units as the pattern says.
static LogicalResult checkMasks(const RawElements &raw, CondensedType type,
                                function_ref<InFlightDiagnostic()> emitError) {
  PatternAttr pattern = type.getPattern();
  int64_t units = pattern.getWindowUnits(type.getK()), keep = pattern.getKeep();
  int64_t bits = type.getIndexType().getWidth();
  int64_t count =
      limitToSplat(raw, ShapedType::getNumElements(type.getIndicesShape()));
  auto read = [&](int64_t i) {
    return static_cast<uint64_t>(raw.getUnsigned(i)) << (64 - bits);
  };
  // The first unit has the highest bit; what is left behind the windows is 0.
  auto isWrong = [&](int64_t i) {
    uint64_t mask = read(i);
    for (int64_t window = 0; window * keep < pattern.getMaskUnits(); ++window) {
      if (llvm::popcount(mask >> (64 - units)) != keep)
        return true;
      mask = units == 64 ? 0 : mask << units;
    }
    return mask != 0;
  };
  int64_t wrong = findFirst(type.getContext(), count, 1, isWrong);
  if (wrong == count)
    return success();
  return emitError() << "expected packed masks of windows that keep " << keep
                     << " of " << units << " units, got "
                     << raw.getUnsigned(wrong) << " at element " << wrong;
}

/// Checks packed positions in the window, of as many bits as those need.
static LogicalResult checkBits(const RawElements &raw, CondensedType type,
                               function_ref<InFlightDiagnostic()> emitError) {
  layout::Geometry g = getGeometry(type);
  int64_t bits = g.getPositionBits(), words = g.getStepWords();
  if (int64_t(1) << bits == g.windowUnits)
    return success();
  int64_t runs = g.blocks * g.unitColumns;
  auto read = [&](int64_t i) {
    int64_t run = i / g.unitRows % runs, step = i / g.unitRows / runs;
    int64_t first = i % g.unitRows * bits, word = first / 32;
    auto readWord = [&](int64_t word) {
      return uint64_t(
          uint32_t(raw.getUnsigned(g.getWordPlace(run, step, word))));
    };
    uint64_t both = readWord(word);
    if (word + 1 < words)
      both |= readWord(word + 1) << 32;
    return int64_t(both >> first % 32 & ((uint64_t(1) << bits) - 1));
  };
  int64_t count =
      limitToSplat(raw, g.getTiles() * g.getTileIndices(), g.unitRows);
  int64_t wrong = findFirst(type.getContext(), count, 1, [&](int64_t i) {
    return read(i) >= g.windowUnits;
  });
  if (wrong == count)
    return success();
  return emitError() << "expected packed positions below " << g.windowUnits
                     << " (the window), got " << read(wrong) << " at unit "
                     << wrong % g.unitRows << " of step "
                     << wrong / g.unitRows / runs << " and unit column "
                     << wrong / g.unitRows % runs;
}

/// Checks packed indices that are rows, which are i32: each is the first of the
/// Bk rows of a unit, of the step's tile or of the list of its columns.
static LogicalResult
checkPackedRows(const RawElements &raw, CondensedType type,
                function_ref<InFlightDiagnostic()> emitError) {
  PackingAttr packing = type.getPacking();
  int64_t unitK = type.getPattern().getUnitK();
  bool listed = packing.getColumns() != 0;
  // The last unit of all of k may be partial.
  int64_t rows =
      listed ? packing.getColumns() : llvm::alignTo(packing.getStepK(), unitK);
  int64_t count =
      limitToSplat(raw, ShapedType::getNumElements(type.getIndicesShape()));
  auto read = [&](int64_t i) {
    return static_cast<int32_t>(raw.getUnsigned(i));
  };
  int64_t wrong = findFirst(type.getContext(), count, 1, [&](int64_t i) {
    int32_t index = read(i);
    return index < 0 || index % unitK != 0 || index + unitK > rows;
  });
  if (wrong == count)
    return success();
  return emitError() << "expected packed indices from 0 to " << rows - unitK
                     << ", multiples of " << unitK << " (the "
                     << (listed ? "columns" : "rows") << " of a step), got "
                     << read(wrong) << " at element " << wrong;
}

static LogicalResult
checkPackedIndices(const RawElements &raw, CondensedType type,
                   function_ref<InFlightDiagnostic()> emitError) {
  switch (type.getPacking().getCoding()) {
  case IndexCoding::Positions:
    return checkPositions(raw, type, emitError);
  case IndexCoding::Mask:
    return checkMasks(raw, type, emitError);
  case IndexCoding::Bits:
    return checkBits(raw, type, emitError);
  default:
    return checkPackedRows(raw, type, emitError);
  }
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
  int64_t units = type.getPattern().getWindowUnits(type.getK());
  int64_t keep = type.getPattern().getKeep();
  int64_t rows = limitToSplat(*raw, type.getIndicesShape()[0], keep);
  int64_t columns = type.getIndicesShape()[1];
  int64_t lookedAt = limitToSplat(*raw, columns);
  auto read = [&](int64_t row, int64_t column) {
    return raw->getUnsigned(row * columns + column);
  };
  /// The index above in the window; -1 in its first row.
  auto readLast = [&](int64_t row, int64_t column) {
    return row % keep == 0 ? -1 : read(row - 1, column);
  };
  // The first column of a row with a wrong index. Read as unsigned: an index is
  // never below 0.
  auto findWrong = [&](int64_t row) {
    int64_t column = 0;
    for (; column < lookedAt; ++column)
      if (int64_t index = read(row, column);
          index >= units || index <= readLast(row, column))
        break;
    return column;
  };
  int64_t row = findFirst(type.getContext(), rows, lookedAt, [&](int64_t row) {
    return findWrong(row) != lookedAt;
  });
  if (row == rows)
    return success();
  int64_t column = findWrong(row);
  int64_t index = read(row, column);
  if (index >= units)
    return emitError() << "expected indices below " << units
                       << " (the window), got " << index << " at row " << row
                       << ", column " << column;
  return emitError()
         << "expected ascending, unique indices in each window, got " << index
         << " after " << readLast(row, column) << " at row " << row
         << ", column " << column;
}

LogicalResult nm::checkColumns(ElementsAttr columns, CondensedType type,
                               function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<RawElements> raw = readRaw(columns, emitError);
  if (failed(raw))
    return failure();
  int64_t step = type.getPacking().getStepK();
  int64_t count = limitToSplat(*raw, columns.getNumElements());
  for (int64_t i = 0; i < count; ++i) {
    auto row = static_cast<int32_t>(raw->getUnsigned(i));
    if (row < -1 || row >= step)
      return emitError() << "expected columns from -1 (none) to " << step - 1
                         << " (the rows of a step), got " << row
                         << " at element " << i;
  }
  return success();
}

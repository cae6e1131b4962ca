//===- Positions.cpp - Rows of A that indices name ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Positions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include <numeric>

using namespace mlir;
using namespace nm;

bool nm::mayLeave(Value memref, int64_t dim, Value first, int64_t count) {
  auto type = cast<MemRefType>(memref.getType());
  std::optional<int64_t> last = knownUpperBound(first);
  return type.isDynamicDim(dim) || !last ||
         *last + count > type.getDimSize(dim);
}

namespace {
/// Where the index of unit `unit` of a step stands for unit column `column`.
struct IndexPlace {
  Value i, j;
};
} // namespace

static IndexPlace getIndexPlace(ImplicitLocOpBuilder &b, LoadPositionsOp op,
                                Value unit, Value column) {
  if (op.getCoding() == IndexCoding::Window)
    return {unit, column};
  int64_t together = op.getLaneRows();
  if (together == 1)
    return {column, unit};
  Value first = mulIndex(b, column, together);
  return {divIndex(b, unit, together),
          addIndex(b, first, remIndex(b, unit, together))};
}

/// How many of `count` indices from `unit` on are one access: 16 bytes at most.
static int64_t getIndexWidth(LoadPositionsOp op, Value unit, int64_t count) {
  if (op.getCoding() == IndexCoding::Window)
    return 1;
  int64_t together = op.getLaneRows();
  int64_t width = std::gcd(count, maxVectorWidth(op.getIndices()));
  width = std::gcd(width, knownDivisor(unit));
  return together == 1 ? width : std::gcd(width, together);
}

/// The indices of `count` units from `unit` on, as integers.
static SmallVector<Value> loadIndices(ImplicitLocOpBuilder &b,
                                      LoadPositionsOp op, Value unit,
                                      int64_t count, Value column) {
  Value indices = op.getIndices();
  bool isPacked = op.getCoding() != IndexCoding::Window;
  // Where rows of a column follow each other, a step has whole groups.
  bool guardUnits =
      op.getLaneRows() == 1 &&
      mayLeave(indices, isPacked ? 1 : 0, op.getFirst(), op.getType().getM());
  Guard guard{guardUnits, needsGuard(indices, 1, op.getType().getN())};
  if (isPacked)
    guard = {needsGuard(indices, 0, 1), guardUnits};
  int64_t width = guardUnits ? 1 : getIndexWidth(op, unit, count);
  SmallVector<Value> integers;
  for (int64_t u = 0; u < count; u += width) {
    auto [i, j] = getIndexPlace(b, op, addIndex(b, unit, u), column);
    Value vector = loadVector(b, indices, i, j, 1, width, guard);
    for (int64_t e = 0; e < width; ++e)
      integers.push_back(vector::ExtractOp::create(b, vector, e));
  }
  return integers;
}

/// The first row of A of unit `unit` of the step, whose index is `index`.
static Value getFirstRow(ImplicitLocOpBuilder &b, LoadPositionsOp op,
                         Value unit, Value index) {
  PatternAttr pattern = op.getPattern();
  if (op.getCoding() != IndexCoding::Rows) {
    Value row = mulIndex(b, index, pattern.getUnitK());
    std::optional<int64_t> last = knownUpperBound(unit);
    if (last && *last < pattern.getKeep())
      return row;
    // The window's first row, then the unit's place in the window.
    Value window = divIndex(b, unit, pattern.getKeep());
    int64_t windowRows =
        pattern.isWindowAll() ? 0 : pattern.getWindow() * pattern.getUnitK();
    return addIndex(b, mulIndex(b, window, windowRows), row);
  }
  if (!op.getColumns())
    return index;
  Value row = memref::LoadOp::create(b, op.getColumns(),
                                     ValueRange{indexConstant(b, 0), index});
  // An entry of -1 names no row: with any place in the unit added, too.
  return arith::IndexCastUIOp::create(b, b.getIndexType(), row);
}

/// The place of the highest bit of `bits`. PTX has an instruction for it, but
/// LLVM only for the number of bits above, which takes one more.
static Value findHighest(ImplicitLocOpBuilder &b, Value bits) {
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  return LLVM::InlineAsmOp::create(
             b, b.getI32Type(), bits,
             width == 64 ? "bfind.u64 $0, $1;" : "bfind.u32 $0, $1;",
             width == 64 ? "=r,l" : "=r,r",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None,
             LLVM::AsmDialectAttr::get(b.getContext(),
                                       LLVM::AsmDialect::AD_ATT),
             /*operand_attrs=*/ArrayAttr())
      .getResult(0);
}

/// The places of the `count` highest ones of `bits`, from the highest on.
static SmallVector<Value> listHighest(ImplicitLocOpBuilder &b, Value bits,
                                      int64_t count) {
  Type type = bits.getType();
  Value one = arith::ConstantOp::create(b, b.getIntegerAttr(type, 1));
  SmallVector<Value> places;
  for (int64_t u = 0; u < count; ++u) {
    Value place = findHighest(b, bits);
    places.push_back(arith::IndexCastUIOp::create(b, b.getIndexType(), place));
    if (u + 1 == count)
      break;
    if (type != place.getType())
      place = arith::ExtUIOp::create(b, type, place);
    bits = arith::XOrIOp::create(b, bits, arith::ShLIOp::create(b, one, place));
  }
  return places;
}

/// The rows of the `count` units of `mask`, whose highest bit is of the one at
/// `row`. Each needs the one before it, so the first half comes from the
/// highest bit on and the other from the lowest.
static SmallVector<Value> listRows(ImplicitLocOpBuilder &b, Value mask,
                                   int64_t count, Value row, int64_t unitK) {
  Type type = mask.getType();
  SmallVector<Value> rows, fromLast;
  Value last = addIndex(b, row, (type.getIntOrFloatBitWidth() - 1) * unitK);
  for (Value place : listHighest(b, mask, llvm::divideCeil(count, 2)))
    rows.push_back(arith::SubIOp::create(b, last, mulIndex(b, place, unitK)));
  Value reversed = LLVM::BitReverseOp::create(b, type, mask);
  for (Value place : listHighest(b, reversed, count / 2))
    fromLast.push_back(addIndex(b, row, mulIndex(b, place, unitK)));
  rows.append(fromLast.rbegin(), fromLast.rend());
  return rows;
}

/// As loadPositions, of masks: `unit` is the first of a word.
static SmallVector<Value> expandMasks(ImplicitLocOpBuilder &b,
                                      LoadPositionsOp op, Value unit,
                                      int64_t count, Value column) {
  PatternAttr pattern = op.getPattern();
  int64_t ofWord = pattern.getMaskUnits();
  int64_t windows = ofWord / pattern.getKeep();
  int64_t rows = windows * pattern.getWindow() * pattern.getUnitK();
  Value first = divIndex(b, unit, ofWord);
  SmallVector<Value> positions;
  for (int64_t word = 0; word < count / ofWord; ++word) {
    Value place = addIndex(b, first, word);
    Value mask =
        memref::LoadOp::create(b, op.getIndices(), ValueRange{place, column});
    Value row = mulIndex(b, place, rows);
    llvm::append_range(positions,
                       listRows(b, mask, ofWord, row, pattern.getUnitK()));
  }
  return positions;
}

/// The bits of `words` from bit `first` on, which may begin in one word and end
/// in the next.
static Value extractBits(ImplicitLocOpBuilder &b, ArrayRef<Value> words,
                         int64_t first, int64_t bits) {
  Type type = b.getI32Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  int64_t word = first / 32, shift = first % 32;
  Value value = words[word];
  if (shift + bits > 32)
    value =
        LLVM::FshrOp::create(b, type, words[word + 1], value, constant(shift));
  else if (shift != 0)
    value = arith::ShRUIOp::create(b, value, constant(shift));
  return arith::AndIOp::create(b, value, constant((int64_t(1) << bits) - 1));
}

/// As loadPositions, of bits: those of `unit` begin a word.
static SmallVector<Value> expandBits(ImplicitLocOpBuilder &b,
                                     LoadPositionsOp op, Value unit,
                                     int64_t count, Value column) {
  int64_t bits = op.getPattern().getPositionBits();
  Value first = divIndex(b, mulIndex(b, unit, bits), 32);
  SmallVector<Value> words, positions;
  for (int64_t word = 0; word * 32 < count * bits; ++word)
    words.push_back(memref::LoadOp::create(
        b, op.getIndices(), ValueRange{addIndex(b, first, word), column}));
  for (int64_t u = 0; u < count; ++u) {
    Value index = arith::IndexCastUIOp::create(
        b, b.getIndexType(), extractBits(b, words, u * bits, bits));
    positions.push_back(getFirstRow(b, op, addIndex(b, unit, u), index));
  }
  return positions;
}

SmallVector<Value> nm::loadPositions(ImplicitLocOpBuilder &b,
                                     LoadPositionsOp op, Value unit,
                                     int64_t count, Value column) {
  if (op.getCoding() == IndexCoding::Mask)
    return expandMasks(b, op, unit, count, column);
  if (op.getCoding() == IndexCoding::Bits)
    return expandBits(b, op, unit, count, column);
  SmallVector<Value> positions;
  for (auto [u, integer] :
       llvm::enumerate(loadIndices(b, op, unit, count, column))) {
    Value index = arith::IndexCastUIOp::create(b, b.getIndexType(), integer);
    positions.push_back(getFirstRow(b, op, addIndex(b, unit, u), index));
  }
  return positions;
}

Guard nm::getGuardOfValues(LoadValuesOp op, int64_t count) {
  Value values = op.getValues();
  auto type = cast<MemRefType>(values.getType());
  bool rows = mayLeave(values, getRowDim(type), op.getFirst(), count);
  return {rows,
          !isInPanels(type) && needsGuard(values, 1, op.getType().getN())};
}

bool nm::needsGuardOfK(LoadRowsOp op, PatternAttr pattern) {
  auto type = cast<MemRefType>(op.getA().getType());
  int64_t kDim = op.getALayout() == Layout::FeatureMajor ? getRowDim(type) : 1;
  if (op.getListed() || type.isDynamicDim(kDim))
    return true;
  if (isWorkgroup(op.getA()))
    return false;
  int64_t window =
      pattern.getUnitK() * (pattern.isWindowAll() ? 1 : pattern.getWindow());
  return type.getDimSize(kDim) % window != 0;
}

Value nm::loadAlongM(ImplicitLocOpBuilder &b, LoadRowsOp op,
                     PatternAttr pattern, Value row, Value m, int64_t width) {
  bool featureMajor = op.getALayout() == Layout::FeatureMajor;
  int mDim = featureMajor ? 1 : 0;
  bool guardK = needsGuardOfK(op, pattern);
  bool guardM = needsGuard(op.getA(), mDim, op.getType().getM());
  Guard guard{featureMajor ? guardK : guardM, featureMajor ? guardM : guardK};
  return loadVector(b, op.getA(), featureMajor ? row : m,
                    featureMajor ? m : row, mDim, width, guard);
}

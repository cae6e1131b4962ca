//===- NMAttributes.cpp - Attributes of the nm dialect
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyExtents.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

#include "nm/Dialect/NM/IR/NMAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "nm/Dialect/NM/IR/NMAttributes.cpp.inc"

void NMDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nm/Dialect/NM/IR/NMAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// #nm.target
//===----------------------------------------------------------------------===//

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef chip) {
  // target_c1
  if (!lookupTarget(chip))
    return emitError() << describeUnknownChip(chip);
  return success();
}

const TargetInfo &TargetAttr::getInfo() const {
  return *lookupTarget(getChip());
}

//===----------------------------------------------------------------------===//
// #nm.pattern
//===----------------------------------------------------------------------===//

Attribute PatternAttr::parse(AsmParser &parser, Type) {
  int64_t keep, window = 0;
  SmallVector<int64_t, 2> unit = {1, 1};
  if (parser.parseLess() || parser.parseInteger(keep) || parser.parseColon())
    return {};
  if (failed(parser.parseOptionalKeyword("all"))) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(window))
      return {};
    // 0 stands for `all` in storage and is not a window.
    if (window <= 0) {
      parser.emitError(loc, "expected a window of at least 1 unit, got ")
          << window;
      return {};
    }
  }
  if (succeeded(parser.parseOptionalComma())) {
    unit.clear();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword("unit") || parser.parseEqual() ||
        parser.parseDimensionList(unit, /*allowDynamic=*/false,
                                  /*withTrailingX=*/false))
      return {};
    if (unit.size() != 2) {
      parser.emitError(loc, "expected a unit of 2 extents (BkxBn), got ")
          << unit.size();
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PatternAttr>(parser.getContext(), keep, window,
                                        unit[0], unit[1]);
}

void PatternAttr::print(AsmPrinter &printer) const {
  printer << "<" << getKeep() << ":";
  if (isWindowAll())
    printer << "all";
  else
    printer << getWindow();
  if (getUnitK() != 1 || getUnitN() != 1)
    printer << ", unit = " << getUnitK() << "x" << getUnitN();
  printer << ">";
}

LogicalResult PatternAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t keep, int64_t window, int64_t unitK,
                                  int64_t unitN) {
  // pattern_c1
  if (keep < 1)
    return emitError() << "expected at least 1 kept unit, got " << keep;
  // pattern_c2
  if (window != 0 && keep > window)
    return emitError() << "expected at most " << window
                       << " kept units (the window), got " << keep;
  // pattern_c3
  if (unitK < 1 || unitN < 1)
    return emitError() << "expected a unit of positive extents, got " << unitK
                       << "x" << unitN;
  // pattern_c4: keeps every size computed from a pattern within 64 bits.
  constexpr int64_t limit = int64_t(1) << 31;
  if (keep >= limit || window >= limit || unitK >= limit || unitN >= limit ||
      (window != 0 && window * unitK >= limit))
    return emitError() << "expected a window of less than 2^31 rows, got "
                       << window << " units of " << unitK << "x" << unitN
                       << ", " << keep << " kept";
  return success();
}

int64_t PatternAttr::getWindowUnits(int64_t k) const {
  return isWindowAll() ? llvm::divideCeil(k, getUnitK()) : getWindow();
}

int64_t PatternAttr::getWindowRows(int64_t k) const {
  return getWindowUnits(k) * getUnitK();
}

int64_t PatternAttr::getNumWindows(int64_t k) const {
  return isWindowAll() ? 1 : llvm::divideCeil(k, getWindowRows(k));
}

int64_t PatternAttr::getCondensedRows(int64_t k) const {
  return getNumWindows(k) * getKeep() * getUnitK();
}

int64_t PatternAttr::getUnitColumns(int64_t n) const {
  return llvm::divideCeil(n, getUnitN());
}

int64_t PatternAttr::getMaskUnits() const {
  int64_t windows =
      isWindowAll() ? 1 : layout::getWordWindows(int64_t(getWindow()));
  return windows * getKeep();
}

bool PatternAttr::isMaskSmall() const {
  int64_t units = getWindow(), bits = units <= 32 ? 32 : 64;
  return !isWindowAll() && units <= 64 && bits < getMaskUnits() * 8;
}

int64_t PatternAttr::getPositionBits() const {
  return layout::getPositionBits(int64_t(getWindow()));
}

int64_t PatternAttr::getBitsUnits() const {
  return 32 / std::gcd(getPositionBits(), int64_t(32));
}

bool PatternAttr::areBitsBest(int64_t valueBits) const {
  constexpr int64_t byte = 8;
  if (isWindowAll() || getPositionBits() >= byte)
    return false;
  int64_t wordOfMask = getWindow() <= 32 ? 32 : 64;
  return !isMaskSmall() || valueBits == byte ||
         getPositionBits() * getMaskUnits() <= wordOfMask;
}

//===----------------------------------------------------------------------===//
// #nm.packing
//===----------------------------------------------------------------------===//

LogicalResult PackingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t blockN, int64_t stepK,
                                  int64_t columns, int64_t panels,
                                  int64_t laneRows, IndexCoding coding,
                                  bool fragments, int64_t positionRows,
                                  int64_t valueRows, int64_t valueColumns) {
  // packing_c1
  if (blockN < 1 || stepK < 1)
    return emitError() << "expected positive block_n and step_k, got " << blockN
                       << " and " << stepK;
  // packing_c2
  if (columns < 0 || columns > stepK)
    return emitError() << "expected 0 to " << stepK
                       << " columns (the rows of a step), got " << columns;
  // packing_c3
  if (panels < 1 || blockN % panels != 0)
    return emitError() << "expected a number of panels that divides block_n = "
                       << blockN << ", got " << panels;
  // packing_c4
  if (laneRows < 1)
    return emitError() << "expected at least one lane_rows, got " << laneRows;
  // packing_c5
  if (coding == IndexCoding::Window)
    return emitError()
           << "expected the coding rows, positions, mask or bits, got "
              "window, which is that of a weight without packing";
  if (columns != 0 && coding != IndexCoding::Rows)
    return emitError() << "expected the coding rows beside columns, got "
                       << stringifyEnum(coding);
  // packing_c6
  if (positionRows < 0 || valueRows < 0 || valueColumns < 0)
    return emitError() << "expected position_rows, value_rows and "
                          "value_columns of 0 or more, got "
                       << positionRows << ", " << valueRows << " and "
                       << valueColumns;
  return success();
}

PatternAttr PackingAttr::joinWindows(PatternAttr pattern) const {
  if (getPositionRows() == 0)
    return pattern;
  int64_t windows =
      getPositionRows() / (pattern.getWindow() * pattern.getUnitK());
  return PatternAttr::get(getContext(), pattern.getKeep() * windows,
                          pattern.getWindow() * windows, pattern.getUnitK(),
                          pattern.getUnitN());
}

//===----------------------------------------------------------------------===//
// #nm.schedule
//===----------------------------------------------------------------------===//

LogicalResult ScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, InstructionKind kind,
    DenseI64ArrayAttr block, bool promoteA, bool promoteWeight, bool packed,
    int64_t stages, bool prefetch, int64_t splitK, CopyEngine engine,
    int64_t streamK, int64_t persistent, int64_t producers) {
  // schedule_c1
  if (!kind)
    return emitError() << "expected an instruction kind";
  if (failed(verifyExtents(emitError, "block", block, {1, 1, 0})))
    return failure();
  // schedule_c2
  int64_t extents[] = {kind.getBlockM(), kind.getBlockN()};
  for (int dim : {0, 1})
    if (block[dim] != extents[dim])
      return emitError() << "expected block[" << dim << "] = " << extents[dim]
                         << ", as its kind makes it, got " << block[dim];
  // schedule_c3
  if (stages < 1 || stages > maxStages)
    return emitError() << "expected 1 to " << maxStages << " stages, got "
                       << stages;
  // schedule_c4
  if (packed && !promoteA)
    return emitError() << "expected promote_a with packed, since the gather "
                          "fills shared memory";
  // schedule_c8
  if (splitK < 1 || splitK > maxSplitK)
    return emitError() << "expected split_k from 1 to " << maxSplitK
                       << ", blocks that share a tile, got " << splitK;
  // schedule_c10
  if (engine != CopyEngine::CpAsync && stages == 1)
    return emitError() << "expected 2 stages or more with engine = "
                       << stringifyCopyEngine(engine)
                       << ", whose copies are issued ahead";
  // schedule_c11
  if (streamK < 0 || streamK > maxStreamK)
    return emitError() << "expected stream_k from 0 to " << maxStreamK
                       << ", blocks that share all steps, got " << streamK;
  // schedule_c12
  if (streamK != 0 && splitK != 1)
    return emitError() << "expected split_k = 1 with stream_k, which deals out "
                          "the steps, got "
                       << splitK;
  // schedule_c13
  if (persistent < 0 || persistent > maxPersistent)
    return emitError() << "expected persistent from 0 to " << maxPersistent
                       << ", blocks that compute all tiles, got " << persistent;
  // schedule_c14
  if (persistent != 0 && (splitK != 1 || streamK != 0))
    return emitError() << "expected split_k = 1 and stream_k = 0 with "
                          "persistent, whose blocks compute whole tiles, got "
                       << splitK << " and " << streamK;
  // schedule_c15
  if (producers < 0 || producers > maxProducers)
    return emitError() << "expected 0 to " << maxProducers
                       << " producers, warps that copy, got " << producers;
  // schedule_c16
  if (producers != 0 && (stages == 1 || splitK != 1))
    return emitError() << "expected 2 stages or more and split_k = 1 with "
                          "producers, which copy ahead, got "
                       << stages << " and " << splitK;
  // schedule_c17
  if ((engine == CopyEngine::Tma && producers == 0) ||
      (engine == CopyEngine::Bulk && producers != 0))
    return emitError() << "expected producers with engine = tma, and none with "
                          "engine = bulk, whose copies all warps begin, got "
                       << producers
                       << " with engine = " << stringifyCopyEngine(engine);
  // schedule_c18
  if (streamK != 0 && kind.getSumThreads() != 1)
    return emitError() << "expected stream_k = 0 with " << kind
                       << ", whose threads share sums, got " << streamK;
  // schedule_c19
  int64_t warps = kind.getNumThreads() / 32 + producers;
  if (warps > 32)
    return emitError() << "expected at most 32 warps a block, those of the "
                          "producers included, got "
                       << warps << "; choose fewer warps in " << kind
                       << " or fewer producers than " << producers;
  return success();
}

int64_t ScheduleAttr::getStepRows(int64_t k, PatternAttr pattern) const {
  if (getStepK() != 0)
    return getStepK();
  // Of a window that k ends in, a step has the rest too.
  return pattern.isWindowAll() ? k : llvm::alignTo(k, pattern.getWindowRows(k));
}

int64_t ScheduleAttr::getSteps(int64_t k, PatternAttr pattern) const {
  return llvm::divideCeil(k, getStepRows(k, pattern));
}

LogicalResult
ScheduleAttr::verifyFor(function_ref<InFlightDiagnostic()> emitError,
                        CondensedType weight, Type a) const {
  PatternAttr pattern = weight.getPattern();
  if (failed(getKind().verifyProduct(emitError, pattern, a,
                                     weight.getElementType())))
    return failure();
  // schedule_c7
  int64_t slice = getKind().getSliceRows();
  int64_t step = getStepRows(weight.getK(), pattern);
  int64_t condensed = pattern.getCondensedRows(std::min(step, weight.getK()));
  if (condensed % slice != 0 && pattern.getCondensedRows(step) % slice != 0)
    return emitError() << "expected a step of a multiple of " << slice
                       << " condensed rows, which " << getKind()
                       << " multiplies at once, got " << condensed;
  int64_t unitN = pattern.getUnitN();
  // schedule_c5
  if (getBlockN() % unitN != 0 && unitN % getBlockN() != 0)
    return emitError() << "expected a block of columns that divides the unit's "
                       << unitN << " columns or is a multiple of them, got "
                       << getBlockN();
  // schedule_c9
  int64_t steps = getSteps(weight.getK(), pattern);
  if (steps < getSplitK())
    return emitError() << "expected a step for each of the split_k = "
                       << getSplitK() << " blocks that share a tile, got "
                       << steps << "; choose a shorter step or a lower split_k";
  // schedule_c6
  if (getStepK() == 0)
    return success();
  if (pattern.isWindowAll())
    return emitError() << "expected a step of 0 (all of k) with a window of "
                          "all, got "
                       << getStepK();
  int64_t rows = pattern.getWindowRows(weight.getK());
  if (getStepK() % rows != 0)
    return emitError() << "expected a step that is a multiple of the window's "
                       << rows << " rows, got " << getStepK();
  return success();
}

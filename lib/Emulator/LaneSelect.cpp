//===- LaneSelect.cpp - Selection and logic of predicates -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A predicate of a warp is one word, so its logic needs no loop.
//
//===----------------------------------------------------------------------===//

#include "LaneSupport.h"

namespace nm {
namespace emulator {
namespace NM_LANE_NAMESPACE {
namespace {

template <class T>
void select(uint8_t *registers, const LaneOperands &operands, uint32_t mask) {
  const T *a = lanes<T>(registers, operands.source[0]);
  const T *b = lanes<T>(registers, operands.source[1]);
  uint32_t predicate = readPredicate(registers, operands.source[2]);
  T result[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = (predicate >> lane & 1) ? a[lane] : b[lane];
  writeLanes(registers, operands.destination, result, mask);
}

/// slct: a where c >= 0.
template <class T, class C> struct SelectBySign {
  static T apply(T a, T b, C c) { return c >= C(0) ? a : b; }
};

enum Logic { LogicMove, LogicNot, LogicAnd, LogicOr, LogicXor };

template <Logic Op>
void predicateLogic(uint8_t *registers, const LaneOperands &operands,
                    uint32_t mask) {
  uint32_t a = readPredicate(registers, operands.source[0]);
  uint32_t b =
      Op >= LogicAnd ? readPredicate(registers, operands.source[1]) : 0;
  uint32_t result = Op == LogicMove  ? a
                    : Op == LogicNot ? ~a
                    : Op == LogicAnd ? a & b
                    : Op == LogicOr  ? a | b
                                     : a ^ b;
  writePredicate(registers, operands.destination, result, mask);
}

template <class T>
void fillSelect(LaneOpTable &table, const char *letters, const char *bits) {
  table.add("selp", letters, bits,
            {&select<T>,
             TypeOf<T>::value,
             {TypeOf<T>::value, TypeOf<T>::value, OperandType::Predicate}});
}

void fillSelects(LaneOpTable &table) {
  static const char *const letters[] = {".b", ".u", ".s"};
  for (const char *letter : letters) {
    fillSelect<uint16_t>(table, letter, "16");
    fillSelect<uint32_t>(table, letter, "32");
    fillSelect<uint64_t>(table, letter, "64");
    addTernary<uint32_t, uint32_t, uint32_t, int32_t,
               SelectBySign<uint32_t, int32_t>>(table, "slct", "32.s32",
                                                letter);
    addTernary<uint32_t, uint32_t, uint32_t, float,
               SelectBySign<uint32_t, float>>(table, "slct", "32.f32", letter);
    addTernary<uint64_t, uint64_t, uint64_t, int32_t,
               SelectBySign<uint64_t, int32_t>>(table, "slct", "64.s32",
                                                letter);
  }
  fillSelect<float>(table, ".f", "32");
  fillSelect<double>(table, ".f", "64");
  fillSelect<Half>(table, ".f", "16");
  fillSelect<BFloat>(table, ".bf", "16");
  addTernary<float, float, float, int32_t, SelectBySign<float, int32_t>>(
      table, "slct", ".f32.s32");
  addTernary<float, float, float, float, SelectBySign<float, float>>(
      table, "slct", ".f32.f32");
}

void fillPredicates(LaneOpTable &table) {
  constexpr OperandType p = OperandType::Predicate;
  table.add("mov", "", ".pred", {&predicateLogic<LogicMove>, p, {p}});
  table.add("not", "", ".pred", {&predicateLogic<LogicNot>, p, {p}});
  table.add("and", "", ".pred", {&predicateLogic<LogicAnd>, p, {p, p}});
  table.add("or", "", ".pred", {&predicateLogic<LogicOr>, p, {p, p}});
  table.add("xor", "", ".pred", {&predicateLogic<LogicXor>, p, {p, p}});
}

} // namespace

void fillSelectOps(LaneOpTable &table) {
  fillSelects(table);
  fillPredicates(table);
}

} // namespace NM_LANE_NAMESPACE
} // namespace emulator
} // namespace nm

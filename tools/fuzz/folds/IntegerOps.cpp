//===- IntegerOps.cpp - Ops on integers -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

using namespace mlir;
using namespace nm::folds;
using llvm::APInt;

namespace {

enum class Fault { None, Poison, Undefined };

using BinaryOp = Fault (*)(const APInt &a, const APInt &b, APInt &result);

} // namespace

static bool divisionOverflows(const APInt &a, const APInt &b) {
  return b.isZero() || (a.isMinSignedValue() && b.isAllOnes());
}

/// The signed quotient, rounded down (-1), to zero (0) or up (1).
template <int direction>
static Fault divideSigned(const APInt &a, const APInt &b, APInt &result) {
  if (divisionOverflows(a, b))
    return Fault::Undefined;
  APInt quotient = a.sdiv(b), rest = a.srem(b);
  bool isNegative = a.isNegative() != b.isNegative();
  if (!rest.isZero() && direction < 0 && isNegative)
    --quotient;
  if (!rest.isZero() && direction > 0 && !isNegative)
    ++quotient;
  result = quotient;
  return Fault::None;
}

static Fault divideUnsigned(const APInt &a, const APInt &b, APInt &result) {
  if (b.isZero())
    return Fault::Undefined;
  result = a.udiv(b);
  return Fault::None;
}

static Fault divideUnsignedUp(const APInt &a, const APInt &b, APInt &result) {
  if (b.isZero())
    return Fault::Undefined;
  result = a.udiv(b) + (a.urem(b).isZero() ? 0 : 1);
  return Fault::None;
}

static Fault remainderSigned(const APInt &a, const APInt &b, APInt &result) {
  if (divisionOverflows(a, b))
    return Fault::Undefined;
  result = a.srem(b);
  return Fault::None;
}

static Fault remainderUnsigned(const APInt &a, const APInt &b, APInt &result) {
  if (b.isZero())
    return Fault::Undefined;
  result = a.urem(b);
  return Fault::None;
}

template <APInt (APInt::*shift)(unsigned) const>
static Fault shiftBy(const APInt &a, const APInt &b, APInt &result) {
  if (b.uge(a.getBitWidth()))
    return Fault::Poison;
  result = (a.*shift)(b.getZExtValue());
  return Fault::None;
}

/// An op without a fault as an entry of the table.
#define NM_FOLDS_TOTAL(EXPRESSION)                                             \
  [](const APInt &a, const APInt &b, APInt &result) {                          \
    result = EXPRESSION;                                                       \
    return Fault::None;                                                        \
  }

/// The ops of arith and index by their names without the dialect.
static const llvm::StringMap<BinaryOp> &getBinaryOps() {
  static const auto *ops = new llvm::StringMap<BinaryOp>{
      {"addi", NM_FOLDS_TOTAL(a + b)},
      {"add", NM_FOLDS_TOTAL(a + b)},
      {"subi", NM_FOLDS_TOTAL(a - b)},
      {"sub", NM_FOLDS_TOTAL(a - b)},
      {"muli", NM_FOLDS_TOTAL(a * b)},
      {"mul", NM_FOLDS_TOTAL(a * b)},
      {"andi", NM_FOLDS_TOTAL(a & b)},
      {"and", NM_FOLDS_TOTAL(a & b)},
      {"ori", NM_FOLDS_TOTAL(a | b)},
      {"or", NM_FOLDS_TOTAL(a | b)},
      {"xori", NM_FOLDS_TOTAL(a ^ b)},
      {"xor", NM_FOLDS_TOTAL(a ^ b)},
      {"maxsi", NM_FOLDS_TOTAL(a.sgt(b) ? a : b)},
      {"maxs", NM_FOLDS_TOTAL(a.sgt(b) ? a : b)},
      {"maxui", NM_FOLDS_TOTAL(a.ugt(b) ? a : b)},
      {"maxu", NM_FOLDS_TOTAL(a.ugt(b) ? a : b)},
      {"minsi", NM_FOLDS_TOTAL(a.slt(b) ? a : b)},
      {"mins", NM_FOLDS_TOTAL(a.slt(b) ? a : b)},
      {"minui", NM_FOLDS_TOTAL(a.ult(b) ? a : b)},
      {"minu", NM_FOLDS_TOTAL(a.ult(b) ? a : b)},
      {"divsi", divideSigned<0>},
      {"divs", divideSigned<0>},
      {"floordivsi", divideSigned<-1>},
      {"floordivs", divideSigned<-1>},
      {"ceildivsi", divideSigned<1>},
      {"ceildivs", divideSigned<1>},
      {"divui", divideUnsigned},
      {"divu", divideUnsigned},
      {"ceildivui", divideUnsignedUp},
      {"ceildivu", divideUnsignedUp},
      {"remsi", remainderSigned},
      {"rems", remainderSigned},
      {"remui", remainderUnsigned},
      {"remu", remainderUnsigned},
      {"shli", shiftBy<&APInt::shl>},
      {"shl", shiftBy<&APInt::shl>},
      {"shrsi", shiftBy<&APInt::ashr>},
      {"shrs", shiftBy<&APInt::ashr>},
      {"shrui", shiftBy<&APInt::lshr>},
      {"shru", shiftBy<&APInt::lshr>},
  };
  return *ops;
}

#undef NM_FOLDS_TOTAL

/// Whether the result of an op does not fit its type: as a signed number, which
/// `nsw` promises, or as an unsigned one, which `nuw` promises.
static bool wraps(Operation *op, const APInt &a, const APInt &b,
                  bool isSigned) {
  bool overflow = false;
  if (isa<arith::AddIOp>(op))
    (void)(isSigned ? a.sadd_ov(b, overflow) : a.uadd_ov(b, overflow));
  else if (isa<arith::SubIOp>(op))
    (void)(isSigned ? a.ssub_ov(b, overflow) : a.usub_ov(b, overflow));
  else if (isa<arith::MulIOp>(op))
    (void)(isSigned ? a.smul_ov(b, overflow) : a.umul_ov(b, overflow));
  else if (isa<arith::ShLIOp>(op)) {
    unsigned amount = b.getZExtValue();
    APInt back =
        isSigned ? a.shl(amount).ashr(amount) : a.shl(amount).lshr(amount);
    overflow = back != a;
  }
  return overflow;
}

/// Whether a promise of the op is broken: nsw, nuw or exact.
static bool breaksPromise(Operation *op, const APInt &a, const APInt &b) {
  if (auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    return (flagged.hasNoSignedWrap() && wraps(op, a, b, true)) ||
           (flagged.hasNoUnsignedWrap() && wraps(op, a, b, false));
  if (!op->getInherentAttr("isExact").value_or(nullptr))
    return false;
  if (isa<arith::DivSIOp>(op))
    return !a.srem(b).isZero();
  if (isa<arith::DivUIOp>(op))
    return !a.urem(b).isZero();
  // A shift to the right.
  return a.countr_zero() < b.getZExtValue();
}

/// Predicates have the same order in arith and index but not the same numbers.
static bool compare(llvm::StringRef predicate, const APInt &a, const APInt &b) {
  if (predicate == "eq")
    return a == b;
  if (predicate == "ne")
    return a != b;
  bool isSigned = predicate.front() == 's';
  bool isLess = isSigned ? a.slt(b) : a.ult(b);
  bool isGreater = isSigned ? b.slt(a) : b.ult(a);
  llvm::StringRef order = predicate.drop_front();
  if (order == "lt")
    return isLess;
  if (order == "le")
    return !isGreater;
  return order == "gt" ? isGreater : !isLess;
}

static bool evaluateComparison(Operation *op, const APInt &a, const APInt &b,
                               Scalars &results) {
  llvm::StringRef predicate;
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    predicate = arith::stringifyCmpIPredicate(cmp.getPredicate());
  else if (auto cmp = dyn_cast<index::CmpOp>(op))
    predicate = index::stringifyIndexCmpPredicate(cmp.getPred());
  else
    return false;
  results.push_back({APInt(1, compare(predicate, a, b))});
  return true;
}

/// Ops with two results: sum and carry, or the halves of a product.
static bool evaluateExtended(Operation *op, const APInt &a, const APInt &b,
                             Scalars &results) {
  unsigned width = a.getBitWidth();
  if (isa<arith::AddUIExtendedOp>(op)) {
    APInt sum = a + b;
    results.push_back({sum});
    results.push_back({APInt(1, sum.ult(a))});
    return true;
  }
  bool isSigned = isa<arith::MulSIExtendedOp>(op);
  if (!isSigned && !isa<arith::MulUIExtendedOp>(op))
    return false;
  APInt product = isSigned ? a.sext(2 * width) * b.sext(2 * width)
                           : a.zext(2 * width) * b.zext(2 * width);
  results.push_back({product.trunc(width)});
  results.push_back({product.lshr(width).trunc(width)});
  return true;
}

bool nm::folds::evaluateIntegerOp(Operation *op,
                                  llvm::ArrayRef<Scalar> operands,
                                  Scalars &results, Status &status) {
  if (operands.size() != 2)
    return false;
  const APInt &a = operands[0].bits, &b = operands[1].bits;
  if (evaluateComparison(op, a, b, results) ||
      evaluateExtended(op, a, b, results))
    return true;
  auto entry = getBinaryOps().find(op->getName().stripDialect());
  if (entry == getBinaryOps().end())
    return false;
  Scalar result = Scalar::poison(a.getBitWidth());
  Fault fault = entry->second(a, b, result.bits);
  if (fault == Fault::Undefined)
    status = Status::Undefined;
  result.isPoison = fault != Fault::None || breaksPromise(op, a, b);
  results.push_back(result);
  return true;
}

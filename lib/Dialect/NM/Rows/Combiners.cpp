//===- Combiners.cpp - What a reduction combines, and how -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combiners.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nm;
using arith::AtomicRMWKind;
using linalg::GenericOp;

static std::optional<AtomicRMWKind> getKind(Operation *op) {
  using Kind = AtomicRMWKind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case([](arith::AddFOp) { return Kind::addf; })
      .Case([](arith::MulFOp) { return Kind::mulf; })
      .Case([](arith::MaximumFOp) { return Kind::maximumf; })
      .Case([](arith::MinimumFOp) { return Kind::minimumf; })
      .Case([](arith::MaxNumFOp) { return Kind::maxnumf; })
      .Case([](arith::MinNumFOp) { return Kind::minnumf; })
      .Case([](arith::AddIOp) { return Kind::addi; })
      .Case([](arith::MulIOp) { return Kind::muli; })
      .Case([](arith::MaxSIOp) { return Kind::maxs; })
      .Case([](arith::MaxUIOp) { return Kind::maxu; })
      .Case([](arith::MinSIOp) { return Kind::mins; })
      .Case([](arith::MinUIOp) { return Kind::minu; })
      .Case([](arith::AndIOp) { return Kind::andi; })
      .Case([](arith::OrIOp) { return Kind::ori; })
      .Default([](Operation *) { return std::nullopt; });
}

DenseSet<Value> nm::collectCombined(GenericOp op) {
  DenseSet<Value> found;
  found.insert_range(op.getRegionOutputArgs());
  for (Operation &inner : op.getBody()->without_terminator())
    if (llvm::any_of(inner.getOperands(),
                     [&](Value operand) { return found.contains(operand); }))
      found.insert_range(inner.getResults());
  return found;
}

/// The constant that result number `number` of `op` begins with.
static TypedAttr getInit(GenericOp op, int64_t number) {
  Attribute init;
  auto fill = op.getDpsInits()[number].getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&init)))
    return nullptr;
  return dyn_cast<TypedAttr>(init);
}

namespace {
/// Finds the combiners of an op.
class CombinerFinder {
public:
  explicit CombinerFinder(GenericOp op)
      : op(op), combined(collectCombined(op)) {}

  std::optional<SmallVector<Combiner>> find(StringRef &reason) {
    int64_t count = op->getNumResults();
    SmallVector<Combiner> all(count);
    for (int64_t i = 0; i < count; ++i) {
      all[i].init = getInit(op, i);
      if (!all[i].init) {
        reason = "it begins with something else than a constant";
        return std::nullopt;
      }
    }
    // A place is found by what the extreme is.
    SmallVector<bool> isFound(count);
    for (int64_t i = 0; i < count; ++i)
      isFound[i] = findElement(i, all[i]);
    for (int64_t i = 0; i < count; ++i)
      isFound[i] = isFound[i] || findPlace(i, all, isFound);
    // What is computed of combined numbers otherwise would be lost.
    if (!llvm::all_of(isFound, [](bool is) { return is; }) ||
        known.size() != combined.size()) {
      reason = "no kind of nm.reduce combines so";
      return std::nullopt;
    }
    return all;
  }

private:
  Value getYielded(int64_t number) {
    return op.getBody()->getTerminator()->getOperand(number);
  }
  Value getSum(int64_t number) { return op.getRegionOutputArgs()[number]; }
  bool isElement(Value value) { return !combined.contains(value); }
  void take(ArrayRef<Value> values) { known.insert_range(values); }

  /// Lets result number `number` be combined of an element and what there is of
  /// it so far, where a mask holds if it has one.
  bool findElement(int64_t number, Combiner &of) {
    Value yielded = getYielded(number), sum = getSum(number);
    Operation *combine = yielded.getDefiningOp();
    if (auto select = dyn_cast_or_null<arith::SelectOp>(combine);
        select && isElement(select.getCondition()) &&
        select.getFalseValue() == sum) {
      of.mask = select.getCondition();
      combine = select.getTrueValue().getDefiningOp();
    }
    auto kind = combine ? getKind(combine) : std::nullopt;
    if (!kind || !llvm::is_contained(combine->getOperands(), sum))
      return false;
    of.kind = *kind;
    of.element = combine->getOperand(combine->getOperand(0) == sum ? 1 : 0);
    if (!isElement(of.element))
      return false;
    take({sum, combine->getResult(0), yielded});
    return true;
  }

  /// Lets result number `number` be the place of the extreme that another one
  /// is.
  bool findPlace(int64_t number, MutableArrayRef<Combiner> all,
                 ArrayRef<bool> isFound) {
    auto select = getYielded(number).getDefiningOp<arith::SelectOp>();
    if (!select || select.getFalseValue() != getSum(number) ||
        !isPlace(select.getTrueValue()))
      return false;
    Combiner &of = all[number];
    for (auto [i, other] : llvm::enumerate(all)) {
      bool isExtreme = isFound[i] && !other.mask && !other.extreme;
      if (!isExtreme || !isBeyond(select.getCondition(), other, getSum(i), of))
        continue;
      of.kind = AtomicRMWKind::mins;
      of.element = select.getTrueValue();
      of.extreme = i;
      take({getSum(number), select.getResult()});
      return true;
    }
    return false;
  }

  /// Whether `value` counts the elements of a row, in one dimension.
  bool isPlace(Value value) {
    auto cast = value.getDefiningOp<arith::IndexCastOp>();
    auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>()
                      : linalg::IndexOp();
    return index && op.getNumReductionLoops() == 1 &&
           op.getIteratorTypesArray()[index.getDim()] ==
               utils::IteratorType::reduction;
  }

  /// Whether `condition` says that the element of `extreme` is beyond `sum`,
  /// what there is of it so far; sets whether NaN fails it.
  bool isBeyond(Value condition, const Combiner &extreme, Value sum,
                Combiner &place) {
    auto isCompared = [&](auto compare, auto predicate) {
      return compare && compare.getPredicate() == predicate &&
             compare.getLhs() == extreme.element && compare.getRhs() == sum;
    };
    if (auto compare = condition.getDefiningOp<arith::CmpIOp>()) {
      auto predicate = getIntegerPredicate(extreme.kind);
      take(condition);
      return predicate && isCompared(compare, *predicate);
    }
    bool isMaximum = extreme.kind == AtomicRMWKind::maximumf;
    auto init = dyn_cast<FloatAttr>(extreme.init);
    if ((!isMaximum && extreme.kind != AtomicRMWKind::minimumf) || !init ||
        init.getValue().isNaN())
      return false;
    using Predicate = arith::CmpFPredicate;
    if (auto compare = condition.getDefiningOp<arith::CmpFOp>()) {
      place.isBeforeNaN = true;
      take(condition);
      return isCompared(compare, isMaximum ? Predicate::OGT : Predicate::OLT);
    }
    // Beyond or NaN, and a number so far.
    auto both = condition.getDefiningOp<arith::AndIOp>();
    auto beyond =
        both ? both.getLhs().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
    auto number =
        both ? both.getRhs().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
    if (!number || number.getPredicate() != Predicate::ORD ||
        number.getLhs() != sum || number.getRhs() != sum ||
        !isCompared(beyond, isMaximum ? Predicate::UGT : Predicate::ULT))
      return false;
    take({condition, beyond.getResult(), number.getResult()});
    return true;
  }

  static std::optional<arith::CmpIPredicate>
  getIntegerPredicate(AtomicRMWKind kind) {
    using Predicate = arith::CmpIPredicate;
    switch (kind) {
    case AtomicRMWKind::maxs:
      return Predicate::sgt;
    case AtomicRMWKind::mins:
      return Predicate::slt;
    case AtomicRMWKind::maxu:
      return Predicate::ugt;
    case AtomicRMWKind::minu:
      return Predicate::ult;
    default:
      return std::nullopt;
    }
  }

  GenericOp op;
  DenseSet<Value> combined;
  /// The combined values that a combiner stands for. Where others are left, the
  /// body computes what no combiner says.
  DenseSet<Value> known;
};
} // namespace

std::optional<SmallVector<Combiner>> nm::findCombiners(GenericOp op,
                                                       StringRef &reason) {
  return CombinerFinder(op).find(reason);
}

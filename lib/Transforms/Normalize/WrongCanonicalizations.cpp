//===- WrongCanonicalizations.cpp - What MLIR 22 gets wrong ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Found by nm-fuzz-folds, which also shows that nm-canonicalize is right where
// these are not (test/tools/fuzz/folds.test). With another version of MLIR a
// row goes when that test no longer finds its fault.
//
//===----------------------------------------------------------------------===//

#include "GuardedPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace nm;

static unsigned getBits(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? IndexType::kInternalStorageBitWidth
                           : element.getIntOrFloatBitWidth();
}

/// A cast there and back is folded away, also where the type between is the
/// narrower one.
static bool truncatesBetween(Operation *cast) {
  Operation *inner = cast->getOperand(0).getDefiningOp();
  return inner && inner->getName() == cast->getName() &&
         getBits(inner->getResult(0).getType()) <
             getBits(inner->getOperand(0).getType());
}

static arith::IntegerOverflowFlags getFlags(Operation *op) {
  auto flags = dyn_cast_or_null<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags ? flags.getOverflowAttr().getValue()
               : arith::IntegerOverflowFlags::none;
}

/// Whether every constant among the operands of `op` is so small that a sum, a
/// difference or a product of two of them fits its type.
static bool hasSmallConstants(Operation *op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    APInt constant;
    return !matchPattern(operand, m_ConstantInt(&constant)) ||
           constant.getSignificantBits() < (constant.getBitWidth() + 1) / 2;
  });
}

/// Two constants become one, and the flags that both ops had are kept: the sum
/// of the constants may wrap where neither op did, and a difference of two
/// constants without sign may be below zero.
static bool keepsWrongFlags(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Operation *inner = operand.getDefiningOp();
    arith::IntegerOverflowFlags kept = getFlags(op) & getFlags(inner);
    return bitEnumContainsAny(kept, arith::IntegerOverflowFlags::nuw) ||
           (kept != arith::IntegerOverflowFlags::none &&
            !(hasSmallConstants(op) && hasSmallConstants(inner)));
  });
}

/// The result of an scf.if that scf.condition passes on twice is replaced once,
/// and what a branch yields as it is, without an op of its own, is then used
/// where it is not defined. nm needs no such scf.if moved.
static bool isAlwaysWrong(Operation *) { return true; }

/// The number of turns is taken from the distance of the bounds, which may
/// wrap.
static bool hasWrappingDistance(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  APInt lower, upper;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper))) {
    auto sum = loop.getUpperBound().getDefiningOp<arith::AddIOp>();
    return sum &&
           llvm::is_contained(sum->getOperands(), loop.getLowerBound()) &&
           !bitEnumContainsAny(getFlags(sum), arith::IntegerOverflowFlags::nsw);
  }
  bool wraps = false;
  (void)upper.ssub_ov(lower, wraps);
  return wraps;
}

/// The predicates `true` and `false` end the process.
static bool hasConstantPredicate(Operation *op) {
  arith::CmpFPredicate predicate = cast<arith::CmpFOp>(op).getPredicate();
  return predicate == arith::CmpFPredicate::AlwaysTrue ||
         predicate == arith::CmpFPredicate::AlwaysFalse;
}

bool nm::dropsSomeOfTheOnes(Operation *op) {
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
  int64_t ones = llvm::count_if(slice.getMixedSizes(), [](OpFoldResult size) {
    return getConstantIntValue(size) == 1;
  });
  // The slice is the result of an extraction, and what is inserted.
  Value part = op->getNumResults() == 1 && !isa<tensor::InsertSliceOp>(op)
                   ? op->getResult(0)
                   : op->getOperand(0);
  int64_t dropped = static_cast<int64_t>(slice.getMixedSizes().size()) -
                    cast<ShapedType>(part.getType()).getRank();
  return dropped > 0 && dropped < ones;
}

namespace {
struct Row {
  /// Part of the pattern's debug name.
  llvm::StringLiteral pattern;
  llvm::StringLiteral root;
  Veto isWrong;
};
} // namespace

static constexpr Row kRows[] = {
    {"IndexCastOfIndexCast", "arith.index_cast", truncatesBetween},
    {"IndexCastUIOfIndexCastUI", "arith.index_castui", truncatesBetween},
    {"Constant", "arith.addi", keepsWrongFlags},
    {"Constant", "arith.subi", keepsWrongFlags},
    {"Constant", "arith.muli", keepsWrongFlags},
    {"WhileMoveIfDown", "scf.while", isAlwaysWrong},
    {"SimplifyTrivialLoops", "scf.for", hasWrappingDistance},
    {"CmpFIntToFPConst", "arith.cmpf", hasConstantPredicate},
    {"ConstantArgumentFolder", "memref.subview", dropsSomeOfTheOnes},
    {"ConstantArgumentFolder", "tensor.extract_slice", dropsSomeOfTheOnes},
    {"ConstantArgumentFolder", "tensor.insert_slice", dropsSomeOfTheOnes},
    {"ConstantArgumentFolder", "tensor.parallel_insert_slice",
     dropsSomeOfTheOnes},
};

Veto nm::findWrongCanonicalization(const Pattern &pattern) {
  std::optional<OperationName> root = pattern.getRootKind();
  if (!root)
    return nullptr;
  const Row *row = llvm::find_if(kRows, [&](const Row &row) {
    return root->getStringRef() == row.root &&
           pattern.getDebugName().contains(row.pattern);
  });
  return row == std::end(kRows) ? nullptr : row->isWrong;
}

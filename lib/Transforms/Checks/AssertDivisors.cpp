//===- AssertDivisors.cpp - Divisions of the host are checked -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CPU ends the process where an integer is divided by zero, or the least
// number by -1. The division itself is made harmless, and what it gives is
// checked where it is used: torch-mlir computes a size that a view could infer
// by dividing by sizes that may be 0, and takes it only when one is asked for.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "nm/Support/Locations.h"
#include "nm/Transforms/Checks/Passes.h"
#include "llvm/Support/FormatVariadic.h"

namespace nm {
#define GEN_PASS_DEF_NMASSERTDIVISORSPASS
#include "nm/Transforms/Checks/Passes.h.inc"
} // namespace nm

using namespace mlir;

static bool isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp, index::DivSOp, index::RemSOp,
             index::CeilDivSOp, index::FloorDivSOp, LLVM::SDivOp, LLVM::SRemOp>(
      op);
}

static bool isUnsignedDivision(Operation *op) {
  return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, index::DivUOp,
             index::RemUOp, index::CeilDivUOp, LLVM::UDivOp, LLVM::URemOp>(op);
}

/// Whether every number can be divided by the constant `divisor`.
static bool isHarmless(Value divisor, bool isSigned) {
  auto isGood = [&](const APInt &number) {
    return !number.isZero() && !(isSigned && number.isAllOnes());
  };
  APInt number;
  if (matchPattern(divisor, m_ConstantInt(&number)))
    return isGood(number);
  DenseIntElementsAttr numbers;
  return matchPattern(divisor, m_Constant(&numbers)) &&
         llvm::all_of(numbers.getValues<APInt>(), isGood);
}

/// Whether the quotient of the operands of `op` is a number of their type.
static Value createIsDefined(ImplicitLocOpBuilder &b, Operation *op,
                             bool isSigned) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  Type type = rhs.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto isNot = [&](Value value, const APInt &number) -> Value {
    Value constant =
        arith::ConstantOp::create(b, b.getIntegerAttr(type, number));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, constant);
  };
  Value isDefined = isNot(rhs, APInt::getZero(width));
  if (!isSigned)
    return isDefined;
  Value isNotMinusOne = isNot(rhs, APInt::getAllOnes(width));
  Value isNotLeast = isNot(lhs, APInt::getSignedMinValue(width));
  Value fits = arith::OrIOp::create(b, isNotMinusOne, isNotLeast);
  return arith::AndIOp::create(b, isDefined, fits);
}

namespace {
/// Puts the assertions of one division.
class QuotientGuard {
public:
  QuotientGuard(Operation *division, Value isDefined)
      : division(division), isDefined(isDefined) {}

  /// Asserts that the quotient is defined: where it is chosen, if that is all
  /// that is done with it, else before the division.
  void createAsserts() {
    if (!findChoices(division->getResult(0))) {
      OpBuilder builder(division);
      return createAssert(builder, isDefined);
    }
    for (auto [select, isTrueValue] : choices) {
      ImplicitLocOpBuilder b(division->getLoc(), select);
      Value isUnused = select.getCondition();
      if (isTrueValue) {
        Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
        isUnused = arith::XOrIOp::create(b, isUnused, yes);
      }
      createAssert(b, arith::OrIOp::create(b, isDefined, isUnused));
    }
  }

private:
  /// Collects the selects that choose `value`, which is the quotient, perhaps
  /// of another type. False if there is another use.
  bool findChoices(Value value) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::TruncIOp,
              arith::ExtSIOp, arith::ExtUIOp>(user))
        return findChoices(user->getResult(0));
      auto select = dyn_cast<arith::SelectOp>(user);
      if (!select || value == select.getCondition() ||
          !select.getCondition().getType().isInteger(1))
        return false;
      choices.push_back({select, use.getOperandNumber() == 1});
      return true;
    });
  }

  void createAssert(OpBuilder &builder, Value condition) {
    cf::AssertOp::create(
        builder, division->getLoc(), condition,
        nm::addPlace(
            llvm::formatv("{0}: division by zero, or of the least number "
                          "by -1",
                          division->getName())
                .str(),
            division->getLoc()));
  }

  Operation *division;
  Value isDefined;
  SmallVector<std::pair<arith::SelectOp, bool>> choices;
};
} // namespace

static LogicalResult guardDivision(Operation *op, bool isSigned) {
  if (isHarmless(op->getOperand(1), isSigned))
    return success();
  Type type = op->getOperand(1).getType();
  // The only number of an i0 is zero.
  if (!type.isIntOrIndex() || type.isInteger(0))
    return op->emitOpError("unsupported: division of ")
           << type << " on the host by what is not constant";
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value isDefined = createIsDefined(b, op, isSigned);
  Value one = arith::ConstantOp::create(b, b.getIntegerAttr(type, 1));
  QuotientGuard(op, isDefined).createAsserts();
  op->setOperand(1,
                 arith::SelectOp::create(b, isDefined, op->getOperand(1), one));
  return success();
}

namespace {
struct AssertDivisors : nm::impl::NMAssertDivisorsPassBase<AssertDivisors> {
  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What a kernel does with such a number is the device's business.
      if (isa<gpu::LaunchOp, gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (isSignedDivision(op) || isUnsignedDivision(op))
        divisions.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : divisions)
      if (failed(guardDivision(op, isSignedDivision(op))))
        return signalPassFailure();
  }
};
} // namespace

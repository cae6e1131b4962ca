//===- DynamicElementwiseToLinalg.cpp - Ops whose folds have no extents ---===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Transforms/Normalize/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMDYNAMICELEMENTWISETOLINALGPASS
#include "nm/Transforms/Normalize/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

static bool isDynamicElementwise(Operation *op) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && !type.hasStaticShape();
}

/// `op` on one element of each tensor; other operands are used as they are.
static Value cloneForScalars(OpBuilder &b, Operation *op, ValueRange elements) {
  SmallVector<Value> operands(op->getOperands());
  for (Value &operand : operands)
    if (isa<RankedTensorType>(operand.getType())) {
      operand = elements.front();
      elements = elements.drop_front();
    }
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(getElementTypeOrSelf(op->getResult(0)));
  state.addAttributes(op->getAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return b.create(state)->getResult(0);
}

static void generalize(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> inputs =
      llvm::filter_to_vector(op->getOperands(), [](Value operand) {
        return isa<RankedTensorType>(operand.getType());
      });
  // All tensors of an elementwise op have the extents of its result.
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, inputs.front()),
      type.getElementType());
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, empty.getType(), inputs, empty, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange elements) {
        linalg::YieldOp::create(b, loc, cloneForScalars(b, op, elements));
      });
  Value result = generic.getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(b, loc, type, result);
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
}

namespace {
struct DynamicElementwiseToLinalg
    : nm::impl::NMDynamicElementwiseToLinalgPassBase<
          DynamicElementwiseToLinalg> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (isDynamicElementwise(op))
        generalize(op);
    });
  }
};
} // namespace

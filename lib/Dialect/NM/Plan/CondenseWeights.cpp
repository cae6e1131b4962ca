//===- CondenseWeights.cpp - nm-condense-weights --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "nm/Support/ElementsData.h"

namespace nm {
#define GEN_PASS_DEF_NMCONDENSEWEIGHTSPASS
#include "nm/Dialect/NM/Plan/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct CondenseWeights : nm::impl::NMCondenseWeightsPassBase<CondenseWeights> {
  void runOnOperation() override;
};
} // namespace

/// Replaces `op` by an nm.constant when its operand comes from a constant.
static LogicalResult condenseConstant(CondenseOp op) {
  std::optional<WeightSource> source = WeightSource::trace(op.getDense());
  if (!source || !source->hasNoBroadcast(0) || !source->hasNoBroadcast(1))
    return success();
  auto type = cast<CondensedType>(op.getType());
  FailureOr<DenseWeight> weight = source->read(
      {0}, {1}, [&](const Twine &reason) { op.emitOpError(reason); });
  if (failed(weight))
    return failure();
  FailureOr<CondensedElements> elements =
      condense(*weight, weight->getMask(), type,
               getElementsName(source->getMainLeaf().elements, "weight"),
               [&](const Twine &reason) {
                 InFlightDiagnostic diagnostic = op.emitOpError(reason);
                 diagnostic.attachNote(source->getMainLeaf().loc)
                     << "the weight is this constant";
               });
  if (failed(elements))
    return failure();
  OpBuilder builder(op);
  Value constant =
      ConstantOp::create(builder, op.getLoc(), type, elements->values,
                         elements->indices, ElementsAttr());
  op.replaceAllUsesWith(constant);
  op.erase();
  return success();
}

void CondenseWeights::runOnOperation() {
  SmallVector<CondenseOp> ops;
  getOperation().walk([&](CondenseOp op) { ops.push_back(op); });
  for (CondenseOp op : ops)
    if (failed(condenseConstant(op)))
      return signalPassFailure();
}

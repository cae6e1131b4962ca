//===- ImportLinalg.cpp - nm-import-linalg --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseProduct.h"
#include "WeightCondenser.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Conversion/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMIMPORTLINALGPASS
#include "nm/Conversion/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct ImportLinalg : nm::impl::NMImportLinalgPassBase<ImportLinalg> {
  using NMImportLinalgPassBase::NMImportLinalgPassBase;

  void runOnOperation() override;

private:
  LogicalResult getDetection(DetectionOptions &detection);
  void import(linalg::LinalgOp op, WeightCondenser &condenser);
};
} // namespace

static remark::RemarkOpts getRemark(linalg::LinalgOp op, StringRef name) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name)
      .category("nm-import-linalg")
      .function(function.getName());
}

LogicalResult ImportLinalg::getDetection(DetectionOptions &detection) {
  Location loc = getOperation().getLoc();
  auto isRatio = [](double ratio) { return ratio >= 0 && ratio <= 1; };
  if (!isRatio(maxRatio) || !isRatio(maxRatioWide))
    return emitError(loc)
           << "expected max-ratio and max-ratio-wide from 0 to 1, got "
           << llvm::formatv("{0} and {1}", maxRatio.getValue(),
                            maxRatioWide.getValue());
  detection.search.maxHeight = maxRatio;
  detection.search.maxHeightWide = maxRatioWide;
  reference::Pattern pattern{keep, window, unitK, unitN};
  if (keep == 0) {
    if (window == 0 && unitK == 1 && unitN == 1)
      return success();
    return emitError(loc)
           << "expected keep with window, unit-k or unit-n, got none";
  }
  if (keep < 1 || window < 0 || unitK < 1 || unitN < 1 ||
      (window != 0 && keep > window))
    return emitError(loc)
           << "expected a pattern with 1 <= keep <= window and positive units, "
              "got "
           << reference::toString(pattern);
  detection.forced = pattern;
  return success();
}

static void reportNotRaised(linalg::LinalgOp op, StringRef reason) {
  remark::missed(op.getLoc(), getRemark(op, "not-raised"))
      << remark::reason("{0}", reason)
      << remark::metric("Op", op->getName().getStringRef());
}

void ImportLinalg::import(linalg::LinalgOp op, WeightCondenser &condenser) {
  std::optional<Contraction> contraction = findContraction(op);
  if (!contraction) {
    if (hasComputedWeight(op))
      reportNotRaised(op, "the weight is computed from constants by ops that "
                          "are not looked through");
    return;
  }
  std::string reason;
  if (!sortLoops(*contraction, reason))
    return reportNotRaised(op, reason);
  CondensedWeight &weight = condenser.condense(*contraction);
  CondensedType type = weight.type;
  if (!type)
    return reportNotRaised(op, weight.reason);
  remark::detail::InFlightRemark remark =
      remark::passed(op.getLoc(), getRemark(op, "raised"));
  IRRewriter rewriter(op->getContext());
  Operation *product = raiseProduct(
      rewriter, *contraction, condenser.getConstant(weight, *contraction));
  remark << remark::metric("Op", product->getName().getStringRef())
         << remark::metric("Weight", Type(type))
         << remark::metric("Rows",
                           type.getPattern().getCondensedRows(type.getK()));
}

void ImportLinalg::runOnOperation() {
  DetectionOptions detection;
  if (failed(getDetection(detection)))
    return signalPassFailure();
  // Collected first: raising erases ops.
  SmallVector<linalg::LinalgOp> ops;
  getOperation().walk([&](linalg::LinalgOp op) {
    if (op->getParentOfType<FunctionOpInterface>())
      ops.push_back(op);
  });
  WeightCondenser condenser(detection);
  for (linalg::LinalgOp op : ops)
    import(op, condenser);
}

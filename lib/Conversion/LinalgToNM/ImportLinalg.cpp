//===- ImportLinalg.cpp - nm-import-linalg --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseProduct.h"
#include "WeightCondenser.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Conversion/LinalgToNM/Passes.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/Options.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMIMPORTLINALGPASS
#include "nm/Conversion/LinalgToNM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct ImportLinalg : nm::impl::NMImportLinalgPassBase<ImportLinalg> {
  using NMImportLinalgPassBase::NMImportLinalgPassBase;

  void runOnOperation() override;

private:
  FailureOr<DetectionOptions> getDetection();
  LogicalResult import(linalg::LinalgOp op, WeightCondenser &condenser);
};
} // namespace

FailureOr<DetectionOptions> ImportLinalg::getDetection() {
  Location loc = getOperation().getLoc();
  auto emitError = [loc] { return mlir::emitError(loc); };
  for (auto [id, value] : std::initializer_list<std::pair<OptionId, double>>{
           {OptionId::MaxRatio, maxRatio},
           {OptionId::MaxRatioWide, maxRatioWide},
           {OptionId::Keep, keep},
           {OptionId::Window, window},
           {OptionId::UnitK, unitK},
           {OptionId::UnitN, unitN}})
    if (failed(checkRange(id, value, emitError)))
      return failure();
  DetectionOptions detection{{maxRatio, maxRatioWide}, std::nullopt};
  sparsity::Pattern pattern{keep, window, unitK, unitN};
  if (keep == 0) {
    if (window == 0 && unitK == 1 && unitN == 1)
      return detection;
    return emitError()
           << "expected keep with window, unit-k or unit-n, got none";
  }
  if (window != 0 && keep > window)
    return emitError() << "expected a pattern with keep <= window, got "
                       << sparsity::toString(pattern);
  detection.forced = pattern;
  return detection;
}

/// `pattern` is what constants have in spite of it, `constant` the name of the
/// weight's data.
static void reportNotRaised(linalg::LinalgOp op, StringRef reason,
                            PatternAttr pattern = {}, StringRef constant = "") {
  Remark remark = emitRemark(op, RemarkId::NotRaised);
  remark << remarkReason("{0}", reason)
         << remarkKey(RemarkKey::Op, op->getName().getStringRef());
  if (pattern)
    remark << remarkKey(RemarkKey::Pattern, Attribute(pattern));
  if (!constant.empty())
    remark << remarkKey(RemarkKey::Constant, constant);
}

/// Reports a product whose weight is one of several constants, and warns where
/// these are sparse in vain.
static void reportChosen(Contraction &contraction,
                         const WeightCondenser &condenser) {
  std::optional<WeightCondenser::Choice> choice;
  if (succeeded(sortLoops(contraction, ignoreReason)))
    choice = condenser.examineChoice(contraction);
  if (!choice)
    return; // a table of vectors, say
  linalg::LinalgOp op = contraction.op;
  std::string reason = llvm::formatv(
      "which of {0} weights is taken is known only at run time", choice->count);
  if (!choice->pattern) {
    reportNotRaised(op, reason + "; " + choice->reason);
    return;
  }
  llvm::raw_string_ostream(reason)
      << "; all have the pattern " << choice->pattern;
  emitWarning(op.getLoc())
      << "the product is computed densely: " << reason
      << "; with a product for each weight (a loop over experts, say) all are "
         "sparse";
  reportNotRaised(op, reason, choice->pattern);
}

/// Whether windows along `loop` are windows along all of k: where k is several
/// dimensions, the last one has to hold whole windows.
static bool isAlongK(const Contraction &contraction, const Claim &claim) {
  const WeightSource &weight = contraction.weight;
  SmallVector<unsigned> wide(llvm::make_filter_range(
      contraction.k, [&](unsigned loop) { return weight.getSize(loop) != 1; }));
  return llvm::is_contained(contraction.k, claim.loop) &&
         (wide.empty() || wide.back() == claim.loop) &&
         (wide.size() < 2 ||
          weight.getSize(claim.loop) % claim.pattern.getWindow() == 0);
}

/// The condensed weights of a contraction with sorted loops, one for each
/// iteration of its batch. None, for a reason, if one of them is not sparse,
/// whose pattern but for some windows is `nearly`; fails if one is not as
/// claimed.
static FailureOr<SmallVector<CondensedWeight *, 1>>
condenseAll(const Contraction &contraction, WeightCondenser &condenser,
            const std::optional<Claim> &claim, PatternAttr &nearly,
            ReasonEmitter emitReason) {
  SmallVector<CondensedWeight *, 1> weights;
  SmallVector<SmallVector<int64_t>> indices = getBatchIndices(contraction);
  for (ArrayRef<int64_t> index : indices) {
    WeightSource source = contraction.weight;
    for (auto [loop, i] : llvm::zip_equal(contraction.batch, index))
      source.fix(loop, i);
    CondensedWeight &weight = condenser.condense(
        contraction, source, claim ? claim->pattern : PatternAttr());
    if (weight.breaksClaim)
      return failure();
    if (!weight.type) {
      nearly = weight.nearly;
      if (contraction.batch.empty())
        emitReason(weight.reason);
      else
        emitReason(llvm::formatv("weight {0} of {1}: {2}", weights.size(),
                                 indices.size(), weight.reason));
      return SmallVector<CondensedWeight *, 1>();
    }
    weights.push_back(&weight);
  }
  return weights;
}

LogicalResult ImportLinalg::import(linalg::LinalgOp op,
                                   WeightCondenser &condenser) {
  FailureOr<std::optional<Claim>> claim = takeClaim(op);
  if (failed(claim))
    return failure();
  IRRewriter rewriter(op->getContext());
  std::string reason;
  auto keepReason = [&](const Twine &text) { reason = text.str(); };
  std::optional<Contraction> contraction;
  linalg::LinalgOp fused = fuseSumOfProducts(rewriter, op);
  Candidate candidate =
      findContraction(fused ? fused : op, contraction, keepReason);
  std::string weightName;
  if (contraction)
    weightName =
        getElementsName(contraction->weight.getMainLeaf().elements, "").str();
  SmallVector<CondensedWeight *, 1> weights;
  PatternAttr nearly;
  if (candidate == Candidate::Yes &&
      succeeded(sortLoops(*contraction, keepReason))) {
    if (*claim && !isAlongK(*contraction, **claim)) {
      emitRemark(op, RemarkId::ClaimDropped)
          << remarkReason("the windows of the encoding are not windows of k");
      claim->reset();
    }
    FailureOr<SmallVector<CondensedWeight *, 1>> condensed =
        condenseAll(*contraction, condenser, *claim, nearly, keepReason);
    if (failed(condensed))
      return failure();
    weights = std::move(*condensed);
  }
  if (candidate == Candidate::Chosen && !*claim) {
    reportChosen(*contraction, condenser);
    candidate = Candidate::No;
  }
  if (weights.empty()) {
    if (fused)
      rewriter.eraseOp(fused);
    if (*claim && reason.empty())
      reason = "it is no sum of products with a constant";
    if (nearly)
      emitWarning(op.getLoc()) << "the product is computed densely: " << reason;
    if (candidate != Candidate::No || *claim)
      reportNotRaised(op, reason, nearly, weightName);
    return success();
  }
  SmallVector<ConstantOp> constants;
  for (CondensedWeight *weight : weights)
    constants.push_back(condenser.getConstant(*weight, *contraction));
  Remark remark = emitRemark(op, RemarkId::Raised);
  std::string computed = llvm::join(contraction->weight.getOpNames(), ", ");
  bool isBatch = !contraction->batch.empty();
  if (fused) {
    Operation *product = op.getDpsInputOperand(0)->get().getDefiningOp();
    rewriter.replaceOp(op, fused->getResults());
    rewriter.eraseOp(product);
  }
  SmallVector<Operation *> products;
  raiseProduct(rewriter, *contraction, constants, products);
  CondensedType type = weights.front()->type;
  remark << remarkKey(RemarkKey::Op, products.front()->getName().getStringRef())
         << remarkKey(RemarkKey::Weight, Type(type))
         << remarkKey(RemarkKey::Rows,
                      type.getPattern().getCondensedRows(type.getK()));
  if (isBatch)
    remark << remarkKey(RemarkKey::Products, products.size());
  if (!computed.empty())
    remark << remarkKey(RemarkKey::Folded, computed);
  return success();
}

void ImportLinalg::runOnOperation() {
  FailureOr<DetectionOptions> detection = getDetection();
  if (failed(detection))
    return signalPassFailure();
  // Collected first: raising erases ops.
  SmallVector<linalg::LinalgOp> ops;
  getOperation().walk([&](linalg::LinalgOp op) {
    if (op->getParentOfType<FunctionOpInterface>() &&
        op.getNumReductionLoops() != 0)
      ops.push_back(op);
  });
  WeightCondenser condenser(*detection);
  for (linalg::LinalgOp op : ops)
    if (failed(import(op, condenser)))
      return signalPassFailure();
}

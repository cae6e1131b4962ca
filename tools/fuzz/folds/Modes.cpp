//===- Modes.cpp - What is applied to a function --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "nm/Transforms/Normalize/Passes.h"

using namespace mlir;
using namespace nm::folds;

void nm::folds::registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                  index::IndexDialect, linalg::LinalgDialect, scf::SCFDialect,
                  tensor::TensorDialect, ub::UBDialect>();
}

/// The patterns of the canonicalize pass.
static std::shared_ptr<FrozenRewritePatternSet>
collectPatterns(MLIRContext *context, llvm::ArrayRef<std::string> disabled) {
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  return std::make_shared<FrozenRewritePatternSet>(std::move(patterns),
                                                   disabled);
}

/// Does what the canonicalize pass does by default.
static void canonicalize(ModuleOp module,
                         const FrozenRewritePatternSet &patterns,
                         RewriterBase::Listener *listener = nullptr) {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  config.setListener(listener);
  (void)applyPatternsGreedily(module, patterns, config);
}

static Mode makeCanonicalize(MLIRContext *context,
                             llvm::ArrayRef<std::string> disabled) {
  auto patterns = collectPatterns(context, disabled);
  return {"canonicalize",
          [patterns](ModuleOp module) { canonicalize(module, *patterns); }};
}

Mode nm::folds::makeCanonicalizeWithout(MLIRContext *context,
                                        const std::string &pattern) {
  return makeCanonicalize(context, pattern);
}

static Mode makePassMode(MLIRContext *context, llvm::StringRef name,
                         std::vector<std::unique_ptr<Pass>> passes) {
  auto manager = std::make_shared<PassManager>(
      context, ModuleOp::getOperationName(), PassManager::Nesting::Implicit);
  manager->enableVerifier(false);
  for (std::unique_ptr<Pass> &pass : passes)
    manager->addPass(std::move(pass));
  return {name, [manager](ModuleOp module) { (void)manager->run(module); }};
}

static Mode makePassMode(MLIRContext *context, llvm::StringRef name,
                         std::unique_ptr<Pass> pass) {
  std::vector<std::unique_ptr<Pass>> passes;
  passes.push_back(std::move(pass));
  return makePassMode(context, name, std::move(passes));
}

static Mode makeNMMode(MLIRContext *context) {
  std::vector<std::unique_ptr<Pass>> passes;
  passes.push_back(nm::createNMIndexToArithPass());
  passes.push_back(nm::createNMDynamicElementwiseToLinalgPass());
  passes.push_back(nm::createNMFullRankSlicesPass());
  passes.push_back(nm::createNMCanonicalizePass());
  return makePassMode(context, kNMMode, std::move(passes));
}

std::vector<Mode> nm::folds::makeModes(MLIRContext *context) {
  arith::ArithIntRangeNarrowingOptions narrowing;
  narrowing.bitwidthsSupported = {8, 16, 32};
  return {makeCanonicalize(context, {}),
          makePassMode(context, "cse", createCSEPass()),
          makePassMode(context, "sccp", createSCCPPass()),
          makePassMode(context, "int-range-optimizations",
                       arith::createIntRangeOptimizationsPass()),
          makePassMode(context, "arith-int-range-narrowing",
                       arith::createArithIntRangeNarrowing(narrowing)),
          makePassMode(context, "arith-unsigned-when-equivalent",
                       arith::createArithUnsignedWhenEquivalentPass()),
          makeNMMode(context)};
}

namespace {

/// Notes what is applied.
class Recorder : public RewriterBase::Listener {
public:
  Recorder(Trace &trace, llvm::raw_ostream *os) : trace(trace), os(os) {}

  void notifyPatternBegin(const Pattern &pattern, Operation *op) override {
    isInPattern = true;
    if (os) {
      *os << getName(pattern, op) << "\n";
      os->flush();
    }
    root = op->getName().getStringRef();
  }
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    isInPattern = false;
    if (os)
      *os << "\n";
    if (failed(status))
      return;
    if (pattern.getDebugName().empty())
      trace.unnamed.insert("pattern of " + root);
    else
      trace.patterns.insert(pattern.getDebugName().str());
  }
  using RewriterBase::Listener::notifyOperationReplaced;
  void notifyOperationReplaced(Operation *op, ValueRange) override {
    if (!isInPattern)
      trace.folded.insert(op->getName().getStringRef().str());
  }

private:
  static std::string getName(const Pattern &pattern, Operation *op) {
    if (pattern.getDebugName().empty())
      return "pattern of " + op->getName().getStringRef().str();
    return pattern.getDebugName().str();
  }

  Trace &trace;
  llvm::raw_ostream *os;
  std::string root;
  bool isInPattern = false;
};

} // namespace

Trace nm::folds::traceCanonicalize(ModuleOp module, llvm::raw_ostream *os) {
  OwningOpRef<ModuleOp> copy = module.clone();
  Trace trace;
  Recorder recorder(trace, os);
  canonicalize(*copy, *collectPatterns(module.getContext(), {}), &recorder);
  return trace;
}

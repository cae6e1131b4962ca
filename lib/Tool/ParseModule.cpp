//===- ParseModule.cpp - Reads a module -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Tool/ParseModule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <cstdlib>

using namespace mlir;

/// Whether `values` has one value for each entry of `entries` that is
/// kDynamic, -2^63, as verifiers of MLIR 22 check for slices and not for these
/// ops; who asks for the entries gets null values otherwise.
static LogicalResult checkDynamicEntries(Operation *op, StringRef name,
                                         ArrayRef<int64_t> entries,
                                         ValueRange values) {
  size_t dynamic = llvm::count(entries, ShapedType::kDynamic);
  if (dynamic == values.size())
    return success();
  return op->emitOpError("expected ")
         << dynamic << " values for entries of " << name << " that are "
         << ShapedType::kDynamic << " (dynamic), got " << values.size();
}

static LogicalResult checkDynamicEntries(Operation *op) {
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return success(succeeded(checkDynamicEntries(op, "low", pad.getStaticLow(),
                                                 pad.getLow())) &&
                   succeeded(checkDynamicEntries(
                       op, "high", pad.getStaticHigh(), pad.getHigh())));
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return checkDynamicEntries(op, "inner_tiles", pack.getStaticInnerTiles(),
                               pack.getInnerTiles());
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return checkDynamicEntries(op, "inner_tiles", unpack.getStaticInnerTiles(),
                               unpack.getInnerTiles());
  return success();
}

/// Refuses what ends the process in a verifier of MLIR 22: linalg.transpose
/// reads the first of its dimensions, also where it has none, tensor.concat the
/// extent of a dimension below 0, and gpu.launch arguments before the first
/// where a negative number of arguments lies in shared memory.
static LogicalResult checkBeforeVerifiers(Operation *op) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op);
      transpose && transpose.getPermutation().empty())
    return op->emitOpError("expected at least one dimension, got none; the "
                           "operand is its own transpose");
  if (auto concat = dyn_cast<tensor::ConcatOp>(op);
      concat && static_cast<int64_t>(concat.getDim()) < 0)
    return op->emitOpError("expected a dimension of 0 or more, got ")
           << static_cast<int64_t>(concat.getDim());
  if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
    auto count = launch->getAttrOfType<IntegerAttr>("workgroup_attributions");
    if (count && count.getValue().isNegative())
      return op->emitOpError("expected a number of attributions of 0 or more, "
                             "got ")
             << count.getValue().getSExtValue();
  }
  return checkDynamicEntries(op);
}

/// MLIR's parser, which some attributes of a wrong kind crash
/// (tools/fuzz/upstream has such files): that ends the process with a message
/// and not with a dump, since nothing of MLIR's can be used, nor freed,
/// afterwards.
static OwningOpRef<ModuleOp>
parseOrEnd(const std::shared_ptr<llvm::SourceMgr> &sources,
           const ParserConfig &config) {
  OwningOpRef<ModuleOp> module;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  bool isAlive = recovery.RunSafely(
      [&] { module = parseSourceFile<ModuleOp>(sources, config); });
  llvm::CrashRecoveryContext::Disable();
  if (isAlive)
    return module;
  llvm::errs() << sources->getMemoryBuffer(sources->getMainFileID())
                      ->getBufferIdentifier()
               << ": error: MLIR " LLVM_VERSION_STRING
                  "'s parser crashes on this file: an attribute may be of "
                  "another kind than its op has; mlir-opt says at which op\n";
  std::_Exit(1);
}

LogicalResult nm::verifyModule(ModuleOp module) {
  WalkResult walk = module.walk(
      [](Operation *op) { return WalkResult(checkBeforeVerifiers(op)); });
  return failure(walk.wasInterrupted() || failed(verify(module)));
}

OwningOpRef<ModuleOp>
nm::parseModule(const std::shared_ptr<llvm::SourceMgr> &sources,
                MLIRContext &context) {
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseOrEnd(sources, config);
  if (!module || failed(verifyModule(*module)))
    return nullptr;
  return module;
}

//===- ReportCollector.h - Fills the report between stages ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks at the module after each stage, and listens to the remarks of the
// passes for what the module does not say: why something was not raised, why a
// schedule was chosen.
//
//===----------------------------------------------------------------------===//

#ifndef NM_REPORT_REPORTCOLLECTOR_H
#define NM_REPORT_REPORTCOLLECTOR_H

#include "nm/Report/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace nm {

class ReportCollector {
public:
  /// Listens to the remarks of passes of `context`. One collector a context.
  ReportCollector(mlir::MLIRContext &context, Report &report);
  ~ReportCollector();

  /// Takes from `module`, the input, the names of its constants.
  void collectConstants(mlir::ModuleOp module);

  /// Takes from `module` what there is to see after the stage `stage`.
  void afterStage(llvm::StringRef stage, mlir::ModuleOp module);

  /// What ptxas says of a kernel.
  void addResources(llvm::StringRef kernel, int64_t registers,
                    int64_t spillBytes);

private:
  class Listener;
  void collectCandidates(mlir::ModuleOp module);
  void collectProducts(mlir::ModuleOp module);
  void collectSchedules(mlir::ModuleOp module);
  void collectProductKernels(mlir::ModuleOp module);
  void collectFusedLaunches(mlir::ModuleOp module);
  void collectKernels(mlir::ModuleOp module);

  Report &report;
  /// For each product the first of those that one launch computes together.
  std::vector<size_t> leaders;
  /// Shared with the listener, which the context owns.
  std::shared_ptr<std::vector<std::string>> reasons;
};

} // namespace nm

#endif // NM_REPORT_REPORTCOLLECTOR_H

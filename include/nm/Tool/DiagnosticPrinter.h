//===- DiagnosticPrinter.h - How the tools print errors ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TOOL_DIAGNOSTICPRINTER_H
#define NM_TOOL_DIAGNOSTICPRINTER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

namespace nm {

/// Prints diagnostics with the line of source that they point at. A line that
/// is long, as those with weights are, is left out, which MLIR's own handler
/// would print whole. Of several errors, the first: the parser reports what
/// follows from it, too.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  /// `tool` is named where a diagnostic has no place in a file.
  DiagnosticPrinter(llvm::SourceMgr &sources, mlir::MLIRContext *context,
                    llvm::StringRef tool);

  bool hasErrors() const { return errors; }

private:
  /// Where bytecode cannot be read: who wrote it.
  void explainBytecode(const mlir::Diagnostic &diagnostic);
  void print(const mlir::Diagnostic &diagnostic);
  bool printWithSource(const mlir::Diagnostic &diagnostic,
                       mlir::FileLineColLoc loc, llvm::StringRef message);

  llvm::SourceMgr &sources;
  std::string tool;
  bool errors = false;
};

} // namespace nm

#endif // NM_TOOL_DIAGNOSTICPRINTER_H

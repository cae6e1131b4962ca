//===- Diagnostics.h - How nm-compile prints errors -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_DIAGNOSTICS_H
#define NM_LIB_COMPILER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

namespace nm {

/// Prints diagnostics with the line of source that they point at. A line that
/// is long, as those with weights are, is left out, which MLIR's own handler
/// would print whole. Of several errors, the first: the parser reports what
/// follows from it, too.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  DiagnosticPrinter(llvm::SourceMgr &sources, mlir::MLIRContext *context);

  bool hasErrors() const { return errors; }

private:
  void print(const mlir::Diagnostic &diagnostic);
  bool printWithSource(const mlir::Diagnostic &diagnostic,
                       mlir::FileLineColLoc loc, llvm::StringRef message);

  llvm::SourceMgr &sources;
  bool errors = false;
};

} // namespace nm

#endif // NM_LIB_COMPILER_DIAGNOSTICS_H

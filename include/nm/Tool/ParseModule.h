//===- ParseModule.h - Reads a module ---------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TOOL_PARSEMODULE_H
#define NM_TOOL_PARSEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace nm {

/// Verifies `module`; what would end the process in a verifier of MLIR 22 is an
/// error, too.
mlir::LogicalResult verifyModule(mlir::ModuleOp module);

/// Parses and verifies the main buffer of `sources`, text or bytecode, to whose
/// resources the module refers. Reports an error, and returns null, where that
/// is no module. Where MLIR's parser crashes, it says so and ends the process.
mlir::OwningOpRef<mlir::ModuleOp>
parseModule(const std::shared_ptr<llvm::SourceMgr> &sources,
            mlir::MLIRContext &context);

} // namespace nm

#endif // NM_TOOL_PARSEMODULE_H

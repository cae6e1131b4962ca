//===- CompileModule.h - Modules to what can be called ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_COMPILEMODULE_H
#define NM_LIB_EXECUTION_COMPILEMODULE_H

#include "RunOptions.h"

#include "nm-c/Runtime.h"
#include "nm/Entry/Signature.h"
#include "nm/Execution/Callable.h"
#include "nm/Program/File.h"
#include "nm/Report/Report.h"

namespace nm {

using CallableOrError = llvm::Expected<std::unique_ptr<Callable>>;

/// Lowers the module, which it destroys, for the device of `context`, or this
/// CPU where that is null, and compiles its host code.
CallableOrError compileModule(const RunOptions &options, mlir::ModuleOp module,
                              const Signature &signature, nmrtContext *context,
                              Report &report);

/// Prepares a program's function for the device of `context`.
CallableOrError prepareProgram(std::shared_ptr<const program::File> file,
                               size_t function, nmrtContext *context);

} // namespace nm

#endif // NM_LIB_EXECUTION_COMPILEMODULE_H

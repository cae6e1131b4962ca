//===- HostProgram.h - Code for the CPU in this process ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a module in the LLVM dialect into code and calls its functions with
// host arrays, by the host ABI of docs/Runtime.md.
//
//===----------------------------------------------------------------------===//

#ifndef NM_EXECUTION_HOSTPROGRAM_H
#define NM_EXECUTION_HOSTPROGRAM_H

#include "nm/Entry/Signature.h"
#include "nm/Numbers/Tensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace nm {

/// One public function of a module.
class HostProgram {
public:
  /// Compiles the module, which must be in the LLVM dialect, for this machine.
  /// `signature` is that of the function before it was lowered, `optLevel`
  /// LLVM's optimization level.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  create(mlir::ModuleOp module, Signature signature, unsigned optLevel);
  ~HostProgram();

  /// Calls the function with copies of `inputs`, which must be of the types of
  /// the signature, and returns its results.
  llvm::Expected<std::vector<Tensor>> call(llvm::ArrayRef<Tensor> inputs);

private:
  HostProgram(std::unique_ptr<mlir::ExecutionEngine> engine,
              Signature signature, void (*entry)(void **));

  std::unique_ptr<mlir::ExecutionEngine> engine;
  Signature signature;
  /// Takes the addresses of the arguments, then that of the status.
  void (*entry)(void **);
};

} // namespace nm

#endif // NM_EXECUTION_HOSTPROGRAM_H

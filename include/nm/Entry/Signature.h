//===- Signature.h - What a function takes and gives ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of a public function as a caller with host arrays sees them. Taken
// before any lowering, since afterwards only pointers are left.
//
//===----------------------------------------------------------------------===//

#ifndef NM_ENTRY_SIGNATURE_H
#define NM_ENTRY_SIGNATURE_H

#include "nm/Numbers/ValueType.h"
#include "nm/Program/WeightArgument.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace nm {

struct Signature {
  std::string name;
  std::vector<ValueType> arguments;
  std::vector<ValueType> results;
  /// By `nm.name`; "" for what has none.
  std::vector<std::string> argumentNames = {}, resultNames = {};
  /// What as many leading arguments, which are state, begin with (`nm.state`).
  std::vector<mlir::ElementsAttr> initialState = {};
  /// By `nm.part`: the weights whose arrays arguments are.
  std::vector<program::WeightArgument> weights = {};
};

/// The signature of `function`; emits an error for types that host arrays
/// cannot hold (unranked, strided or of another element type), and for state
/// that is not what arguments and results begin with.
mlir::FailureOr<Signature> getSignature(mlir::func::FuncOp function);

/// Those of all public functions with a body; emits an error if there are none.
mlir::FailureOr<std::vector<Signature>> getSignatures(mlir::ModuleOp module);

/// The public function `name` of the module, or its only one when `name` is
/// empty. Emits an error that lists the public functions when there is none.
mlir::FailureOr<mlir::func::FuncOp> findEntry(mlir::ModuleOp module,
                                              llvm::StringRef name);

} // namespace nm

#endif // NM_ENTRY_SIGNATURE_H

//===- Weights.h - Data of resources in files of their own ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TOOL_WEIGHTS_H
#define NM_TOOL_WEIGHTS_H

#include "mlir/IR/BuiltinOps.h"

namespace nm {

/// What --help says of the option that names such a file.
inline constexpr char kWeightsHelp[] =
    "safetensors file with the data of resources of IN.mlir that have none in "
    "it, by name";

/// Gives the resources of `module` that have no data the tensors of the same
/// names in the safetensors file at `path` ("" for none), which is mapped and
/// must stay as it is while the module's context lives. What neither has is
/// left to `nm-verify-constants`. Emits an error for a file that is none, and
/// for a tensor of other elements than the module's.
mlir::LogicalResult attachWeights(mlir::ModuleOp module, llvm::StringRef path);

} // namespace nm

#endif // NM_TOOL_WEIGHTS_H

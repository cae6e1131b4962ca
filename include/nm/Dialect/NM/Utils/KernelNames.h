//===- KernelNames.h - How kernels are named --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All kernels of a program live in one gpu.module, so that one image is loaded,
// and carry names a profile can be read by: `<function>_<number>_<what>`, such
// as `forward_12_generic_exp`.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_KERNELNAMES_H
#define NM_DIALECT_NM_UTILS_KERNELNAMES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace nm {

/// The gpu.module of all kernels.
constexpr llvm::StringLiteral kKernelModuleName = "nm_kernels";

/// Discardable string attribute of an scf.parallel: what it computes, in one
/// word, for the name of its kernel.
constexpr llvm::StringLiteral kKernelNameAttr = "nm.kernel_name";

/// Discardable string attribute of a gpu.launch_func: what it was called before
/// its kernel became one with others. Records and reports tell launches by it.
constexpr llvm::StringLiteral kLaunchNameAttr = "nm.launch_name";

/// Discardable unit attribute of a gpu.launch_func: its kernel waits for those
/// before it, and may be launched before they have ended.
constexpr llvm::StringLiteral kDependentAttr = "nm.dependent";

/// Discardable array of i32 of a kernel: its arguments that are constants of
/// the module at every launch, which it loads from before it waits and behind.
constexpr llvm::StringLiteral kConstantArgsAttr = "nm.constant_args";

/// The name of a launch: kLaunchNameAttr, or that of its kernel.
llvm::StringRef getLaunchName(mlir::gpu::LaunchFuncOp launch);

/// One word for what the body of an op on elements computes: its last math op
/// (`exp`, `erf`), else the last op of arith that is no constant, else `copy`.
llvm::StringRef describeBody(mlir::Block &body);

/// Hands out names of kernels.
class KernelNames {
public:
  /// Reserves every name that launches and kernels under `root` already have.
  explicit KernelNames(mlir::Operation *root);

  /// Gives `launch` the module and function attributes that outlining honours:
  /// a fresh name made of the function around it and `what`. Characters that
  /// PTX does not allow in a name become underscores.
  void assign(mlir::gpu::LaunchOp launch, llvm::StringRef what);

private:
  llvm::StringSet<> used;
  llvm::StringMap<unsigned> nextNumber; // by function
};

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_KERNELNAMES_H

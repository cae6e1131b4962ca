//===- MergeKernels.cpp - Kernels that are equal become one ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layers of a network launch equal kernels: what differs between them, such
// as the addresses of weights, are arguments, since outlining has made them so.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "nm/Dialect/NM/Utils/EqualFunctions.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Support/Remarks.h"
#include "nm/Transforms/Kernels/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMMERGEKERNELSPASS
#include "nm/Transforms/Kernels/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct MergeKernels : nm::impl::NMMergeKernelsPassBase<MergeKernels> {
  void runOnOperation() override {
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      for (EqualFunctions &kernels : groupEqualFunctions(find(module, users)))
        if (kernels.size() > 1)
          merge(kernels, users);
  }

private:
  /// The kernels of `module` that nothing but launches name.
  static SmallVector<FunctionOpInterface> find(gpu::GPUModuleOp module,
                                               const SymbolUserMap &users) {
    SmallVector<FunctionOpInterface> kernels;
    for (auto kernel : module.getOps<gpu::GPUFuncOp>())
      if (kernel.isKernel() && !kernel.isExternal() &&
          llvm::all_of(users.getUsers(kernel),
                       llvm::IsaPred<gpu::LaunchFuncOp>))
        kernels.push_back(cast<FunctionOpInterface>(kernel.getOperation()));
    return kernels;
  }

  /// Lets the launches of all `kernels` launch the first, under the name that
  /// they had.
  static void merge(EqualFunctions &kernels, const SymbolUserMap &users) {
    FunctionOpInterface kept = kernels.front();
    for (FunctionOpInterface kernel : llvm::drop_begin(kernels)) {
      for (Operation *user : users.getUsers(kernel)) {
        auto launch = cast<gpu::LaunchFuncOp>(user);
        if (!launch->hasAttr(kLaunchNameAttr))
          launch->setAttr(kLaunchNameAttr, kernel.getNameAttr());
        launch.setKernelAttr(
            SymbolRefAttr::get(launch.getKernelModuleName(),
                               FlatSymbolRefAttr::get(kept.getNameAttr())));
      }
      kernel.erase();
    }
    emitRemark(kept, RemarkId::KernelsMerged)
        << remarkKey(RemarkKey::Kernels, kernels.size());
  }
};
} // namespace

//===- AttachTarget.cpp - The chip that kernels are compiled for ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Support/Options.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMATTACHTARGETPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct AttachTarget : nm::impl::NMAttachTargetPassBase<AttachTarget> {
  using NMAttachTargetPassBase::NMAttachTargetPassBase;

  void runOnOperation() override {
    auto emitError = [&] { return getOperation().emitError(); };
    if (failed(checkRange(OptionId::OptLevel, optLevel, emitError)))
      return signalPassFailure();
    const TargetInfo &target = getTarget(getOperation());
    auto attr = NVVM::NVVMTargetAttr::get(
        &getContext(), optLevel, "nvptx64-nvidia-cuda", target.chip,
        "+ptx" + std::to_string(target.ptxVersion));
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>())
      kernels.setTargetsAttr(ArrayAttr::get(&getContext(), {attr}));
  }
};
} // namespace

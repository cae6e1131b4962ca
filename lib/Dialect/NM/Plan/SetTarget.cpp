//===- SetTarget.cpp - The chip that a module is compiled for -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Target/TargetInfo.h"

namespace nm {
#define GEN_PASS_DEF_NMSETTARGETPASS
#include "nm/Dialect/NM/Plan/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
struct SetTarget : nm::impl::NMSetTargetPassBase<SetTarget> {
  using NMSetTargetPassBase::NMSetTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    StringRef name = chip.empty() ? getTarget(module).chip : StringRef(chip);
    auto target = TargetAttr::getChecked([&] { return module.emitError(); },
                                         &getContext(), name);
    if (!target)
      return signalPassFailure();
    module->setAttr(kTargetAttrName, target);
  }
};
} // namespace

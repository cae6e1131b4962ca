//===- LocateAsserts.cpp - Assertions say where they are from -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "nm/Support/Locations.h"
#include "nm/Transforms/Checks/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMLOCATEASSERTSPASS
#include "nm/Transforms/Checks/Passes.h.inc"
} // namespace nm

using namespace mlir;

namespace {
struct LocateAsserts : nm::impl::NMLocateAssertsPassBase<LocateAsserts> {
  void runOnOperation() override {
    getOperation()->walk([](cf::AssertOp op) {
      op.setMsg(nm::addPlace(op.getMsg(), op.getLoc()));
    });
  }
};
} // namespace

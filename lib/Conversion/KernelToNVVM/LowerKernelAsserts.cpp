//===- LowerKernelAsserts.cpp - cf.assert in kernels ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Base/KernelAssertion.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMLOWERKERNELASSERTSPASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;

static constexpr unsigned kGlobalSpace =
    static_cast<unsigned>(NVVM::NVVMMemorySpace::Global);

namespace {
struct LowerKernelAsserts
    : nm::impl::NMLowerKernelAssertsPassBase<LowerKernelAsserts> {
  void runOnOperation() override;

private:
  /// The variable of the module that holds the address of the slot.
  LLVM::GlobalOp createVariable();
  /// The constant that holds `message`, once for equal ones.
  LLVM::GlobalOp getMessage(Location loc, StringRef message);
  void lower(cf::AssertOp op, LLVM::GlobalOp variable);

  llvm::StringMap<LLVM::GlobalOp> messages;
};
} // namespace

LLVM::GlobalOp LowerKernelAsserts::createVariable() {
  OpBuilder b = OpBuilder::atBlockBegin(getOperation().getBody());
  return LLVM::GlobalOp::create(b, getOperation().getLoc(), b.getI64Type(),
                                /*isConstant=*/false, LLVM::Linkage::External,
                                nm::kFailedAssertion, b.getI64IntegerAttr(0),
                                /*alignment=*/8, kGlobalSpace);
}

LLVM::GlobalOp LowerKernelAsserts::getMessage(Location loc, StringRef message) {
  std::string text = message.take_front(nm::kAssertionMessageBytes - 1).str();
  text.resize(nm::kAssertionMessageBytes, '\0');
  LLVM::GlobalOp &global = messages[text];
  if (global)
    return global;
  OpBuilder b = OpBuilder::atBlockBegin(getOperation().getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
  std::string name = "nm_assertion_" + std::to_string(messages.size() - 1);
  return global = LLVM::GlobalOp::create(
             b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
             b.getStringAttr(text), /*alignment=*/1, kGlobalSpace);
}

void LowerKernelAsserts::lower(cf::AssertOp op, LLVM::GlobalOp variable) {
  LLVM::GlobalOp message = getMessage(op.getLoc(), op.getMsg());
  Block *before = op->getBlock();
  Block *after = before->splitBlock(std::next(Block::iterator(op)));
  auto *failed = new Block;
  before->getParent()->push_back(failed);

  ImplicitLocOpBuilder b(op.getLoc(), op);
  cf::CondBranchOp::create(b, op.getArg(), after, failed);
  b.setInsertionPointToStart(failed);
  Value address = LLVM::AddressOfOp::create(b, message);
  address = LLVM::PtrToIntOp::create(b, b.getI64Type(), address);
  Value slot = LLVM::LoadOp::create(b, b.getI64Type(),
                                    LLVM::AddressOfOp::create(b, variable));
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), kGlobalSpace);
  // Threads of several blocks may fail, each with its message: any of them will
  // do, which is a race unless the stores are said to meet.
  LLVM::StoreOp::create(b, address, LLVM::IntToPtrOp::create(b, pointer, slot),
                        /*alignment=*/8, /*isVolatile=*/true);
  gpu::ReturnOp::create(b);
  op.erase();
}

void LowerKernelAsserts::runOnOperation() {
  messages.clear();
  SmallVector<cf::AssertOp> asserts;
  getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
  if (asserts.empty())
    return;
  LLVM::GlobalOp variable = createVariable();
  for (cf::AssertOp op : asserts) {
    if (!isa<gpu::GPUFuncOp>(op->getParentOp())) {
      op.emitOpError(
          "expected a body of branches; run convert-scf-to-cf first");
      return signalPassFailure();
    }
    lower(op, variable);
  }
}

//===- TMTensorDialect.cpp - The tm_tensor dialect ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"

using namespace mlir;
using namespace nm::tm_tensor;

#include "nm/Dialect/TMTensor/IR/TMTensorDialect.cpp.inc"

void TMTensorDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "nm/Dialect/TMTensor/IR/TMTensorOps.cpp.inc"
      >();
}

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// An op on tensors has no effects; on memrefs it reads all operands and writes
/// its outputs.
static void addBufferEffects(DestinationStyleOpInterface op, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

void ScanOp::getEffects(Effects &effects) { addBufferEffects(*this, effects); }
void ScatterOp::getEffects(Effects &effects) {
  addBufferEffects(*this, effects);
}
void SortOp::getEffects(Effects &effects) { addBufferEffects(*this, effects); }
void TopkOp::getEffects(Effects &effects) { addBufferEffects(*this, effects); }
void AttentionOp::getEffects(Effects &effects) {
  addBufferEffects(*this, effects);
}

#define GET_OP_CLASSES
#include "nm/Dialect/TMTensor/IR/TMTensorOps.cpp.inc"

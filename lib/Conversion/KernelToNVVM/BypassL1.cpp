//===- BypassL1.cpp - Loads that leave no line in L1 ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read once takes room from what is read again, in L1 and L2, unless
// the load says so.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "nm/Conversion/KernelToNVVM/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMBYPASSL1PASS
#include "nm/Conversion/KernelToNVVM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Words of 32 bits that the instruction loads at once.
static constexpr int64_t kWords[] = {1, 2, 4};

/// Whether `pointer` is computed from an argument of its kernel, and so is one
/// to global memory.
static bool isGlobal(Value pointer) {
  while (auto element = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = element.getBase();
  auto argument = dyn_cast<BlockArgument>(pointer);
  return argument && argument.getOwner()->isEntryBlock() &&
         argument.getOwner()->getParentOp()->hasAttr(
             NVVM::NVVMDialect::getKernelFuncAttrName());
}

/// The words that `load` loads; 0 where the instruction cannot load as many, or
/// not at such an address.
static int64_t countWords(LLVM::LoadOp load) {
  int64_t bits = DataLayout::closest(load).getTypeSizeInBits(load.getType());
  int64_t words = bits / 32;
  bool isAligned = int64_t(load.getAlignment().value_or(1)) >= bits / 8;
  return isAligned && bits % 32 == 0 && llvm::is_contained(kWords, words)
             ? words
             : 0;
}

/// The instruction, of `words` results and an address behind them.
static std::string writeInstruction(int64_t words, bool isInvariant) {
  std::string text = "ld.global";
  if (isInvariant)
    text += ".nc";
  text += ".L1::no_allocate";
  if (words == 1)
    return text + ".b32 $0, [$1];";
  auto results = llvm::map_range(
      llvm::seq(words), [](int64_t i) { return "$" + std::to_string(i); });
  return text + ".v" + std::to_string(words) + ".b32 {" +
         llvm::join(results, ", ") + "}, [$" + std::to_string(words) + "];";
}

/// Puts the instruction in the place of `load`. It has side effects to LLVM, so
/// that it stays where the load was put, on its side of waits and barriers;
/// ptxas sees what it is.
static void replace(LLVM::LoadOp load, int64_t words) {
  ImplicitLocOpBuilder b(load.getLoc(), load);
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), unsigned(NVVM::NVVMMemorySpace::Global));
  Value address = LLVM::AddrSpaceCastOp::create(b, global, load.getAddr());
  SmallVector<Type> types(words, b.getI32Type());
  Type type = words == 1
                  ? types.front()
                  : LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  std::string constraints;
  for (int64_t i = 0; i < words; ++i)
    constraints += "=r,";
  auto loaded = LLVM::InlineAsmOp::create(
      b, type, address, writeInstruction(words, load.getInvariant()),
      constraints + "l", /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  Value value = loaded.getResult(0);
  if (words > 1) {
    Value vector =
        LLVM::PoisonOp::create(b, VectorType::get({words}, b.getI32Type()));
    for (int64_t i = 0; i < words; ++i) {
      Value word = LLVM::ExtractValueOp::create(b, value, i);
      Value place = LLVM::ConstantOp::create(b, b.getI32Type(), i);
      vector = LLVM::InsertElementOp::create(b, vector, word, place);
    }
    value = vector;
  }
  if (value.getType() != load.getType())
    value = LLVM::BitcastOp::create(b, load.getType(), value);
  load.replaceAllUsesWith(value);
  load.erase();
}

namespace {
struct BypassL1 : nm::impl::NMBypassL1PassBase<BypassL1> {
  void runOnOperation() override {
    SmallVector<LLVM::LoadOp> loads;
    getOperation().walk([&](LLVM::LoadOp load) {
      if (load.getNontemporal() && isGlobal(load.getAddr()))
        loads.push_back(load);
    });
    for (LLVM::LoadOp load : loads)
      if (int64_t words = countWords(load))
        replace(load, words);
  }
};
} // namespace

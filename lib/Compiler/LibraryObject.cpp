//===- LibraryObject.cpp - A program in an object -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace nm;

/// For every machine of this architecture, wherever the object is loaded.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  StringRef cpu = triple.getArch() == llvm::Triple::x86_64 ? "x86-64" : "";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, /*Features=*/"", llvm::TargetOptions(), llvm::Reloc::PIC_));
}

/// Code reaches data by 32-bit offsets, beyond this program's too.
static llvm::Error checkSize(StringRef program) {
  constexpr uint64_t limit = (uint64_t(1) << 31) - (uint64_t(1) << 26);
  if (program.size() < limit)
    return llvm::Error::success();
  return llvm::createStringError(
      "expected weights and kernels of less than " + Twine(limit) +
      " bytes in a library, got " + Twine(program.size()) +
      "; a program in a file (--emit=program) may have more");
}

/// Adds `value` as a constant called `name`.
static void addConstant(llvm::Module &module, llvm::Constant *value,
                        const std::string &name, uint64_t alignment) {
  // The module owns it.
  auto *global =
      new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::ExternalLinkage, value, name);
  global->setAlignment(llvm::Align(alignment));
}

llvm::Expected<std::string> nm::makeObject(StringRef program,
                                           const LibraryNames &names) {
  if (llvm::Error error = checkSize(program))
    return error;
  auto machine = createMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  llvm::Module module(names.prefix, context);
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  addConstant(module,
              llvm::ConstantDataArray::getString(context, program,
                                                 /*AddNull=*/false),
              names.getProgram(), /*alignment=*/64);
  addConstant(
      module,
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), program.size()),
      names.getProgramBytes(), /*alignment=*/8);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("cannot write objects for this machine");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
nm::makeArchive(StringRef object, StringRef name) {
  llvm::NewArchiveMember member(llvm::MemoryBufferRef(object, name));
  return llvm::writeArchiveToBuffer(
      member, llvm::SymtabWritingMode::NormalSymtab,
      llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
}

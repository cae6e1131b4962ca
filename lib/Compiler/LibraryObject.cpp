//===- LibraryObject.cpp - Host code, weights and kernels in an object ----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
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

/// Code that runs on every machine of this architecture, wherever it is loaded.
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

/// Leaves the functions of `interface` visible, by the names of the library.
/// `main` and the like must not meet the program's own.
static void exportFunctions(llvm::Module &module,
                            const LibraryInterface &interface) {
  llvm::StringMap<std::string> exported;
  for (const Signature &function : interface.functions)
    exported["_mlir_ciface_" + function.name] = interface.symbolOf(function);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    auto found = exported.find(function.getName());
    if (found == exported.end())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    else
      function.setName(found->second);
  }
  for (llvm::GlobalVariable &global : module.globals())
    if (!global.isDeclaration())
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/// Code reaches its data by 32-bit offsets.
static llvm::Error checkSize(const llvm::Module &module) {
  constexpr uint64_t limit = (uint64_t(1) << 31) - (uint64_t(1) << 26);
  uint64_t bytes = 0;
  for (const llvm::GlobalVariable &global : module.globals())
    bytes += module.getDataLayout().getTypeAllocSize(global.getValueType());
  if (bytes < limit)
    return llvm::Error::success();
  return llvm::createStringError("expected weights and kernels of less than " +
                                 Twine(limit) + " bytes in a library, got " +
                                 Twine(bytes));
}

llvm::Expected<std::string>
nm::compileObject(ModuleOp module, const LibraryInterface &interface) {
  auto machine = createMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, interface.prefix);
  if (!translated)
    return llvm::createStringError("cannot translate the host code");
  translated->setTargetTriple((*machine)->getTargetTriple());
  translated->setDataLayout((*machine)->createDataLayout());
  if (llvm::Error error = checkSize(*translated))
    return error;
  exportFunctions(*translated, interface);
  auto optimize = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0,
                                            machine->get());
  if (llvm::Error error = optimize(translated.get()))
    return error;

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("cannot write objects for this machine");
  passes.run(*translated);
  return std::string(object.begin(), object.end());
}

llvm::Expected<std::string> nm::makeArchive(StringRef object, StringRef name) {
  llvm::NewArchiveMember member(llvm::MemoryBufferRef(object, name));
  auto archive = llvm::writeArchiveToBuffer(
      member, llvm::SymtabWritingMode::NormalSymtab,
      llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  return (*archive)->getBuffer().str();
}

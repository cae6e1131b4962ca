//===- ProgramOutput.cpp - Modules to the bytes of programs ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramOutput.h"

#include "Assembler.h"

#include "mlir/Pass/PassManager.h"
#include "nm/Pipelines/Pipelines.h"
#include "nm/Program/File.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nm;

/// Adds machine code for each of `chips`, made of the one image there is.
static llvm::Error addMachineCode(program::Program &program, StringRef ptxas,
                                  ArrayRef<std::string> chips) {
  if (program.images.empty())
    return llvm::Error::success();
  std::string ptx = program.images.front().bytes;
  for (const std::string &chip : chips) {
    auto assembly = assemble(ptxas, ptx, chip);
    if (!assembly)
      return assembly.takeError();
    program.images.push_back(
        {program::ImageKind::Cubin, chip, std::move(assembly->cubin)});
  }
  return llvm::Error::success();
}

llvm::Expected<ConvertedProgram> nm::makeProgram(ModuleOp module,
                                                 ArrayRef<Signature> signatures,
                                                 const Report &report,
                                                 StringRef ptxas,
                                                 ArrayRef<std::string> chips) {
  PassManager pm(module->getContext());
  buildProgramPipeline(pm);
  ConvertedProgram converted;
  if (failed(pm.run(module)) ||
      failed(convertHostToProgram(module, signatures, converted)))
    return llvm::createStringError("cannot convert the host code");
  program::Program &program = converted.program;
  program.version = report.version;
  program.llvmVersion = report.llvmVersion;
  program.source = llvm::sys::path::filename(report.input).str();
  if (llvm::Error error = addMachineCode(program, ptxas, chips))
    return error;
  program.report = llvm::formatv("{0}", toJSON(report)).str();
  return converted;
}

void nm::printProgram(const program::Program &program, llvm::raw_ostream &os) {
  (void)program::writeFile(program, [&](std::string_view bytes) {
    os << bytes;
    return true;
  });
}

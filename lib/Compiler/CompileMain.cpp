//===- CompileMain.cpp - The program nm-compile ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Compiler/Compile.h"

#include "Assembler.h"
#include "Candidates.h"
#include "CompileOptions.h"
#include "Library.h"
#include "Output.h"
#include "ProgramOutput.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Pipelines/InitAll.h"
#include "nm/Pipelines/Pipelines.h"
#include "nm/Pipelines/Stages.h"
#include "nm/Report/ReportCollector.h"
#include "nm/Target/TargetInfo.h"
#include "nm/Tool/DiagnosticPrinter.h"
#include "nm/Tool/ParseModule.h"
#include "nm/Tool/Tool.h"
#include "nm/Tool/ToolFiles.h"
#include "nm/Tool/Weights.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace nm;

namespace {

/// One run of the program.
class Compilation {
public:
  Compilation(const CompileOptions &options, const PipelineOptions &pipeline,
              MLIRContext &context)
      : options(options), pipeline(pipeline), collector(context, report) {
    report.version = getVersion();
    report.llvmVersion = getLLVMVersion();
    report.input = options.input;
    report.chip = pipeline.get<std::string>(OptionId::Chip);
  }

  /// Compiles `module` and writes what was asked for.
  llvm::Error run(ModuleOp module);

private:
  llvm::Error runStages(ModuleOp module);
  llvm::Error runStage(const Stage &stage, size_t number, ModuleOp module);
  llvm::Expected<std::string> getPTX(ModuleOp module);
  llvm::Error writeCandidates(ModuleOp module);
  llvm::Error writeProduct(ModuleOp module);
  llvm::Error readSignatures(ModuleOp module);
  llvm::Error writeProgram(ModuleOp module);
  llvm::Error writeLibrary(const program::Program &program);

  const CompileOptions &options;
  const PipelineOptions &pipeline;
  Report report;
  ReportCollector collector;
  std::string ptxas;
  std::vector<Signature> signatures;
  LibraryNames library;
};

} // namespace

/// Tells who asked for it (--progress) that a stage begins.
static llvm::Error tellProgress(StringRef file, size_t number,
                                StringRef stage) {
  if (file.empty())
    return llvm::Error::success();
  std::error_code error;
  llvm::raw_fd_ostream os(file, error, llvm::sys::fs::OF_Append);
  if (error)
    return llvm::createStringError("cannot write `" + file +
                                   "`: " + error.message());
  os << number << "/" << getStages().size() << " " << stage << "\n";
  return llvm::Error::success();
}

llvm::Error Compilation::runStage(const Stage &stage, size_t number,
                                  ModuleOp module) {
  if (llvm::Error error = tellProgress(options.progress, number, stage.name))
    return error;
  // A line that is written over, for who waits at a terminal.
  bool isWatched = llvm::errs().is_displayed();
  if (isWatched)
    llvm::errs() << "\r\033[K[" << number << "/" << getStages().size() << "] "
                 << stage.name << "\r";
  FailureOr<bool> ran = nm::runStage(stage, module, pipeline);
  if (isWatched)
    llvm::errs() << "\r\033[K";
  if (failed(ran))
    return llvm::createStringError("stage `" + stage.name + "` failed");
  collector.afterStage(stage.name, module);
  return options.dumpDirectory.empty() || !*ran
             ? llvm::Error::success()
             : dumpStage(options.dumpDirectory, number, stage.name, module);
}

llvm::Error Compilation::readSignatures(ModuleOp module) {
  auto found = getSignatures(module);
  if (failed(found))
    return llvm::createStringError("cannot call what is in the module");
  signatures = std::move(*found);
  return llvm::Error::success();
}

llvm::Error Compilation::runStages(ModuleOp module) {
  size_t number = 0;
  for (const Stage &stage : getStages()) {
    if (llvm::Error error = runStage(stage, ++number, module))
      return error;
    // Weights of callers are arrays now, as kernels read them.
    if (stage.name == StringRef("plan") && options.emitsProgram())
      if (llvm::Error error = readSignatures(module))
        return error;
    if (stage.name == StringRef(options.lastStage))
      break;
  }
  return llvm::Error::success();
}

/// The text of the one image that all kernels are in.
llvm::Expected<std::string> Compilation::getPTX(ModuleOp module) {
  SmallVector<gpu::BinaryOp> binaries(module.getOps<gpu::BinaryOp>());
  if (binaries.empty())
    return llvm::createStringError("`" + options.input +
                                   "` has nothing that becomes a kernel");
  if (binaries.size() != 1)
    return llvm::createStringError(
        "expected all kernels in one gpu.module, got " +
        Twine(binaries.size()));
  return cast<gpu::ObjectAttr>(binaries.front().getObjects()[0])
      .getObject()
      .str();
}

/// The archive and its header.
llvm::Error Compilation::writeLibrary(const program::Program &program) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  printProgram(program, stream);
  auto object = makeObject(bytes, library);
  if (!object)
    return object.takeError();
  auto archive = makeArchive(*object, library.prefix + ".o");
  if (!archive)
    return archive.takeError();
  if (llvm::Error error =
          writeOutput(options.output, [&](llvm::raw_ostream &os) {
            os << (*archive)->getBuffer();
          }))
    return error;
  std::string origin = "Made by nm-compile " + program.version + " from " +
                       program.source + " for " + program.chip + ".";
  std::string header = makeHeader(library, signatures, options.output, origin);
  return writeOutput(options.getHeader(),
                     [&](llvm::raw_ostream &os) { os << header; });
}

llvm::Error Compilation::writeProgram(ModuleOp module) {
  auto converted =
      makeProgram(module, signatures, report, ptxas, options.chips);
  if (!converted)
    return converted.takeError();
  if (options.emit == EmitKind::Library)
    return writeLibrary(converted->program);
  return writeOutput(options.output, [&](llvm::raw_ostream &os) {
    printProgram(converted->program, os);
  });
}

/// Of the products as they are planned, with the layouts that they have then.
llvm::Error Compilation::writeCandidates(ModuleOp module) {
  PassManager pm(module.getContext());
  buildLayoutsPipeline(pm, pipeline);
  if (failed(pm.run(module)))
    return llvm::createStringError("the choice of layouts failed");
  return writeOutput(options.output, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}", listCandidates(module, pipeline)) << "\n";
  });
}

llvm::Error Compilation::writeProduct(ModuleOp module) {
  if (options.emitsProgram())
    return writeProgram(module);
  if (options.emit == EmitKind::MLIR || options.emit == EmitKind::NVVM)
    return writeOutput(options.output,
                       [&](llvm::raw_ostream &os) { module.print(os); });
  if (options.emit == EmitKind::Candidates)
    return writeCandidates(module);
  auto ptx = getPTX(module);
  if (!ptx)
    return ptx.takeError();
  if (!options.dumpDirectory.empty())
    if (llvm::Error error =
            dumpText(options.dumpDirectory, kDumpedKernels, *ptx))
      return error;
  std::string text = std::move(*ptx);
  if (options.emit == EmitKind::Cubin) {
    auto assembly = assemble(ptxas, text, report.chip);
    if (!assembly)
      return assembly.takeError();
    for (const auto &kernel : assembly->kernels)
      collector.addResources(kernel.getKey(), kernel.getValue().registers,
                             kernel.getValue().spillBytes);
    text = std::move(assembly->cubin);
  }
  return writeOutput(options.output,
                     [&](llvm::raw_ostream &os) { os << text; });
}

llvm::Error Compilation::run(ModuleOp module) {
  collector.collectConstants(module);
  if (options.emit == EmitKind::Cubin || !options.chips.empty()) {
    auto found = findPtxas();
    if (!found)
      return found.takeError();
    ptxas = *found;
  }
  // What nobody can call is refused before the work.
  if (options.emitsProgram())
    if (llvm::Error error = readSignatures(module))
      return error;
  if (options.emit == EmitKind::Library) {
    auto names = getLibraryNames(signatures, options.output);
    if (!names)
      return names.takeError();
    library = std::move(*names);
  }
  if (llvm::Error error = runStages(module))
    return error;
  if (llvm::Error error = writeProduct(module))
    return error;
  if (options.report == "-")
    printTable(report, llvm::outs());
  else if (!options.report.empty())
    return writeOutput(options.report, [&](llvm::raw_ostream &os) {
      os << llvm::formatv("{0:2}", toJSON(report)) << "\n";
    });
  return llvm::Error::success();
}

/// What is written, and by which option.
static std::vector<NamedFile> listOutputs(const CompileOptions &options) {
  std::vector<NamedFile> files = {{"-o", options.output},
                                  {"the header of -o", options.getHeader()},
                                  {"--progress", options.progress},
                                  {"--report", options.report}};
  if (options.dumpDirectory.empty())
    return files;
  std::vector<std::string> names = {kDumpedKernels};
  for (auto [index, stage] : llvm::enumerate(getStages()))
    names.push_back(getDumpName(index + 1, stage.name));
  for (const std::string &name : names)
    files.push_back({"--dump-stages", options.dumpDirectory + "/" + name});
  return files;
}

/// Fails where a file could not be written, or would take the place of another,
/// before any work is done.
static llvm::Error checkFiles(const CompileOptions &options) {
  if (llvm::Error error = checkReadable(options.input))
    return error;
  if (llvm::Error error =
          checkDistinct(listOutputs(options),
                        {{"the input", options.input},
                         {"--weights", options.weights},
                         {"--tuning-database", options.tuningDatabase}}))
    return error;
  for (const std::string &file :
       {options.output, options.report, options.getHeader()})
    if (!file.empty())
      if (llvm::Error error = checkWritable(file))
        return error;
  if (options.dumpDirectory.empty())
    return llvm::Error::success();
  return makeDirectory(options.dumpDirectory);
}

static int fail(llvm::Error error) {
  llvm::errs() << "nm-compile: " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

int nm::nmCompileMain(int argc, char **argv) {
  CompileOptions options;
  PipelineOptions pipeline;
  parseCompileOptions(argc, argv, options, pipeline);
  if (llvm::Error error = checkFiles(options))
    return fail(std::move(error));
  std::string message;
  auto buffer = openInputFile(options.input, &message);
  if (!buffer)
    return fail(llvm::createStringError(message));

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  // Shared, so that resources of bytecode refer to the file and are not copied.
  auto sources = std::make_shared<llvm::SourceMgr>();
  DiagnosticPrinter diagnostics(*sources, &context, "nm-compile");
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseModule(sources, context);
  if (!module || failed(attachWeights(*module, options.weights)))
    return 1;
  if (!pipeline.isGiven<std::string>(OptionId::Chip))
    pipeline.set(OptionId::Chip, getTarget(*module).chip.str());
  Compilation compilation(options, pipeline, context);
  if (llvm::Error error = compilation.run(*module)) {
    // What a pass refuses it has said already, with its place.
    if (!diagnostics.hasErrors())
      return fail(std::move(error));
    llvm::consumeError(std::move(error));
    return 1;
  }
  return 0;
}

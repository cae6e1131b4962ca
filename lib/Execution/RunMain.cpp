//===- RunMain.cpp - The program nm-run -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Execution/Run.h"

#include "CompileModule.h"
#include "InitialState.h"
#include "RunData.h"
#include "RunDevice.h"
#include "RunOptions.h"
#include "RunReport.h"
#include "ShowProgram.h"
#include "nm-c/Runtime.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Pipelines/InitAll.h"
#include "nm/Program/File.h"
#include "nm/Tool/DiagnosticPrinter.h"
#include "nm/Tool/ParseModule.h"
#include "nm/Tool/Tool.h"
#include "nm/Tool/ToolFiles.h"
#include "nm/Tool/Weights.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>
#include <new>

using namespace mlir;
using namespace nm;

using Clock = std::chrono::steady_clock;

static double getMillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// Resources of bytecode refer to the file, which `sources` keeps.
static OwningOpRef<ModuleOp>
readModule(const std::string &path,
           const std::shared_ptr<llvm::SourceMgr> &sources,
           MLIRContext &context) {
  if (llvm::Error unreadable = checkReadable(path)) {
    llvm::errs() << "nm-run: " << llvm::toString(std::move(unreadable)) << "\n";
    return nullptr;
  }
  std::string error;
  auto buffer = openInputFile(path, &error);
  if (!buffer) {
    llvm::errs() << "nm-run: " << error << "\n";
    return nullptr;
  }
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseModule(sources, context);
}

/// What is known of the run before it. The first `states` arguments are state.
static RunFacts describe(const RunOptions &options, const Signature &signature,
                         size_t states, nmrtContext *context) {
  RunFacts run;
  run.device = context ? nmrtDeviceName(context) : "CPU";
  run.function = signature.name;
  for (const ValueType &type : signature.arguments)
    run.arguments.push_back(type.str());
  for (const ValueType &type : signature.results)
    run.results.push_back(type.str());
  run.hasRandomInputs =
      options.inputs.empty() && signature.arguments.size() > states;
  return run;
}

static void printSignature(const RunOptions &options, const RunFacts &run) {
  llvm::outs() << "function: " << run.function << "("
               << llvm::join(run.arguments, ", ") << ") -> ("
               << llvm::join(run.results, ", ") << ")\n";
  if (run.hasRandomInputs)
    llvm::outs() << "inputs: random, seed " << options.seed << "\n";
}

/// Calls the function as often as asked and returns the last results.
static llvm::Expected<std::vector<Tensor>>
callRepeatedly(const RunOptions &options, Callable &function,
               ArrayRef<Tensor> inputs, RunFacts &run) {
  std::vector<Tensor> results;
  for (uint64_t call = 0; call < options.repeat; ++call) {
    auto start = Clock::now();
    auto given = function.call(inputs);
    if (!given)
      return given.takeError();
    results = std::move(*given);
    double elapsed =
        run.callMilliseconds.emplace_back(getMillisecondsSince(start));
    llvm::outs() << llvm::formatv("call {0}: {1:f3} ms, copies to and from the "
                                  "device included\n",
                                  call, elapsed);
  }
  return results;
}

/// Everything after compilation. Returns whether the results are as expected.
static llvm::Expected<bool> runFunction(const RunOptions &options,
                                        const Signature &signature,
                                        Callable &function,
                                        ArrayRef<Tensor> inputs,
                                        nmrtContext *context, Report &report) {
  auto results = callRepeatedly(options, function, inputs, *report.run);
  if (!results)
    return results.takeError();
  if (context) {
    LaunchFloors floors(report);
    auto kernels = measureKernels(context, floors);
    if (!kernels)
      return kernels.takeError();
    report.run->kernels = std::move(*kernels);
    if (auto error =
            printKernelTable(report.run->kernels, context, llvm::outs()))
      return error;
    if (!options.counters.empty())
      if (auto error = writeCounters(context, floors, options.counters))
        return error;
  }
  if (!options.report.empty()) {
    if (context) {
      auto memory = measureMemory(context);
      if (!memory)
        return memory.takeError();
      report.measured = *memory;
    }
    if (auto error = writeReport(report, options.report))
      return error;
  }
  if (auto error = writeOutputs(options, signature, *results))
    return error;
  return checkResults(options, *results, llvm::outs());
}

/// Checks the files of the options, and loads the inputs.
static llvm::Expected<std::vector<Tensor>>
prepareInputs(const RunOptions &options, const Signature &signature,
              llvm::Expected<std::vector<Tensor>> state) {
  if (!state)
    return state.takeError();
  if (auto error = checkFileCounts(options, signature, state->size()))
    return error;
  if (auto error = checkFiles(options, signature))
    return error;
  return loadInputs(options, signature, std::move(*state));
}

/// Weights of the caller become arrays of the condensed form, which inputs are.
static LogicalResult splitWeights(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addPass(createNMSplitArgumentsPass());
  return pm.run(module);
}

/// Everything after parsing.
static llvm::Expected<bool> runModule(const RunOptions &options,
                                      ModuleOp module, Report &report) {
  auto entry = findEntry(module, options.entry);
  if (failed(entry) || failed(splitWeights(module)))
    return llvm::createStringError("cannot run `" + options.module + "`");
  auto signature = getSignature(*entry);
  if (failed(signature))
    return llvm::createStringError("cannot call `" + entry->getName() + "`");
  auto inputs =
      prepareInputs(options, *signature, readInitialState(*signature));
  if (!inputs)
    return inputs.takeError();
  auto context = openDevice(options);
  if (!context)
    return context.takeError();
  report.run = describe(options, *signature, signature->initialState.size(),
                        context->get());
  printSignature(options, *report.run);

  auto start = Clock::now();
  auto function =
      compileModule(options, module, *signature, context->get(), report);
  if (!function)
    return function.takeError();
  report.run->compileMilliseconds = getMillisecondsSince(start);
  llvm::outs() << llvm::formatv("compiled in {0:f3} ms\n",
                                report.run->compileMilliseconds);
  printLayerCounts(report, llvm::outs());
  return runFunction(options, *signature, **function, *inputs, context->get(),
                     report);
}

/// The signature of a program's function.
static Signature getSignature(const program::Entry &entry) {
  Signature signature;
  signature.name = entry.name;
  signature.arguments = entry.arguments;
  for (const program::Result &result : entry.results)
    signature.results.push_back(result.type);
  signature.resultNames = entry.resultNames;
  signature.weights = entry.weights;
  return signature;
}

/// Checks that nothing is asked of a program that only a module can do.
static llvm::Error checkOptions(const RunOptions &options) {
  if (!options.chip.empty() || !options.pipelineOptions.empty() ||
      !options.weights.empty())
    return llvm::createStringError(
        "expected --chip, --pipeline-options and --weights with a module "
        "only: `" +
        options.module + "` is compiled already");
  if (options.device == RunDevice::Cpu)
    return llvm::createStringError("expected another --device than cpu: `" +
                                   options.module +
                                   "` has no code for this CPU");
  return llvm::Error::success();
}

/// Runs a function of a program that was read from a file.
static llvm::Expected<bool>
runProgram(const RunOptions &options,
           const std::shared_ptr<const program::File> &file, Report &report) {
  if (auto error = checkOptions(options))
    return error;
  std::string error;
  auto index = program::findEntry(file->getProgram(), options.entry, error);
  if (!index)
    return llvm::createStringError(error);
  const program::Entry &entry = file->getProgram().entries[*index];
  Signature signature = getSignature(entry);
  auto inputs =
      prepareInputs(options, signature, readInitialState(*file, entry));
  if (!inputs)
    return inputs.takeError();
  auto context = openDevice(options);
  if (!context)
    return context.takeError();
  report.chip = file->getProgram().chip;
  report.run =
      describe(options, signature, entry.initialState.size(), context->get());
  printSignature(options, *report.run);
  auto start = Clock::now();
  auto function = prepareProgram(file, *index, context->get());
  if (!function)
    return function.takeError();
  llvm::outs() << llvm::formatv("prepared in {0:f3} ms\n",
                                getMillisecondsSince(start));
  return runFunction(options, signature, **function, *inputs, context->get(),
                     report);
}

static llvm::Expected<bool> runProgramFile(const RunOptions &options,
                                           Report &report) {
  std::string error;
  auto file = program::File::open(options.module, error);
  if (!file)
    return llvm::createStringError(error);
  if (options.show) {
    showProgram(*file, options.showCode, llvm::outs());
    return true;
  }
  report.compiled = file->getProgram().report;
  return runProgram(options, file, report);
}

/// What went well: 0, or 2 for a result beyond the tolerance; 1 after an error,
/// which is printed.
static int finish(llvm::Expected<bool> isGood) {
  if (isGood)
    return *isGood ? 0 : 2;
  llvm::errs() << "nm-run: " << llvm::toString(isGood.takeError()) << "\n";
  return 1;
}

static int runFile(const RunOptions &options) {
  // Outlives the context, which reports to it.
  Report report;
  report.version = getVersion();
  report.llvmVersion = getLLVMVersion();
  report.input = options.module;
  if (isProgramPath(options.module))
    return finish(runProgramFile(options, report));
  DialectRegistry registry;
  nm::registerAllDialects(registry);
  MLIRContext context(registry);
  auto sources = std::make_shared<llvm::SourceMgr>();
  DiagnosticPrinter diagnostics(*sources, &context, "nm-run");
  OwningOpRef<ModuleOp> module = readModule(options.module, sources, context);
  if (!module || failed(attachWeights(*module, options.weights)))
    return 1;
  return finish(runModule(options, *module, report));
}

int nm::nmRunMain(int argc, char **argv) {
  RunOptions options = parseRunOptions(argc, argv);
  // Arrays may be of any size that was asked for.
  try {
    return runFile(options);
  } catch (const std::bad_alloc &) {
    llvm::errs() << "nm-run: out of memory\n";
    return 1;
  }
}

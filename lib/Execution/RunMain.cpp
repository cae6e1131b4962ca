//===- RunMain.cpp - The program nm-run -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Execution/Run.h"

#include "Lowering.h"
#include "RunData.h"
#include "RunDevice.h"
#include "RunOptions.h"
#include "RunReport.h"
#include "ShowProgram.h"
#include "nm-c/Runtime.h"
#include "nm/Conversion/HostToProgram/HostToProgram.h"
#include "nm/Execution/DeviceProgram.h"
#include "nm/Execution/HostProgram.h"
#include "nm/Pipelines/InitAll.h"
#include "nm/Program/File.h"
#include "nm/Runtime/Handles.h"
#include "nm/Target/TargetInfo.h"
#include "nm/Tool/DiagnosticPrinter.h"
#include "nm/Tool/Tool.h"
#include "nm/Tool/ToolFiles.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
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

static const std::string &getChip(const PipelineOptions &pipeline) {
  return pipeline.get<std::string>(OptionId::Chip);
}

/// Chooses the chip to compile for, which --chip or --pipeline-options say, or
/// the device.
static llvm::Error chooseChip(const RunOptions &options, nmrtContext *context,
                              PipelineOptions &pipeline) {
  if (pipeline.isGiven<std::string>(OptionId::Chip)) {
    if (!options.chip.empty() && options.chip != getChip(pipeline))
      return llvm::createStringError("expected one chip, got `" + options.chip +
                                     "` by --chip and `" + getChip(pipeline) +
                                     "` by --pipeline-options");
  } else if (!options.chip.empty()) {
    pipeline.set(OptionId::Chip, options.chip);
  } else if (int32_t capability = nmrtDeviceCapability(context)) {
    // A GPU that is not known by name is the passes' business.
    pipeline.set(OptionId::Chip, "sm_" + std::to_string(capability));
    return llvm::Error::success();
  } else {
    pipeline.set<std::string>(OptionId::Chip, kDefaultChip);
  }
  if (lookupTarget(getChip(pipeline)))
    return llvm::Error::success();
  return llvm::createStringError(describeUnknownChip(getChip(pipeline)));
}

/// Reads --pipeline-options, of which MLIR would take the last of two.
static llvm::Error parsePipeline(llvm::StringRef text,
                                 PipelineOptions &pipeline) {
  llvm::StringSet<> names;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    if (!names.insert(word.split('=').first).second)
      return llvm::createStringError("expected `" + word.split('=').first +
                                     "` at most once in --pipeline-options, "
                                     "got `" +
                                     text + "`");
  if (failed(pipeline.parseFromString(text)))
    return llvm::createStringError("cannot read --pipeline-options");
  return llvm::Error::success();
}

static OwningOpRef<ModuleOp> parseModule(const std::string &path,
                                         llvm::SourceMgr &sources,
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
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

/// What is known of the run before it.
static RunFacts describe(const RunOptions &options, const Signature &signature,
                         nmrtContext *context) {
  RunFacts run;
  run.device = context ? nmrtDeviceName(context) : "CPU";
  run.function = signature.name;
  for (const ValueType &type : signature.arguments)
    run.arguments.push_back(type.str());
  for (const ValueType &type : signature.results)
    run.results.push_back(type.str());
  run.hasRandomInputs = options.inputs.empty() && !signature.arguments.empty();
  return run;
}

static void printSignature(const RunOptions &options, const RunFacts &run) {
  llvm::outs() << "function: " << run.function << "("
               << llvm::join(run.arguments, ", ") << ") -> ("
               << llvm::join(run.results, ", ") << ")\n";
  if (run.hasRandomInputs)
    llvm::outs() << "inputs: random, seed " << options.seed << "\n";
}

/// The program of a lowered module, which it points into.
static llvm::Expected<std::shared_ptr<const program::File>>
convert(ModuleOp module, const Signature &signature) {
  auto converted = std::make_shared<ConvertedProgram>();
  if (failed(convertHostToProgram(module, signature, *converted)))
    return llvm::createStringError("cannot convert the host code");
  program::Program program = std::move(converted->program);
  std::string error;
  auto file = program::File::hold(std::move(program), converted, error);
  if (!file)
    return llvm::createStringError("the host code is not valid: " + error);
  return file;
}

namespace {
/// A function compiled for this CPU.
class CpuFunction : public Callable {
public:
  explicit CpuFunction(std::unique_ptr<HostProgram> program)
      : program(std::move(program)) {}
  llvm::Expected<std::vector<Tensor>> call(ArrayRef<Tensor> inputs) override {
    return program->call(inputs);
  }

private:
  std::unique_ptr<HostProgram> program;
};
} // namespace

using CallableOrError = llvm::Expected<std::unique_ptr<Callable>>;

static CallableOrError compileForCpu(ModuleOp module, Signature signature) {
  auto program =
      HostProgram::create(module, std::move(signature), /*optLevel=*/2);
  if (!program)
    return program.takeError();
  return std::make_unique<CpuFunction>(std::move(*program));
}

static CallableOrError prepare(std::shared_ptr<const program::File> file,
                               size_t function, nmrtContext *context) {
  auto program = DeviceProgram::create(std::move(file), function,
                                       *runtime::unwrap(context));
  if (!program)
    return program.takeError();
  return std::move(*program);
}

/// Lowers the module, which it destroys, and compiles its host code.
static CallableOrError compile(const RunOptions &options, ModuleOp module,
                               const Signature &signature, nmrtContext *context,
                               Report &report) {
  auto start = Clock::now();
  PipelineOptions pipeline;
  if (auto error = parsePipeline(options.pipelineOptions, pipeline))
    return error;
  if (auto error = chooseChip(options, context, pipeline))
    return error;
  report.chip = context ? getChip(pipeline) : "this CPU";
  ReportCollector collector(*module.getContext(), report);
  if (failed(context ? lowerForGpu(module, pipeline, collector)
                     : lowerForCpu(module, pipeline, collector)))
    return llvm::createStringError("cannot compile `" + options.module + "`");
  CallableOrError callable = nullptr;
  if (!context) {
    callable = compileForCpu(module, signature);
  } else {
    auto file = convert(module, signature);
    if (!file)
      return file.takeError();
    // What is made here is made for this device.
    callable = prepare(*file, /*function=*/0, context);
  }
  if (!callable)
    return callable;
  report.run->compileMilliseconds = getMillisecondsSince(start);
  llvm::outs() << llvm::formatv("compiled in {0:f3} ms\n",
                                report.run->compileMilliseconds);
  return callable;
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
                                        Callable &function,
                                        ArrayRef<Tensor> inputs,
                                        nmrtContext *context, Report &report) {
  auto results = callRepeatedly(options, function, inputs, *report.run);
  if (!results)
    return results.takeError();
  if (context) {
    auto kernels = measureKernels(context);
    if (!kernels)
      return kernels.takeError();
    report.run->kernels = std::move(*kernels);
    if (auto error =
            printKernelTable(report.run->kernels, context, llvm::outs()))
      return error;
    if (!options.counters.empty())
      if (auto error = writeCounters(context, options.counters))
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
  if (auto error = writeOutputs(options, *results))
    return error;
  return checkResults(options, *results, llvm::outs());
}

/// Checks the files of the options, and loads the inputs.
static llvm::Expected<std::vector<Tensor>>
prepareInputs(const RunOptions &options, const Signature &signature) {
  if (auto error = checkFileCounts(options, signature))
    return error;
  if (auto error = checkFiles(options, signature))
    return error;
  return loadInputs(options, signature);
}

/// Everything after parsing.
static llvm::Expected<bool> runModule(const RunOptions &options,
                                      ModuleOp module, Report &report) {
  auto entry = findEntry(module, options.entry);
  if (failed(entry))
    return llvm::createStringError("cannot run `" + options.module + "`");
  auto signature = getSignature(*entry);
  if (failed(signature))
    return llvm::createStringError("cannot call `" + entry->getName() + "`");
  auto inputs = prepareInputs(options, *signature);
  if (!inputs)
    return inputs.takeError();
  auto context = openDevice(options);
  if (!context)
    return context.takeError();
  report.run = describe(options, *signature, context->get());
  printSignature(options, *report.run);

  auto function = compile(options, module, *signature, context->get(), report);
  if (!function)
    return function.takeError();
  printLayerCounts(report, llvm::outs());
  return runFunction(options, **function, *inputs, context->get(), report);
}

/// The signature of a program's function.
static Signature getSignature(const program::Entry &entry) {
  Signature signature;
  signature.name = entry.name;
  signature.arguments = entry.arguments;
  for (const program::Result &result : entry.results)
    signature.results.push_back(result.type);
  return signature;
}

/// Checks that nothing is asked of a program that only a module can do.
static llvm::Error checkOptions(const RunOptions &options) {
  if (!options.chip.empty() || !options.pipelineOptions.empty())
    return llvm::createStringError(
        "expected --chip and --pipeline-options with a module only: `" +
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
  Signature signature = getSignature(file->getProgram().entries[*index]);
  auto inputs = prepareInputs(options, signature);
  if (!inputs)
    return inputs.takeError();
  auto context = openDevice(options);
  if (!context)
    return context.takeError();
  report.chip = file->getProgram().chip;
  report.run = describe(options, signature, context->get());
  printSignature(options, *report.run);
  auto start = Clock::now();
  auto function = prepare(file, *index, context->get());
  if (!function)
    return function.takeError();
  llvm::outs() << llvm::formatv("prepared in {0:f3} ms\n",
                                getMillisecondsSince(start));
  return runFunction(options, **function, *inputs, context->get(), report);
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
  llvm::SourceMgr sources;
  DiagnosticPrinter diagnostics(sources, &context, "nm-run");
  OwningOpRef<ModuleOp> module = parseModule(options.module, sources, context);
  if (!module)
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

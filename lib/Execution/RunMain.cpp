//===- RunMain.cpp - The program nm-run -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Execution/Run.h"

#include "Lowering.h"
#include "RunData.h"
#include "RunOptions.h"
#include "RunReport.h"
#include "nm-c/Runtime.h"
#include "nm/Execution/HostProgram.h"
#include "nm/Pipelines/InitAll.h"
#include "nm/Runtime/Devices.h"
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

namespace {

struct DestroyContext {
  void operator()(nmrtContext *context) const { nmrtContextDestroy(context); }
};
using RuntimeContext = std::unique_ptr<nmrtContext, DestroyContext>;

} // namespace

using Clock = std::chrono::steady_clock;

static double getMillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// Opens a device of one kind.
static llvm::Expected<RuntimeContext> open(const RunOptions &options,
                                           const runtime::DeviceKind &kind) {
  nmrtContextOptions request = {};
  request.apiVersion = NMRT_API_VERSION;
  request.device = kind.kind;
  request.emulatorChecks = options.checks;
  request.emulatorSeed = options.seed;
  request.emulatorThreads = options.emulatorThreads;
  request.recordKernels = true;
  request.emulatorCounters = !options.counters.empty();
  nmrtContext *created = nullptr;
  char text[4096];
  if (nmrtContextCreate(&request, &created, text, sizeof(text)) == NMRT_OK)
    return RuntimeContext(created);
  return llvm::createStringError(llvm::Twine("cannot open ") +
                                 kind.description + ": " + text);
}

/// Opens the first device that can be, with a note of why not those before.
static llvm::Expected<RuntimeContext> openAny(const RunOptions &options,
                                              std::string &note) {
  std::string reasons;
  for (const runtime::DeviceKind &kind : runtime::getDeviceKinds()) {
    auto context = open(options, kind);
    if (context) {
      note = reasons.empty() ? "" : " (" + reasons + ")";
      return context;
    }
    reasons +=
        (reasons.empty() ? "" : "; ") + llvm::toString(context.takeError());
  }
  return llvm::createStringError(reasons);
}

/// Opens the device that the options ask for and prints which it is. The
/// context is null for the CPU.
static llvm::Expected<RuntimeContext> openDevice(const RunOptions &options) {
  if (options.device == RunDevice::Cpu) {
    llvm::outs() << "device: CPU\n";
    return RuntimeContext();
  }
  std::string note;
  auto context =
      options.device == RunDevice::Auto
          ? openAny(options, note)
          : open(options, *runtime::lookupDeviceKind(
                              static_cast<nmrtDeviceKind>(options.device)));
  if (!context)
    return context;
  llvm::outs() << "device: " << nmrtDeviceName(context->get());
  if (int32_t capability = nmrtDeviceCapability(context->get()))
    llvm::outs() << " (sm_" << capability << ")";
  llvm::outs() << note << "\n";
  return context;
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

/// Lowers the module, which it destroys, and compiles its host code.
static llvm::Expected<std::unique_ptr<HostProgram>>
compile(const RunOptions &options, ModuleOp module, Signature signature,
        nmrtContext *context, Report &report) {
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
  auto program = HostProgram::create(module, std::move(signature),
                                     /*optLevel=*/context ? 0 : 2);
  if (!program)
    return program;
  report.run->compileMilliseconds = getMillisecondsSince(start);
  llvm::outs() << llvm::formatv("compiled in {0:f3} ms\n",
                                report.run->compileMilliseconds);
  return program;
}

/// Calls the function as often as asked and returns the last results.
static llvm::Expected<std::vector<Tensor>>
callRepeatedly(const RunOptions &options, HostProgram &program,
               ArrayRef<Tensor> inputs, nmrtContext *context, RunFacts &run) {
  std::vector<Tensor> results;
  for (uint64_t call = 0; call < options.repeat; ++call) {
    auto start = Clock::now();
    auto given = program.call(inputs, context);
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
static llvm::Expected<bool> runProgram(const RunOptions &options,
                                       HostProgram &program,
                                       ArrayRef<Tensor> inputs,
                                       nmrtContext *context, Report &report) {
  auto results = callRepeatedly(options, program, inputs, context, *report.run);
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

/// Everything after parsing.
static llvm::Expected<bool> runModule(const RunOptions &options,
                                      ModuleOp module, Report &report) {
  auto entry = findEntry(module, options.entry);
  if (failed(entry))
    return llvm::createStringError("cannot run `" + options.module + "`");
  auto signature = getSignature(*entry);
  if (failed(signature))
    return llvm::createStringError("cannot call `" + entry->getName() + "`");
  if (auto error = checkFileCounts(options, *signature))
    return error;
  if (auto error = checkFiles(options, *signature))
    return error;
  auto inputs = loadInputs(options, *signature);
  if (!inputs)
    return inputs.takeError();
  auto context = openDevice(options);
  if (!context)
    return context.takeError();
  report.run = describe(options, *signature, context->get());
  printSignature(options, *report.run);

  auto program =
      compile(options, module, std::move(*signature), context->get(), report);
  if (!program)
    return program.takeError();
  printLayerCounts(report, llvm::outs());
  return runProgram(options, **program, *inputs, context->get(), report);
}

static int runFile(const RunOptions &options) {
  // Outlives the context, which reports to it.
  Report report;
  report.version = getVersion();
  report.llvmVersion = getLLVMVersion();
  report.input = options.module;
  DialectRegistry registry;
  nm::registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  DiagnosticPrinter diagnostics(sources, &context, "nm-run");
  OwningOpRef<ModuleOp> module = parseModule(options.module, sources, context);
  if (!module)
    return 1;
  auto isGood = runModule(options, *module, report);
  if (!isGood) {
    llvm::errs() << "nm-run: " << llvm::toString(isGood.takeError()) << "\n";
    return 1;
  }
  return *isGood ? 0 : 2;
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

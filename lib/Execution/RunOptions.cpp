//===- RunOptions.cpp - The command line of nm-run ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options live in a function, not in globals: the multi-call binary holds
// other programs whose options have the same names.
//
//===----------------------------------------------------------------------===//

#include "RunOptions.h"

#include "nm/Numbers/NumericTypes.h"
#include "nm/Runtime/Devices.h"
#include "nm/Target/TargetInfo.h"
#include "nm/Tool/Tool.h"
#include "nm/Tool/Weights.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

#include <limits>

using namespace nm;
namespace cl = llvm::cl;

static const char *const kOverview = R"(run and check a function of a module

  Compiles IN.mlir (what torch-mlir prints, or any module of nm's dialect) for
  the GPU, for the PTX emulator where there is none, or for this CPU; calls one
  of its public functions and compares what it gives with what is expected.

  Random inputs, on whatever device there is; prints the time of every kernel:
    nm-run model.mlir --entry=forward

  Recorded input and output; exits with 2 if the relative error is above 1e-5:
    nm-run model.mlir --entry=forward --input=x.npy --expect=y.npy \
        --tolerance=1e-5

  Two inputs, the result to a file, in the emulator without its checks:
    nm-run model.mlir --entry=forward --input=a.npy --input=b.bin \
        --output=c.npy --device=emulator --checks=none

  A program that nm-compile --emit=program made, and what is in it:
    nm-run model.nm --input=x.npy --expect=y.npy
    nm-run model.nm --show

  Files ending in .npy say their type and shape. Floats are converted to the
  argument's type; opaque bytes, as which ml_dtypes writes what numpy lacks, are
  of that type; integers are taken as they are. All other files hold the plain
  little-endian elements of the function's argument, of which at most one extent
  may be dynamic.
)";

namespace {

struct CommandLine {
  cl::OptionCategory category{"nm-run options"};
  cl::opt<std::string> module{cl::Positional, cl::Required,
                              cl::desc("IN.mlir|IN.nm"), cl::cat(category)};
  cl::opt<bool> show{"show", cl::cat(category),
                     cl::desc("print what the program IN.nm is; run nothing")};
  cl::opt<bool> showCode{"show-code", cl::cat(category),
                         cl::desc("as --show, with its host code")};
  cl::opt<std::string> entry{
      "entry", cl::value_desc("name"), cl::cat(category),
      cl::desc("function to call (default: the only public one)")};
  cl::list<std::string> inputs{
      "input", cl::value_desc("file"), cl::cat(category),
      cl::desc("an argument, in the function's order (default: random)")};
  cl::list<std::string> outputs{"output", cl::value_desc("file"),
                                cl::cat(category),
                                cl::desc("where to write a result, in order")};
  cl::opt<std::string> outputDirectory{
      "output-dir", cl::value_desc("directory"), cl::cat(category),
      cl::desc("where to write all results, as 0.npy, 1.npy, ..., and their "
               "types, as results.json")};
  cl::list<std::string> expected{
      "expect", cl::value_desc("file"), cl::cat(category),
      cl::desc("what a result is compared with, in order")};
  std::string toleranceText =
      "largest relative Frobenius error (default: " + listTolerances() + ")";
  cl::opt<double> tolerance{"tolerance", cl::value_desc("t"), cl::cat(category),
                            cl::desc(toleranceText)};
  cl::opt<RunDevice> device{"device", cl::init(RunDevice::Auto),
                            cl::cat(category), cl::desc("where to run")};
  std::string autoText;
  std::string chipText = "chip to compile for (default: the GPU's, or " +
                         std::string(kDefaultChip) + ")";
  cl::opt<std::string> chip{"chip", cl::value_desc("sm_NN"), cl::cat(category),
                            cl::desc(chipText)};
  cl::opt<std::string> weights{"weights", cl::value_desc("file"),
                               cl::cat(category), cl::desc(kWeightsHelp)};
  cl::opt<std::string> pipelineOptions{
      "pipeline-options", cl::value_desc("options"), cl::cat(category),
      cl::desc("how kernels are made, as nm-opt's nm-to-ptx-pipeline takes it: "
               "\"stages=3 promote=0\"")};
  cl::opt<uint64_t> seed{"seed", cl::init(1), cl::value_desc("n"),
                         cl::cat(category),
                         cl::desc("seed of random inputs and of the order of "
                                  "warps in the emulator")};
  cl::opt<int64_t> dynamicSize{"dynamic-size", cl::init(0), cl::value_desc("n"),
                               cl::cat(category),
                               cl::desc("dynamic extents of random inputs")};
  cl::opt<uint64_t> repeat{"repeat", cl::init(1), cl::value_desc("n"),
                           cl::cat(category), cl::desc("calls to make")};
  cl::opt<std::string> checks{
      "checks", cl::init("all"), cl::value_desc("list"), cl::cat(category),
      cl::desc("checks of the emulator: all, none, or some of bounds, "
               "alignment, uninitialized, races, barriers (with commas)")};
  cl::opt<uint32_t> emulatorThreads{"emulator-threads", cl::init(1),
                                    cl::value_desc("n"), cl::cat(category),
                                    cl::desc("host threads of the emulator")};
  cl::opt<std::string> report{
      "report", cl::value_desc("file"), cl::cat(category),
      cl::desc("write what was done with each layer and kernel, and the device "
               "memory, as JSON; - prints it as a table")};
  cl::opt<std::string> counters{
      "counters", cl::value_desc("file"), cl::cat(category),
      cl::desc("write time, grid and, in the emulator, counters of each "
               "launch, as JSON")};

  CommandLine() {
    auto add = [&](const char *name, RunDevice value, const char *what) {
      device.getParser().addLiteralOption(name, value, what);
    };
    for (const runtime::DeviceKind &row : runtime::getDeviceKinds()) {
      autoText +=
          (autoText.empty() ? "the first that can be opened of " : ", ") +
          std::string(row.name);
      add(row.name, static_cast<RunDevice>(row.kind), row.description);
    }
    add("auto", RunDevice::Auto, autoText.c_str());
    add("cpu", RunDevice::Cpu, "this CPU, by the reference lowering");
  }
};

} // namespace

/// Ends the process as a malformed option does.
[[noreturn]] static void exitWith(const llvm::Twine &message) {
  llvm::errs() << "nm-run: " << message << "\n";
  std::exit(1);
}

static uint32_t parseChecks(llvm::StringRef text) {
  if (text == "all")
    return NMRT_CHECK_ALL;
  if (text == "none")
    return 0;
  static const std::pair<llvm::StringRef, uint32_t> names[] = {
      {"bounds", NMRT_CHECK_BOUNDS},
      {"alignment", NMRT_CHECK_ALIGNMENT},
      {"uninitialized", NMRT_CHECK_UNINITIALIZED},
      {"races", NMRT_CHECK_RACES},
      {"barriers", NMRT_CHECK_BARRIERS}};
  uint32_t checks = 0;
  for (llvm::StringRef name : llvm::split(text, ',')) {
    const auto *found = llvm::find_if(
        names, [&](const auto &entry) { return entry.first == name; });
    if (found == std::end(names))
      exitWith("expected --checks of all, none, bounds, alignment, "
               "uninitialized, races or barriers, got `" +
               name + "`");
    checks |= found->second;
  }
  return checks;
}

RunOptions nm::parseRunOptions(int argc, char **argv) {
  // LLVM keeps pointers to its options.
  static CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  startTool("nm-run");
  parseCommandLine(argc, argv, kOverview);

  RunOptions options;
  options.module = line.module;
  options.showCode = line.showCode;
  options.show = line.show || line.showCode;
  options.entry = line.entry;
  options.inputs.assign(line.inputs.begin(), line.inputs.end());
  options.outputs.assign(line.outputs.begin(), line.outputs.end());
  options.outputDirectory = line.outputDirectory;
  options.expected.assign(line.expected.begin(), line.expected.end());
  if (line.tolerance.getNumOccurrences() != 0)
    options.tolerance = line.tolerance;
  options.device = line.device;
  options.chip = line.chip;
  options.weights = line.weights;
  options.pipelineOptions = line.pipelineOptions;
  options.seed = line.seed;
  if (line.dynamicSize.getNumOccurrences() != 0)
    options.dynamicSize = line.dynamicSize;
  options.repeat = line.repeat;
  options.checks = parseChecks(line.checks);
  options.emulatorThreads = line.emulatorThreads;
  options.report = line.report;
  options.counters = line.counters;
  if (options.show && !llvm::StringRef(options.module).ends_with(".nm"))
    exitWith("expected a program, IN.nm, with --show, got `" + options.module +
             "`");
  if (options.repeat < 1)
    exitWith("expected --repeat of at least 1, got 0");
  if (options.dynamicSize.value_or(0) < 0)
    exitWith("expected --dynamic-size of at least 0, got " +
             llvm::Twine(*options.dynamicSize));
  if (!options.counters.empty() && options.device == RunDevice::Cpu)
    exitWith("expected another --device than cpu with --counters: there are no "
             "kernels on the CPU");
  if (options.tolerance && !(*options.tolerance >= 0))
    exitWith("expected --tolerance of at least 0");
  return options;
}

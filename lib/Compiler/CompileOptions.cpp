//===- CompileOptions.cpp - The command line of nm-compile ----------------===//
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

#include "CompileOptions.h"
#include "OptionFlags.h"

#include "nm/Pipelines/Stages.h"
#include "nm/Target/TargetInfo.h"
#include "nm/Tool/Tool.h"
#include "nm/Tool/Weights.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace nm;
namespace cl = llvm::cl;

static const char *const kOverview = R"(compile a module to PTX

  Finds the N:M-sparse products of IN.mlir (what torch-mlir prints, or any
  module of nm's dialect) and compiles it for a GPU.

  PTX for an H100 or H200, and a table of what was done with each product:
    nm-compile model.mlir --chip=sm_90 --emit=ptx -o model.ptx --report=-

  Why was a product not raised? The report says, as does its JSON form:
    nm-compile model.mlir -o model.ptx --report=report.json

  Machine code by ptxas ($NM_PTXAS, PATH, .venv of the checkout, /usr/local/cuda):
    nm-compile model.mlir --chip=sm_80 --emit=cubin -o model.cubin

  The module after every stage, with large constants elided:
    nm-compile model.mlir -o model.ptx --dump-stages=stages

  A program for nm-run, C and Python, with machine code for two chips beside PTX:
    nm-compile model.mlir --emit=program --chips=sm_80,sm_90 -o model.nm

  The same to link into a C or C++ program, libmodel.a with model.h:
    nm-compile model.mlir --emit=lib -o libmodel.a

  Weights that are known to keep 8 of every 32 rows in units of 32 columns:
    nm-compile model.mlir --keep=8 --window=32 --unit=1x32 -o model.ptx

  Schedules that nm-tune has measured on the GPU at hand:
    nm-compile model.mlir --tuning-database=tuning.json -o model.ptx --report=-

  The schedules among which the planner chooses, with predicted times, as JSON:
    nm-compile model.mlir --emit=candidates -o -

  A kernel without double-buffering, read at a stage of its own:
    nm-compile model.mlir --no-double-buffer --emit=mlir --last-stage=tile -o -
)";

namespace {

struct CommandLine {
  cl::OptionCategory category{"nm-compile options"};
  cl::OptionCategory importing{"Import options"};
  cl::OptionCategory scheduling{"Schedule and stage options"};

  cl::opt<std::string> input{cl::Positional, cl::init("-"), cl::desc("IN.mlir"),
                             cl::cat(category)};
  cl::opt<std::string> output{"o", cl::init("-"), cl::value_desc("file"),
                              cl::cat(category),
                              cl::desc("what to write (default: - for "
                                       "standard output)")};
  std::string chipText = "chip to compile for (default: the module's, or " +
                         std::string(kDefaultChip) + ")";
  cl::opt<std::string> chip{"chip", cl::value_desc("sm_NN"), cl::cat(category),
                            cl::desc(chipText)};
  cl::opt<unsigned> capability{
      "capability", cl::value_desc("NN"), cl::cat(category),
      cl::desc("compute capability of the GPU to compile for, such as 90, in "
               "the place of --chip: the chip is the one that nm-run takes "
               "there")};
  cl::opt<EmitKind> emit{
      "emit", cl::init(EmitKind::PTX), cl::cat(category),
      cl::desc("what to make (default: ptx)"),
      cl::values(clEnumValN(EmitKind::MLIR, "mlir",
                            "the module after --last-stage, as text"),
                 clEnumValN(EmitKind::Candidates, "candidates",
                            "the schedules of each product that the planner "
                            "would choose from, as JSON"),
                 clEnumValN(EmitKind::NVVM, "nvvm",
                            "the module with kernels in the NVVM dialect"),
                 clEnumValN(EmitKind::PTX, "ptx", "all kernels as PTX"),
                 clEnumValN(EmitKind::Cubin, "cubin",
                            "all kernels as machine code, by ptxas"),
                 clEnumValN(EmitKind::Program, "program",
                            "a program (-o NAME.nm), which runs without a "
                            "compiler"),
                 clEnumValN(EmitKind::Library, "lib",
                            "a program to link (-o libNAME.a) and its "
                            "C header (NAME.h)"))};
  cl::list<std::string> chips{
      "chips", cl::CommaSeparated, cl::value_desc("sm_NN,..."),
      cl::cat(category),
      cl::desc("with --emit=program or lib: chips to add machine code for, by "
               "ptxas; the first of them is --chip where that is not given")};
  cl::opt<std::string> weights{"weights", cl::value_desc("file"),
                               cl::cat(category), cl::desc(kWeightsHelp)};
  cl::opt<std::string> lastStage{
      "last-stage", cl::value_desc("stage"), cl::cat(category),
      cl::desc("with --emit=mlir: stop after this stage (default: plan)")};
  cl::opt<std::string> report{
      "report", cl::value_desc("file"), cl::cat(category),
      cl::desc("write what was done with each product and kernel, as JSON; - "
               "prints it as a table")};
  cl::opt<std::string> progress{
      "progress", cl::value_desc("file"), cl::cat(category),
      cl::desc("write a line as each stage begins, such as 3/9 plan, to a file "
               "or a pipe")};
  cl::opt<std::string> dumpStages{
      "dump-stages", cl::value_desc("directory"), cl::cat(category),
      cl::desc("write the module after every stage, and the PTX")};

  OptionFlags flags{importing, scheduling};
  cl::opt<std::string> tuningDatabase{
      "tuning-database", cl::value_desc("file"), cl::cat(scheduling),
      cl::desc(getOption(OptionId::TuningDatabase).description)};
  cl::opt<std::string> unit{
      "unit", cl::init("1x1"), cl::value_desc("KxN"), cl::cat(importing),
      cl::desc("rows and columns of a unit, with --keep (default: 1x1)")};
};

} // namespace

/// Ends the process as a malformed option does.
[[noreturn]] static void exitWith(const llvm::Twine &message) {
  llvm::errs() << "nm-compile: " << message << "\n";
  std::exit(1);
}

/// Reads "1x32".
static void parseUnit(llvm::StringRef text, PipelineOptions &pipeline) {
  auto [rows, columns] = text.split('x');
  int64_t unitK, unitN;
  if (rows.getAsInteger(10, unitK) || columns.getAsInteger(10, unitN) ||
      unitK < 1 || unitN < 1)
    exitWith("expected --unit of the form 1x32, got `" + text + "`");
  pipeline.set(OptionId::UnitK, unitK);
  pipeline.set(OptionId::UnitN, unitN);
}

static std::string getLastStage(const CommandLine &line) {
  if (line.emit != EmitKind::MLIR && !line.lastStage.empty())
    exitWith("expected --emit=mlir with --last-stage");
  if (line.emit == EmitKind::Candidates)
    return "fuse";
  if (line.emit == EmitKind::NVVM)
    return "lower-to-nvvm";
  if (line.emit != EmitKind::MLIR)
    return "emit-ptx";
  if (line.lastStage.empty())
    return "plan";
  if (!lookupStage(line.lastStage))
    exitWith("expected --last-stage of " + listStages() + ", got `" +
             line.lastStage + "`");
  return line.lastStage;
}

static void fillPipeline(const CommandLine &line, PipelineOptions &pipeline) {
  std::string chip = line.chip;
  if (line.capability.getNumOccurrences() != 0) {
    if (!chip.empty())
      exitWith("expected --chip or --capability, got both");
    chip = chooseChip(line.capability);
  }
  if (!chip.empty() && !lookupTarget(chip))
    exitWith(describeUnknownChip(chip));
  for (const std::string &one : line.chips)
    if (!lookupTarget(one))
      exitWith(describeUnknownChip(one));
  if (!line.chips.empty() && line.emit != EmitKind::Program &&
      line.emit != EmitKind::Library)
    exitWith("expected --emit=program or --emit=lib with --chips");
  if (!chip.empty())
    pipeline.set(OptionId::Chip, chip);
  else if (!line.chips.empty())
    pipeline.set(OptionId::Chip, line.chips.front());
  if (!line.tuningDatabase.empty())
    pipeline.set(OptionId::TuningDatabase, line.tuningDatabase.getValue());
  if (line.unit.getNumOccurrences() != 0)
    parseUnit(line.unit, pipeline);
  if (llvm::Error error = line.flags.apply(pipeline))
    exitWith(llvm::toString(std::move(error)));
}

void nm::parseCompileOptions(int argc, char **argv, CompileOptions &options,
                             PipelineOptions &pipeline) {
  // LLVM keeps pointers to the options.
  static CommandLine line;
  cl::HideUnrelatedOptions({&line.category, &line.importing, &line.scheduling});
  startTool("nm-compile");
  parseCommandLine(argc, argv, kOverview);
  fillPipeline(line, pipeline);
  options.input = line.input;
  options.weights = line.weights;
  options.tuningDatabase = line.tuningDatabase;
  options.output = line.output;
  options.emit = line.emit;
  options.chips.assign(line.chips.begin(), line.chips.end());
  options.lastStage = getLastStage(line);
  options.report = line.report;
  options.progress = line.progress;
  options.dumpDirectory = line.dumpStages;
  if (options.report == "-" && options.output == "-")
    exitWith("expected -o with a file when --report=- takes standard output");
  if (options.emit == EmitKind::Library &&
      !llvm::StringRef(options.output).ends_with(".a"))
    exitWith("expected -o with a file that ends in .a for --emit=lib, got `" +
             options.output + "`");
}

std::string CompileOptions::getHeader() const {
  if (emit != EmitKind::Library)
    return "";
  llvm::StringRef stem = llvm::sys::path::stem(output);
  stem.consume_front("lib");
  llvm::SmallString<128> header(llvm::sys::path::parent_path(output));
  llvm::sys::path::append(header, stem + ".h");
  return std::string(header);
}

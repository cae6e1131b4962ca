//===- CompileModule.cpp - Modules to what can be called ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileModule.h"

#include "Lowering.h"
#include "nm/Conversion/HostToProgram/HostToProgram.h"
#include "nm/Execution/DeviceProgram.h"
#include "nm/Execution/HostProgram.h"
#include "nm/Runtime/Handles.h"
#include "nm/Target/TargetInfo.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace nm;

static const std::string &getChip(const PipelineOptions &pipeline) {
  return pipeline.get<std::string>(OptionId::Chip);
}

/// Chooses the chip to compile for, which --chip or --pipeline-options say, or
/// the device.
static llvm::Error setChip(const RunOptions &options, nmrtContext *context,
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
    pipeline.set(OptionId::Chip, nm::chooseChip(capability));
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

/// The program of a lowered module, which it points into.
static llvm::Expected<std::shared_ptr<const program::File>>
toProgram(ModuleOp module, const Signature &signature) {
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

static CallableOrError compileForCpu(ModuleOp module, Signature signature) {
  auto program =
      HostProgram::create(module, std::move(signature), /*optLevel=*/2);
  if (!program)
    return program.takeError();
  return std::make_unique<CpuFunction>(std::move(*program));
}

CallableOrError nm::prepareProgram(std::shared_ptr<const program::File> file,
                                   size_t function, nmrtContext *context) {
  auto program = DeviceProgram::create(std::move(file), function,
                                       *runtime::unwrap(context));
  if (!program)
    return program.takeError();
  return std::move(*program);
}

CallableOrError nm::compileModule(const RunOptions &options, ModuleOp module,
                                  const Signature &signature,
                                  nmrtContext *context, Report &report) {
  PipelineOptions pipeline;
  if (auto error = parsePipeline(options.pipelineOptions, pipeline))
    return error;
  if (auto error = setChip(options, context, pipeline))
    return error;
  report.chip = context ? getChip(pipeline) : "this CPU";
  ReportCollector collector(*module.getContext(), report);
  collector.collectConstants(module);
  if (failed(context ? lowerForGpu(module, pipeline, collector)
                     : lowerForCpu(module, pipeline, collector)))
    return llvm::createStringError("cannot compile `" + options.module + "`");
  CallableOrError callable = nullptr;
  if (!context) {
    callable = compileForCpu(module, signature);
  } else {
    auto file = toProgram(module, signature);
    if (!file)
      return file.takeError();
    // What is made here is made for this device.
    callable = prepareProgram(*file, /*function=*/0, context);
  }
  return callable;
}

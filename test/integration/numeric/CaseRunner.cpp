//===- CaseRunner.cpp - Runs a case and compares its numbers --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "nm/Emulator/TensorMap.h"
#include "nm/Pipelines/Pipelines.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>

using namespace nm;
using namespace nm::numeric;

const char *nm::numeric::nameOfCheck(uint32_t check) {
  switch (check) {
  case emulator::CheckBounds:
    return "bounds";
  case emulator::CheckAlignment:
    return "alignment";
  case emulator::CheckUninitialized:
    return "uninitialized";
  case emulator::CheckRaces:
    return "races";
  case emulator::CheckBarriers:
    return "barriers";
  default:
    return "numbers";
  }
}

std::optional<CompiledKernel>
nm::numeric::compileCase(mlir::MLIRContext &context, const KernelCase &c,
                         const CaseData &data, std::string &error) {
  PipelineOptions options;
  if (failed(options.parseFromString(makeOptions(c)))) {
    error = "cannot read " + makeOptions(c);
    return std::nullopt;
  }
  return compile(context, makeModule(c, data), options, error);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static reference::ProductOptions productOptions(const KernelCase &c,
                                                const CaseData &data) {
  reference::ProductOptions options;
  options.layoutA = c.layoutA;
  options.layoutC = c.layoutC;
  options.epilogue = c.epilogue;
  options.scale = c.hasScale ? data.scale.data() : nullptr;
  options.bias = c.hasBias ? data.bias.data() : nullptr;
  options.residual = c.hasResidual ? data.residual.data() : nullptr;
  options.combine = c.combine;
  return options;
}

/// Sums of the magnitudes of what is added up for each element of C, to which
/// rounding errors are relative.
static std::vector<double> magnitudes(const KernelCase &c, CaseData data) {
  auto makePositive = [](std::vector<double> &values) {
    for (double &value : values)
      value = std::fabs(value);
  };
  makePositive(data.a);
  makePositive(data.weight.values);
  makePositive(data.scale);
  makePositive(data.bias);
  makePositive(data.residual);
  reference::ProductOptions options = productOptions(c, data);
  options.epilogue = reference::Epilogue::None;
  return reference::spmm(data.a.data(), c.m, data.weight, options);
}

/// One rounding of a float sum: f32, as of integers that are scaled, or f64.
static double getSumRoundoff(const KernelCase &c) {
  const NumericType &sum =
      getNumericType(*getAccumulator(c.types.a, c.types.weight));
  return (sum.isFloat() ? sum : getNumericType(ElementType::F32))
      .unitRoundoff();
}

/// Each element of C may differ by the rounding errors of its sum, which
/// grow with the root of its length, and by one rounding to C's type. No
/// activation has a slope above 1.13, and errors of their own are a few
/// roundings of the sum. Integers are exact.
static void compareToReference(const KernelCase &c, const CaseData &data,
                               CaseResult &result) {
  std::vector<double> expected =
      reference::spmm(data.a.data(), c.m, data.weight, productOptions(c, data));
  std::vector<double> scale = magnitudes(c, data);
  double kept = double(data.weight.values.size()) / c.n;
  const NumericType &type = getNumericType(c.types.c);
  double roundoff = type.isFloat() ? getSumRoundoff(c) : 0;
  double sumError = 5 * std::sqrt(kept + 4) * roundoff;
  double outputError = type.unitRoundoff();
  double difference = 0, norm = 0, usual = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    double got = type.read(result.output.data() + i * type.bytes);
    double error = std::fabs(got - expected[i]);
    difference += error * error;
    norm += expected[i] * expected[i];
    usual += scale[i] * scale[i] / std::max(1.0, kept);
    double allowed = sumError * scale[i] + outputError * std::fabs(expected[i]);
    // Also true for a NaN.
    if (!(error <= allowed) && result.passed()) {
      std::ostringstream message;
      message << "expected element " << i << " of C to be " << expected[i]
              << " within " << allowed << ", got " << got;
      result.failedCheck = "numbers";
      result.message = message.str();
    }
  }
  // Few results of an activation may all be next to nothing, and so small
  // beside the errors of their sums: these are compared to the usual size of
  // sums of terms with random signs.
  norm = std::max(norm, usual);
  result.error =
      norm == 0 ? std::sqrt(difference) : std::sqrt(difference / norm);
  // Roundings to C's type are not all as large as they can be.
  double limit = std::max(17 * roundoff, 0.82 * outputError);
  if (result.passed() && !(result.error <= limit)) {
    result.failedCheck = "numbers";
    result.message = "expected a relative error of at most " +
                     std::to_string(limit) + ", got " +
                     std::to_string(result.error);
  }
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

namespace {
/// Device memory of a product, and the parameters of one launch.
class LaunchArguments {
public:
  LaunchArguments(const CompiledKernel &kernel, const KernelCase &c,
                  const CaseData &data) {
    std::vector<Tensor> arguments = makeArguments(c, data);
    for (const HostBuffer &buffer : kernel.buffers) {
      // New memory holds NaN.
      addresses.push_back(memory.allocate(buffer.bytes));
      if (buffer.argument) {
        const std::vector<uint8_t> &bytes = arguments.at(*buffer.argument).data;
        memory.upload(addresses.back(), bytes.data(), bytes.size());
      } else if (!buffer.data.empty()) {
        memory.upload(addresses.back(), buffer.data.data(), buffer.data.size());
      }
      if (buffer.isResult)
        result = addresses.size() - 1;
    }
  }

  /// Makes the parameters as the kernel takes them: a pointer for each buffer,
  /// or the parts of a memref descriptor (pointer twice, offset, sizes,
  /// strides). False when it takes neither number of parameters.
  bool makeParameters(const CompiledLaunch &launch, size_t count) {
    for (bool descriptors : {false, true}) {
      parameters.clear();
      maps.clear();
      for (const LaunchOperand &operand : launch.operands)
        append(operand, descriptors);
      if (parameters.size() == count)
        return true;
    }
    return false;
  }

  std::vector<const void *> pointers() const {
    std::vector<const void *> pointers;
    for (const auto &[i, parameter] : llvm::enumerate(parameters)) {
      auto map = maps.find(i);
      if (map == maps.end())
        pointers.push_back(&parameter);
      else
        pointers.push_back(map->second.data());
    }
    return pointers;
  }

  std::string download(const CompiledKernel &kernel) const {
    std::string bytes(kernel.buffers.at(result).bytes, '\0');
    memory.download(bytes.data(), addresses[result], bytes.size());
    return bytes;
  }

  emulator::Memory memory;

private:
  void append(const LaunchOperand &operand, bool descriptor) {
    if (!operand.buffer) {
      parameters.push_back(operand.number);
      return;
    }
    if (operand.map) {
      emulator::TensorMap map = *operand.map;
      map.address = addresses[*operand.buffer];
      std::string error;
      // One that is refused stays zeros, which the emulator does not take.
      emulator::encodeTensorMap(map, maps[parameters.size()].data(), error);
      parameters.push_back(0);
      return;
    }
    parameters.push_back(addresses[*operand.buffer]);
    if (!descriptor)
      return;
    parameters.push_back(addresses[*operand.buffer]);
    parameters.push_back(0);
    parameters.insert(parameters.end(), operand.sizes.begin(),
                      operand.sizes.end());
    parameters.insert(parameters.end(), operand.strides.begin(),
                      operand.strides.end());
  }

  std::vector<uint64_t> addresses;
  std::vector<uint64_t> parameters;
  using Map = std::array<uint8_t, emulator::TensorMap::bytes>;
  std::map<size_t, Map> maps; // by the number of their parameter
  size_t result = 0;
};
} // namespace

/// Executes `launch` of `module`; false, with what was wrong in `result`, where
/// that fails.
static bool execute(const emulator::Module &module,
                    const CompiledLaunch &launch, LaunchArguments &arguments,
                    const RunOptions &runOptions, CaseResult &result) {
  const emulator::Kernel *entry = module.findKernel(launch.name);
  if (!entry || !arguments.makeParameters(launch, entry->parameterCount())) {
    result.failedCheck = "parse";
    if (entry)
      result.message = "expected pointers or memref descriptors, got " +
                       std::to_string(entry->parameterCount()) + " parameters";
    return false;
  }
  emulator::Options options;
  options.seed = runOptions.warpSeed;
  options.checks = runOptions.checks;
  options.maxInstructionsPerBlock = uint64_t(1) << 28;
  emulator::Fault fault;
  std::vector<const void *> pointers = arguments.pointers();
  if (emulator::launch(module, *entry, arguments.memory, launch.config,
                       pointers.data(), pointers.size(), options,
                       runOptions.withCounters ? &result.counters : nullptr,
                       fault))
    return true;
  // What no check can switch off ends the launch as a GPU would.
  result.failedCheck = fault.check ? nameOfCheck(fault.check) : "launch";
  result.message = fault.message;
  return false;
}

/// Compares the blocks of the kernel with its plan, which takes it that no pass
/// is left out.
static void compareToPlan(const CompiledKernel &kernel, const KernelCase &c,
                          CaseResult &result) {
  bool isWhole = c.promote && c.packTile && c.stageTransposes && c.doubleBuffer;
  if (!kernel.planned || !isWhole)
    return;
  const KernelBlock &planned = *kernel.planned, &found = kernel.tiled;
  if (planned == found)
    return;
  std::ostringstream message;
  message << "expected " << planned.sharedBytes
          << " bytes of shared memory and " << planned.threads
          << " threads, as planned, got " << found.sharedBytes << " and "
          << found.threads;
  result.failedCheck = "plan";
  result.message = message.str();
}

CaseResult nm::numeric::runKernel(const CompiledKernel &kernel,
                                  const KernelCase &c, const CaseData &data,
                                  const RunOptions &runOptions) {
  CaseResult result;
  compareToPlan(kernel, c, result);
  if (!result.passed())
    return result;
  std::unique_ptr<emulator::Module> module =
      emulator::Module::parse(kernel.ptx, result.message);
  if (!module) {
    result.failedCheck = "parse";
    return result;
  }
  LaunchArguments arguments(kernel, c, data);
  for (const CompiledLaunch &launch : kernel.launches)
    if (!execute(*module, launch, arguments, runOptions, result))
      return result;
  result.output = arguments.download(kernel);
  compareToReference(c, data, result);
  return result;
}

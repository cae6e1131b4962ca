//===- RunOptions.h - What nm-run was asked to do ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of nm-run as plain data.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_RUNOPTIONS_H
#define NM_LIB_EXECUTION_RUNOPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nm {

/// A back end of the runtime by its nmrtDeviceKind, or one of these.
enum class RunDevice : int32_t {
  /// The first back end that can be opened.
  Auto = -1,
  /// Host code alone.
  Cpu = -2
};

struct RunOptions {
  std::string module;
  /// Prints what a program is, with its host code, and runs nothing.
  bool show = false, showCode = false;
  /// "" for the only public function.
  std::string entry;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  /// Directory for all results, or "".
  std::string outputDirectory;
  std::vector<std::string> expected;
  /// Largest relative error; without it the default of the result's type.
  std::optional<double> tolerance;
  RunDevice device = RunDevice::Auto;
  /// "" for the device's own, or the default chip in the emulator.
  std::string chip;
  /// Safetensors file with data that the module lacks; "" for none.
  std::string weights;
  /// As nm-opt's pipelines take them: "stages=3 promote=0".
  std::string pipelineOptions;
  uint64_t seed = 0;
  /// Dynamic extents of random inputs.
  std::optional<int64_t> dynamicSize;
  uint64_t repeat = 1;
  /// NMRT_CHECK_*.
  uint32_t checks = 0;
  uint32_t emulatorThreads = 1;
  /// File for the report; "-" for a table on standard output, "" for none.
  std::string report;
  /// File for the emulator's counters; "-" for standard output, "" for none.
  std::string counters;
};

/// Reads the command line; answers --help and --version, and ends the process
/// with a message for a malformed one, as LLVM's tools do.
RunOptions parseRunOptions(int argc, char **argv);

} // namespace nm

#endif // NM_LIB_EXECUTION_RUNOPTIONS_H

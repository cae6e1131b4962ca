//===- CompileOptions.h - What nm-compile was asked to do -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of nm-compile as plain data.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_COMPILEOPTIONS_H
#define NM_LIB_COMPILER_COMPILEOPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace nm {

class PipelineOptions;

enum class EmitKind { MLIR, Candidates, NVVM, PTX, Cubin, Library, Program };

struct CompileOptions {
  std::string input;
  /// Safetensors file with data that the input lacks; "" for none.
  std::string weights;
  /// File of measured schedules; "" for none.
  std::string tuningDatabase;
  /// "-" for standard output.
  std::string output;
  EmitKind emit = EmitKind::PTX;
  /// Chips for which a program has machine code as well.
  std::vector<std::string> chips;
  /// Whether the module becomes a program, in a file of its own or in a
  /// library.
  bool emitsProgram() const {
    return emit == EmitKind::Program || emit == EmitKind::Library;
  }
  /// The last stage to run; a row of Stages.h.
  std::string lastStage;
  /// File for the report; "-" for a table on standard output, "" for none.
  std::string report;
  /// The header of a library: model.h beside libmodel.a; "" where none is made.
  std::string getHeader() const;
  /// File that is told each stage as it begins; "" for none.
  std::string progress;
  /// Directory for the module after every stage, or "".
  std::string dumpDirectory;
};

/// Reads the command line into `options` and, for the stages, into `pipeline`;
/// answers --help and --version, and ends the process with a message for a
/// malformed one, as LLVM's tools do.
void parseCompileOptions(int argc, char **argv, CompileOptions &options,
                         PipelineOptions &pipeline);

} // namespace nm

#endif // NM_LIB_COMPILER_COMPILEOPTIONS_H

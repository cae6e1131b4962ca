//===- OptionFlags.h - Flags of the stages' options -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made from the rows of nm/Support/Options.td: --stages=<n> of a number and
// --no-fuse of a switch.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_OPTIONFLAGS_H
#define NM_LIB_COMPILER_OPTIONFLAGS_H

#include "nm/Pipelines/PipelineOptions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace nm {

/// Like any option of LLVM's, made before the command line is parsed and alive
/// until the process ends.
class OptionFlags {
public:
  /// Flags of all rows that name a part of --help, in that part.
  OptionFlags(llvm::cl::OptionCategory &import,
              llvm::cl::OptionCategory &schedule);

  /// Sets what the command line gave; fails, and names the flag, where a value
  /// is no number or out of range.
  llvm::Error apply(PipelineOptions &pipeline) const;

private:
  struct Number {
    const OptionRow &row;
    llvm::cl::opt<std::string> text;
    Number(const OptionRow &row, llvm::cl::OptionCategory &category);
    llvm::Error apply(PipelineOptions &pipeline) const;
  };
  struct Switch {
    const OptionRow &row;
    std::string name;
    llvm::cl::opt<bool> off;
    Switch(const OptionRow &row, llvm::cl::OptionCategory &category);
  };

  std::vector<std::unique_ptr<Number>> numbers;
  std::vector<std::unique_ptr<Switch>> switches;
};

} // namespace nm

#endif // NM_LIB_COMPILER_OPTIONFLAGS_H

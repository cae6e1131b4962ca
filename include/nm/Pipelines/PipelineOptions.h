//===- PipelineOptions.h - Options of all stages ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made from the rows of nm/Support/Options.td. A number or switch that a
// pass reads is handed to it by its name, a text by the pipeline; options
// without a pass are the pipelines' own:
//
//   if (options.get<bool>(OptionId::Fuse))
//
//===----------------------------------------------------------------------===//

#ifndef NM_PIPELINES_PIPELINEOPTIONS_H
#define NM_PIPELINES_PIPELINEOPTIONS_H

#include "mlir/Pass/PassOptions.h"
#include "nm/Support/Options.h"

#include <memory>
#include <string>
#include <vector>

namespace nm {

class PipelineOptions : public mlir::PassPipelineOptions<PipelineOptions> {
public:
  PipelineOptions();

  /// The value of `id`, whose kind must be that of `T` (see OptionKind).
  template <typename T> const T &get(OptionId id) const {
    return getOption<T>(id).getValue();
  }
  template <typename T> void set(OptionId id, const T &value) {
    getOption<T>(id) = value;
  }
  /// Whether `id` has been set, be it to its default.
  template <typename T> bool isGiven(OptionId id) const {
    return getOption<T>(id).hasValue();
  }

  /// The numbers and switches that were given and that `pass` reads, as Pass
  /// takes them: "stages=3 packing-threshold=0.5".
  std::string getTextFor(llvm::StringRef pass) const;

private:
  template <typename T> void add(const OptionRow &row, const T &initial);
  template <typename T> Option<T> &getOption(OptionId id) const {
    return static_cast<Option<T> &>(*options[id]);
  }

  /// By OptionId.
  std::vector<std::unique_ptr<llvm::cl::Option>> options;
};

} // namespace nm

#endif // NM_PIPELINES_PIPELINEOPTIONS_H

//===- OptionFlags.cpp - Flags of the stages' options ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionFlags.h"

using namespace nm;
namespace cl = llvm::cl;

OptionFlags::Number::Number(const OptionRow &row, cl::OptionCategory &category)
    : row(row), text(row.argument, cl::value_desc(row.value),
                     cl::desc(row.description), cl::cat(category)) {}

OptionFlags::Switch::Switch(const OptionRow &row, cl::OptionCategory &category)
    : row(row), name("no-" + row.argument.str()),
      off(llvm::StringRef(name), cl::desc(row.off), cl::cat(category)) {}

OptionFlags::OptionFlags(cl::OptionCategory &import,
                         cl::OptionCategory &schedule) {
  for (const OptionRow &row : getOptions()) {
    if (row.flag == OptionFlag::Nowhere)
      continue;
    cl::OptionCategory &category =
        row.flag == OptionFlag::Import ? import : schedule;
    if (row.kind == OptionKind::Switch)
      switches.push_back(std::make_unique<Switch>(row, category));
    else
      numbers.push_back(std::make_unique<Number>(row, category));
  }
}

/// Sets the option of `row` to the number in `text`, whose kind `T` is.
template <typename T, typename Read>
static llvm::Error setNumber(const OptionRow &row, llvm::StringRef text,
                             PipelineOptions &pipeline, Read read) {
  T value;
  // LLVM's readers return true where they fail.
  if (read(text, value))
    return llvm::createStringError("expected a number for --" + row.argument +
                                   ", got `" + text + "`");
  if (auto error = describeOutOfRange(row, value, "--"))
    return llvm::createStringError(*error);
  pipeline.set(row.id, value);
  return llvm::Error::success();
}

llvm::Error OptionFlags::Number::apply(PipelineOptions &pipeline) const {
  if (text.getNumOccurrences() == 0)
    return llvm::Error::success();
  if (row.kind == OptionKind::Integer)
    return setNumber<int64_t>(row, text, pipeline,
                              [](llvm::StringRef word, int64_t &value) {
                                return word.getAsInteger(/*Radix=*/10, value);
                              });
  return setNumber<double>(row, text, pipeline,
                           [](llvm::StringRef word, double &value) {
                             return word.getAsDouble(value);
                           });
}

llvm::Error OptionFlags::apply(PipelineOptions &pipeline) const {
  for (const auto &flag : switches)
    if (flag->off.getNumOccurrences() != 0)
      pipeline.set(flag->row.id, !flag->off);
  for (const auto &flag : numbers)
    if (llvm::Error error = flag->apply(pipeline))
      return error;
  return llvm::Error::success();
}

//===- PipelineOptions.cpp - Options of all stages ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Pipelines/PipelineOptions.h"

#include "nm/Base/Assert.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace nm;

/// The number that Options.td writes as `text`.
template <typename T> static T parseDefault(StringRef text) {
  T value{};
  bool isNumber;
  if constexpr (std::is_same_v<T, double>)
    isNumber = !text.getAsDouble(value);
  else
    isNumber = !text.getAsInteger(10, value);
  NM_ASSERT(isNumber, "expected a number as the default of a number");
  return value;
}

template <typename T>
void PipelineOptions::add(const OptionRow &row, const T &initial) {
  options.push_back(std::make_unique<Option<T>>(*this, row.argument,
                                                llvm::cl::desc(row.description),
                                                llvm::cl::init(initial)));
}

PipelineOptions::PipelineOptions() {
  for (const OptionRow &row : getOptions()) {
    NM_ASSERT(row.id == options.size(),
              "expected the rows ordered by their ids");
    switch (row.kind) {
    case OptionKind::Switch:
      add<bool>(row, row.defaultValue == "true");
      break;
    case OptionKind::Integer:
      add<int64_t>(row, parseDefault<int64_t>(row.defaultValue));
      break;
    case OptionKind::Real:
      add<double>(row, parseDefault<double>(row.defaultValue));
      break;
    case OptionKind::Text:
      add<std::string>(row, row.defaultValue.str());
      break;
    }
  }
}

std::string PipelineOptions::getTextFor(StringRef pass) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator space(" ");
  for (const OptionRow &row : getOptions()) {
    if (row.pass != pass)
      continue;
    switch (row.kind) {
    case OptionKind::Switch:
      if (isGiven<bool>(row.id))
        os << space << row.argument << "=" << get<bool>(row.id);
      break;
    case OptionKind::Integer:
      if (isGiven<int64_t>(row.id))
        os << space << row.argument << "=" << get<int64_t>(row.id);
      break;
    case OptionKind::Real:
      // All digits: the pass reads the same number.
      if (isGiven<double>(row.id))
        os << space << row.argument << "="
           << llvm::format("%.17g", get<double>(row.id));
      break;
    case OptionKind::Text:
      // No form of it in MLIR's options holds every text.
      break;
    }
  }
  return text;
}

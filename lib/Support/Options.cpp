//===- Options.cpp - How a user steers the stages -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/Options.h"

#include "llvm/Support/Format.h"
#include <limits>

using namespace mlir;
using namespace nm;

namespace nm::option_table {
using llvm::ArrayRef;

static constexpr double kUnbounded = std::numeric_limits<double>::infinity();

namespace {
#define GET_OptionTable_DECL
#define GET_OptionTable_IMPL
#include "nm/Support/Options.inc"
} // namespace
} // namespace nm::option_table

llvm::ArrayRef<OptionRow> nm::getOptions() { return option_table::OptionTable; }

const OptionRow &nm::getOption(OptionId id) {
  return *option_table::lookupOption(id);
}

std::optional<std::string>
nm::describeOutOfRange(const OptionRow &row, double value, StringRef dashes) {
  // Not in range either: a number that is none.
  if (value >= row.least && value <= row.most)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected " << dashes << row.argument << " " << row.range << ", got "
      << llvm::format("%.15g", value);
  return text;
}

LogicalResult nm::checkRange(OptionId id, double value,
                             function_ref<InFlightDiagnostic()> emitError) {
  if (auto text = describeOutOfRange(getOption(id), value))
    return emitError() << *text;
  return success();
}

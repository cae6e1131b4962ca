//===- Options.h - How a user steers the stages -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of Options.td. Passes, pipelines and nm-compile have their options
// from them; a value out of range is described here, once for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_OPTIONS_H
#define NM_SUPPORT_OPTIONS_H

#include "mlir/IR/Diagnostics.h"
#include <optional>

namespace nm {

/// llvm-tblgen makes enums that are not scoped: their enumerators stay in here.
namespace option_table {
#define GET_OptionId_DECL
#include "nm/Support/Options.inc"
} // namespace option_table

/// The options of the table.
using option_table::OptionId;

enum class OptionKind {
  Switch,  // bool
  Integer, // int64_t
  Real,    // double
  Text,    // std::string
};

/// The part of nm-compile's --help that has the flag of an option.
enum class OptionFlag { Nowhere, Import, Schedule };

/// A row; Options.td says what the columns mean.
struct OptionRow {
  OptionId id;
  OptionKind kind;
  llvm::StringRef argument;
  llvm::StringRef pass;
  OptionFlag flag;
  llvm::StringRef value;
  llvm::StringRef defaultValue;
  llvm::StringRef description;
  double least;
  double most;
  llvm::StringRef range;
  llvm::StringRef off;
};

/// All rows.
llvm::ArrayRef<OptionRow> getOptions();

const OptionRow &getOption(OptionId id);

/// What is wrong with `value`, a number, as "expected --stages from 1 to 4,
/// got 5", with `dashes` in front of the name; nothing where it is in range.
std::optional<std::string> describeOutOfRange(const OptionRow &row,
                                              double value,
                                              llvm::StringRef dashes = "");

/// Reports a value that is out of range through `emitError`.
llvm::LogicalResult
checkRange(OptionId id, double value,
           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace nm

#endif // NM_SUPPORT_OPTIONS_H

//===- Checker.h - Compares a function before and after passes --*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_CHECKER_H
#define NM_FUZZ_FOLDS_CHECKER_H

#include "Interpreter.h"
#include "Modes.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace nm {
namespace folds {

enum class Kind {
  Sound,
  /// Another result than before, or none.
  Wrong,
  /// What comes out does not verify.
  Invalid,
  /// What comes out does not verify, and what went in was undefined for all
  /// arguments: no finding.
  InvalidUndefined,
  /// An error was reported of a valid function.
  Refused,
  Crash,
  Hang,
};

llvm::StringRef toString(Kind kind);

struct Outcome {
  Kind kind = Kind::Sound;
  /// Arguments, what was expected and what came, or the diagnostic.
  std::string detail;
  /// The module afterwards.
  std::string after;
};

/// What was seen, in a page that forked processes share.
struct Counts {
  uint64_t functions, changed, runs, defined, undefined, tooLong, unknown,
      invalidUndefined;
};

/// A function, and what it returns for some arguments.
class Checker {
public:
  /// Counts its runs, if so asked.
  Checker(mlir::ModuleOp module, uint64_t seed, unsigned inputs,
          Counts *counts = nullptr);

  /// Applies the mode to a copy, and compares.
  Outcome check(const Mode &mode) const;

private:
  struct Run {
    llvm::SmallVector<Datum> arguments;
    Data results;
  };

  Outcome compare(mlir::func::FuncOp changed) const;
  Outcome applyTo(mlir::ModuleOp copy, const Mode &mode) const;

  mlir::ModuleOp module;
  std::vector<Run> runs;
  Counts *counts;
};

/// The one function of a module.
mlir::func::FuncOp getFunction(mlir::ModuleOp module);

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_CHECKER_H

//===- Modes.h - What is applied to a function ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_MODES_H
#define NM_FUZZ_FOLDS_MODES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

#include <functional>
#include <set>
#include <string>

namespace nm {
namespace folds {

using Names = std::set<std::string>;

struct Mode {
  llvm::StringRef name;
  std::function<void(mlir::ModuleOp)> apply;
};

/// The mode in which nothing is known to be wrong: what nm does with a module
/// that it is given, and canonicalizes with.
inline constexpr llvm::StringLiteral kNMMode = "nm-canonicalize";

/// canonicalize, passes of MLIR that fold, and nm's own.
std::vector<Mode> makeModes(mlir::MLIRContext *context);

/// Registers what these and the functions need.
void registerDialects(mlir::DialectRegistry &registry);

/// The mode canonicalize without one of its patterns.
Mode makeCanonicalizeWithout(mlir::MLIRContext *context,
                             const std::string &pattern);

/// What canonicalizing a module does.
struct Trace {
  /// The patterns that were applied, and the ops that were folded.
  Names patterns, folded;
  /// Of patterns without a name, such as methods of ops: "pattern of OP".
  Names unnamed;
};

/// Canonicalizes a copy of the module. If `os` is not null, writes a line when
/// a pattern begins, and an empty one when it ends: a crash is of the last.
Trace traceCanonicalize(mlir::ModuleOp module, llvm::raw_ostream *os = nullptr);

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_MODES_H

//===- Finding.h - What went wrong, and whose fault it is -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_FINDING_H
#define NM_FUZZ_FOLDS_FINDING_H

#include "Checker.h"

#include "llvm/Support/JSON.h"

namespace nm {
namespace folds {

struct Finding {
  uint64_t seed = 0;
  std::string mode, kind, detail, before, after;
  /// The patterns without one of which it does not happen, or the ops that are
  /// folded.
  std::string blame;
  /// The ops of the smallest function, sorted, without constants.
  std::vector<std::string> ops;

  /// Findings with the same signature are counted together.
  std::string getSignature() const;

  llvm::json::Value toJSON() const;
  static Finding fromJSON(const llvm::json::Object &object);
};

/// A fault of MLIR that is known.
struct Fault {
  llvm::StringRef id;
  /// Of llvm-project, or what is known of it.
  llvm::StringRef issue;
  /// The kinds of its findings.
  std::vector<llvm::StringRef> kinds;
  /// How it is recognised: by the mode, if not empty, and one of the marks: a
  /// part of the blame or of the detail, or all ops of the smallest function.
  llvm::StringRef mode;
  std::vector<llvm::StringRef> marks = {};
  /// Ops by each of which the fault is known, too: it is the one of a function
  /// that has any of them.
  std::vector<llvm::StringRef> ops = {};
};

llvm::ArrayRef<Fault> getKnownFaults();

/// The fault that made the finding, or null.
const Fault *findKnownFault(const Finding &finding);

/// A pattern's name without namespaces, which compilers write differently.
std::string shortenPattern(llvm::StringRef pattern);

/// Describes how the smallest function fails.
Finding describe(mlir::ModuleOp smallest, uint64_t seed, const Mode &mode,
                 const Outcome &outcome);

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_FINDING_H

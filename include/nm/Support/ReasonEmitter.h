//===- ReasonEmitter.h - Why something was not done -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that fails returns LogicalResult or FailureOr. Where its failure
// is always the user's mistake, it takes a
// function_ref<InFlightDiagnostic()> emitError, as MLIR's verifiers do. Where
// its caller decides what the failure is (an error, a remark that says why a
// product stays dense, nothing at all), it takes a ReasonEmitter:
//
//   FailureOr<Shape> getShape(Value value, ReasonEmitter emitReason) {
//     ...
//       return failWith(emitReason, "expected a shape");
//
//   getShape(value, [&](const Twine &reason) { op.emitOpError(reason); });
//   getShape(value, ignoreReason);
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_REASONEMITTER_H
#define NM_SUPPORT_REASONEMITTER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LogicalResult.h"

namespace nm {

/// Is called once, with the reason in the words of a diagnostic, by a function
/// that then fails.
using ReasonEmitter = llvm::function_ref<void(const llvm::Twine &reason)>;

/// For callers that treat all failures alike.
inline void ignoreReason(const llvm::Twine &) {}

/// Fails for `reason`.
inline llvm::LogicalResult failWith(ReasonEmitter emitReason,
                                    const llvm::Twine &reason) {
  emitReason(reason);
  return llvm::failure();
}

} // namespace nm

#endif // NM_SUPPORT_REASONEMITTER_H

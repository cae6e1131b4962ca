//===- GuardedPatterns.h - Patterns of MLIR with conditions of ours -*- C++
//-*-//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_NORMALIZE_GUARDEDPATTERNS_H
#define NM_LIB_TRANSFORMS_NORMALIZE_GUARDEDPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace nm {

/// Whether a pattern must not be applied to an op.
using Veto = bool (*)(mlir::Operation *);

/// Puts another pattern in the place of each of `patterns` for which `findVeto`
/// returns a function: one that matches nothing for which that returns true,
/// and does else what the pattern does. Expects that those have a root op.
void guardPatterns(mlir::RewritePatternSet &patterns,
                   llvm::function_ref<Veto(const mlir::Pattern &)> findVeto);

/// Where `pattern`, a canonicalization of MLIR 22, is wrong, or null
/// (docs/KnownLimits.md, "What MLIR gets wrong").
Veto findWrongCanonicalization(const mlir::Pattern &pattern);

/// Whether a slice drops dimensions of extent 1 and keeps others of that
/// extent: which ones it drops is then not in the op, and may change once its
/// operands become constants.
bool dropsSomeOfTheOnes(mlir::Operation *slice);

} // namespace nm

#endif // NM_LIB_TRANSFORMS_NORMALIZE_GUARDEDPATTERNS_H

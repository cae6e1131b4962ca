//===- WeightCondenser.h - Constant weights to nm.constant ---- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether a constant weight is N:M-sparse and makes its nm.constant,
// once for all contractions that use the same view of the same constant.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTONM_WEIGHTCONDENSER_H
#define NM_LIB_CONVERSION_LINALGTONM_WEIGHTCONDENSER_H

#include "Contraction.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Sparsity/Detect.h"

#include <map>

namespace nm {

/// How patterns are found.
struct DetectionOptions {
  sparsity::DetectOptions search;
  /// The pattern that every weight is taken to have; without it, the tightest
  /// one is searched.
  std::optional<sparsity::Pattern> forced;
};

/// What became of a weight.
struct CondensedWeight {
  /// Set when the weight was condensed.
  CondensedType type;
  CondensedElements elements;
  std::optional<mlir::Location> loc;
  /// Why it was not.
  std::string reason;
  /// The pattern that it has but for some windows, or null.
  PatternAttr nearly;
  /// Whether the data break the pattern that an encoding claims.
  bool breaksClaim = false;
  /// The condensed constant, by function.
  llvm::DenseMap<mlir::Operation *, ConstantOp> constants;
};

class WeightCondenser {
public:
  explicit WeightCondenser(const DetectionOptions &options)
      : options(options) {}

  /// The condensed form of `source`, the weight of a contraction with sorted
  /// loops or, of a batch, one of its weights; or the reason why there is none.
  /// Warns, once a weight, of elided data and of data that violate a forced
  /// pattern; data that break the pattern `claimed` are an error. The result
  /// lives as long as this.
  CondensedWeight &condense(const Contraction &contraction,
                            const WeightSource &source, PatternAttr claimed);

  /// What the weights that `contraction`, with sorted loops, chooses from at
  /// run time have in common. Nothing where they are no matrices, or far larger
  /// than the constants that they are made of.
  struct Choice {
    int64_t count;
    /// Null if they have no pattern that is raised: `reason` says why.
    PatternAttr pattern;
    std::string reason;
  };
  std::optional<Choice> examineChoice(const Contraction &contraction) const;

  /// The nm.constant of `weight` for use by `contraction`, at the top of the
  /// function around it.
  ConstantOp getConstant(CondensedWeight &weight,
                         const Contraction &contraction);

private:
  void fill(CondensedWeight &weight, const Contraction &contraction,
            const WeightSource &source, PatternAttr claimed);
  llvm::FailureOr<sparsity::Pattern>
  findPattern(const DenseWeight &weight, const sparsity::NonZeroMask &mask,
              ReasonEmitter emitReason) const;
  /// Says in `weight`, which has no pattern, which one it has nearly.
  void findNearPattern(CondensedWeight &weight,
                       const sparsity::NonZeroMask &mask,
                       mlir::MLIRContext *context) const;
  llvm::FailureOr<PatternAttr> decidePattern(const DenseWeight &weight,
                                             const sparsity::NonZeroMask &mask,
                                             mlir::Location loc,
                                             ReasonEmitter emitReason) const;

  DetectionOptions options;
  /// std::map, since references to its elements are handed out.
  std::map<std::pair<WeightSource::Key, const void *>, CondensedWeight> cache;
};

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTONM_WEIGHTCONDENSER_H

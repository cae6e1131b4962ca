//===- BodyProgram.h - Bodies of ops, computed here -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_UTILS_BODYPROGRAM_H
#define NM_LIB_DIALECT_NM_UTILS_BODYPROGRAM_H

#include "nm/Dialect/NM/Utils/ConstantEvaluator.h"

namespace nm {

/// The linear offset of the element at `position`, which lies inside `shape`;
/// nothing if it does not.
std::optional<int64_t> getOffset(llvm::ArrayRef<int64_t> position,
                                 llvm::ArrayRef<int64_t> shape);

/// The body of an op on tensors, with a slot for each value so that running it
/// for each element needs no look-up by value.
class BodyProgram {
public:
  /// Fails if an op of the body is unsupported. `evaluate` gives the tensors
  /// that the body extracts from, and scalars from outside.
  static std::optional<BodyProgram>
  compile(mlir::Block &body,
          llvm::function_ref<std::shared_ptr<const KnownTensor>(mlir::Value)>
              evaluate);

  /// Runs the body at `index`. The slots of the block arguments come first.
  bool run(llvm::ArrayRef<int64_t> index);

  llvm::MutableArrayRef<Scalar> arguments(size_t count) {
    return llvm::MutableArrayRef<Scalar>(slots).take_front(count);
  }
  Scalar result(unsigned i) const { return slots[results[i]]; }
  size_t size() const { return steps.size(); }

private:
  struct Step {
    mlir::Operation *op;
    llvm::SmallVector<unsigned, 4> operands;
    unsigned result = 0;
    std::shared_ptr<const KnownTensor> source; // of a tensor.extract
  };
  std::vector<Step> steps;
  llvm::SmallVector<Scalar> slots;
  llvm::SmallVector<unsigned> results;
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_UTILS_BODYPROGRAM_H

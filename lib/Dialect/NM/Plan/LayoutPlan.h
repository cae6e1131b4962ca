//===- LayoutPlan.h - What is computed transposed ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor is had in another order of its dimensions by transposing it, or by
// computing it so: its producer reads transposed operands then, which are had
// in the same two ways, up to products, which store either layout at no cost.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_PLAN_LAYOUTPLAN_H
#define NM_LIB_DIALECT_NM_PLAN_LAYOUTPLAN_H

#include "TransposedOps.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/MapVector.h"

namespace nm {

/// The seconds of a kernel that transposes a tensor of `type`.
double predictTranspose(mlir::RankedTensorType type, const TargetInfo &target);

/// The cheapest way found to have one value transposed.
class LayoutPlan {
public:
  /// `uses` are those of `value`, of a static shape, that would read it
  /// transposed. Transpositions of it in this order are replaced, too.
  LayoutPlan(mlir::Value value, llvm::ArrayRef<int64_t> permutation,
             llvm::ArrayRef<mlir::OpOperand *> uses, const TargetInfo &target);

  /// What the transpositions cost that are not there already.
  double getSeconds() const;
  /// Whether the value is computed transposed, and not transposed itself.
  bool isComputed() const { return !computed.empty(); }
  /// Lets the uses read the transposed value. The ops that nothing reads then
  /// are erased, and added to `erased`.
  void apply(llvm::DenseSet<mlir::Operation *> &erased);

private:
  using Orders = llvm::MapVector<mlir::Value, Permutation>;

  Orders collectRegion();
  void decide(const Orders &region);
  bool canCompute(mlir::Value result) const;
  bool want(llvm::ArrayRef<TransposedOperand> operands);
  mlir::Value getTransposed(mlir::RewriterBase &rewriter, mlir::Value value);
  void replaceTransposes(mlir::RewriterBase &rewriter, mlir::Value value,
                         mlir::Value transposed);

  mlir::Value value;
  const TargetInfo &target;
  llvm::SmallVector<mlir::OpOperand *> uses;
  // Of each value that has to be transposed, the order.
  Orders wanted;
  // Uses that read what is transposed then.
  llvm::DenseSet<mlir::OpOperand *> covered;
  // Ops that compute what is wanted, users first.
  llvm::SmallVector<mlir::Operation *> computed;
  llvm::DenseMap<mlir::Value, mlir::Value> built;
  llvm::DenseSet<mlir::Operation *> *erased = nullptr;
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_PLAN_LAYOUTPLAN_H

//===- ConstantEvaluator.h - Tensors known at compile time ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter of linalg ops with scalar bodies and of the tensor ops around
// them, for operands that are constants. It is an interpreter and no JIT so
// that a gather out of bounds in a hostile module is an answer and not a crash.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_CONSTANTEVALUATOR_H
#define NM_DIALECT_NM_UTILS_CONSTANTEVALUATOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <memory>
#include <vector>

namespace nm {

/// A float (any type, held in f64, which rounds each operation on a narrower
/// type correctly) or an integer (sign-extended from its width).
union Scalar {
  double real;
  int64_t integer;
};

/// Elements in row-major order.
struct KnownTensor {
  mlir::RankedTensorType type;
  std::vector<Scalar> elements;
};

class ConstantEvaluator {
public:
  /// Values with more elements, and ops with more scalar operations than 16
  /// times this, are not evaluated.
  explicit ConstantEvaluator(int64_t maxElements) : maxElements(maxElements) {}

  /// The elements of `value`; null if it depends on something unknown, on an
  /// unsupported op, or is too large.
  std::shared_ptr<const KnownTensor> evaluate(mlir::Value value);

  /// The elements as an attribute.
  static mlir::ElementsAttr toAttribute(const KnownTensor &tensor);

private:
  using Known = std::shared_ptr<const KnownTensor>;

  Known compute(mlir::Value value);
  Known computeConstant(mlir::ElementsAttr attr, mlir::RankedTensorType type);
  Known computeLinalg(mlir::linalg::LinalgOp op, mlir::OpResult result);
  Known computeExtractSlice(mlir::Value value);
  Known computeInsertSlice(mlir::Value value);
  Known computeConcat(mlir::Value value);

  int64_t maxElements;
  llvm::DenseMap<mlir::Value, Known> known;
};

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_CONSTANTEVALUATOR_H

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
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h"
#include "llvm/ADT/bit.h"
#include <memory>
#include <vector>

namespace nm {

/// A float (any type, held in f64, which rounds each operation on a narrower
/// type correctly) or an integer (sign-extended from its width). Which of both
/// it is, only its type says.
class Scalar {
public:
  static Scalar fromReal(double value) {
    return Scalar(llvm::bit_cast<uint64_t>(value));
  }
  static Scalar fromInteger(int64_t value) {
    return Scalar(static_cast<uint64_t>(value));
  }
  /// 0, as a float and as an integer.
  Scalar() = default;

  double real() const { return llvm::bit_cast<double>(word); }
  int64_t integer() const { return static_cast<int64_t>(word); }
  /// The bits, by which scalars of one type can be told apart.
  uint64_t getWord() const { return word; }

private:
  explicit Scalar(uint64_t word) : word(word) {}

  uint64_t word = 0;
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
  Known computeScan(tm_tensor::ScanOp op, mlir::OpResult result);
  Known computeExtractSlice(mlir::Value value);
  Known computeInsertSlice(mlir::Value value);
  Known computeConcat(mlir::Value value);

  int64_t maxElements;
  llvm::DenseMap<mlir::Value, Known> known;
};

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_CONSTANTEVALUATOR_H

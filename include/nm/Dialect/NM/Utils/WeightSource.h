//===- WeightSource.h - From an operand back to its constants - -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Importers print a weight as a constant behind transposes, broadcasts,
// reshapes, slices and casts, or as int8 values that are multiplied by scales
// on the way, and nothing folds those. A WeightSource is the outcome of walking
// from an operand to the constants: which elements of which constants each
// element of the operand is made of, and how.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_WEIGHTSOURCE_H
#define NM_DIALECT_NM_UTILS_WEIGHTSOURCE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"
#include "nm/Dialect/NM/Utils/ConstantEvaluator.h"
#include "nm/Dialect/NM/Utils/StridedView.h"

namespace nm {

/// Whether `value` is computed from constants, among them data and not only
/// fills. Gives up on long computations.
bool isComputedFromConstants(mlir::Value value);

/// What an operand is of constants: scalar ops, element by element, on strided
/// views of them.
class WeightSource {
public:
  /// A constant, of which `view` is read.
  struct Leaf {
    mlir::ElementsAttr elements;
    mlir::Location loc;
    StridedView view;
  };

  /// Walks from `value` to constants: through tensor.cast, expand_shape,
  /// collapse_shape and extract_slice, and element-wise ops, which may also
  /// permute and broadcast. Concatenations of constants are put together. What
  /// else is computed from constants only is evaluated, if it is small. Nothing
  /// if there is no such walk. A new form is looked through by a case in
  /// `traceOp`.
  static std::optional<WeightSource> trace(mlir::Value value);

  /// As above for `scalar`, which the body of `op` computes: the dimensions of
  /// the result are the loops of `op`, with unit loops where an operand has
  /// none. `maps` are the indexing maps to use.
  static std::optional<WeightSource>
  traceScalar(mlir::linalg::LinalgOp op, mlir::Value scalar,
              llvm::ArrayRef<mlir::AffineMap> maps);

  /// As above where the constants are one of several parts of a larger one, and
  /// which of them is known only at run time: the weights of experts that are
  /// gathered by an index. Nothing is read of it before `choose`.
  static std::optional<WeightSource>
  traceChosenScalar(mlir::linalg::LinalgOp op, mlir::Value scalar,
                    llvm::ArrayRef<mlir::AffineMap> maps);
  /// How many parts there are, the same in all constants that have some; 1 if
  /// nothing is chosen at run time, 0 if the constants do not agree.
  int64_t countChoices() const;
  /// Takes one of them.
  void choose(int64_t index);

  /// The constant with most elements, which gives the weight its name and its
  /// location.
  const Leaf &getMainLeaf() const;
  /// The names of the ops that compute the elements, in order; empty when the
  /// operand is a view of the constant.
  llvm::SmallVector<llvm::StringRef> getOpNames() const;

  /// The element type of the operand.
  mlir::Type getElementType() const { return nodes.back().type; }
  /// Takes what the last ops, which are widening casts, widen from `type` for
  /// the operand. Nothing changes and the result is false if they do not.
  bool dropCastsFrom(mlir::Type type);

  unsigned getRank() const { return shape.size(); }
  /// The extent of a dimension; dynamic only for a broadcast.
  int64_t getSize(unsigned dim) const { return shape[dim]; }
  /// Whether the elements do not depend on the index of a dimension.
  bool isBroadcast(unsigned dim) const;
  /// Whether the elements depend on all parts of a dimension, so that it is no
  /// larger than a constant.
  bool hasNoBroadcast(unsigned dim) const;
  /// The elements along `dims`; nothing where an extent is dynamic, or where
  /// they are 2^63 or more.
  std::optional<int64_t> countElements(llvm::ArrayRef<unsigned> dims) const;
  /// Whether all constants are one value, repeated.
  bool isSplat() const;

  /// Fixes the index of a dimension, which then has size 1.
  void fix(unsigned dim, int64_t index);

  /// Reads the operand as a weight [k, n], where k runs over the dimensions
  /// `kDims`, the last one fastest, and n over `nDims`; none of them is
  /// broadcast, and the other dimensions are. Fails as RawElements::get does; a
  /// splat of more than 2^26 elements is unsupported.
  llvm::FailureOr<DenseWeight> read(llvm::ArrayRef<unsigned> kDims,
                                    llvm::ArrayRef<unsigned> nDims,
                                    RawElements::ErrorEmitter emitError) const;
  llvm::FailureOr<DenseWeight> read(llvm::ArrayRef<unsigned> kDims,
                                    llvm::ArrayRef<unsigned> nDims,
                                    ReasonEmitter emitReason) const;

  /// Equal for sources that `read` gives the same elements of, with these
  /// dimensions.
  using Key = std::vector<uintptr_t>;
  Key getKey(llvm::ArrayRef<unsigned> kDims,
             llvm::ArrayRef<unsigned> nDims) const;

private:
  /// A scalar: an element of a leaf, a literal (no leaf, no op), or the result
  /// of an op on other nodes, which come first.
  struct Node {
    mlir::Type type;
    std::optional<unsigned> leaf;
    Scalar literal;
    mlir::Operation *op = nullptr;
    llvm::SmallVector<unsigned, 3> operands;
  };
  class Tracer;

  /// Leaves and nodes beyond which nothing is traced.
  static constexpr size_t maxLeaves = 16, maxNodes = 64;

  /// Adds the leaves and nodes of another source of the same shape; the number
  /// of its last node.
  unsigned append(const WeightSource &other);
  void permute(llvm::ArrayRef<std::optional<unsigned>> from,
               llvm::ArrayRef<int64_t> newShape);
  void setShape(llvm::ArrayRef<int64_t> newShape) {
    shape.assign(newShape.begin(), newShape.end());
  }
  /// Gives a dimension that was dynamic its size.
  void setSize(unsigned dim, int64_t size);
  bool isView() const { return nodes.size() == 1 && nodes[0].leaf; }
  class Evaluator;

  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<Leaf, 1> leaves;
  /// The last one is the element of the operand.
  llvm::SmallVector<Node, 1> nodes;
  /// The op whose result was evaluated for a leaf.
  llvm::SmallVector<llvm::StringRef, 1> evaluated;
};

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_WEIGHTSOURCE_H

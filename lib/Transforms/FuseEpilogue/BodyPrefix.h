//===- BodyPrefix.h - What a product can do of a generic's body -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_FUSEEPILOGUE_BODYPREFIX_H
#define NM_LIB_TRANSFORMS_FUSEEPILOGUE_BODYPREFIX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include <variant>

namespace nm {

/// One number for each column of C: a constant for all of them, or a tensor
/// [n]. The default is none.
using Columns = std::variant<std::monostate, double, mlir::Value>;

inline bool isNone(const Columns &columns) {
  return std::holds_alternative<std::monostate>(columns);
}

/// How far an epilogue has come; steps come in this order.
enum class EpilogueStep { product, scale, bias, activation, residual };

/// The beginning of a body that reads a product, as steps of an epilogue:
///   residual combine activation(product * scale + bias)
struct BodyPrefix {
  EpilogueStep last = EpilogueStep::product;
  Columns scale;
  Columns bias;
  /// Also multiplies a bias that the product had before.
  Columns scaleOfBias;
  Epilogue epilogue = Epilogue::None;
  mlir::Value residual;
  Combine combine = Combine::Add;
  /// What the steps compute: a value of the body, of C's new element type.
  mlir::Value value;
  /// The names of the steps, for the remark.
  llvm::SmallVector<llvm::StringRef> names;
  /// Why the next op is no step, or empty when there is none.
  std::string stop;
};

/// Follows the body of `op` from its operand `product`, whose columns are its
/// dimension `column`, with `last` the step that the product has come to
/// itself. Every element of `product` must be read once.
BodyPrefix findPrefix(mlir::linalg::GenericOp op, mlir::OpOperand &product,
                      unsigned column, EpilogueStep last);

} // namespace nm

#endif // NM_LIB_TRANSFORMS_FUSEEPILOGUE_BODYPREFIX_H

//===- ProductBuilder.h - One product of a contraction -------- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTONM_PRODUCTBUILDER_H
#define NM_LIB_CONVERSION_LINALGTONM_PRODUCTBUILDER_H

#include "Contraction.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// Builds the products of a contraction, with one weight each. A *matrix* here
/// is A or C with its dimensions in some order of loops, before they are
/// collapsed to [m, k], [k, m], [m, n] or [n, m].
class ProductBuilder {
public:
  ProductBuilder(mlir::ImplicitLocOpBuilder &builder,
                 const Contraction &contraction);

  /// The product of `a`, of the shape of A without batch dimensions, in the
  /// shape of C without these. `init`, if any, has that shape as well, and the
  /// product is written there when it can be. `product` is the op.
  mlir::Value build(mlir::Value a, mlir::Value init, ConstantOp weight,
                    mlir::Operation *&product);

  /// A tensor whose dimensions run along `loops`.
  mlir::Value createEmpty(llvm::ArrayRef<unsigned> loops, mlir::Type element);

private:
  using Loops = llvm::SmallVector<unsigned, 4>;

  bool isUnit(unsigned loop) const { return extents[loop] == 1; }
  bool isM(unsigned loop) const {
    return llvm::is_contained(contraction.m, loop);
  }
  std::optional<Layout> getLayout(llvm::ArrayRef<unsigned> loops) const;
  Loops getWideM(llvm::ArrayRef<unsigned> loops) const;
  llvm::SmallVector<mlir::ReassociationIndices>
  getGroups(llvm::ArrayRef<unsigned> loops) const;
  mlir::OpFoldResult getSize(unsigned loop);
  mlir::Value transpose(mlir::Value matrix, llvm::ArrayRef<unsigned> from,
                        llvm::ArrayRef<unsigned> to);
  mlir::Value collapseA(mlir::Value a, Layout &layout);
  mlir::Value expandC(mlir::Value c, llvm::ArrayRef<unsigned> loops);

  mlir::ImplicitLocOpBuilder &b;
  const Contraction &contraction;
  llvm::SmallVector<int64_t> extents;
  /// The loops of A and C, without those of the batch.
  Loops aLoops, cLoops;
  mlir::Type elementType;
  /// Whether all m loops have one iteration.
  bool isVector;
};

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTONM_PRODUCTBUILDER_H

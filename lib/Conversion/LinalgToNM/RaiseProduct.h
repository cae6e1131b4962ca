//===- RaiseProduct.h - Contractions to nm.spmm and nm.spmv --- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTONM_RAISEPRODUCT_H
#define NM_LIB_CONVERSION_LINALGTONM_RAISEPRODUCT_H

#include "Contraction.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// Replaces a contraction with sorted loops by products with `weights`, one for
/// each iteration of its batch loops, in their order: nm.spmv when m is 1, else
/// nm.spmm with all m loops collapsed. A and C are taken as they lie,
/// token-major or feature-major; only when m and k (or m and n) are interleaved
/// they are transposed. What the init holds is added behind the product. Erases
/// what only the contraction used. `products` are the ops made.
void raiseProduct(mlir::RewriterBase &rewriter, const Contraction &contraction,
                  llvm::ArrayRef<ConstantOp> weights,
                  llvm::SmallVectorImpl<mlir::Operation *> &products);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTONM_RAISEPRODUCT_H

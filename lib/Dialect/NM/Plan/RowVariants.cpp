//===- RowVariants.cpp - A product by its number of rows -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowVariants.h"
#include "PaddedRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nm;

/// Lets `op` read its A, [m, k], from a buffer [k, m] of longer rows.
static void transposeA(SpmmOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value a = op.getA();
  auto type = cast<RankedTensorType>(a.getType());
  Value rows = tensor::DimOp::create(b, a, 0);
  Value slice = createPaddedRows(
      b,
      RankedTensorType::get({type.getDimSize(1), ShapedType::kDynamic},
                            type.getElementType()),
      rows);
  auto transpose =
      linalg::TransposeOp::create(b, a, slice, ArrayRef<int64_t>{1, 0});
  op.getAMutable().assign(transpose.getResult()[0]);
  op.setALayout(Layout::FeatureMajor);
}

static void apply(ProductOpInterface op, const RowVariant &variant) {
  op.setScheduleAttr(variant.schedule);
  if (variant.transposesA)
    transposeA(cast<SpmmOp>(op.getOperation()));
}

void nm::createRowVariants(ProductOpInterface op,
                           llvm::ArrayRef<RowVariant> variants,
                           const RowVariant &last) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value rows = tensor::DimOp::create(b, op.getA(), op.isAFeatureMajor());
  for (const RowVariant &variant : variants) {
    Value most = arith::ConstantIndexOp::create(b, variant.most);
    // The kernel for one row knows that it has one; no row is left to the next.
    auto predicate = variant.most == 1 ? arith::CmpIPredicate::eq
                                       : arith::CmpIPredicate::ule;
    Value isFew = arith::CmpIOp::create(b, predicate, rows, most);
    auto branch = scf::IfOp::create(b, op->getResultTypes(), isFew,
                                    /*withElseRegion=*/true);
    op->replaceAllUsesWith(branch);
    b.setInsertionPointToStart(branch.thenBlock());
    auto few = cast<ProductOpInterface>(b.clone(*op));
    few->setAttr(kMostRowsAttrName, b.getIndexAttr(variant.most));
    apply(few, variant);
    scf::YieldOp::create(b, few->getResults());
    b.setInsertionPointToStart(branch.elseBlock());
    auto yield = scf::YieldOp::create(b, op->getResults());
    op->moveBefore(yield);
    b.setInsertionPoint(op);
  }
  apply(op, last);
}

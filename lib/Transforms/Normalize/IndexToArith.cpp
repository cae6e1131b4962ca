//===- IndexToArith.cpp - The index dialect's ops as arith's --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "nm/Transforms/Normalize/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMINDEXTOARITHPASS
#include "nm/Transforms/Normalize/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// Ops that have the operands and the results of one of arith.
template <typename From, typename To> struct RenameOp : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;

  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op->getResultTypes(),
                                    op->getOperands());
    return success();
  }
};

struct RenameCompare : OpRewritePattern<index::CmpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(index::CmpOp op,
                                PatternRewriter &rewriter) const override {
    // Both dialects have the ten predicates under the same names.
    std::optional<arith::CmpIPredicate> predicate =
        arith::symbolizeCmpIPredicate(index::stringifyEnum(op.getPred()));
    if (!predicate)
      return rewriter.notifyMatchFailure(op, "expected a predicate of arith");
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, *predicate, op.getLhs(),
                                               op.getRhs());
    return success();
  }
};

template <typename From> struct RenameConstant : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;

  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, op.getValueAttr());
    return success();
  }
};

struct RenameSizeOf : OpRewritePattern<index::SizeOfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(index::SizeOfOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(
        op, IndexType::kInternalStorageBitWidth);
    return success();
  }
};

struct IndexToArith : nm::impl::NMIndexToArithPassBase<IndexToArith> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RenameOp<index::AddOp, arith::AddIOp>,
                 RenameOp<index::SubOp, arith::SubIOp>,
                 RenameOp<index::MulOp, arith::MulIOp>,
                 RenameOp<index::DivSOp, arith::DivSIOp>,
                 RenameOp<index::DivUOp, arith::DivUIOp>,
                 RenameOp<index::CeilDivSOp, arith::CeilDivSIOp>,
                 RenameOp<index::CeilDivUOp, arith::CeilDivUIOp>,
                 RenameOp<index::FloorDivSOp, arith::FloorDivSIOp>,
                 RenameOp<index::RemSOp, arith::RemSIOp>,
                 RenameOp<index::RemUOp, arith::RemUIOp>,
                 RenameOp<index::MaxSOp, arith::MaxSIOp>,
                 RenameOp<index::MaxUOp, arith::MaxUIOp>,
                 RenameOp<index::MinSOp, arith::MinSIOp>,
                 RenameOp<index::MinUOp, arith::MinUIOp>,
                 RenameOp<index::ShlOp, arith::ShLIOp>,
                 RenameOp<index::ShrSOp, arith::ShRSIOp>,
                 RenameOp<index::ShrUOp, arith::ShRUIOp>,
                 RenameOp<index::AndOp, arith::AndIOp>,
                 RenameOp<index::OrOp, arith::OrIOp>,
                 RenameOp<index::XOrOp, arith::XOrIOp>,
                 RenameOp<index::CastSOp, arith::IndexCastOp>,
                 RenameOp<index::CastUOp, arith::IndexCastUIOp>, RenameCompare,
                 RenameConstant<index::ConstantOp>,
                 RenameConstant<index::BoolConstantOp>, RenameSizeOf>(
        &getContext());
    // A walk folds nothing.
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

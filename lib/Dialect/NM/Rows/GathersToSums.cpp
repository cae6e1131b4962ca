//===- GathersToSums.cpp - An element of a row as a reduction of it -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemberOps.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/Rows/Passes.h"

namespace nm {
#define GEN_PASS_DEF_NMGATHERSTOSUMSPASS
#include "nm/Dialect/NM/Rows/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

/// Whether a member of a kernel is a reduction, or is computed of one by ops
/// that can be of its kernel.
static bool isOfReduction(GenericOp op) {
  if (!op || !isRowOp(op))
    return false;
  if (op.getNumReductionLoops() != 0)
    return true;
  return llvm::any_of(llvm::seq(op.getNumDpsInputs()), [&](int64_t i) {
    return isOfReduction(getRead(op, i).value.getDefiningOp<GenericOp>());
  });
}

/// Whether `value` is only read at computed places, by bodies of ops.
static bool isOnlyGathered(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return isa<tensor::ExtractOp>(user) && isa<GenericOp>(user->getParentOp());
  });
}

/// The dimension of `op` that counts `index`: none where it is something else.
static std::optional<int64_t> getDim(Value index) {
  auto place = index.getDefiningOp<linalg::IndexOp>();
  return place ? std::optional<int64_t>(place.getDim()) : std::nullopt;
}

/// The dimensions of `op` along which `extract` reads the rows of an array, one
/// element of each; nothing where it does not.
static std::optional<SmallVector<int64_t>> findRows(GenericOp op,
                                                    tensor::ExtractOp extract) {
  auto type = cast<RankedTensorType>(extract.getTensor().getType());
  SmallVector<int64_t> extents = op.getStaticLoopRanges(), dims;
  if (type.getRank() == 0 || !type.getElementType().isIntOrFloat() ||
      type.getElementType().isInteger(1))
    return std::nullopt;
  for (auto [index, extent] :
       llvm::zip(extract.getIndices().drop_back(), type.getShape())) {
    std::optional<int64_t> dim = getDim(index);
    if (!dim || extents[*dim] != extent || llvm::is_contained(dims, *dim))
      return std::nullopt;
    dims.push_back(*dim);
  }
  return dims;
}

namespace {
/// Makes one gather a sum.
class SumBuilder {
public:
  SumBuilder(GenericOp op, tensor::ExtractOp extract, ArrayRef<int64_t> rows)
      : b(op.getLoc(), op), op(op), extract(extract), rows(rows),
        element(
            cast<ShapedType>(extract.getTensor().getType()).getElementType()) {}

  void build() {
    Value sum = createSum();
    // The op reads it as it writes its result.
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    int64_t inputs = op.getNumDpsInputs();
    AffineMap written = maps[inputs];
    maps.insert(maps.begin() + inputs, written);
    op.getInputsMutable().append(sum);
    op.setIndexingMapsAttr(b.getAffineMapArrayAttr(maps));
    Value read = op.getBody()->insertArgument(inputs, element, op.getLoc());
    extract.replaceAllUsesWith(read);
    extract.erase();
  }

private:
  /// The sum, over the elements of a row, of the one that is read and of zeros:
  /// of negative ones, which change no number.
  Value createSum() {
    auto kind = isa<FloatType>(element) ? arith::AtomicRMWKind::addf
                                        : arith::AtomicRMWKind::addi;
    TypedAttr zero = b.getZeroAttr(element);
    if (auto type = dyn_cast<FloatType>(element))
      zero = FloatAttr::get(
          type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true));
    Value init = arith::ConstantOp::create(b, zero);
    auto written = cast<RankedTensorType>(op->getResult(0).getType());
    Value empty = tensor::EmptyOp::create(
        b, tensor::getMixedSizes(b, b.getLoc(), op.getDpsInits()[0]), element);
    Value filled = linalg::FillOp::create(b, init, empty).getResult(0);

    // The dimension of the elements is behind the op's own.
    unsigned dims = op.getNumLoops();
    SmallVector<AffineMap> maps;
    for (AffineMap map :
         ArrayRef(op.getIndexingMapsArray()).take_front(op.getNumDpsInputs()))
      maps.push_back(
          AffineMap::get(dims + 1, 0, map.getResults(), b.getContext()));
    SmallVector<AffineExpr> ofArray;
    for (int64_t dim : rows)
      ofArray.push_back(b.getAffineDimExpr(dim));
    ofArray.push_back(b.getAffineDimExpr(dims));
    maps.push_back(AffineMap::get(dims + 1, 0, ofArray, b.getContext()));
    AffineMap result = op.getIndexingMapsArray()[op.getNumDpsInputs()];
    maps.push_back(
        AffineMap::get(dims + 1, 0, result.getResults(), b.getContext()));
    SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    kinds.push_back(utils::IteratorType::reduction);
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs.push_back(extract.getTensor());
    auto type = RankedTensorType::get(written.getShape(), element);
    auto sum = GenericOp::create(
        b, TypeRange(type), inputs, ValueRange(filled), maps, kinds,
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          ImplicitLocOpBuilder inner(loc, builder);
          Value isRead = createIsRead(inner, arguments);
          Value value = arith::SelectOp::create(
              inner, isRead, arguments[inputs.size() - 1], init);
          linalg::YieldOp::create(
              inner,
              arith::getReductionOp(kind, inner, loc, value, arguments.back()));
        });
    return sum.getResult(0);
  }

  /// Whether the element is the one that is read.
  Value createIsRead(ImplicitLocOpBuilder &inner, ValueRange arguments) {
    IRMapping mapping;
    mapping.map(ValueRange(op.getRegionInputArgs()),
                arguments.take_front(op.getNumDpsInputs()));
    Value place = extract.getIndices().back();
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.inclusive = true;
    options.filter = [&](Operation *from) {
      return from->getBlock() == op.getBody();
    };
    (void)getBackwardSlice(place, &slice, options);
    for (Operation *from : slice)
      inner.clone(*from, mapping);
    Value index = linalg::IndexOp::create(inner, op.getNumLoops());
    return arith::CmpIOp::create(inner, arith::CmpIPredicate::eq, index,
                                 mapping.lookupOrDefault(place));
  }

  ImplicitLocOpBuilder b;
  GenericOp op;
  tensor::ExtractOp extract;
  SmallVector<int64_t> rows;
  Type element;
};

struct GathersToSums : nm::impl::NMGathersToSumsPassBase<GathersToSums> {
  void runOnOperation() override {
    // All are found first: a sum is another user of the array.
    SmallVector<SumBuilder> sums;
    getOperation()->walk([&](tensor::ExtractOp extract) {
      if (canSum(extract))
        if (auto op = cast<GenericOp>(extract->getParentOp());
            auto rows = findRows(op, extract))
          sums.emplace_back(op, extract, *rows);
    });
    for (SumBuilder &sum : sums)
      sum.build();
  }

private:
  /// Whether a gather reads an array that is computed of a reduction, and that
  /// no op but gathers reads, so that it need not be in memory.
  static bool canSum(tensor::ExtractOp extract) {
    auto op = dyn_cast<GenericOp>(extract->getParentOp());
    auto from = extract.getTensor().getDefiningOp<GenericOp>();
    return op && from && isRowOp(op) && op.getNumReductionLoops() == 0 &&
           op->getNumResults() == 1 && writesAll(op) &&
           from->getBlock() == op->getBlock() &&
           from.getNumReductionLoops() == 0 && isOfReduction(from) &&
           isOnlyGathered(extract.getTensor());
  }

  /// Whether a result has an element for each point.
  static bool writesAll(GenericOp op) {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    ArrayRef<AffineExpr> results =
        op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults();
    return llvm::all_of(llvm::enumerate(extents), [&](auto dim) {
      AffineExpr e = getAffineDimExpr(dim.index(), op.getContext());
      return dim.value() == 1 || llvm::is_contained(results, e);
    });
  }
};
} // namespace

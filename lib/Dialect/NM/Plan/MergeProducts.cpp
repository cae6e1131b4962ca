//===- MergeProducts.cpp - nm-merge-products ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Planner/Planner.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/Locations.h"
#include "nm/Support/RawElements.h"
#include "nm/Support/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace nm {
#define GEN_PASS_DEF_NMMERGEPRODUCTSPASS
#include "nm/Dialect/NM/Plan/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

//===----------------------------------------------------------------------===//
// Which products can be merged
//===----------------------------------------------------------------------===//

/// Whether the op of `use` reads a slice of a larger tensor where it lies,
/// without a copy for that. One whose elements are neighbours has any shape.
static bool readsInPlace(OpOperand &use, bool isContiguous) {
  Operation *user = use.getOwner();
  if (auto op = dyn_cast<linalg::LinalgOp>(user))
    return op.isDpsInput(&use);
  // What copies anyway.
  if (auto op = dyn_cast<tensor::InsertSliceOp>(user))
    return use == op.getSourceMutable();
  if (isa<tensor::ConcatOp>(user))
    return true;
  bool isSlice = isa<tensor::ExtractSliceOp>(user);
  bool isView = isSlice || isa<tensor::ExpandShapeOp>(user) ||
                (isContiguous && isa<tensor::CollapseShapeOp>(user));
  return isView && llvm::all_of(user->getUses(), [&](OpOperand &next) {
           return readsInPlace(next, isContiguous && !isSlice);
         });
}

/// Whether all that read C of `op` would read a slice of a larger C in place.
static bool isReadInPlace(ProductOpInterface op) {
  bool isContiguous = op.getColumnDim() == 0 || op.getRows() == 1;
  return llvm::all_of(op->getUses(), [&](OpOperand &use) {
    return readsInPlace(use, isContiguous);
  });
}

/// The data of the constant that `value` is; null where it is none, or one
/// without data.
static ElementsAttr getConstantData(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto elements =
      constant ? dyn_cast<ElementsAttr>(constant.getValue()) : nullptr;
  return elements && succeeded(RawElements::get(elements, ignoreReason))
             ? elements
             : nullptr;
}

static bool isConstantOrNone(Value value) {
  return !value || getConstantData(value);
}

/// The unpacked constant that is the weight of `op`, or null.
static ConstantOp getConstantWeight(ProductOpInterface op) {
  auto constant = op.getWeight().getDefiningOp<ConstantOp>();
  bool hasData =
      constant && !op.getWeightType().getPacking() &&
      succeeded(RawElements::get(constant.getValues(), ignoreReason)) &&
      succeeded(RawElements::get(constant.getIndices(), ignoreReason));
  return hasData ? constant : nullptr;
}

/// What keeps `op` from being merged with any other, or "".
static StringRef findObstacle(ProductOpInterface op) {
  CondensedType weight = op.getWeightType();
  if (op.getScheduleAttr())
    return "it has a schedule";
  if (op.getResidual())
    return "it is combined with a residual";
  if (!getConstantWeight(op) || !isConstantOrNone(op.getScale()) ||
      !isConstantOrNone(op.getBias()))
    return "its weight, scale or bias is no constant";
  if (weight.getN() % weight.getPattern().getUnitN() != 0)
    return "its last unit is cut by n";
  if (!isReadInPlace(op))
    return "a slice of a larger result would be copied for what reads it";
  return "";
}

/// Whether `x` and `y`, which read the same A, differ in nothing but the
/// numbers and the columns of their weights.
static bool areAlike(ProductOpInterface x, ProductOpInterface y) {
  CondensedType a = x.getWeightType(), b = y.getWeightType();
  // The attributes say how many operands there are.
  return x->getName() == y->getName() &&
         x->getAttrDictionary() == y->getAttrDictionary() &&
         a.getPattern() == b.getPattern() &&
         a.getElementType() == b.getElementType() &&
         llvm::equal(
             x->getOperandTypes(), y->getOperandTypes(), [](Type t, Type u) {
               return getElementTypeOrSelf(t) == getElementTypeOrSelf(u) ||
                      isa<CondensedType>(t);
             });
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// The columns of row-major `matrices` of `rows` rows, side by side.
static ElementsAttr joinColumns(ArrayRef<ElementsAttr> matrices, int64_t rows,
                                RankedTensorType type, StringRef name) {
  SmallVector<RawElements> parts;
  // Their data is there: findObstacle has looked.
  for (ElementsAttr matrix : matrices)
    parts.push_back(*RawElements::get(matrix, ignoreReason));
  std::vector<char> joined;
  joined.reserve(type.getNumElements() * parts.front().getElementBytes());
  for (int64_t row = 0; row < rows; ++row)
    for (auto [matrix, part] : llvm::zip_equal(matrices, parts)) {
      int64_t bytes = part.getElementBytes();
      int64_t columns = matrix.getNumElements() / rows;
      if (!part.isSplat()) {
        const char *first = part.getElement(row * columns);
        joined.insert(joined.end(), first, first + columns * bytes);
        continue;
      }
      for (int64_t column = 0; column < columns; ++column)
        joined.insert(joined.end(), part.getElement(0),
                      part.getElement(0) + bytes);
    }
  return makeElements(type, std::move(joined), name);
}

/// The weights of `ops`, side by side, of type `type`.
static Value joinWeights(ImplicitLocOpBuilder &b,
                         ArrayRef<ProductOpInterface> ops, CondensedType type) {
  SmallVector<ElementsAttr> values, indices;
  for (ProductOpInterface op : ops) {
    ConstantOp constant = getConstantWeight(op);
    values.push_back(constant.getValues());
    indices.push_back(constant.getIndices());
  }
  std::string name =
      (getElementsName(values.front(), "weight") + ".merged").str();
  auto join = [&](ArrayRef<ElementsAttr> parts, RankedTensorType joined) {
    return joinColumns(parts, joined.getDimSize(0), joined, name);
  };
  return ConstantOp::create(b, type, join(values, type.getValuesTensorType()),
                            join(indices, type.getIndicesTensorType()),
                            ElementsAttr());
}

/// The scales or biases of `ops`, as `get` gives them, one behind another; null
/// where they have none.
static Value joinVectors(ImplicitLocOpBuilder &b,
                         ArrayRef<ProductOpInterface> ops, int64_t n,
                         function_ref<Value(ProductOpInterface)> get) {
  if (!get(ops.front()))
    return nullptr;
  SmallVector<ElementsAttr> parts;
  for (ProductOpInterface op : ops)
    parts.push_back(getConstantData(get(op)));
  auto type = RankedTensorType::get({n}, parts.front().getElementType());
  StringRef name = getElementsName(parts.front(), "vector");
  return arith::ConstantOp::create(
      b, cast<TypedAttr>(joinColumns(parts, /*rows=*/1, type, name)));
}

/// The type of the weights of `ops`, side by side.
static CondensedType getJoinedType(ArrayRef<ProductOpInterface> ops) {
  CondensedType first = ProductOpInterface(ops.front()).getWeightType();
  int64_t n = 0;
  for (ProductOpInterface op : ops)
    n += op.getWeightType().getN();
  return CondensedType::get(first.getContext(), first.getK(), n,
                            first.getElementType(), first.getPattern(),
                            first.getPacking());
}

/// One product in the place of `ops`, of which each is a slice of its result.
static ProductOpInterface merge(ArrayRef<ProductOpInterface> ops) {
  ProductOpInterface first = ops.front();
  OpBuilder builder(first);
  auto locations = llvm::map_to_vector(
      ops, [](ProductOpInterface op) { return op->getLoc(); });
  ImplicitLocOpBuilder b(joinLayers(builder.getContext(), locations), builder);
  CondensedType weight = getJoinedType(ops);
  unsigned dim = first.getColumnDim();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), first.getInit());
  sizes[dim] = b.getIndexAttr(weight.getN());
  Value init =
      tensor::EmptyOp::create(b, sizes, getElementTypeOrSelf(first.getInit()));
  Value values = joinWeights(b, ops, weight);
  Value scale = joinVectors(b, ops, weight.getN(), [](ProductOpInterface op) {
    return op.getScale();
  });
  Value bias = joinVectors(b, ops, weight.getN(),
                           [](ProductOpInterface op) { return op.getBias(); });

  auto merged = cast<ProductOpInterface>(b.clone(*first));
  merged->setLoc(b.getLoc());
  merged.getWeightMutable().assign(values);
  merged.getInitMutable().assign(init);
  if (scale)
    merged.getScaleMutable().assign(scale);
  if (bias)
    merged.getBiasMutable().assign(bias);
  merged.getResult().setType(cast<RankedTensorType>(init.getType()));

  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  int64_t column = 0;
  for (ProductOpInterface op : ops) {
    int64_t n = op.getWeightType().getN();
    offsets[dim] = b.getIndexAttr(column);
    sizes[dim] = b.getIndexAttr(n);
    Value slice = tensor::ExtractSliceOp::create(b, merged.getResult(), offsets,
                                                 sizes, strides);
    if (slice.getType() != op.getResult().getType())
      slice = tensor::CastOp::create(b, op.getResult().getType(), slice);
    op.getResult().replaceAllUsesWith(slice);
    column += n;
  }
  return merged;
}

/// Erases `op`, and the constants that nothing else reads.
static void eraseWithConstants(ProductOpInterface op) {
  llvm::SetVector<Operation *> constants;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp();
        isa_and_present<ConstantOp, arith::ConstantOp>(producer))
      constants.insert(producer);
  op.erase();
  for (Operation *constant : constants)
    if (isOpTriviallyDead(constant))
      constant->erase();
}

namespace {
struct MergeProducts : nm::impl::NMMergeProductsPassBase<MergeProducts> {
  using NMMergeProductsPassBase::NMMergeProductsPassBase;

  void runOnOperation() override {
    target = &getTarget(getOperation());
    auto emitError = [&] { return getOperation()->emitError(); };
    if (failed(checkOptions({stages, packingThreshold}, emitError)))
      return signalPassFailure();
    getOperation()->walk([&](ProductOpInterface op) {
      numbers.try_emplace(op, int64_t(numbers.size()));
    });
    getOperation()->walk([&](Block *block) { mergeIn(*block); });
  }

private:
  using Group = SmallVector<ProductOpInterface>;

  void mergeIn(Block &block);
  void mergeIfFaster(ArrayRef<ProductOpInterface> ops);
  std::optional<double> predict(ProductOpInterface op,
                                CondensedType weight) const;

  const TargetInfo *target = nullptr;
  llvm::DenseMap<Operation *, int64_t> numbers; // of the module's products
};
} // namespace

static void reportNotMerged(ProductOpInterface op, const Twine &why) {
  emitRemark(op, RemarkId::ProductNotMerged) << remarkReason("{0}", why.str());
}

/// Merges the products of `block` that read the same A and are alike.
void MergeProducts::mergeIn(Block &block) {
  llvm::MapVector<Value, Group> readers;
  for (ProductOpInterface op : block.getOps<ProductOpInterface>())
    if (op.getResult())
      readers[op.getA()].push_back(op);
  for (auto &[a, ops] : readers) {
    if (ops.size() < 2)
      continue;
    SmallVector<Group> groups;
    for (ProductOpInterface op : ops) {
      if (StringRef why = findObstacle(op); !why.empty()) {
        reportNotMerged(op, why);
        continue;
      }
      auto *group = llvm::find_if(groups, [&](const Group &group) {
        return areAlike(group.front(), op);
      });
      if (group == groups.end())
        groups.push_back({op});
      else
        group->push_back(op);
    }
    for (const Group &group : groups)
      if (group.size() > 1)
        mergeIfFaster(group);
      else
        reportNotMerged(group.front(), "no other product of its A is like it");
  }
}

/// The seconds of `op` with a weight of type `weight`; of one row where the
/// number is not known, since launches matter for few.
std::optional<double> MergeProducts::predict(ProductOpInterface op,
                                             CondensedType weight) const {
  ProductInfo product(op);
  product.weight = weight;
  product.footprint = nullptr;
  if (ShapedType::isDynamic(product.m))
    product.m = 1;
  return predictFastest(product, *target, {stages, packingThreshold});
}

void MergeProducts::mergeIfFaster(ArrayRef<ProductOpInterface> ops) {
  double apart = 0;
  for (ProductOpInterface op : ops)
    apart += predict(op, op.getWeightType()).value_or(0);
  std::optional<double> together = predict(ops.front(), getJoinedType(ops));
  std::string times =
      llvm::formatv("{0} products, {1:f1} us apart and {2:f1} us together, "
                    "predicted",
                    ops.size(), apart * 1e6, together.value_or(0) * 1e6);
  bool isFaster = together && *together < apart;
  SmallVector<int64_t> parts;
  for (ProductOpInterface op : ops) {
    if (isFaster)
      emitRemark(op, RemarkId::ProductMerged) << remarkReason("{0}", times);
    else
      reportNotMerged(op, times);
    parts.push_back(numbers.lookup(op));
  }
  if (!isFaster)
    return;
  merge(ops)->setAttr(kMergedAttrName,
                      DenseI64ArrayAttr::get(&getContext(), parts));
  llvm::for_each(ops, eraseWithConstants);
}

//===- MemberOps.cpp - What ops of a kernel read and combine --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemberOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Support/TransposedMatrices.h"

using namespace mlir;
using namespace nm;
using linalg::GenericOp;

Value nm::getWholeArray(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, linalg::TransposeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

TypedAttr nm::getSplat(Value value) {
  SplatElementsAttr splat;
  if (!matchPattern(value, m_Constant(&splat)))
    return nullptr;
  return dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
}

/// Whether vectors of `type` lie in memory as their elements do, and lanes can
/// exchange it: no complex number, no index, no float of less than 16 bits.
static bool isRowElement(Type type) {
  if (!type.isIntOrFloat())
    return false;
  unsigned bits = type.getIntOrFloatBitWidth();
  bool isSmall = type.isInteger() && (bits == 1 || bits == 8);
  return isSmall || bits == 16 || bits == 32 || bits == 64;
}

/// Whether the results of a map of `type` are dimensions, each once, and zeros
/// where there is one element.
static bool hasOnlyDims(AffineMap map, RankedTensorType type) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (auto [e, extent] : llvm::zip_equal(map.getResults(), type.getShape())) {
    auto constant = dyn_cast<AffineConstantExpr>(e);
    if (constant && constant.getValue() == 0 && extent == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(e);
    if (!dim || seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
  }
  return true;
}

/// Whether a body may read a tensor of `type` at any place.
static bool isTable(RankedTensorType type) {
  return isRowElement(type.getElementType()) && type.hasStaticShape() &&
         type.getNumElements() != 0;
}

bool nm::isRowOp(GenericOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() == 0 ||
      linalg::isaContractionOpInterface(op) ||
      linalg::isaConvolutionOpInterface(op))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || !isRowElement(type.getElementType()) ||
        !hasOnlyDims(op.getMatchingIndexingMap(&operand), type))
      return false;
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    bool isKnown = isPure(&inner) || isa<cf::AssertOp>(inner);
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    if (extract ? !isTable(extract.getTensor().getType())
                : !isKnown || inner.getNumRegions() != 0)
      return false;
  }
  // An element-wise op that reads what it is to write over begins with it.
  if (op.getNumReductionLoops() == 0)
    for (BlockArgument init : op.getRegionOutputArgs())
      if (!init.use_empty())
        return false;
  return true;
}

bool nm::isPointwise(GenericOp op) {
  return isRowOp(op) && llvm::none_of(*op.getBody(), [](Operation &inner) {
           return isa<linalg::IndexOp, tensor::ExtractOp, cf::AssertOp>(inner);
         });
}

DenseSet<Value>
nm::collectVarying(GenericOp op, llvm::function_ref<bool(int64_t)> isElement) {
  DenseSet<Value> varying;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (llvm::any_of(map.getResults(), [&](AffineExpr e) {
          auto dim = dyn_cast<AffineDimExpr>(e);
          return dim && isElement(dim.getPosition());
        }))
      varying.insert(op.getMatchingBlockArgument(&operand));
  }
  for (Operation &inner : *op.getBody()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    bool varies = index && isElement(index.getDim());
    for (Value operand : inner.getOperands())
      varies |= varying.contains(operand);
    if (varies)
      varying.insert_range(inner.getResults());
  }
  return varying;
}

/// Whether a reshape only adds or drops dimensions of one element, from the
/// tensor with more dimensions.
static bool areOfUnits(ArrayRef<ReassociationIndices> groups,
                       RankedTensorType wide) {
  return llvm::all_of(groups, [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) {
             return wide.getDimSize(dim) != 1;
           }) <= 1;
  });
}

bool nm::movesUnitsAlone(tensor::ExpandShapeOp op) {
  return areOfUnits(op.getReassociationIndices(), op.getResultType());
}

bool nm::movesUnitsAlone(tensor::CollapseShapeOp op) {
  return areOfUnits(op.getReassociationIndices(), op.getSrcType());
}

/// Lets an access to the result of a reshape be one to its source, if the
/// reshape moves dimensions of one element alone.
static bool skipReshape(Access &access) {
  Operation *op = access.value.getDefiningOp();
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    auto groups = expand.getReassociationIndices();
    if (!movesUnitsAlone(expand))
      return false;
    SmallVector<int64_t> dims;
    for (const ReassociationIndices &group : groups) {
      dims.push_back(kUnit);
      for (int64_t dim : group)
        if (access.dims[dim] != kUnit)
          dims.back() = access.dims[dim];
    }
    access = {expand.getSrc(), dims};
    return true;
  }
  auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op);
  if (!collapse)
    return false;
  RankedTensorType wide = collapse.getSrcType();
  auto groups = collapse.getReassociationIndices();
  if (!movesUnitsAlone(collapse))
    return false;
  SmallVector<int64_t> dims(wide.getRank(), kUnit);
  for (auto [narrow, group] : llvm::enumerate(groups))
    for (int64_t dim : group)
      if (wide.getDimSize(dim) != 1)
        dims[dim] = access.dims[narrow];
  access = {collapse.getSrc(), dims};
  return true;
}

static Access getAccess(GenericOp op, Value value, AffineMap map) {
  Access access{value, {}};
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (AffineExpr e : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    bool isUnit = !dim || extents[dim.getPosition()] == 1;
    access.dims.push_back(isUnit ? kUnit : int64_t(dim.getPosition()));
  }
  return access;
}

Access nm::getRead(GenericOp op, int64_t input) {
  OpOperand *operand = op.getDpsInputOperand(input);
  Access access =
      getAccess(op, operand->get(), op.getMatchingIndexingMap(operand));
  while (skipReshape(access)) {
  }
  return access;
}

Access nm::getWritten(GenericOp op, int64_t result) {
  OpOperand *init = op.getDpsInitOperand(result);
  return getAccess(op, op->getResult(result), op.getMatchingIndexingMap(init));
}

int64_t nm::getLastDim(const Access &access) {
  for (int64_t dim : llvm::reverse(access.dims))
    if (dim != kUnit)
      return dim;
  return kUnit;
}

bool nm::isTransposition(GenericOp op) {
  if (op.getNumReductionLoops() != 0 || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || !isRowOp(op) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isPermutation(); }))
    return false;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  return yield.getOperand(0) == op.getRegionInputArgs()[0] &&
         getLastDim(getWritten(op, 0)) != getLastDim(getRead(op, 0));
}

bool nm::isUnitTransposition(GenericOp op) {
  if (op.getNumReductionLoops() != 0 || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || !op.getIndexingMapsArray()[1].isIdentity() ||
      !op.getIndexingMapsArray()[0].isPermutation())
    return false;
  Value source = op.getInputs().front();
  auto type = dyn_cast<RankedTensorType>(source.getType());
  std::optional<int64_t> bytes =
      type ? getTransposedBytes(type.getElementType()) : std::nullopt;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  if (!bytes || &op.getBody()->front() != yield ||
      yield.getOperand(0) != op.getRegionInputArgs()[0] ||
      source.getDefiningOp<tensor::ExtractSliceOp>() ||
      llvm::any_of(op->getUsers(), llvm::IsaPred<tensor::InsertSliceOp>))
    return false;
  SmallVector<int64_t> order(type.getRank());
  for (auto [dim, of] : llvm::enumerate(getInputOrder(op)))
    order[of] = dim;
  return getTransposedUnits(type.getShape(), order, *bytes).has_value();
}

SmallVector<int64_t> nm::getInputOrder(GenericOp op) {
  SmallVector<int64_t> order;
  for (AffineExpr e :
       op.getMatchingIndexingMap(op.getDpsInputOperand(0)).getResults())
    order.push_back(cast<AffineDimExpr>(e).getPosition());
  return order;
}

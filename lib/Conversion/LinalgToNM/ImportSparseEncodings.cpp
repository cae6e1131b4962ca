//===- ImportSparseEncodings.cpp - nm-import-sparse-encodings -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An encoding is an instruction to upstream's sparsifier, which nm does not
// run. What structured[n, m] says of a weight's numbers is kept, as a claim on
// the product; the storage that the encoding asks for is not.
//
//===----------------------------------------------------------------------===//

#include "Claim.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Conversion/LinalgToNM/Passes.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "nm/Support/Remarks.h"

namespace nm {
#define GEN_PASS_DEF_NMIMPORTSPARSEENCODINGSPASS
#include "nm/Conversion/LinalgToNM/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

using sparse_tensor::getSparseTensorEncoding;
using sparse_tensor::SparseTensorEncodingAttr;

//===----------------------------------------------------------------------===//
// What an encoding says
//===----------------------------------------------------------------------===//

namespace {
/// Windows of `pattern` along a dimension of a tensor.
struct Windows {
  PatternAttr pattern;
  unsigned dim;
};
} // namespace

/// The operands of `expr` if it is `dim <kind> constant`.
static std::optional<std::pair<unsigned, int64_t>>
matchBlock(AffineExpr expr, AffineExprKind kind) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != kind)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
  auto size = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!dim || !size)
    return std::nullopt;
  return std::pair(dim.getPosition(), size.getValue());
}

/// The windows that `encoding` says a tensor has. Fails where it says something
/// else.
static FailureOr<Windows> getWindows(SparseTensorEncodingAttr encoding,
                                     ReasonEmitter emitReason) {
  AffineMap levels = encoding.getDimToLvl();
  std::optional<Windows> windows;
  int64_t size = 0;
  for (auto [level, expr] :
       llvm::zip_equal(encoding.getLvlTypes(), levels.getResults())) {
    if (isDenseLT(level))
      continue;
    auto block = matchBlock(expr, AffineExprKind::Mod);
    if (!isNOutOfMLT(level) || windows)
      return failWith(emitReason,
                      "a level is `" + toMLIRString(level) +
                          "`: a format of storage, not an N:M pattern");
    if (!block || block->second != int64_t(level.getM()))
      return failWith(emitReason,
                      "the level `" + toMLIRString(level) +
                          "` is not one dimension modulo its window");
    if (level.getN() < 1)
      return failWith(emitReason,
                      "the level `" + toMLIRString(level) + "` keeps nothing");
    size = block->second;
    windows = Windows{PatternAttr::get(encoding.getContext(), level.getN(),
                                       size, /*unitK=*/1, /*unitN=*/1),
                      block->first};
  }
  if (!windows)
    return failWith(emitReason, "no level is `structured[n, m]`");
  for (AffineExpr expr : levels.getResults()) {
    auto outer = matchBlock(expr, AffineExprKind::FloorDiv);
    bool isPlain = isa<AffineDimExpr>(expr) ||
                   matchBlock(expr, AffineExprKind::Mod) ||
                   (outer && *outer == std::pair(windows->dim, size));
    if (!isPlain || !encoding.getDimSlices().empty())
      return failWith(emitReason,
                      "the tensor is also cut into blocks or slices");
  }
  return *windows;
}

//===----------------------------------------------------------------------===//
// From an encoded tensor to the products that read it
//===----------------------------------------------------------------------===//

static void reportDropped(Operation *op, const Twine &reason) {
  emitRemark(op, RemarkId::EncodingDropped)
      << remarkReason("{0}", reason.str());
}

/// The dimension of the result of `op` that runs along dimension `dim` of its
/// operand, if the op moves elements about, or casts them, and zeros stay
/// zeros.
static std::optional<unsigned> followCopy(linalg::LinalgOp op, OpOperand &use,
                                          unsigned dim) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1)
    return std::nullopt;
  Value value = op.getBlock()->getTerminator()->getOperand(0);
  while (Operation *cast = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp,
             arith::UIToFPOp>(cast))
      return std::nullopt;
    value = cast->getOperand(0);
  }
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (value != op.getBlock()->getArgument(0) || !result.isPermutation())
    return std::nullopt;
  return result.getResultPosition(
      op.getMatchingIndexingMap(&use).getResult(dim));
}

/// Says that `use`, of a tensor with `windows` that `source` encoded, is a
/// factor of a product along them; goes on to the users of copies.
static void claimUse(OpOperand &use, const Windows &windows, Operation *source);

static void claimUses(Value value, const Windows &windows, Operation *source) {
  for (OpOperand &use : value.getUses())
    claimUse(use, windows, source);
}

static void claimUse(OpOperand &use, const Windows &windows,
                     Operation *source) {
  Operation *user = use.getOwner();
  if (isa<tensor::CastOp, sparse_tensor::ConvertOp>(user))
    return claimUses(user->getResult(0), windows, source);
  auto op = dyn_cast<linalg::LinalgOp>(user);
  if (!op || !op.isDpsInput(&use))
    return reportDropped(source, "`" + user->getName().getStringRef().str() +
                                     "` reads the tensor, which is no product");
  auto loop = dyn_cast<AffineDimExpr>(
      op.getMatchingIndexingMap(&use).getResult(windows.dim));
  if (op.getNumReductionLoops() == 0) {
    if (std::optional<unsigned> dim = followCopy(op, use, windows.dim))
      return claimUses(op->getResult(0), {windows.pattern, *dim}, source);
    return reportDropped(source,
                         "`" + user->getName().getStringRef().str() +
                             "` computes on the tensor before any product");
  }
  if (!loop || op.getIteratorTypesArray()[loop.getPosition()] !=
                   utils::IteratorType::reduction)
    return reportDropped(source, "the structured level lies along dimension " +
                                     std::to_string(windows.dim) +
                                     ", over which the product does not sum");
  setClaim(op, {windows.pattern, loop.getPosition()});
  emitRemark(source, RemarkId::Claimed)
      << remarkKey(RemarkKey::Op, user->getName().getStringRef())
      << remarkKey(RemarkKey::Pattern, Attribute(windows.pattern));
}

/// Hands what the encoding of `result` says to the products that read it.
static void claim(OpResult result, Value data) {
  Operation *op = result.getOwner();
  FailureOr<Windows> windows =
      getWindows(getSparseTensorEncoding(result.getType()),
                 [&](const Twine &reason) { reportDropped(op, reason); });
  if (failed(windows))
    return;
  // A splat is data here: all of its numbers are other than zero, or none.
  if (!matchPattern(data, m_Constant()) && !isComputedFromConstants(data))
    return reportDropped(op, "the tensor is not known at compile time");
  claimUses(result, *windows, op);
}

//===----------------------------------------------------------------------===//
// Plain tensors
//===----------------------------------------------------------------------===//

static bool isEncoded(Type type) {
  return static_cast<bool>(getSparseTensorEncoding(type));
}

/// Coordinates and values as dense elements; anything else as it is.
static ElementsAttr makeDense(ElementsAttr elements) {
  auto sparse = dyn_cast<SparseElementsAttr>(elements);
  if (!sparse)
    return elements;
  if (isa<FloatType>(sparse.getElementType()))
    return DenseElementsAttr::get(sparse.getType(),
                                  llvm::to_vector(sparse.getValues<APFloat>()));
  if (isa<IntegerType>(sparse.getElementType()))
    return DenseElementsAttr::get(sparse.getType(),
                                  llvm::to_vector(sparse.getValues<APInt>()));
  return elements;
}

/// The types and elements of `module` without encodings.
static void dropEncodings(ModuleOp module) {
  AttrTypeReplacer replacer;
  auto drop = [](RankedTensorType type) {
    return isEncoded(type) ? type.dropEncoding() : type;
  };
  replacer.addReplacement(
      [=](RankedTensorType type) -> Type { return drop(type); });
  replacer.addReplacement(
      [=](ElementsAttr attr) -> std::pair<Attribute, WalkResult> {
        ElementsAttr elements = makeDense(attr);
        auto type = dyn_cast<RankedTensorType>(elements.getType());
        if (type && isEncoded(type)) {
          if (auto dense = dyn_cast<DenseElementsAttr>(elements))
            elements = dense.reshape(drop(type));
          else if (auto raw = dyn_cast<DenseResourceElementsAttr>(elements))
            elements =
                DenseResourceElementsAttr::get(drop(type), raw.getRawHandle());
        }
        return {elements, WalkResult::skip()};
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// A caller has no storage of another format to pass or to take.
static LogicalResult checkSignature(FunctionOpInterface function) {
  auto check =
      [&](TypeRange types, StringRef what,
          llvm::function_ref<Location(unsigned)> getLoc) -> LogicalResult {
    for (auto [i, type] : llvm::enumerate(types))
      if (isEncoded(type))
        return emitError(getLoc(i))
               << "expected " << what << "s without a sparse_tensor encoding, "
               << "got one on " << what << " #" << i << " of '"
               << function.getName()
               << "': only a constant's pattern is known at compile time; "
                  "convert a constant inside the function, or drop the "
                  "encoding to compute densely";
    return success();
  };
  auto getArgumentLoc = [&](unsigned i) {
    return function.isExternal() ? function.getLoc()
                                 : function.getArgument(i).getLoc();
  };
  auto getResultLoc = [&](unsigned) { return function.getLoc(); };
  return success(
      succeeded(
          check(function.getArgumentTypes(), "argument", getArgumentLoc)) &&
      succeeded(check(function.getResultTypes(), "result", getResultLoc)));
}

static LogicalResult checkOp(Operation *op) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return checkSignature(function);
  if (!isa<sparse_tensor::SparseTensorDialect>(op->getDialect()) ||
      isa<sparse_tensor::ConvertOp>(op))
    return success();
  return op->emitOpError()
         << "unsupported: of sparse_tensor, nm takes encodings and "
            "sparse_tensor.convert; write the tensor as a constant, or run "
            "upstream's sparsifier first";
}

/// Whether there is anything here that the pass changes.
static bool isConcerned(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return isa_and_nonnull<sparse_tensor::SparseTensorDialect>(
             op->getDialect()) ||
         isa<FunctionOpInterface>(op) ||
         llvm::any_of(op->getResultTypes(), isEncoded) ||
         (constant && isa<SparseElementsAttr>(constant.getValue()));
}

namespace {
struct ImportSparseEncodings
    : nm::impl::NMImportSparseEncodingsPassBase<ImportSparseEncodings> {
  void runOnOperation() override {
    SmallVector<Operation *> concerned;
    getOperation()->walk([&](Operation *op) {
      if (isConcerned(op))
        concerned.push_back(op);
    });
    for (Operation *op : concerned)
      if (failed(checkOp(op)))
        return signalPassFailure();
    if (llvm::all_of(concerned, llvm::IsaPred<FunctionOpInterface>))
      return markAllAnalysesPreserved();

    for (Operation *op : concerned)
      if (op->getNumResults() == 1 && isEncoded(op->getResult(0).getType())) {
        if (auto convert = dyn_cast<sparse_tensor::ConvertOp>(op))
          claim(op->getResult(0), convert.getSource());
        else if (op->hasTrait<OpTrait::ConstantLike>())
          claim(op->getResult(0), op->getResult(0));
      }
    dropEncodings(getOperation());
    for (Operation *op : concerned)
      if (auto convert = dyn_cast<sparse_tensor::ConvertOp>(op))
        replaceConversion(convert);
  }

private:
  /// Without encodings, at most the static extents differ.
  static void replaceConversion(sparse_tensor::ConvertOp op) {
    Value value = op.getSource();
    IRRewriter rewriter(op);
    if (value.getType() != op.getType())
      value =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), value);
    rewriter.replaceOp(op, value);
  }
};
} // namespace

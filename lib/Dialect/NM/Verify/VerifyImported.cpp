//===- VerifyImported.cpp - What the import promises ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Importers print a weight as a constant that is transposed, or broadcast to
// [B, K, N], for its product. Once the product has the condensed weight, such a
// copy has no reader left; it would be computed and kept all the same.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "nm/Dialect/NM/Verify/Passes.h"
#include <cstring>

namespace nm {
#define GEN_PASS_DEF_NMVERIFYIMPORTEDPASS
#include "nm/Dialect/NM/Verify/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

/// Whether anything reads the elements of `value`, a copy of a constant. Other
/// copies and reshapes of it do not count, nor does who asks for its extents.
static bool isRead(Value value) {
  for (Operation *user : value.getUsers()) {
    if (isa<tensor::DimOp>(user))
      continue;
    if (user->getNumResults() != 1 ||
        !WeightSource::trace(user->getResult(0)) || isRead(user->getResult(0)))
      return true;
  }
  return false;
}

static bool haveSameData(ElementsAttr lhs, ElementsAttr rhs) {
  FailureOr<RawElements> a = RawElements::get(lhs, ignoreReason),
                         b = RawElements::get(rhs, ignoreReason);
  if (failed(a) || failed(b) || lhs.getShapedType() != rhs.getShapedType())
    return false;
  for (int64_t i = 0, end = lhs.getNumElements(); i < end; ++i)
    if (std::memcmp(a->getElement(i), b->getElement(i), a->getElementBytes()) !=
        0)
      return false;
  return true;
}

/// Whether `constant` is the condensed form of `source`, whose dimensions
/// `kDims` run along k and `nDims` along n.
static bool isCondensedForm(ConstantOp constant, const WeightSource &source,
                            ArrayRef<unsigned> kDims,
                            ArrayRef<unsigned> nDims) {
  auto type = cast<CondensedType>(constant.getType());
  if (type.getPacking() || type.getElementType() != source.getElementType() ||
      source.countElements(kDims) != type.getK() ||
      source.countElements(nDims) != type.getN())
    return false;
  FailureOr<DenseWeight> weight = source.read(kDims, nDims, ignoreReason);
  if (failed(weight))
    return false;
  FailureOr<CondensedElements> elements =
      condense(*weight, weight->getMask(), type, "unread", ignoreReason);
  return succeeded(elements) &&
         haveSameData(elements->values, constant.getValues()) &&
         haveSameData(elements->indices, constant.getIndices());
}

/// Whether `constant` is the condensed form of `source`, read as [k, n] or as
/// [n, k] behind dimensions of a batch.
static bool isRaisedTo(const WeightSource &source, ConstantOp constant) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < source.getRank(); ++dim)
    if (!source.isBroadcast(dim))
      dims.push_back(dim);
  for (unsigned split = 0; split <= dims.size(); ++split) {
    ArrayRef<unsigned> front = ArrayRef(dims).take_front(split),
                       back = ArrayRef(dims).drop_front(split);
    if (isCondensedForm(constant, source, front, back) ||
        isCondensedForm(constant, source, back, front))
      return true;
  }
  return false;
}

namespace {
struct VerifyImported : nm::impl::NMVerifyImportedPassBase<VerifyImported> {
  void runOnOperation() override {
    getOperation()->walk([&](ConstantOp op) { constants.push_back(op); });
    findLiveValues();
    WalkResult result = getOperation()->walk([&](Operation *op) {
      return failed(verify(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    constants.clear();
    live.clear();
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  /// Finds what a result or an effect depends on. All of it is read, which is
  /// so of most values and is cheaper to find out than whether one is a copy.
  void findLiveValues() {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops)) {
      bool isLive =
          op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op) ||
          llvm::any_of(op->getResults(),
                       [&](Value result) { return live.contains(result); });
      if (isLive && !isa<tensor::DimOp>(op))
        live.insert(op->operand_begin(), op->operand_end());
    }
  }

  LogicalResult verify(Operation *op) {
    auto condense = dyn_cast<CondenseOp>(op);
    if (condense && matchPattern(condense.getDense(), m_Constant()))
      return report(op, "a constant weight in condensed form (nm.constant)",
                    "nm-import-linalg, or canonicalize where nm.condense was "
                    "written,");
    if (!isa<linalg::LinalgOp>(op) || op->getNumResults() != 1)
      return success();
    // Cheap questions first: only what is about to be reported is compared.
    if (live.contains(op->getResult(0)) || isRead(op->getResult(0)))
      return success();
    std::optional<WeightSource> source = WeightSource::trace(op->getResult(0));
    if (!source || llvm::none_of(constants, [&](ConstantOp constant) {
          return isRaisedTo(*source, constant);
        }))
      return success();
    return report(op,
                  "no copy that nothing reads of a weight that is an "
                  "nm.constant as well",
                  "nm-import-linalg");
  }

  static LogicalResult report(Operation *op, StringRef expected,
                              StringRef missedBy) {
    InFlightDiagnostic diag = op->emitOpError() << "expected " << expected;
    diag.attachNote() << missedBy << " probably missed it";
    return diag;
  }

  SmallVector<ConstantOp> constants;
  DenseSet<Value> live;
};
} // namespace

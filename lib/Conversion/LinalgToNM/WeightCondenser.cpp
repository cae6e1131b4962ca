//===- WeightCondenser.cpp - Constant weights to nm.constant --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCondenser.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Support/ElementsData.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

CondensedWeight &WeightCondenser::condense(const Contraction &contraction,
                                           const WeightSource &source,
                                           PatternAttr claimed) {
  auto [entry, isNew] =
      cache.try_emplace(std::pair(source.getKey(contraction.k, contraction.n),
                                  claimed.getAsOpaquePointer()));
  if (isNew)
    fill(entry->second, contraction, source, claimed);
  return entry->second;
}

/// Says of a pattern that it keeps more than is raised, and what the limit is.
static std::string describeRefused(const reference::Detection &found, int64_t k,
                                   const reference::DetectOptions &search) {
  const reference::Pattern &pattern = found.pattern;
  bool isWide = pattern.unitN >= search.wideUnit;
  int64_t window =
      pattern.window ? pattern.window : llvm::divideCeil(k, pattern.unitK);
  return llvm::formatv(
      "the tightest pattern along k ({0}) keeps {1} of {2} units, more than "
      "the limit of {3} ({4})",
      reference::toString(pattern), pattern.keep, window,
      isWide ? search.maxDensityWide : search.maxDensity,
      isWide ? "max-ratio-wide" : "max-ratio");
}

/// Says why a weight is dense: the tightest pattern that it has, or that it has
/// one along n, the wrong way.
static std::string describeDense(const DenseWeight &weight,
                                 const reference::NonZeroMask &mask,
                                 const reference::DetectOptions &search) {
  std::string text = "the weight is dense along k";
  if (std::optional<reference::Detection> found =
          reference::detectTightest(mask, search))
    text = describeRefused(*found, weight.getK(), search);
  if (std::optional<reference::Pattern> found =
          reference::detect(weight.getMask(/*transposed=*/true), search))
    text += "; along n it has the pattern " + reference::toString(*found);
  return text;
}

std::optional<reference::Pattern>
WeightCondenser::findPattern(const DenseWeight &weight,
                             const reference::NonZeroMask &mask,
                             std::string &reason) const {
  bool allZero = true;
  for (int64_t column = 0; column < mask.columns() && allZero; ++column)
    allZero = mask.count(column, 0, mask.rows()) == 0;
  if (allZero) {
    reason = "all weights are zero";
    return std::nullopt;
  }
  if (options.forced)
    return options.forced;
  std::optional<reference::Pattern> found =
      reference::detect(mask, options.search);
  if (!found)
    reason = describeDense(weight, mask, options.search);
  return found;
}

/// The pattern that is given or found; null, with the reason, if there is none.
PatternAttr WeightCondenser::decidePattern(const DenseWeight &weight,
                                           const reference::NonZeroMask &mask,
                                           Location loc,
                                           std::string &reason) const {
  std::optional<reference::Pattern> pattern = findPattern(weight, mask, reason);
  if (!pattern)
    return nullptr;
  auto attr = PatternAttr::getChecked(
      [&] { return emitWarning(loc); }, loc.getContext(), pattern->keep,
      pattern->window, pattern->unitK, pattern->unitN);
  if (!attr)
    reason = "the pattern does not fit the weight";
  return attr;
}

void WeightCondenser::fill(CondensedWeight &result,
                           const Contraction &contraction,
                           const WeightSource &source, PatternAttr claimed) {
  Location loc = source.getMainLeaf().loc;
  RawElements::Error kind;
  std::optional<DenseWeight> weight =
      source.read(contraction.k, contraction.n, kind, result.reason);
  if (!weight) {
    if (kind == RawElements::Error::Elided)
      emitWarning(loc)
          << "weight data elided: " << result.reason
          << "; print the module with all elements (no elision options, no "
             "large_elements_limit)";
    else if (kind == RawElements::Error::WrongSize)
      emitWarning(loc) << result.reason;
    return;
  }
  reference::NonZeroMask mask = weight->getMask();
  PatternAttr pattern =
      claimed ? claimed : decidePattern(*weight, mask, loc, result.reason);
  if (!pattern)
    return;
  auto type = CondensedType::getChecked(
      [&] { return emitWarning(loc); }, loc.getContext(), weight->getK(),
      weight->getN(), weight->getElementType(), pattern, PackingAttr());
  if (!type) {
    result.reason = "the pattern does not fit the weight";
    return;
  }
  std::string name = "weight_" + std::to_string(type.getK()) + "x" +
                     std::to_string(type.getN());
  std::optional<CondensedElements> elements = nm::condense(
      *weight, mask, type, getElementsName(source.getMainLeaf().elements, name),
      result.reason);
  if (!elements) {
    result.breaksClaim = static_cast<bool>(claimed);
    if (claimed)
      emitError(loc) << "the weight breaks the pattern that its sparse_tensor "
                        "encoding claims: "
                     << result.reason
                     << "; prune it to the pattern, or drop the encoding";
    else
      emitWarning(loc) << "the weight violates the forced pattern: "
                       << result.reason;
    return;
  }
  result.type = type;
  result.elements = *elements;
  result.loc = loc;
}

ConstantOp WeightCondenser::getConstant(CondensedWeight &weight,
                                        const Contraction &contraction) {
  linalg::LinalgOp op = contraction.op;
  auto function = op->getParentOfType<FunctionOpInterface>();
  ConstantOp &result = weight.constants[function];
  if (!result) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
    result = ConstantOp::create(builder, *weight.loc, weight.type,
                                weight.elements.values, weight.elements.indices,
                                ElementsAttr());
  }
  return result;
}

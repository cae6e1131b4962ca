//===- WeightCondenser.cpp - Constant weights to nm.constant --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightCondenser.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Sparsity/Condensed.h"
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
static std::string describeRefused(const sparsity::Detection &found, int64_t k,
                                   const sparsity::DetectOptions &search) {
  const sparsity::Pattern &pattern = found.pattern;
  bool isWide = pattern.unitN >= search.wideUnit;
  int64_t window =
      pattern.window ? pattern.window : llvm::divideCeil(k, pattern.unitK);
  return llvm::formatv(
      "the tightest pattern along k ({0}) keeps {1} of {2} units, more than "
      "the limit of {3} ({4})",
      sparsity::toString(pattern), pattern.keep, window,
      isWide ? search.maxDensityWide : search.maxDensity,
      isWide ? "max-ratio-wide" : "max-ratio");
}

/// Says why a weight is dense along k.
static std::string describeDense(const sparsity::NonZeroMask &mask,
                                 const sparsity::DetectOptions &search) {
  std::optional<sparsity::Detection> found =
      sparsity::detectTightest(mask, search);
  return found ? describeRefused(*found, mask.rows(), search)
               : "the weight is dense along k";
}

FailureOr<sparsity::Pattern>
WeightCondenser::findPattern(const DenseWeight &weight,
                             const sparsity::NonZeroMask &mask,
                             ReasonEmitter emitReason) const {
  bool allZero = true;
  for (int64_t column = 0; column < mask.columns() && allZero; ++column)
    allZero = mask.count(column, 0, mask.rows()) == 0;
  if (allZero)
    return failWith(emitReason, "all weights are zero");
  if (options.forced)
    return *options.forced;
  std::optional<sparsity::Pattern> found =
      sparsity::detect(mask, options.search);
  if (found)
    return *found;
  std::string reason = describeDense(mask, options.search);
  // Maybe it has one the wrong way.
  if (std::optional<sparsity::Pattern> other =
          sparsity::detect(weight.getMask(/*transposed=*/true), options.search))
    reason += "; along n it has the pattern " + sparsity::toString(*other);
  return failWith(emitReason, reason);
}

void WeightCondenser::findNearPattern(CondensedWeight &weight,
                                      const sparsity::NonZeroMask &mask,
                                      MLIRContext *context) const {
  std::optional<sparsity::NearPattern> near =
      sparsity::detectNear(mask, options.search);
  if (!near)
    return;
  const sparsity::Pattern &pattern = near->pattern;
  int64_t last =
      std::min(near->row + pattern.window * pattern.unitK, mask.rows()) - 1;
  weight.reason = llvm::formatv(
      "the weight has the pattern {0} but for {1} of {2} windows along k, of "
      "which the first keeps {3} of {4} units (k = {5} to {6}, n = {7}); prune "
      "it again",
      sparsity::toString(pattern), near->violated, near->windows, near->kept,
      pattern.window, near->row, last, near->column);
  weight.nearly = PatternAttr::get(context, pattern.keep, pattern.window,
                                   pattern.unitK, pattern.unitN);
}

/// The pattern that is given or found.
FailureOr<PatternAttr>
WeightCondenser::decidePattern(const DenseWeight &weight,
                               const sparsity::NonZeroMask &mask, Location loc,
                               ReasonEmitter emitReason) const {
  FailureOr<sparsity::Pattern> pattern = findPattern(weight, mask, emitReason);
  if (failed(pattern))
    return failure();
  auto attr = PatternAttr::getChecked(
      [&] { return emitWarning(loc); }, loc.getContext(), pattern->keep,
      pattern->window, pattern->unitK, pattern->unitN);
  if (attr)
    return attr;
  return failWith(emitReason, "the pattern does not fit the weight");
}

void WeightCondenser::fill(CondensedWeight &result,
                           const Contraction &contraction,
                           const WeightSource &source, PatternAttr claimed) {
  Location loc = source.getMainLeaf().loc;
  auto keepReason = [&](const Twine &reason) { result.reason = reason.str(); };
  FailureOr<DenseWeight> weight = source.read(
      contraction.k, contraction.n,
      [&](RawElements::Error kind, const Twine &reason) {
        keepReason(reason);
        if (kind == RawElements::Error::Elided)
          emitWarning(loc)
              << "weight data elided: " << reason
              << "; print the module with all elements (no elision options, no "
                 "large_elements_limit)";
        else if (kind == RawElements::Error::WrongSize)
          emitWarning(loc) << reason;
      });
  if (failed(weight))
    return;
  sparsity::NonZeroMask mask = weight->getMask();
  FailureOr<PatternAttr> pattern =
      claimed ? claimed : decidePattern(*weight, mask, loc, keepReason);
  if (failed(pattern))
    return findNearPattern(result, mask, loc.getContext());
  auto type = CondensedType::getChecked(
      [&] { return emitWarning(loc); }, loc.getContext(), weight->getK(),
      weight->getN(), weight->getElementType(), *pattern, PackingAttr());
  if (!type)
    return keepReason("the pattern does not fit the weight");
  std::string name = "weight_" + std::to_string(type.getK()) + "x" +
                     std::to_string(type.getN());
  FailureOr<CondensedElements> elements = nm::condense(
      *weight, mask, type, getElementsName(source.getMainLeaf().elements, name),
      keepReason);
  if (failed(elements)) {
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

//===----------------------------------------------------------------------===//
// Weights that are chosen at run time
//===----------------------------------------------------------------------===//

/// The longest unit along n that is searched in a weight of `n` columns.
static int64_t getLongestUnit(int64_t n,
                              const sparsity::DetectOptions &search) {
  int64_t longest = 1;
  for (int64_t length : search.unitLengths)
    if (length <= n)
      longest = std::max(longest, length);
  return longest;
}

/// The masks of all weights beside each other, each from a whole unit on, so
/// that what all of them have is what this one has.
static FailureOr<sparsity::NonZeroMask>
readChoices(const Contraction &contraction, int64_t choices, int64_t columns,
            ReasonEmitter emitReason) {
  std::optional<sparsity::NonZeroMask> all;
  SmallVector<SmallVector<int64_t>> batch = getBatchIndices(contraction);
  int64_t next = 0;
  for (int64_t choice = 0; choice < choices; ++choice)
    for (ArrayRef<int64_t> index : batch) {
      WeightSource source = contraction.weight;
      source.choose(choice);
      for (auto [loop, i] : llvm::zip_equal(contraction.batch, index))
        source.fix(loop, i);
      FailureOr<DenseWeight> weight =
          source.read(contraction.k, contraction.n, emitReason);
      if (failed(weight))
        return failure();
      sparsity::NonZeroMask mask = weight->getMask();
      if (!all)
        all.emplace(mask.rows(), choices * int64_t(batch.size()) * columns);
      for (int64_t column = 0; column < mask.columns(); ++column)
        std::copy_n(mask.column(column), (mask.rows() + 63) / 64,
                    all->column(next + column));
      next += columns;
    }
  return std::move(*all);
}

std::optional<WeightCondenser::Choice>
WeightCondenser::examineChoice(const Contraction &contraction) const {
  const WeightSource &source = contraction.weight;
  Choice result{source.countChoices(), PatternAttr(), ""};
  const ElementsAttr &elements = source.getMainLeaf().elements;
  if (result.count < 2 || contraction.n.empty() || contraction.k.empty() ||
      source.isSplat())
    return std::nullopt;
  SmallVector<unsigned> loops = llvm::to_vector(contraction.n);
  llvm::append_range(loops, contraction.k);
  llvm::append_range(loops, contraction.batch);
  std::optional<int64_t> n = source.countElements(contraction.n),
                         size = source.countElements(loops);
  if (!n || !size || *size > 2 * elements.getNumElements() / result.count)
    return std::nullopt;
  sparsity::DetectOptions search = options.search;
  int64_t unit = getLongestUnit(*n, search);
  llvm::erase_if(search.unitLengths,
                 [&](int64_t length) { return length > unit; });
  FailureOr<sparsity::NonZeroMask> mask =
      readChoices(contraction, result.count, llvm::alignTo(*n, unit),
                  [&](const Twine &reason) { result.reason = reason.str(); });
  if (failed(mask))
    return result;
  std::optional<sparsity::Pattern> found = sparsity::detect(*mask, search);
  if (options.forced) {
    std::string error;
    found = options.forced;
    if (!sparsity::selectIndices(*mask, *found, error))
      found = std::nullopt;
  }
  if (found)
    result.pattern =
        PatternAttr::get(elements.getContext(), found->keep, found->window,
                         found->unitK, found->unitN);
  else
    result.reason = options.forced ? "they violate the forced pattern"
                                   : describeDense(*mask, search);
  return result;
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

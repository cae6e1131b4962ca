//===- CollectProducts.cpp - What the report says of products -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products keep their order and location in the module from import to nm-tile,
// where each becomes a launch with a schedule; some are folded away before, and
// some are merged.
//
//===----------------------------------------------------------------------===//

#include "ReportTexts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "nm/Report/ReportCollector.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/Locations.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace nm;

/// The products of `module` in its order.
static SmallVector<ProductOpInterface> findProducts(ModuleOp module) {
  SmallVector<ProductOpInterface> products;
  module.walk([&](ProductOpInterface op) { products.push_back(op); });
  return products;
}

namespace {
/// Numbers weights by what they are stored as: constants of the same data, of
/// whatever functions, are stored once.
class WeightNumbers {
public:
  /// Of part `part` of the columns of `weight`.
  unsigned get(Value weight, unsigned part = 0) {
    const void *key = weight.getAsOpaquePointer();
    if (auto constant = weight.getDefiningOp<nm::ConstantOp>())
      key = constant->getAttrDictionary().getAsOpaquePointer();
    // Of the caller's weight each layout has indices of its own.
    if (auto assemble = weight.getDefiningOp<AssembleOp>())
      key = assemble.getIndices().getAsOpaquePointer();
    return getNumber(key, part);
  }

  /// Of its values alone.
  unsigned getOfValues(Value weight, unsigned part) {
    Attribute values;
    auto assemble = weight.getDefiningOp<AssembleOp>();
    if (!assemble)
      return get(weight, part);
    bool isKnown = matchPattern(assemble.getValues(), m_Constant(&values));
    return getNumber(isKnown ? values.getAsOpaquePointer()
                             : assemble.getValues().getAsOpaquePointer(),
                     part);
  }

private:
  unsigned getNumber(const void *key, unsigned part) {
    return numbers.try_emplace({key, part}, numbers.size()).first->second;
  }

  DenseMap<std::pair<const void *, unsigned>, unsigned> numbers;
};
} // namespace

/// The name of the weight's data in the input, which the condensed values keep.
static std::string getWeightName(ProductOpInterface product) {
  auto constant = product.getWeight().getDefiningOp<nm::ConstantOp>();
  StringRef name =
      constant ? getElementsName(constant.getValues(), "") : StringRef();
  name.consume_back(".values");
  return name.str();
}

/// What the user may know the product by: the name of its location, or that of
/// its weight's data.
static std::string getName(ProductOpInterface product, size_t number) {
  if (StringRef layer = getLayerName(product->getLoc()); !layer.empty())
    return layer.str();
  std::string weight = getWeightName(product);
  return weight.empty() ? "product " + std::to_string(number) : weight;
}

static void setPackedBytes(ProductReport &entry, CondensedType weight) {
  entry.bytes.packed = getBytes(weight);
  entry.bytes.values =
      getBytes(weight.getValuesShape(), weight.getElementType());
  entry.bytes.indices = entry.bytes.packed - entry.bytes.values;
  entry.bytes.padding =
      entry.bytes.values -
      getBytes(
          {weight.getPattern().getCondensedRows(weight.getK()), weight.getN()},
          weight.getElementType());
}

/// The steps after the sums.
static std::vector<std::string> getFused(ProductOpInterface op) {
  std::vector<std::string> steps;
  if (op.getScale())
    steps.push_back("scale");
  if (op.getBias())
    steps.push_back("bias");
  if (op.getEpilogue() != Epilogue::None)
    steps.push_back(stringifyEnum(op.getEpilogue()).str());
  if (op.getResidual())
    steps.push_back(op.getCombine() == Combine::Add ? "residual" : "gate");
  return steps;
}

static ProductReport describe(ProductOpInterface product, size_t number) {
  ProductReport entry;
  CondensedType weight = product.getWeightType();
  entry.location = getPlace(product->getLoc());
  entry.function = getFunctionName(product);
  entry.name = getName(product, number);
  entry.weightName = getWeightName(product);
  entry.op = product->getName().getStringRef().str();
  entry.pattern = toText(Attribute(weight.getPattern()));
  entry.elementType = toText(weight.getElementType());
  entry.k = weight.getK();
  entry.n = weight.getN();
  int64_t m = product.getRows();
  entry.m = ShapedType::isDynamic(m) ? std::nullopt : std::optional(m);
  entry.aLayout = stringifyEnum(product.getALayout()).str();
  entry.cLayout = stringifyEnum(product.getCLayout()).str();
  entry.scheduled = product.getScheduleAttr() != nullptr;
  auto condensed = CondensedType::get(weight.getContext(), weight.getK(),
                                      weight.getN(), weight.getElementType(),
                                      weight.getPattern(), PackingAttr());
  entry.bytes.dense =
      getBytes({weight.getK(), weight.getN()}, weight.getElementType());
  entry.bytes.condensed = getBytes(condensed);
  setPackedBytes(entry, weight);
  entry.fused = getFused(product);
  return entry;
}

void ReportCollector::collectConstants(ModuleOp module) {
  llvm::StringSet<> seen;
  module.walk([&](arith::ConstantOp op) {
    auto elements = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (!elements || elements.getType().getRank() < 2)
      return;
    StringRef name = getElementsName(elements, "");
    if (seen.insert(name).second)
      report.constants.push_back(name.str());
  });
}

void ReportCollector::collectProducts(ModuleOp module) {
  report.products.clear();
  leaders.clear();
  WeightNumbers numbers;
  for (ProductOpInterface product : findProducts(module)) {
    leaders.push_back(leaders.size());
    ProductReport &entry =
        report.products.emplace_back(describe(product, report.products.size()));
    entry.weight = entry.packedWeight = numbers.get(product.getWeight());
    entry.packedValues = entry.packedWeight;
  }
}

/// The rows up to which alone `op`, a product or its launch, is executed.
static std::optional<int64_t> getMostRows(Operation *op) {
  auto rows = op->getAttrOfType<IntegerAttr>(kMostRowsAttrName);
  return rows ? std::optional(rows.getInt()) : std::nullopt;
}

static void setSchedule(ProductReport &entry, ScheduleAttr schedule,
                        bool hasClusters) {
  entry.schedule = toText(Attribute(schedule));
  entry.sharedBy.clear();
  if (schedule.getSplitK() > 1)
    entry.sharedBy =
        std::to_string(schedule.getSplitK()) +
        (hasClusters ? " blocks of a cluster" : " blocks through a workspace");
  if (schedule.getStreamK() != 0)
    entry.sharedBy =
        std::to_string(schedule.getStreamK()) + " blocks, with all others";
}

namespace {
/// Which products of a report those of a planned module compute.
class Parts {
public:
  explicit Parts(ArrayRef<ProductOpInterface> products) {
    for (ProductOpInterface product : products) {
      if (getMostRows(product))
        continue;
      auto merged = getMerged(product);
      claimed.insert_range(merged);
      count += std::max<size_t>(1, merged.size());
      if (!merged.empty())
        most = std::max(most, merged.back());
    }
  }

  /// Whether they are all `products` of a report.
  bool areAll(size_t products) const {
    return count == products && most < int64_t(products);
  }

  /// The numbers of what `product` computes; those of variants precede those of
  /// their product, which are the same.
  SmallVector<int64_t> get(ProductOpInterface product) {
    if (auto merged = getMerged(product); !merged.empty())
      return SmallVector<int64_t>(merged);
    while (claimed.contains(next))
      ++next;
    return {getMostRows(product) ? next : next++};
  }

private:
  static ArrayRef<int64_t> getMerged(ProductOpInterface product) {
    auto merged = product->getAttrOfType<DenseI64ArrayAttr>(kMergedAttrName);
    return merged ? merged.asArrayRef() : ArrayRef<int64_t>();
  }

  llvm::DenseSet<int64_t> claimed; // by products in the place of several
  size_t count = 0;
  int64_t most = 0, next = 0;
};
} // namespace

/// Lets `bytes`, of a weight of `total` columns, be those of `n` from `first`
/// on. Parts add up to the whole.
static void takeShare(WeightBytes &bytes, int64_t first, int64_t n,
                      int64_t total) {
  auto upTo = [&](uint64_t whole, int64_t column) {
    return uint64_t(double(whole) * double(column) / double(total));
  };
  for (uint64_t *of : {&bytes.values, &bytes.padding, &bytes.indices})
    *of = upTo(*of, first + n) - upTo(*of, first);
  bytes.packed = bytes.values + bytes.indices;
}

void ReportCollector::collectSchedules(ModuleOp module) {
  SmallVector<ProductOpInterface> products = findProducts(module);
  Parts parts(products);
  if (!parts.areAll(report.products.size()))
    return;
  auto reason = reasons->begin();
  WeightNumbers numbers, ofValues;
  for (ProductOpInterface product : products) {
    // Those of few rows precede the one of any number.
    std::optional<int64_t> mostRows = getMostRows(product);
    SmallVector<int64_t> places = parts.get(product);
    int64_t column = 0;
    for (auto [part, place] : llvm::enumerate(places)) {
      ProductReport &entry = report.products[place];
      leaders[place] = places.front();
      ProductReport &described =
          mostRows ? entry.variants.emplace_back(ProductReport(entry)) : entry;
      if (mostRows)
        described.variants.clear();
      described.mostRows = mostRows;
      if (ScheduleAttr schedule = product.getScheduleAttr())
        setSchedule(described, schedule, getTarget(module).hasClusters);
      setPackedBytes(described, product.getWeightType());
      if (places.size() > 1)
        takeShare(described.bytes, column, entry.n,
                  product.getWeightType().getN());
      column += entry.n;
      described.packedWeight = numbers.get(product.getWeight(), part);
      described.packedValues = ofValues.getOfValues(product.getWeight(), part);
    }
    if (mostRows)
      continue;
    // The order in which nm-select-schedule chooses.
    auto takeReason = [&](auto getReport) {
      std::string text;
      if (report.products[places.front()].scheduled)
        text = "the module gives the schedule";
      else if (reason != reasons->end())
        text = *reason++;
      for (int64_t place : places)
        getReport(report.products[place]).reason = text;
    };
    takeReason([](ProductReport &entry) -> ProductReport & { return entry; });
    size_t variants = report.products[places.front()].variants.size();
    for (size_t i = variants; i-- > 0;)
      takeReason([i](ProductReport &entry) -> ProductReport & {
        return entry.variants[i];
      });
    if (places.size() > 1)
      for (int64_t place : places)
        for (int64_t other : places)
          report.products[place].together.push_back(
              report.products[other].name);
  }
}

/// What the location of the launch of `entry` names.
static std::string getLayerOfLaunch(const ProductReport &entry) {
  return entry.together.empty() ? entry.name
                                : llvm::join(entry.together, " + ");
}

/// Lets `entry` have the launches of `leader`, which computes it.
static void copyLaunches(ProductReport &entry, const ProductReport &leader) {
  auto copy = [](ProductReport &to, const ProductReport &from) {
    to.launch = from.launch;
    to.kernel = from.kernel;
  };
  copy(entry, leader);
  for (auto [variant, ofLeader] :
       llvm::zip_equal(entry.variants, leader.variants))
    copy(variant, ofLeader);
}

void ReportCollector::collectProductKernels(ModuleOp module) {
  size_t number = 0, end = leaders.size();
  module.walk([&](gpu::LaunchOp launch) {
    auto name = launch.getFunctionAttr();
    if (!launch->hasAttr(kScheduleAttrName) || !name)
      return;
    std::string location = getPlace(launch.getLoc());
    StringRef layer = getLayerName(launch.getLoc());
    size_t found = number;
    while (found < end && (leaders[found] != found ||
                           report.products[found].location != location ||
                           (!layer.empty() &&
                            getLayerOfLaunch(report.products[found]) != layer)))
      ++found;
    if (found == end)
      return;
    ProductReport &entry = report.products[found];
    std::string launched = name.getLeafReference().str();
    std::optional<int64_t> mostRows = getMostRows(launch);
    for (ProductReport &variant : entry.variants)
      if (variant.mostRows == mostRows)
        variant.launch = variant.kernel = launched;
    if (mostRows)
      return;
    entry.launch = entry.kernel = launched;
    number = found + 1;
  });
  for (size_t i = 0; i < end; ++i)
    if (leaders[i] != i)
      copyLaunches(report.products[i], report.products[leaders[i]]);
}

/// Lets `product` be launched by `launch`, where it was by `fused`.
static bool replaceLaunch(ProductReport &product, StringRef fused,
                          StringRef launch) {
  if (product.launch != fused)
    return false;
  product.launch = product.kernel = launch.str();
  return true;
}

void ReportCollector::collectFusedLaunches(ModuleOp module) {
  module.walk([&](gpu::LaunchOp launch) {
    auto fused = launch->getAttrOfType<StringAttr>(kFusedLaunchAttrName);
    auto name = launch.getFunctionAttr();
    if (!fused || !name)
      return;
    std::vector<std::string> together;
    std::vector<ProductReport *> products;
    for (ProductReport &product : report.products) {
      bool isIn = replaceLaunch(product, fused, name.getLeafReference()) ||
                  product.launch == name.getLeafReference();
      for (ProductReport &variant : product.variants)
        isIn |= replaceLaunch(variant, fused, name.getLeafReference()) ||
                variant.launch == name.getLeafReference();
      if (!isIn)
        continue;
      together.push_back(product.name);
      products.push_back(&product);
    }
    for (ProductReport *product : products)
      product->together = together;
  });
}

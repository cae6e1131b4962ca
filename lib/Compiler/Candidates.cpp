//===- Candidates.cpp - Schedules to choose from --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "nm/Planner/Planner.h"
#include "nm/Support/Locations.h"
#include "nm/Tool/Tool.h"

using namespace mlir;
using namespace nm;
namespace json = llvm::json;

static json::Value toJSON(const Choice &choice) {
  std::string schedule;
  llvm::raw_string_ostream(schedule) << choice.candidate.schedule;
  return json::Object{
      {"schedule", schedule},
      {"strategy", choice.strategy},
      {"name", choice.candidate.name},
      {"predicted_microseconds", choice.cost.seconds * 1e6},
      {"bound", getName(choice.cost.bound)},
      {"shared_memory_bytes", choice.candidate.work.sharedBytes}};
}

namespace {
/// Products for which the planner has the same candidates.
struct Row {
  json::Object product;
  json::Array layers, candidates;
};
} // namespace

/// What the planner chooses for, to compute `product`.
static SmallVector<ProductInfo> listVariants(ProductInfo product,
                                             const PipelineOptions &options) {
  if (!ShapedType::isDynamic(product.m) ||
      !options.get<bool>(OptionId::Variants))
    return {product};
  SmallVector<int64_t> bounds = llvm::to_vector(ArrayRef(kVariantRows));
  bounds.push_back(kManyRows);
  SmallVector<ProductInfo> variants;
  for (int64_t rows : bounds) {
    product.m = rows;
    variants.push_back(product);
    if (product.isAFeatureMajor || rows < kLeastTransposedRows)
      continue;
    variants.push_back(product);
    variants.back().isAFeatureMajor = true;
    variants.back().rowAlignment = kSectorBytes;
  }
  return variants;
}

static Row makeRow(const ProductInfo &product, json::Object described,
                   const TargetInfo &target, const ScheduleOptions &options) {
  Row row{std::move(described), {}, {}};
  for (const Choice &choice : rankSchedules(product, target, options))
    row.candidates.push_back(toJSON(choice));
  return row;
}

json::Value nm::listCandidates(ModuleOp module,
                               const PipelineOptions &pipeline) {
  const TargetInfo &target =
      *lookupTarget(pipeline.get<std::string>(OptionId::Chip));
  ScheduleOptions options{pipeline.get<int64_t>(OptionId::Stages),
                          pipeline.get<double>(OptionId::PackingThreshold)};
  std::vector<Row> rows;
  auto add = [&](const ProductInfo &product, const std::string &layer) {
    json::Object described = describeProduct(product, target.chip);
    auto row = llvm::find_if(
        rows, [&](const Row &one) { return one.product == described; });
    if (row == rows.end())
      row = rows.insert(
          row, makeRow(product, std::move(described), target, options));
    row->layers.push_back(layer);
  };
  module.walk([&](ProductOpInterface op) {
    StringRef layer = getLayerName(op->getLoc());
    for (const ProductInfo &product : listVariants(ProductInfo(op), pipeline))
      add(product, layer.empty() ? getPlace(op->getLoc()) : layer.str());
  });
  json::Array products;
  for (Row &row : rows)
    products.push_back(json::Object{{"product", std::move(row.product)},
                                    {"layers", std::move(row.layers)},
                                    {"candidates", std::move(row.candidates)}});
  return json::Object{{"version", kTuningVersion},
                      {"nm_version", getVersion()},
                      {"chip", target.chip},
                      {"products", std::move(products)}};
}

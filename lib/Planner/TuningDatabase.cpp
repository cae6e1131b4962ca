//===- TuningDatabase.cpp - Measured times of schedules -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Planner/TuningDatabase.h"
#include "TuningReader.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace nm;

/// lib/Planner/TuningData.json, so that a tool that is copied has it.
static constexpr char kShippedData[] =
#include "nm/Planner/TuningData.inc"
    ;

std::vector<const Measurement *> TuningEntry::getCurrent() const {
  std::vector<const Measurement *> current;
  llvm::StringMap<size_t> places;
  for (const Measurement &one : measurements) {
    if (one.gpu != measurements.back().gpu)
      continue;
    auto [place, isNew] = places.try_emplace(one.schedule, current.size());
    if (isNew)
      current.push_back(&one);
    else
      current[place->second] = &one;
  }
  return current;
}

LogicalResult TuningDatabase::readFile(MLIRContext *context, StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "expected a tuning database that can be read, got `" << file
           << "`: " << buffer.getError().message();
  return read(context, file, (*buffer)->getBuffer());
}

LogicalResult TuningDatabase::read(MLIRContext *context, StringRef source,
                                   StringRef text) {
  FailureOr<std::vector<TuningEntry>> more =
      readTuningEntries(context, source, text);
  if (failed(more))
    return failure();
  llvm::move(*more, std::back_inserter(entries));
  return success();
}

LogicalResult TuningDatabase::readShipped(MLIRContext *context) {
  return read(context, "nm's own data", kShippedData);
}

/// Whether both are the same but for the rows of A.
static bool isSameButForRows(const ProductInfo &x, const ProductInfo &y) {
  auto describe = [](const ProductInfo &product) {
    CondensedType weight = product.weight;
    // Packing follows from the schedule.
    return std::tuple(weight.getK(), weight.getN(), weight.getElementType(),
                      weight.getPattern(), product.a, product.sum, product.c,
                      product.isAFeatureMajor, product.isCFeatureMajor);
  };
  return describe(x) == describe(y);
}

std::vector<const TuningEntry *>
TuningDatabase::find(const ProductInfo &product, StringRef chip) const {
  std::vector<const TuningEntry *> found;
  auto add = [&](int64_t rows) {
    for (const TuningEntry &entry : entries)
      if (entry.chip == chip && entry.product.m == rows &&
          isSameButForRows(entry.product, product))
        found.push_back(&entry);
  };
  int64_t m = getPlannedRows(product);
  add(m);
  // Beyond 2^62 there is no next one.
  if (m < int64_t(1) << 62 && !llvm::isPowerOf2_64(m))
    add(int64_t(llvm::PowerOf2Ceil(m)));
  return found;
}

template <typename T> static std::string toText(T attributeOrType) {
  std::string text;
  llvm::raw_string_ostream(text) << attributeOrType;
  return text;
}

llvm::json::Object nm::describeProduct(const ProductInfo &product,
                                       StringRef chip) {
  auto getLayout = [](bool isFeatureMajor) {
    return stringifyLayout(isFeatureMajor ? Layout::FeatureMajor
                                          : Layout::TokenMajor);
  };
  CondensedType weight = product.weight;
  return llvm::json::Object{{"chip", chip},
                            {"m", getPlannedRows(product)},
                            {"n", weight.getN()},
                            {"k", weight.getK()},
                            {"pattern", toText(Attribute(weight.getPattern()))},
                            {"weight_type", toText(weight.getElementType())},
                            {"a_type", toText(product.a)},
                            {"sum_type", toText(product.sum)},
                            {"c_type", toText(product.c)},
                            {"a_layout", getLayout(product.isAFeatureMajor)},
                            {"c_layout", getLayout(product.isCFeatureMajor)}};
}

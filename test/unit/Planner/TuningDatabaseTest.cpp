//===- TuningDatabaseTest.cpp - Measured times of schedules ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Planner/TuningDatabase.h"
#include "nm/Planner/Planner.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nm;

namespace {

class TuningDatabaseTest : public testing::Test {
protected:
  TuningDatabaseTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          error = diagnostic.str();
          return success();
        }) {
    context.loadDialect<NMDialect>();
    Type f32 = Float32Type::get(&context);
    auto pattern = PatternAttr::get(&context, 8, 32, 1, 32);
    product.weight =
        CondensedType::get(&context, 4096, 1024, f32, pattern, PackingAttr());
    product.a = product.sum = product.c = f32;
    product.m = 512;
  }

  /// A database with one entry for `product` with m rows, as a text.
  std::string write(int64_t m, ArrayRef<std::pair<std::string, double>> times) {
    llvm::json::Array measurements;
    for (const auto &[schedule, microseconds] : times)
      measurements.push_back(llvm::json::Object{{"schedule", schedule},
                                                {"microseconds", microseconds},
                                                {"gpu", "GPU"},
                                                {"driver", "1"},
                                                {"date", "2026-01-01"},
                                                {"commit", "c"}});
    ProductInfo measured = product;
    measured.m = m;
    llvm::json::Value entry =
        llvm::json::Object{{"product", describeProduct(measured, "sm_90")},
                           {"measurements", std::move(measurements)}};
    llvm::json::Value whole = llvm::json::Object{
        {"version", kTuningVersion}, {"entries", llvm::json::Array{entry}}};
    return llvm::formatv("{0}", whole);
  }

  std::string getSchedule(size_t place) {
    std::string text;
    llvm::raw_string_ostream(text) << rank()[place].candidate.schedule;
    return text;
  }

  SmallVector<Choice, 0> rank() {
    return rankSchedules(product, *lookupTarget("sm_90"),
                         {/*stages=*/2, /*packingThreshold=*/0.7});
  }

  /// The sources of the entries that say something of `product`.
  std::vector<std::string> find(StringRef chip = "sm_90") {
    std::vector<std::string> sources;
    for (const TuningEntry *entry : database.find(product, chip))
      sources.push_back(entry->source);
    return sources;
  }

  void read(StringRef source, StringRef text) {
    ASSERT_TRUE(succeeded(database.read(&context, source, text))) << error;
  }

  MLIRContext context;
  std::string error;
  ScopedDiagnosticHandler handler;
  ProductInfo product;
  TuningDatabase database;
};

} // namespace

using Sources = std::vector<std::string>;

TEST_F(TuningDatabaseTest, ShippedDataIsWellFormed) {
  EXPECT_TRUE(succeeded(database.readShipped(&context))) << error;
}

TEST_F(TuningDatabaseTest, WhatIsReadFirstCountsFirstButExactComesBeforeNear) {
  read("user's near", write(512, {}));
  read("user's exact", write(500, {}));
  read("shipped near", write(512, {}));
  read("shipped exact", write(500, {}));
  product.m = 500;
  EXPECT_EQ(find(), (Sources{"user's exact", "shipped exact", "user's near",
                             "shipped near"}));
}

TEST_F(TuningDatabaseTest, RowsAreExactOrTheNextPowerOfTwo) {
  read("512", write(512, {}));
  for (int64_t m : {257, 500, 512}) {
    product.m = m;
    EXPECT_EQ(find(), Sources{"512"}) << m;
  }
  for (int64_t m : {1, 256, 513, 1024}) {
    product.m = m;
    EXPECT_EQ(find(), Sources{}) << m;
  }
}

TEST_F(TuningDatabaseTest, UnknownRowsAreThoseThatArePlanned) {
  read("1024", write(ShapedType::kDynamic, {}));
  product.m = 1024;
  EXPECT_EQ(find(), Sources{"1024"});
  product.m = ShapedType::kDynamic;
  EXPECT_EQ(find(), Sources{"1024"});
}

TEST_F(TuningDatabaseTest, EveryFactOfTheProductCounts) {
  read("one", write(512, {}));
  EXPECT_EQ(find(), Sources{"one"});
  EXPECT_EQ(find("sm_80"), Sources{});
  ProductInfo measured = product;
  Type f64 = Float64Type::get(&context);
  auto pattern = PatternAttr::get(&context, 8, 32, 1, 64);
  auto makeWeight = [&](int64_t k, int64_t n, Type type, PatternAttr pattern) {
    return CondensedType::get(&context, k, n, type, pattern, PackingAttr());
  };
  Type f32 = measured.a;
  PatternAttr same = measured.weight.getPattern();
  std::vector<std::function<void()>> changes = {
      [&] { product.a = f64; },
      [&] { product.sum = f64; },
      [&] { product.c = f64; },
      [&] { product.isAFeatureMajor = true; },
      [&] { product.isCFeatureMajor = true; },
      [&] { product.weight = makeWeight(4096, 1024, f32, pattern); },
      [&] { product.weight = makeWeight(4096, 1024, f64, same); },
      [&] { product.weight = makeWeight(4096, 2048, f32, same); },
      [&] { product.weight = makeWeight(2048, 1024, f32, same); }};
  for (auto [i, change] : llvm::enumerate(changes)) {
    product = measured;
    change();
    EXPECT_EQ(find(), Sources{}) << i;
  }
}

/// The first entry that has a time of a candidate counts, and it alone.
TEST_F(TuningDatabaseTest, TheFastestOfTheFirstEntryIsChosen) {
  std::string first = getSchedule(0), second = getSchedule(1),
              third = getSchedule(2);
  read("stale", write(512, {{"#nm.schedule<kind = #nm.gone>", 1}}));
  read("user's", write(512, {{first, 30}, {third, 20}}));
  read("shipped", write(512, {{second, 1}}));
  SmallVector<Choice, 0> choices = rank();
  std::vector<std::string> ignored;
  preferMeasured(choices, product, *lookupTarget("sm_90"), database,
                 [&](const Twine &reason) { ignored.push_back(reason.str()); });
  ASSERT_TRUE(choices[0].measured && choices[1].measured);
  EXPECT_EQ(choices[0].measured->microseconds, 20);
  EXPECT_EQ(choices[0].measured->entry->source, "user's");
  EXPECT_EQ(choices[1].measured->microseconds, 30);
  EXPECT_FALSE(choices[2].measured);
  ASSERT_EQ(ignored.size(), 1u);
  EXPECT_TRUE(StringRef(ignored[0])
                  .starts_with("`#nm.schedule<kind = #nm.gone>` of stale: "));
}

TEST_F(TuningDatabaseTest, WithoutTimesPredictionDecides) {
  SmallVector<Choice, 0> choices = rank();
  preferMeasured(choices, product, *lookupTarget("sm_90"), database,
                 ignoreReason);
  SmallVector<Choice, 0> ranked = rank();
  ASSERT_EQ(choices.size(), ranked.size());
  for (auto [choice, other] : llvm::zip(choices, ranked))
    EXPECT_EQ(choice.candidate.schedule, other.candidate.schedule);
}

TEST_F(TuningDatabaseTest, AMalformedOneAddsNothing) {
  std::string text = write(512, {{"#nm.schedule<>", 1}});
  EXPECT_TRUE(failed(database.read(&context, "cut", text.substr(0, 99))));
  EXPECT_NE(error, "");
  EXPECT_EQ(find(), Sources{});
}

//===- CondensedTest.cpp - Condense, expand, validate ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomWeight.h"

#include "gtest/gtest.h"

using namespace nm::sparsity;

TEST(CondensedTest, HandMadeTwoOfFour) {
  // Column 0 keeps rows 1 and 2; column 1 has one non-zero, so the lowest other
  // position, 0, is kept with it.
  std::vector<double> dense = {0, 0, 1, 0, 2, 0, 0, 3};
  std::string error;
  auto form = condense(dense.data(), 4, 2, {2, 4, 1, 1}, error);
  ASSERT_TRUE(form) << error;
  EXPECT_EQ(form->indices, (std::vector<int32_t>{1, 0, 2, 3}));
  EXPECT_EQ(form->values, (std::vector<double>{1, 0, 2, 3}));
  EXPECT_TRUE(validate(*form, error)) << error;
}

TEST(CondensedTest, RoundTripsWithTails) {
  std::mt19937_64 rng(kSeed);
  const Pattern patterns[] = {{1, 2, 1, 1},  {2, 4, 1, 4},  {8, 32, 1, 32},
                              {5, 7, 1, 1},  {3, 10, 4, 4}, {2, 3, 16, 16},
                              {9, 0, 1, 1},  {4, 4, 1, 8},  {1, 2, 4, 8},
                              {3, 100, 1, 1}};
  for (const Pattern &pattern : patterns) {
    for (int64_t k : {13, 64, 67}) {
      for (int64_t n : {5, 32, 37}) {
        SCOPED_TRACE(toString(pattern) + " k=" + std::to_string(k) +
                     " n=" + std::to_string(n));
        if (pattern.window == 0 && pattern.keep > k)
          continue;
        auto dense = randomWeight(k, n, pattern, rng);
        std::string error;
        auto form = condense(dense.data(), k, n, pattern, error);
        ASSERT_TRUE(form) << error;
        EXPECT_TRUE(validate(*form, error)) << error;
        EXPECT_EQ(expand(*form), dense);
      }
    }
  }
}

TEST(CondensedTest, NegativeZeroIsZero) {
  std::vector<double> dense = {-0.0, 1, -0.0, 0};
  std::string error;
  auto form = condense(dense.data(), 4, 1, {1, 4, 1, 1}, error);
  ASSERT_TRUE(form) << error;
  EXPECT_EQ(form->indices, std::vector<int32_t>{1});
}

TEST(CondensedTest, PartialWindowMayKeepPositionsBeyondK) {
  // k = 5, windows of 4: the second holds one row only, but keeps two.
  std::vector<double> dense = {1, 0, 2, 0, 3};
  std::string error;
  auto form = condense(dense.data(), 5, 1, {2, 4, 1, 1}, error);
  ASSERT_TRUE(form) << error;
  EXPECT_EQ(form->indices, (std::vector<int32_t>{0, 2, 0, 1}));
  EXPECT_EQ(form->values, (std::vector<double>{1, 2, 3, 0}));
  EXPECT_EQ(form->denseRow(3, 0), 5);
}

TEST(CondensedTest, NamesFirstOffendingWindow) {
  std::vector<double> dense(16 * 8, 0.0);
  for (int64_t row : {8, 9, 11})
    dense[row * 8 + 5] = 1;
  std::string error;
  EXPECT_FALSE(condense(dense.data(), 16, 8, {2, 4, 1, 4}, error));
  EXPECT_EQ(
      error,
      "expected at most 2 of 4 units kept in each window, got 3 in window "
      "2 of unit column 1 (rows 8 to 11, columns 4 to 7)");
}

TEST(CondensedTest, RefusesBadPatterns) {
  std::string error;
  EXPECT_FALSE(getShape(0, 4, {1, 2, 1, 1}, error));
  EXPECT_EQ(error, "expected k and n of at least 1, got k = 0 and n = 4");
  EXPECT_FALSE(getShape(8, 4, {5, 4, 1, 1}, error));
  EXPECT_EQ(error, "expected at most 4 kept units in a window of 4, got 5");
  EXPECT_FALSE(getShape(8, 4, {9, 0, 1, 1}, error));
  EXPECT_FALSE(getShape(8, 4, {0, 4, 1, 1}, error));
  EXPECT_FALSE(getShape(8, 4, {1, 4, 0, 1}, error));
  int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(getShape(huge, huge, {1, 2, 1, 1}, error));
  EXPECT_FALSE(getShape(8, 4, {1, 2, huge, 1}, error));
  EXPECT_FALSE(getShape(8, 4, {1, huge, 1, 1}, error));
}

TEST(CondensedTest, ValidateNamesThePlace) {
  std::string error;
  Condensed form{8, 1, {2, 4, 1, 1}, {1, 2, 3, 4}, {0, 3, 1, 2}};
  EXPECT_TRUE(validate(form, error)) << error;
  form.indices = {0, 4, 1, 2};
  EXPECT_FALSE(validate(form, error));
  EXPECT_EQ(error,
            "expected an index in [0, 4), got 4 at row 1, unit column 0");
  form.indices = {0, 3, 2, 2};
  EXPECT_FALSE(validate(form, error));
  EXPECT_EQ(error, "expected ascending unique indices in a window, got 2 after "
                   "2 at row 3, unit column 0");
  form.indices = {0, 3, 2};
  EXPECT_FALSE(validate(form, error));
  form.indices = {0, 3, 1, 2};
  form.values.pop_back();
  EXPECT_FALSE(validate(form, error));
  EXPECT_EQ(error, "expected 4 values (4 x 1), got 3");
}

/// Ranges of three columns, the last ones first.
static void loopBackwards(int64_t count,
                          const std::function<void(int64_t, int64_t)> &body) {
  for (int64_t begin = (count - 1) / 3 * 3; begin >= 0; begin -= 3)
    body(begin, std::min(count, begin + 3));
}

TEST(CondensedTest, IndicesDoNotDependOnTheLoop) {
  std::mt19937_64 rng(kSeed);
  for (Pattern pattern : {Pattern{2, 4, 1, 1}, Pattern{3, 0, 2, 2}}) {
    NonZeroMask mask = maskOf(randomWeight(50, 23, pattern, rng), 50, 23);
    std::string error;
    auto once = selectIndices(mask, pattern, error);
    ASSERT_TRUE(once) << error;
    EXPECT_EQ(selectIndices(mask, pattern, error, loopBackwards), once);
  }
}

TEST(CondensedTest, TheFirstWindowIsNamedWhateverTheLoop) {
  // Units 1x1: window 2 of column 4 and, before it, window 1 of columns 9 and
  // 11 keep too many.
  NonZeroMask mask = NonZeroMask::create(16, 12, [](int64_t row, int64_t col) {
    return (col == 4 && row >= 8) || (col >= 9 && col != 10 && row >= 4);
  });
  for (const RangeLoop &loop :
       {RangeLoop(loopOnce), RangeLoop(loopBackwards)}) {
    std::string error;
    EXPECT_FALSE(selectIndices(mask, {2, 4, 1, 1}, error, loop));
    EXPECT_EQ(error, "expected at most 2 of 4 units kept in each window, got 4 "
                     "in window 1 of unit column 9 (rows 4 to 7, columns 9 to "
                     "9)");
  }
}

TEST(CondensedTest, AMaskMayBeFilledInParts) {
  auto isNonZero = [](int64_t row, int64_t col) { return row * col % 3 == 1; };
  NonZeroMask whole = NonZeroMask::create(70, 200, isNonZero);
  NonZeroMask parts(70, 200);
  parts.fill(128, 200, isNonZero);
  parts.fill(0, 128, isNonZero);
  for (int64_t col = 0; col < 200; ++col)
    for (int64_t row = 0; row < 70; ++row)
      ASSERT_EQ(parts.test(row, col), whole.test(row, col));
}

//===- DetectTest.cpp - The pattern search --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Sparsity/Detect.h"
#include "RandomWeight.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace nm::sparsity;

/// The limits of nm-import-linalg, where it is not told others.
static const DetectOptions kLimits(0.5, 0.75);

static std::optional<Pattern>
detectDense(const std::vector<double> &dense, int64_t k, int64_t n,
            const DetectOptions &options = kLimits) {
  return detect(maskOf(dense, k, n), options);
}

TEST(DetectTest, FindsRandomPatternsBack) {
  std::mt19937_64 rng(kSeed);
  // Enough windows that no tighter pattern holds by chance.
  const Pattern patterns[] = {{2, 4, 1, 1},   {1, 4, 1, 1},    {8, 32, 1, 1},
                              {3, 10, 1, 4},  {8, 32, 1, 32},  {5, 7, 1, 64},
                              {2, 4, 4, 4},   {4, 16, 16, 16}, {24, 32, 1, 8},
                              {1, 8, 1, 128}, {2, 5, 8, 8}};
  for (const Pattern &pattern : patterns) {
    SCOPED_TRACE(toString(pattern));
    int64_t k = pattern.window * pattern.unitK * 16;
    int64_t n = 384;
    auto dense = randomWeight(k, n, pattern, rng);
    auto found = detectDense(dense, k, n);
    ASSERT_TRUE(found);
    EXPECT_EQ(toString(*found), toString(pattern));
  }
}

TEST(DetectTest, FindsWhatWindowsViolate) {
  std::mt19937_64 rng(kSeed);
  const Pattern patterns[] = {{2, 4, 1, 1},  {1, 4, 1, 1},   {8, 32, 1, 1},
                              {3, 10, 1, 4}, {8, 32, 1, 32}, {2, 4, 4, 4}};
  for (const Pattern &pattern : patterns) {
    SCOPED_TRACE(toString(pattern));
    int64_t windowRows = pattern.window * pattern.unitK;
    int64_t k = windowRows * 16, n = 384;
    auto dense = randomWeight(k, n, pattern, rng);
    EXPECT_FALSE(detectNear(maskOf(dense, k, n), kLimits));
    // All of the third window of the second column of units, and the last one.
    for (int64_t row = 2 * windowRows; row < 3 * windowRows; ++row)
      dense[row * n + pattern.unitN] = 1;
    for (int64_t row = k - windowRows; row < k; ++row)
      dense[row * n + n - 1] = 1;
    auto near = detectNear(maskOf(dense, k, n), kLimits);
    ASSERT_TRUE(near);
    EXPECT_EQ(toString(near->pattern), toString(pattern));
    EXPECT_EQ(near->windows, 16 * (n / pattern.unitN));
    EXPECT_EQ(near->violated, 2);
    EXPECT_EQ(near->row, 2 * windowRows);
    EXPECT_EQ(near->column, pattern.unitN);
    EXPECT_EQ(near->kept, pattern.window);
  }
}

TEST(DetectTest, NothingIsNearWhatHasNoPattern) {
  std::mt19937_64 rng(kSeed);
  std::uniform_real_distribution<double> uniform;
  for (double density : {0.1, 0.3, 0.5, 1.0}) {
    std::vector<double> dense(512 * 256);
    for (double &value : dense)
      value = uniform(rng) < density;
    EXPECT_FALSE(detectNear(maskOf(dense, 512, 256), kLimits)) << density;
  }
  EXPECT_FALSE(detectNear(maskOf(std::vector<double>(64), 8, 8), kLimits));
}

TEST(DetectTest, FindsUniform) {
  std::mt19937_64 rng(kSeed);
  Pattern uniform{40, 0, 1, 1};
  auto found = detectDense(randomWeight(250, 96, uniform, rng), 250, 96);
  ASSERT_TRUE(found);
  EXPECT_EQ(toString(*found), toString(uniform));
}

TEST(DetectTest, PrefersTheFiniteWindowThatIsAllOfK) {
  std::mt19937_64 rng(kSeed);
  auto found = detectDense(randomWeight(60, 512, {7, 0, 1, 1}, rng), 60, 512);
  ASSERT_TRUE(found);
  EXPECT_EQ(toString(*found), "7:60, unit 1x1");
}

TEST(DetectTest, TailsAlongKAndN) {
  std::mt19937_64 rng(kSeed);
  Pattern pattern{2, 8, 1, 16};
  int64_t k = 8 * 40 + 5, n = 16 * 20 + 3;
  auto dense = randomWeight(k, n, pattern, rng);
  auto found = detectDense(dense, k, n);
  ASSERT_TRUE(found);
  EXPECT_EQ(toString(*found), toString(pattern));
  std::string error;
  EXPECT_TRUE(condense(dense.data(), k, n, *found, error)) << error;
}

/// A weight of k rows that is pruned in windows, of which the last may be cut
/// short, but dense in each: as many units as the pattern keeps are not zero.
static std::vector<double> prunedWeight(int64_t k, int64_t n, Pattern pattern) {
  std::mt19937_64 rng(kSeed);
  return randomWeight(k, n, pattern, rng);
}

TEST(DetectTest, APartialLastWindowIsJudgedByNOfM) {
  // 22 of 42 rows and 4 of 7 are stored: more than half, but of 2:4.
  for (int64_t k : {6, 7, 9, 10, 11, 41, 42, 43, 63}) {
    SCOPED_TRACE("k=" + std::to_string(k));
    auto found = detectDense(prunedWeight(k, 512, {2, 4, 1, 1}), k, 512);
    ASSERT_TRUE(found);
    // Of few rows a pattern of as many or fewer stored rows may hold as well.
    EXPECT_LE(2 * found->keep, found->window);
    if (k > 12) {
      EXPECT_EQ(toString(*found), "2:4, unit 1x1");
    }
  }
  // Vectors and blocks, whose last unit may be cut short too.
  const std::pair<int64_t, Pattern> wide[] = {{42, {3, 4, 1, 8}},
                                              {57, {24, 32, 1, 32}},
                                              {90, {2, 4, 4, 4}},
                                              {93, {2, 4, 4, 4}},
                                              {42, {6, 8, 1, 64}}};
  for (const auto &[k, pattern] : wide) {
    SCOPED_TRACE("k=" + std::to_string(k) + " " + toString(pattern));
    auto found = detectDense(prunedWeight(k, 1024, pattern), k, 1024);
    ASSERT_TRUE(found);
    EXPECT_EQ(toString(*found), toString(pattern));
  }
  // A form with as many rows as the weight saves nothing.
  EXPECT_FALSE(detectDense(prunedWeight(6, 512, {3, 4, 1, 8}), 6, 512));
}

TEST(DetectTest, ADenserPatternOfFewerRowsDoesNotHideOne) {
  // 2:4 stores 4 rows of 5, 3:5 stores 3 but is above the limit.
  std::vector<double> dense;
  for (int kept : {0b00011, 0b01100, 0b10110, 0b10101})
    for (int row = 0; row < 5; ++row)
      dense.push_back(kept >> row & 1);
  std::vector<double> weight(20);
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 4; ++column)
      weight[row * 4 + column] = dense[column * 5 + row];
  DetectOptions narrow = kLimits;
  narrow.unitLengths = {1};
  auto found = detectTightest(maskOf(weight, 5, 4), narrow);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->accepted);
  EXPECT_EQ(toString(found->pattern), "2:4, unit 1x1");
}

TEST(DetectTest, NeverRaisesDenseZeroOrPatternAlongN) {
  std::mt19937_64 rng(kSeed);
  EXPECT_FALSE(
      detectDense(randomWeight(256, 128, {1, 1, 1, 1}, rng), 256, 128));
  EXPECT_FALSE(detectDense(std::vector<double>(64 * 64, 0.0), 64, 64));
  EXPECT_FALSE(detectDense({}, 0, 8));
  // 2:4 along n: the transposed weight has the pattern, this one has not.
  auto transposed = randomWeight(256, 256, {2, 4, 1, 1}, rng);
  std::vector<double> dense(256 * 256);
  for (int64_t r = 0; r < 256; ++r)
    for (int64_t c = 0; c < 256; ++c)
      dense[r * 256 + c] = transposed[c * 256 + r];
  EXPECT_FALSE(detectDense(dense, 256, 256));
}

TEST(DetectTest, KeepsToTheDensityLimits) {
  std::mt19937_64 rng(kSeed);
  auto narrow = randomWeight(320, 128, {3, 5, 1, 4}, rng);
  EXPECT_FALSE(detectDense(narrow, 320, 128));
  auto tightest = detectTightest(maskOf(narrow, 320, 128), kLimits);
  ASSERT_TRUE(tightest);
  EXPECT_EQ(tightest->height, 192);
  EXPECT_FALSE(tightest->accepted);
  DetectOptions loose = kLimits;
  loose.maxDensity = 0.6;
  EXPECT_TRUE(detectDense(narrow, 320, 128, loose));
  EXPECT_TRUE(detectDense(randomWeight(320, 128, {3, 5, 1, 8}, rng), 320, 128));
  EXPECT_FALSE(
      detectDense(randomWeight(320, 128, {4, 5, 1, 8}, rng), 320, 128));
}

/// The rules of the header, applied to every candidate without shortcuts.
static std::optional<Detection> bruteForce(const std::vector<double> &dense,
                                           int64_t k, int64_t n) {
  DetectOptions options = kLimits;
  std::optional<Detection> best;
  for (int64_t length : options.unitLengths) {
    for (int64_t unitK : {int64_t(1), length}) {
      if (length > n || unitK > k)
        continue;
      int64_t units = (k + unitK - 1) / unitK;
      for (int64_t window = 2; window <= 65; ++window) {
        int64_t size = window == 65 ? units : window;
        if (size < units && window == 65 && units <= 64)
          continue;
        if (size > units) // the same as all of k
          continue;
        int64_t windows = (units + size - 1) / size, keep = 0;
        for (int64_t w = 0; w < windows; ++w)
          for (int64_t col = 0; col < n; col += length) {
            int64_t count = 0;
            for (int64_t u = w * size; u < std::min(units, (w + 1) * size);
                 ++u) {
              bool any = false;
              for (int64_t r = u * unitK; r < std::min(k, (u + 1) * unitK); ++r)
                for (int64_t c = col; c < std::min(n, col + length); ++c)
                  any |= dense[r * n + c] != 0;
              count += any;
            }
            keep = std::max(keep, count);
          }
        int64_t height = windows * keep * unitK;
        double share = length >= 8 ? 0.75 : 0.5;
        Pattern pattern{keep, window == 65 ? 0 : window, unitK, length};
        auto key = [](const Detection &d) {
          const Pattern &p = d.pattern;
          return std::make_tuple(!d.accepted, d.height, -p.unitK * p.unitN,
                                 p.unitK, p.window == 0 ? 65 : p.window);
        };
        double density = double(keep) / double(size);
        Detection candidate{pattern, height, density <= share};
        if (keep > 0 && density <= 0.75 && height < k &&
            (!best || key(candidate) < key(*best)))
          best = candidate;
      }
    }
  }
  return best;
}

TEST(DetectTest, AgreesWithExhaustiveSearch) {
  std::mt19937_64 rng(kSeed);
  int found = 0;
  for (int trial = 0; trial < 60; ++trial) {
    int64_t k = 1 + rng() % 90, n = 1 + rng() % 40;
    const int64_t lengths[] = {1, 4, 8};
    int64_t unitN = lengths[rng() % 3];
    int64_t unitK = rng() % 2 ? 1 : unitN;
    int64_t window = 2 + rng() % 12;
    Pattern pattern{int64_t(1 + rng() % window), window, unitK, unitN};
    SCOPED_TRACE("trial " + std::to_string(trial) + " k=" + std::to_string(k) +
                 " n=" + std::to_string(n) + " " + toString(pattern));
    auto dense = randomWeight(k, n, pattern, rng);
    auto expected = bruteForce(dense, k, n);
    auto actual = detectTightest(maskOf(dense, k, n), kLimits);
    ASSERT_EQ(bool(actual), bool(expected));
    if (!expected)
      continue;
    ++found;
    EXPECT_EQ(toString(actual->pattern), toString(expected->pattern));
    EXPECT_EQ(actual->height, expected->height);
    EXPECT_EQ(actual->accepted, expected->accepted);
  }
  EXPECT_GT(found, 20);
}

TEST(DetectTest, LargeWeightsAreFast) {
  int64_t k = 4096, n = 11008;
  std::mt19937_64 rng(kSeed);
  std::vector<float> weight(k * n, 0.0f);
  // 2:4, unit 1x1, stored [n, k] as torch does.
  for (size_t i = 0; i < weight.size(); i += 4) {
    uint64_t bits = rng();
    int first = bits % 4, second = (first + 1 + bits / 4 % 3) % 4;
    weight[i + first] = 1;
    weight[i + second] = -1;
  }
  auto start = std::chrono::steady_clock::now();
  NonZeroMask mask = NonZeroMask::create(
      k, n, [&](int64_t r, int64_t c) { return weight[c * k + r] != 0; });
  auto middle = std::chrono::steady_clock::now();
  auto found = detect(mask, kLimits);
  auto end = std::chrono::steady_clock::now();
  using Seconds = std::chrono::duration<double>;
  double maskTime = Seconds(middle - start).count();
  double searchTime = Seconds(end - middle).count();
  std::printf("mask %.3f s, search %.3f s\n", maskTime, searchTime);
  ASSERT_TRUE(found);
  EXPECT_EQ(toString(*found), "2:4, unit 1x1");
  // Generous, for loaded machines and sanitizers.
  EXPECT_LT(maskTime + searchTime, 20);
}

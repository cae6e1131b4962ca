//===- PanelLayoutTest.cpp - Packing and unpacking ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/PanelLayout.h"
#include "nm/Layout/IndexCoding.h"

#include "../Sparsity/RandomWeight.h"
#include "gtest/gtest.h"

#include <numeric>
#include <tuple>

using namespace nm;
using namespace nm::layout;
using sparsity::Condensed;
using sparsity::Pattern;

namespace {
/// A weight with its data and what packing makes of them.
struct Packed {
  PackedIndices indices;
  std::vector<double> values;

  PackedWeight get() const {
    return {reinterpret_cast<const char *>(values.data()),
            indices.indices.data(),
            indices.columns.empty() ? nullptr : indices.columns.data(),
            indices.width};
  }
};
} // namespace

/// Two ranges, the later one first, so that none may rely on another.
static void loopInParts(int64_t count,
                        const std::function<void(int64_t, int64_t)> &body) {
  body(count / 2, count);
  body(0, count / 2);
}

static Elements toElements(const std::vector<double> &values) {
  return {reinterpret_cast<const char *>(values.data()), sizeof(double)};
}

static Elements toElements(const std::vector<int32_t> &indices) {
  return {reinterpret_cast<const char *>(indices.data()), sizeof(int32_t)};
}

static int64_t countElements(const Part &part) {
  int64_t count = 1;
  for (int64_t extent : part.shape)
    count *= extent;
  return count;
}

static Packed pack(const PanelLayout &layout, const Elements &values,
                   const Elements &indices, bool wantsColumns, RowOrder order) {
  Packed packed;
  packed.indices = layout.packIndices(indices, wantsColumns, order,
                                      /*orderedRows=*/0, loopInParts);
  std::vector<Part> parts = layout.getParts(packed.indices.width);
  EXPECT_EQ(countElements(parts[1]) * parts[1].elementBytes,
            int64_t(packed.indices.indices.size()));
  EXPECT_EQ(parts.size() > 2 ? countElements(parts[2]) : 0,
            int64_t(packed.indices.columns.size()));
  // All of them are written.
  packed.values.assign(countElements(parts[0]), -1.0);
  layout.packValues(values, packed.indices,
                    reinterpret_cast<char *>(packed.values.data()),
                    loopInParts);
  return packed;
}

namespace {
/// Pattern and kernel, and whether there are lists of columns.
struct Case {
  int64_t k, n;
  Pattern pattern;
  Packing packing;
};

class PanelLayoutTest
    : public testing::TestWithParam<std::tuple<Case, bool, RowOrder>> {
protected:
  void SetUp() override {
    auto [test, wantsColumns, order] = GetParam();
    std::mt19937_64 rng(sparsity::kSeed);
    dense = randomWeight(test.k, test.n, test.pattern, rng);
    std::string error;
    auto form =
        sparsity::condense(dense.data(), test.k, test.n, test.pattern, error);
    ASSERT_TRUE(form) << error;
    condensed = *form;
    layout = PanelLayout::get({test.k, test.n, test.pattern}, test.packing,
                              sizeof(double), error);
    ASSERT_TRUE(layout) << error;
    packed = pack(*layout, toElements(condensed.values),
                  toElements(condensed.indices), wantsColumns, order);
  }

  std::vector<double> dense;
  Condensed condensed;
  std::optional<PanelLayout> layout;
  Packed packed;
};
} // namespace

TEST_P(PanelLayoutTest, UnpacksWhatWasPacked) {
  std::string error;
  auto form = layout->unpack(packed.get(), error, loopInParts);
  ASSERT_TRUE(form) << error;
  EXPECT_EQ(form->indices, condensed.indices);
  ASSERT_EQ(form->values.size(), condensed.values.size() * sizeof(double));
  EXPECT_EQ(std::memcmp(form->values.data(), condensed.values.data(),
                        form->values.size()),
            0);
}

TEST_P(PanelLayoutTest, UnpacksRowsOfTheDenseWeight) {
  int64_t n = condensed.n;
  for (int64_t row = 0; row < condensed.k; ++row) {
    std::vector<double> out(n, -1.0);
    layout->unpackRow(packed.get(), row, reinterpret_cast<char *>(out.data()));
    EXPECT_EQ(out, std::vector<double>(dense.begin() + row * n,
                                       dense.begin() + (row + 1) * n))
        << "row " << row;
  }
}

TEST_P(PanelLayoutTest, IndicesNameRowsOfTheStep) {
  const Geometry &g = layout->getGeometry();
  int64_t limit = packed.indices.width != 0 ? packed.indices.width
                                            : std::max(g.stepK, g.unitK);
  for (int64_t place = 0; place < g.getTiles() * g.getTileIndices(); ++place) {
    int64_t run = place / g.unitRows / g.steps;
    int64_t step = place / g.unitRows % g.steps;
    int64_t index = decodeRow(g, packed.indices.indices.data(), run, step,
                              place % g.unitRows);
    EXPECT_GE(index, 0);
    EXPECT_EQ(index % g.unitK, 0);
    // A unit that ends beyond the step ends beyond k.
    EXPECT_TRUE(index + g.unitK <= limit || g.stepK % g.unitK != 0) << index;
  }
}

static const Case kCases[] = {
    // Element-wise, with and without tails of k and n.
    {16, 8, {2, 4, 1, 1}, {4, 8}},
    {21, 7, {2, 4, 1, 1}, {4, 8}},
    // Vector-wise: units as wide as, narrower and wider than a block.
    {64, 64, {8, 32, 1, 32}, {32, 32}},
    {70, 70, {8, 32, 1, 32}, {64, 64}},
    {64, 70, {4, 16, 1, 32}, {8, 32}},
    // Units of several rows.
    {32, 24, {2, 4, 2, 8}, {16, 16}},
    {37, 21, {1, 2, 4, 4}, {8, 16}},
    // One window is all of k, which units divide or not.
    {48, 20, {7, 0, 1, 1}, {8, 48}},
    {50, 20, {3, 0, 4, 2}, {6, 52}},
    {50, 20, {3, 0, 4, 2}, {6, 50}},
    // Blocks of several panels: whole units, and parts of one.
    {64, 70, {8, 32, 1, 32}, {64, 32, 2}},
    {70, 70, {8, 32, 1, 32}, {64, 64, 8}},
    {21, 10, {2, 4, 1, 1}, {4, 8, 4}},
    {37, 21, {1, 2, 4, 6}, {12, 16, 3}},
};

INSTANTIATE_TEST_SUITE_P(
    All, PanelLayoutTest,
    testing::Combine(testing::ValuesIn(kCases), testing::Bool(),
                     testing::ValuesIn(getRowOrders())),
    [](const testing::TestParamInfo<PanelLayoutTest::ParamType> &info) {
      return toString(std::get<2>(info.param)) + std::to_string(info.index);
    });

static const Case kCodedCases[] = {
    // Rows of a column together, whatever the coding; tails of k and n.
    {64, 64, {8, 32, 1, 1}, {32, 32, 1, 4}},
    {70, 37, {8, 32, 1, 1}, {32, 64, 2, 8, IndexCoding::Positions}},
    {70, 37, {8, 32, 1, 2}, {32, 64, 1, 16, IndexCoding::Positions}},
    {300, 20, {3, 0, 1, 1}, {8, 300, 1, 3, IndexCoding::Positions}},
    {70, 70, {8, 32, 1, 32}, {64, 96, 2, 1, IndexCoding::Positions}},
    {37, 21, {1, 2, 4, 4}, {8, 16, 1, 1, IndexCoding::Positions}},
    // One window a mask, several, with bits left over, and one of 64 units.
    {70, 37, {16, 32, 1, 1}, {32, 64, 1, 8, IndexCoding::Mask}},
    {70, 37, {2, 4, 1, 1}, {32, 64, 1, 8, IndexCoding::Mask}},
    {61, 10, {2, 5, 1, 1}, {4, 30, 1, 4, IndexCoding::Mask}},
    {150, 10, {40, 64, 1, 1}, {4, 128, 1, 4, IndexCoding::Mask}},
    {70, 40, {4, 8, 2, 4}, {8, 64, 1, 1, IndexCoding::Mask}},
    // Positions of bits, within words and across them.
    {70, 37, {2, 4, 1, 1}, {32, 64, 1, 8, IndexCoding::Bits}},
    {200, 37, {8, 32, 1, 1}, {32, 128, 2, 16, IndexCoding::Bits}},
    {190, 10, {2, 6, 1, 1}, {4, 96, 1, 4, IndexCoding::Bits}},
    {70, 40, {4, 8, 2, 4}, {8, 128, 1, 1, IndexCoding::Bits}},
    // Fragments: panels of several, tails, units of several rows.
    {64, 64, {8, 32, 1, 32}, {32, 64, 1, 16, IndexCoding::Positions, true}},
    {70, 70, {8, 32, 1, 64}, {64, 64, 2, 16, IndexCoding::Positions, true}},
    {64, 40, {4, 8, 4, 16}, {32, 32, 1, 16, IndexCoding::Positions, true}},
};

INSTANTIATE_TEST_SUITE_P(
    Coded, PanelLayoutTest,
    testing::Combine(testing::ValuesIn(kCodedCases), testing::Values(false),
                     testing::Values(RowOrder::Ascending)));

static const Case kOrderedCases[] = {
    // Positions that count in all rows that are ordered, with tails of k and n.
    {64, 64, {8, 32, 1, 32}, {32, 64, 1, 1, IndexCoding::Positions, false, 64}},
    {70, 40, {8, 32, 1, 1}, {32, 64, 2, 4, IndexCoding::Positions, false, 64}},
    {128,
     70,
     {8, 32, 1, 32},
     {64, 64, 2, 16, IndexCoding::Positions, true, 64}},
    // Values with rows behind all steps.
    {64, 40, {8, 32, 1, 1}, {32, 64, 2, 4, IndexCoding::Rows, false, 0, 40}},
    {128, 70, {8, 32, 1, 32}, {64, 64, 2, 16, IndexCoding::Rows, true, 0, 64}},
    // Values with columns behind all blocks, and with both.
    {64, 40, {8, 32, 1, 1}, {32, 64, 2, 4, IndexCoding::Rows, false, 0, 0, 96}},
    {128,
     70,
     {8, 32, 1, 32},
     {64, 64, 2, 16, IndexCoding::Positions, true, 64, 64, 192}},
    // More units than a byte counts.
    {600, 8, {2, 4, 1, 1}, {8, 600, 1, 1, IndexCoding::Positions, false, 600}},
    // Rows, as fragments.
    {150, 70, {8, 32, 1, 32}, {64, 64, 2, 16, IndexCoding::Rows, true}},
};

INSTANTIATE_TEST_SUITE_P(Ordered, PanelLayoutTest,
                         testing::Combine(testing::ValuesIn(kOrderedCases),
                                          testing::Values(false),
                                          testing::ValuesIn(getRowOrders())));

/// The slabs of `part` follow each other, and make it up but for `gap` bytes
/// behind the last step of each place.
static void checkSlabs(const PanelLayout &layout, const Part &part,
                       int64_t places, int64_t gap) {
  int64_t end = 0;
  for (int64_t place = 0; place < places; ++place, end += gap)
    for (int64_t step = 0; step < layout.getGeometry().steps; ++step) {
      ByteRange slab = layout.getSlab(part, place, step);
      EXPECT_EQ(slab.offset, end);
      end += slab.size;
    }
  EXPECT_EQ(end, countElements(part) * part.elementBytes) << part.name;
}

TEST_P(PanelLayoutTest, SlabsAreRanges) {
  const Geometry &g = layout->getGeometry();
  std::vector<Part> parts = layout->getParts(packed.indices.width);
  int64_t rowsBehind = g.valueRows - g.getRowsOfSteps();
  checkSlabs(*layout, parts[0], g.getPanels(),
             rowsBehind * g.panelColumns * int64_t(sizeof(double)));
  for (size_t i = 1; i < parts.size(); ++i)
    checkSlabs(*layout, parts[i], g.blocks, /*gap=*/0);
  // Where the values of the last panel and step begin.
  ByteRange slab = layout->getSlab(parts[0], g.getPanels() - 1, g.steps - 1);
  EXPECT_EQ(slab.offset, g.getValuePlace((g.steps - 1) * g.getStepRows(),
                                         g.valueColumns - g.panelColumns) *
                             int64_t(sizeof(double)));
}

/// Indices that are rows.
static std::vector<int32_t> toWords(const std::vector<char> &indices) {
  std::vector<int32_t> words(indices.size() / sizeof(int32_t));
  std::memcpy(words.data(), indices.data(), indices.size());
  return words;
}

TEST(PanelLayoutDataTest, SplatsAreRepeated) {
  std::string error;
  auto layout = PanelLayout::get({4, 3, {1, 2, 1, 1}}, {2, 4}, 8, error);
  ASSERT_TRUE(layout) << error;
  std::vector<double> value = {5};
  Elements values = toElements(value);
  values.isSplat = true;
  uint8_t position = 1;
  Elements indices = {reinterpret_cast<const char *>(&position), 1, true};
  Packed packed = pack(*layout, values, indices, false, RowOrder::Ascending);
  EXPECT_EQ(toWords(packed.indices.indices),
            (std::vector<int32_t>{1, 3, 1, 3, 1, 3, 1, 3}));
  std::vector<double> row(3);
  layout->unpackRow(packed.get(), 3, reinterpret_cast<char *>(row.data()));
  EXPECT_EQ(row, (std::vector<double>{5, 5, 5}));
  layout->unpackRow(packed.get(), 2, reinterpret_cast<char *>(row.data()));
  EXPECT_EQ(row, (std::vector<double>{0, 0, 0}));
}

TEST(PanelLayoutDataTest, WrongIndicesAreFound) {
  std::string error;
  auto layout = PanelLayout::get({8, 2, {2, 4, 1, 1}}, {2, 4}, 8, error);
  ASSERT_TRUE(layout) << error;
  std::vector<double> values(8);
  std::vector<int32_t> indices = {0, 1, 2, 3, 0, 1, 1, 2};
  Packed packed = pack(*layout, toElements(values), toElements(indices), false,
                       RowOrder::Ascending);
  ASSERT_TRUE(layout->unpack(packed.get(), error, loopInParts)) << error;
  // Of the second step and column, [block * step][column][row].
  for (int32_t wrong : {0, 4, -1}) {
    std::vector<int32_t> words = toWords(packed.indices.indices);
    words[7] = wrong;
    words[6] = 0;
    std::memcpy(packed.indices.indices.data(), words.data(),
                packed.indices.indices.size());
    EXPECT_FALSE(layout->unpack(packed.get(), error, loopInParts)) << wrong;
    EXPECT_EQ(error, "expected 2 packed indices for each window, of different "
                     "units, got others in step 1 for column 1");
  }
}

/// What packing makes of the first window of a weight of two columns, which
/// keeps `rows` of k in both.
static std::vector<int64_t> packWindow(const Pattern &pattern,
                                       const Packing &packing,
                                       const std::vector<int32_t> &rows) {
  std::string error;
  auto layout =
      PanelLayout::get({packing.stepK, 2, pattern}, packing, 8, error);
  EXPECT_TRUE(layout) << error;
  std::vector<int32_t> indices;
  for (int32_t row : rows)
    indices.insert(indices.end(), 2, row);
  std::vector<double> values(indices.size());
  Packed packed = pack(*layout, toElements(values), toElements(indices), false,
                       RowOrder::Ascending);
  int64_t bytes = layout->getGeometry().getIndexBytes();
  std::vector<int64_t> words(packed.indices.indices.size() / bytes);
  for (size_t i = 0; i < words.size(); ++i)
    std::memcpy(&words[i], packed.indices.indices.data() + i * bytes, bytes);
  return words;
}

TEST(PanelLayoutDataTest, PositionsAreOfTheWindow) {
  using Words = std::vector<int64_t>;
  // [step, groups of rows, columns, rows of a group].
  EXPECT_EQ(packWindow({2, 4, 1, 1}, {2, 8, 1, 2, IndexCoding::Positions},
                       {1, 3, 0, 2}),
            (Words{1, 3, 1, 3, 0, 2, 0, 2}));
  // [step, columns, rows].
  EXPECT_EQ(packWindow({2, 4, 1, 1}, {2, 8, 1, 1, IndexCoding::Positions},
                       {1, 3, 0, 2}),
            (Words{1, 3, 0, 2, 1, 3, 0, 2}));
}

TEST(PanelLayoutDataTest, FragmentsAreOperands) {
  // PTX ISA, mma.m16n8k16: registers 0 and 2 of lane 4 i + j are of row i, 1
  // and 3 of row i + 8; those rows are columns of the weight. A lane's four
  // rows of the weight follow each other.
  EXPECT_EQ(Geometry::getFragmentPlace(/*row=*/0, /*column=*/0), 0);
  EXPECT_EQ(Geometry::getFragmentPlace(1, 0), 1);
  EXPECT_EQ(Geometry::getFragmentPlace(0, 8), 2);
  EXPECT_EQ(Geometry::getFragmentPlace(2, 0), 4);
  EXPECT_EQ(Geometry::getFragmentPlace(3, 8), 7);
  EXPECT_EQ(Geometry::getFragmentPlace(4, 0), 8);
  EXPECT_EQ(Geometry::getFragmentPlace(0, 1), 32);
  EXPECT_EQ(Geometry::getFragmentPlace(15, 15), 255);
  // The second fragment of the second group of rows.
  std::string error;
  auto geometry =
      Geometry::get({64, 64, {16, 32, 1, 32}},
                    {32, 64, 1, 16, IndexCoding::Positions, true}, error);
  ASSERT_TRUE(geometry) << error;
  EXPECT_EQ(geometry->getValuesShape(), (std::vector<int64_t>{2, 2, 512}));
  EXPECT_EQ(geometry->getIndicesShape(), (std::vector<int64_t>{2, 1, 32}));
  EXPECT_EQ(geometry->getValuePlace(/*row=*/17, /*column=*/32 + 16),
            2 * 512 + 512 + 256 + 1);
}

TEST(PanelLayoutDataTest, MasksHaveTheFirstUnitHighest) {
  using Words = std::vector<int64_t>;
  Packing packing = {2, 32, 1, 1, IndexCoding::Mask};
  EXPECT_EQ(packWindow({2, 32, 1, 1}, packing, {0, 31}),
            (Words{0x80000001, 0x80000001}));
  // Two windows of 16 units a word.
  EXPECT_EQ(packWindow({1, 16, 1, 1}, packing, {0, 15}),
            (Words{0x80000001, 0x80000001}));
  // Three of 10 units, and two bits of none.
  packing.stepK = 30;
  EXPECT_EQ(packWindow({1, 10, 1, 1}, packing, {0, 1, 9}),
            (Words{0x80100004, 0x80100004}));
  packing.stepK = 64;
  EXPECT_EQ(packWindow({1, 64, 1, 1}, packing, {63}), (Words{1, 1}));
}

TEST(PanelLayoutDataTest, BitsBeginWithTheLowest) {
  std::vector<int32_t> rows(32);
  std::iota(rows.begin(), rows.end(), 0);
  auto words =
      packWindow({32, 32, 1, 1}, {2, 32, 1, 1, IndexCoding::Bits}, rows);
  // Five words of two columns. The seventh position, 6, has its lowest two bits
  // in the first one and the others in the second.
  ASSERT_EQ(words.size(), 10u);
  EXPECT_EQ(words[0], int64_t(1 << 5 | 2 << 10 | 3 << 15 | 4 << 20 | 5 << 25 |
                              uint32_t(2) << 30));
  EXPECT_EQ(words[1], words[0]);
  EXPECT_EQ(words[2] & 0xff, 1 | 7 << 3);
}

TEST(PanelLayoutDataTest, MasksOfFewUnitsAreFound) {
  std::string error;
  auto layout = PanelLayout::get({32, 1, {2, 32, 1, 1}},
                                 {1, 32, 1, 1, IndexCoding::Mask}, 8, error);
  ASSERT_TRUE(layout) << error;
  double values[2] = {1, 2};
  uint32_t mask = 0x40000000;
  PackedWeight packed = {reinterpret_cast<const char *>(values),
                         reinterpret_cast<const char *>(&mask)};
  EXPECT_FALSE(layout->unpack(packed, error, loopInParts));
  EXPECT_EQ(error, "expected 2 packed indices for each window, of different "
                   "units, got others in step 0 for column 0");
  mask = 0x40000001;
  EXPECT_TRUE(layout->unpack(packed, error, loopInParts));
}

TEST(PanelLayoutDataTest, RefusesWideElements) {
  std::string error;
  EXPECT_FALSE(PanelLayout::get({8, 2, {2, 4, 1, 1}}, {2, 4}, 16, error));
  EXPECT_EQ(error, "expected values of 1 to 8 bytes, got 16");
}

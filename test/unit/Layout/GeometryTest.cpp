//===- GeometryTest.cpp - Sizes of a packed weight ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/Geometry.h"

#include "gtest/gtest.h"

using namespace nm::layout;
using Shape = std::vector<int64_t>;

TEST(GeometryTest, TailsArePadded) {
  // 2 of 4 in units of 1x8: windows of 4 rows, two of them a step.
  std::string error;
  auto geometry = Geometry::get({21, 70, {2, 4, 1, 8}}, {32, 8}, error);
  ASSERT_TRUE(geometry) << error;
  EXPECT_EQ(geometry->blocks, 3);
  EXPECT_EQ(geometry->steps, 3);
  EXPECT_EQ(geometry->getValuesShape(), (Shape{3, 12, 32}));
  EXPECT_EQ(geometry->getIndicesShape(), (Shape{9, 4, 4}));
  EXPECT_EQ(geometry->getColumnsShape(6), (Shape{9, 6}));
  EXPECT_EQ(geometry->getTileRow(/*unitRow=*/3, /*position=*/2), 6);
}

TEST(GeometryTest, BlocksMayDivideAUnit) {
  std::string error;
  auto geometry = Geometry::get({64, 128, {3, 0, 2, 64}}, {16, 64}, error);
  ASSERT_TRUE(geometry) << error;
  EXPECT_EQ(geometry->getIndicesShape(), (Shape{8, 1, 3}));
  EXPECT_EQ(geometry->getValuesShape(), (Shape{8, 6, 16}));
  EXPECT_EQ(geometry->getStoredColumn(/*block=*/5, /*unitColumn=*/0), 1);
}

TEST(GeometryTest, BlocksMayHavePanels) {
  std::string error;
  auto geometry = Geometry::get({16, 40, {2, 4, 1, 8}}, {32, 8, 4}, error);
  ASSERT_TRUE(geometry) << error;
  EXPECT_EQ(geometry->getValuesShape(), (Shape{8, 8, 8}));
  EXPECT_EQ(geometry->getIndicesShape(), (Shape{4, 4, 4}));
  EXPECT_EQ(geometry->getValuePlace(/*row=*/3, /*column=*/17),
            (2 * 8 + 3) * 8 + 1);
}

TEST(GeometryTest, RowsOfAColumnMayLieTogether) {
  std::string error;
  Packing packing = {32, 32, 2, 4};
  auto geometry = Geometry::get({64, 64, {2, 4, 1, 2}}, packing, error);
  ASSERT_TRUE(geometry) << error;
  EXPECT_EQ(geometry->getValuesShape(), (Shape{4, 8, 64}));
  EXPECT_EQ(geometry->getValuePlace(/*row=*/6, /*column=*/17),
            (1 * 32 + 4) * 16 + 1 * 4 + 2);
  EXPECT_EQ(geometry->getIndicesShape(), (Shape{4, 4, 64}));
  // Run 18 is unit column 2 of the second block.
  EXPECT_EQ(geometry->getIndexPlace(/*run=*/18, /*step=*/1, /*unitRow=*/6),
            3 * 256 + (1 * 16 + 2) * 4 + 2);
}

TEST(GeometryTest, CodingsHaveTheirBytes) {
  auto getBytes = [](int64_t window, IndexCoding coding) {
    std::string error;
    int64_t k = window * 32;
    auto geometry =
        Geometry::get({k, 8, {1, window, 1, 1}}, {8, k, 1, 1, coding}, error);
    EXPECT_TRUE(geometry) << error;
    return geometry->getIndexBytes();
  };
  EXPECT_EQ(getBytes(4, IndexCoding::Rows), 4);
  EXPECT_EQ(getBytes(256, IndexCoding::Positions), 1);
  EXPECT_EQ(getBytes(257, IndexCoding::Positions), 2);
  EXPECT_EQ(getBytes(65537, IndexCoding::Positions), 4);
  EXPECT_EQ(getBytes(32, IndexCoding::Mask), 4);
  EXPECT_EQ(getBytes(33, IndexCoding::Mask), 8);
  EXPECT_EQ(getBytes(4, IndexCoding::Bits), 4);
}

TEST(GeometryTest, PositionsHaveAsManyBitsAsTheWindowNeeds) {
  EXPECT_EQ(getPositionBits(1), 1);
  EXPECT_EQ(getPositionBits(2), 1);
  EXPECT_EQ(getPositionBits(5), 3);
  EXPECT_EQ(getPositionBits(32), 5);
  EXPECT_EQ(getPositionBits(33), 6);
}

TEST(GeometryTest, WordsOfIndicesAreOfAStep) {
  // Masks of eight windows a word, two words a step; and 32 positions of five
  // bits, five words.
  struct {
    Weight weight;
    Packing packing;
    Shape shape;
    int64_t lastPlace;
  } cases[] = {{{128, 16, {2, 4, 1, 1}},
                {8, 64, 1, 1, IndexCoding::Mask},
                {4, 2, 8},
                (3 * 2 + 1) * 8 + 1},
               {{256, 16, {8, 32, 1, 1}},
                {8, 128, 1, 1, IndexCoding::Bits},
                {4, 5, 8},
                (3 * 5 + 4) * 8 + 1}};
  for (const auto &test : cases) {
    std::string error;
    auto geometry = Geometry::get(test.weight, test.packing, error);
    ASSERT_TRUE(geometry) << error;
    EXPECT_EQ(geometry->getIndicesShape(), test.shape);
    EXPECT_EQ(geometry->getWordPlace(/*run=*/9, /*step=*/1,
                                     geometry->getStepWords() - 1),
              test.lastPlace);
  }
}

static std::string getError(const Weight &weight, const Packing &packing) {
  std::string error;
  EXPECT_FALSE(Geometry::get(weight, packing, error));
  return error;
}

TEST(GeometryTest, ErrorsNameTheNumber) {
  EXPECT_EQ(getError({64, 64, {2, 4, 1, 1}}, {0, 8}),
            "expected positive block_n and step_k, got 0 and 8");
  EXPECT_EQ(getError({64, 64, {2, 4, 2, 1}}, {8, 12}),
            "expected step_k to hold whole windows of 8 rows, got 12");
  EXPECT_EQ(getError({64, 64, {2, 0, 1, 1}}, {8, 32}),
            "expected step_k to hold whole windows of 64 rows, got 32");
  EXPECT_EQ(getError({64, 64, {2, 4, 1, 12}}, {8, 8}),
            "expected block_n to divide the unit's 12 columns or to be a "
            "multiple of them, got 8");
  EXPECT_EQ(getError({64, 64, {2, 4, 1, 1}}, {8, 8, 3}),
            "expected a number of panels that divides block_n = 8, got 3");
  EXPECT_EQ(getError({64, 64, {5, 4, 1, 1}}, {8, 8}),
            "expected at most 4 kept units in a window of 4, got 5");
  EXPECT_EQ(getError({64, 64, {2, 4, 1, 1}}, {8, 8, 1, 3}),
            "expected lane_rows to divide the 4 condensed rows of a step, and "
            "to be 1 for units of more than one row, got 3");
  EXPECT_EQ(getError({64, 64, {2, 4, 2, 1}}, {8, 8, 1, 2}),
            "expected lane_rows to divide the 4 condensed rows of a step, and "
            "to be 1 for units of more than one row, got 2");
  EXPECT_EQ(getError({64, 64, {2, 4, 1, 1}}, {8, 16, 1, 1, IndexCoding::Mask}),
            "expected windows of at most 64 units, and steps of whole words of "
            "them, for masks, got windows of 4 units and steps of 4 windows");
  EXPECT_EQ(
      getError({130, 64, {2, 65, 1, 1}}, {8, 130, 1, 1, IndexCoding::Mask}),
      "expected windows of at most 64 units, and steps of whole words of them, "
      "for masks, got windows of 65 units and steps of 2 windows");
  EXPECT_EQ(getError({64, 64, {8, 32, 1, 1}}, {8, 32, 1, 1, IndexCoding::Bits}),
            "expected steps whose positions are whole words of 32 bits, got 8 "
            "of 5 bits");
}

TEST(GeometryTest, RefusesSizesBeyond64Bits) {
  constexpr int64_t most = int64_t(1) << 62;
  const char *expected = "expected a packed weight whose sizes fit 64 bits";
  for (Packing packing : {Packing{most, 8}, Packing{8, most}})
    EXPECT_EQ(getError({64, 64, {2, 4, 1, 1}}, packing).rfind(expected, 0), 0u);
  // An index is an i32.
  EXPECT_EQ(getError({64, 64, {2, 0, 1, 1}}, {8, int64_t(1) << 31})
                .rfind(expected, 0),
            0u);
}

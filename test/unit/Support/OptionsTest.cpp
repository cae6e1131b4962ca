//===- OptionsTest.cpp - The table of options ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/Options.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace nm;

TEST(OptionsTest, RowsAreFoundByTheirIds) {
  for (const OptionRow &row : getOptions())
    EXPECT_EQ(&getOption(row.id), &row) << row.argument.str();
  EXPECT_EQ(getOption(OptionId::MaxRatio).argument, "max-ratio");
  EXPECT_EQ(getOption(OptionId::MaxRatio).pass, "nm-import-linalg");
}

TEST(OptionsTest, HelpSaysRangeAndDefault) {
  EXPECT_EQ(getOption(OptionId::OptLevel).description,
            "LLVM's optimization level, from 1 to 3 (default: 3)");
}

TEST(OptionsTest, BoundsAreWithinTheRange) {
  const OptionRow &stages = getOption(OptionId::Stages);
  EXPECT_FALSE(describeOutOfRange(stages, 1));
  EXPECT_FALSE(describeOutOfRange(stages, 4));
  EXPECT_EQ(describeOutOfRange(stages, 5),
            "expected stages from 1 to 4, got 5");
  EXPECT_EQ(describeOutOfRange(stages, 0, "--"),
            "expected --stages from 1 to 4, got 0");
}

TEST(OptionsTest, ANumberMayHaveOneBound) {
  const OptionRow &window = getOption(OptionId::Window);
  EXPECT_FALSE(describeOutOfRange(window, 1e18));
  EXPECT_EQ(describeOutOfRange(window, -3),
            "expected window of at least 0, got -3");
}

TEST(OptionsTest, WhatIsNoNumberIsInNoRange) {
  EXPECT_EQ(describeOutOfRange(getOption(OptionId::MaxRatio), std::nan("")),
            "expected max-ratio from 0 to 1, got nan");
}

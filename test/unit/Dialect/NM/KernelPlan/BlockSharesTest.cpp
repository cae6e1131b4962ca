//===- BlockSharesTest.cpp - What blocks have of shared tiles -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/KernelPlan/BlockShares.h"
#include "nm/Dialect/NM/KernelPlan/StepTurns.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace nm;

TEST(BlockShares, AllTilesAreDealtOut) {
  for (int64_t blocks = 1; blocks <= 40; ++blocks)
    for (int64_t tiles = 0; tiles <= 200; ++tiles) {
      StreamShares shares = StreamShares::get(tiles, blocks);
      ASSERT_EQ(shares.rounds * blocks + shares.shared, tiles);
      ASSERT_GE(shares.rounds, 0);
      // Blocks share less than one and a half tiles each, and half a one at
      // least, if there are so many.
      ASSERT_LT(shares.shared, blocks + blocks / 2);
      if (shares.shared != 0 && tiles >= blocks)
        ASSERT_GE(shares.shared, blocks / 2);
    }
}

TEST(BlockShares, FewTilesJoinThoseOfARound) {
  // 10 of 110 would be shared by ten blocks each.
  StreamShares few = StreamShares::get(/*tiles=*/110, /*blocks=*/100);
  EXPECT_EQ(few.rounds, 0);
  EXPECT_EQ(few.shared, 110);
  StreamShares many = StreamShares::get(/*tiles=*/160, /*blocks=*/100);
  EXPECT_EQ(many.rounds, 1);
  EXPECT_EQ(many.shared, 60);
  StreamShares none = StreamShares::get(/*tiles=*/200, /*blocks=*/100);
  EXPECT_EQ(none.rounds, 2);
  EXPECT_EQ(none.shared, 0);
}

TEST(BlockShares, SumsAreCutEvenly) {
  auto any = [](int64_t most) { return most; };
  int64_t parts[] = {1, 2, 8, 4, 4, 16, 16, 8};
  double shares[] = {1, .5, .375, .25, .25, .1875, .1875, .125};
  for (int64_t blocks = 1; blocks <= 8; ++blocks) {
    EXPECT_EQ(chooseSumParts(blocks, any), parts[blocks - 1]) << blocks;
    EXPECT_EQ(getLargestSumShare(blocks), shares[blocks - 1]) << blocks;
  }
}

TEST(BlockShares, SumsAreCutAsFarAsTheyCanBe) {
  auto upToFour = [](int64_t most) { return std::min<int64_t>(most, 4); };
  EXPECT_EQ(chooseSumParts(/*blocks=*/8, upToFour), 4);
  EXPECT_EQ(chooseSumParts(/*blocks=*/3, upToFour), 2);
  EXPECT_EQ(chooseSumParts(/*blocks=*/6, upToFour), 4);
}

TEST(StepTurns, TurnsDivideAStep) {
  EXPECT_EQ(getTurn(/*count=*/12, /*unit=*/1, /*most=*/4), 4);
  EXPECT_EQ(getTurn(/*count=*/9, /*unit=*/1, /*most=*/4), 3);
  EXPECT_EQ(getTurn(/*count=*/13, /*unit=*/1, /*most=*/4), 1);
  EXPECT_EQ(getTurn(/*count=*/12, /*unit=*/2, /*most=*/5), 4);
  EXPECT_EQ(getTurn(/*count=*/12, /*unit=*/8, /*most=*/4), 8);
  EXPECT_EQ(getTurn(/*count=*/3, /*unit=*/1, /*most=*/64), 3);
}

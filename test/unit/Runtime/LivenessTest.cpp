//===- LivenessTest.cpp - How much memory is needed at once ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"

#include "gtest/gtest.h"

using namespace nm::runtime;

TEST(LivenessTest, CountsFromFirstToLastUse) {
  Liveness liveness;
  Lifetime a, b, c, unused;
  liveness.use(a, false); // 1: a
  liveness.advance();
  liveness.use(a, false); // 2: a, b
  liveness.use(b, false);
  liveness.advance();
  liveness.use(b, false); // 3: b, c; a is allocated and not needed
  liveness.use(c, false);
  liveness.end(unused, 1000);
  liveness.end(a, 10);
  liveness.end(b, 20);
  EXPECT_EQ(liveness.maximum(), 30u);
  liveness.end(c, 15);
  EXPECT_EQ(liveness.maximum(), 35u);
}

TEST(LivenessTest, WhatTheHostOwnsCountsUntilItIsFreed) {
  Liveness liveness;
  Lifetime argument, buffer;
  liveness.use(argument, true);
  liveness.advance();
  liveness.advance();
  liveness.use(buffer, false);
  liveness.end(argument, 10);
  liveness.end(buffer, 20);
  EXPECT_EQ(liveness.maximum(), 30u);
}

TEST(LivenessTest, NothingNeedsNothing) { EXPECT_EQ(Liveness().maximum(), 0u); }

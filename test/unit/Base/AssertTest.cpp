//===- AssertTest.cpp - When NM_ASSERT checks -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Base/Assert.h"

#include "gtest/gtest.h"

#ifdef NM_ASSERTIONS

TEST(AssertDeathTest, EndsTheProcessAndSaysWhy) {
  EXPECT_DEATH(NM_ASSERT(1 + 1 == 3, "the numbers of Principia"),
               "AssertTest.cpp:[0-9]+: assertion failed: the numbers of "
               "Principia .1 \\+ 1 == 3.");
}

#else

TEST(Assert, IsNotEvaluated) {
  int calls = 0;
  NM_ASSERT(++calls == 0, "would fail");
  EXPECT_EQ(calls, 0);
}

#endif

TEST(Assert, HoldsWithoutEffect) { NM_ASSERT(true, "holds"); }

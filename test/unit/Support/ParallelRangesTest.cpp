//===- ParallelRangesTest.cpp - Loops over large data in threads ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/ParallelRanges.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <vector>

using namespace mlir;
using namespace nm;

TEST(ParallelRangesTest, EveryIterationOnce) {
  MLIRContext context;
  for (int64_t elements : {int64_t(0), int64_t(1), int64_t(1) << 40})
    for (int64_t count : {int64_t(0), int64_t(1), 3 * kElementsOfRange + 7}) {
      std::vector<int> calls(count, 0);
      parallelRanges(&context, count, elements,
                     [&](int64_t begin, int64_t end) {
                       for (int64_t i = begin; i < end; ++i)
                         ++calls[i];
                     });
      EXPECT_EQ(calls, std::vector<int>(count, 1));
    }
}

TEST(ParallelRangesTest, SmallWorkIsOneRange) {
  MLIRContext context;
  int calls = 0; // on this thread only
  parallelRanges(&context, kElementsOfRange / 8, 8,
                 [&](int64_t, int64_t) { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(ParallelRangesTest, FindsTheFirst) {
  for (auto threading :
       {MLIRContext::Threading::ENABLED, MLIRContext::Threading::DISABLED}) {
    MLIRContext context(threading);
    int64_t count = 9 * kElementsOfRange;
    for (int64_t first :
         {int64_t(0), 2 * kElementsOfRange + 5, count - 1, count})
      EXPECT_EQ(
          findFirst(&context, count, 1, [&](int64_t i) { return i >= first; }),
          first);
  }
}

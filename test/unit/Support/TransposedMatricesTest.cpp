//===- TransposedMatricesTest.cpp - Transpositions as matrices --*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/TransposedMatrices.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

#include "gtest/gtest.h"

using namespace nm;

/// Matrices, rows and columns; empty for nothing.
static std::vector<int64_t> get(std::vector<int64_t> shape,
                                std::vector<int64_t> permutation) {
  auto found = getTransposedMatrices(shape, permutation);
  if (!found)
    return {};
  return {found->matrices, found->rows, found->columns};
}

using Sizes = std::vector<int64_t>;

TEST(TransposedMatricesTest, RowsAndColumnsChangePlaces) {
  EXPECT_EQ(get({3, 5}, {1, 0}), (Sizes{1, 3, 5}));
  EXPECT_EQ(get({2, 3, 5}, {0, 2, 1}), (Sizes{2, 3, 5}));
  EXPECT_EQ(get({0, 5}, {1, 0}), (Sizes{1, 0, 5}));
}

TEST(TransposedMatricesTest, DimensionsThatStayTogetherAreOne) {
  EXPECT_EQ(get({2, 3, 5}, {1, 2, 0}), (Sizes{1, 2, 15}));
  EXPECT_EQ(get({2, 3, 5}, {2, 0, 1}), (Sizes{1, 6, 5}));
  EXPECT_EQ(get({7, 2, 3, 5, 4}, {0, 3, 4, 1, 2}), (Sizes{7, 6, 20}));
}

TEST(TransposedMatricesTest, DimensionsOfOneElementLieAnywhere) {
  EXPECT_EQ(get({1, 2, 3, 5}, {1, 3, 0, 2}), (Sizes{2, 3, 5}));
  EXPECT_EQ(get({3, 1, 5}, {2, 1, 0}), (Sizes{1, 3, 5}));
  EXPECT_EQ(get({3, 1}, {1, 0}), Sizes());
}

TEST(TransposedMatricesTest, OtherOrdersAreNone) {
  EXPECT_EQ(get({2, 3, 5, 7}, {0, 1, 2, 3}), Sizes());
  EXPECT_EQ(get({2, 3, 5, 7}, {3, 2, 1, 0}), Sizes());
  EXPECT_EQ(get({}, {}), Sizes());
  EXPECT_EQ(get({mlir::ShapedType::kDynamic, 5}, {1, 0}), Sizes());
}

TEST(TransposedMatricesTest, DimensionsOfAnyExtent) {
  int64_t any = mlir::ShapedType::kDynamic;
  auto found = getTransposedDims({any, any, 1, 12, 64}, {0, 3, 4, 2, 1});
  ASSERT_TRUE(found);
  EXPECT_EQ(llvm::ArrayRef(found->matrices), llvm::ArrayRef<int64_t>({0}));
  EXPECT_EQ(llvm::ArrayRef(found->rows), llvm::ArrayRef<int64_t>({1}));
  EXPECT_EQ(llvm::ArrayRef(found->columns), llvm::ArrayRef<int64_t>({3, 4}));
  EXPECT_FALSE(getTransposedDims({any, any, any}, {2, 1, 0}));
}

TEST(TransposedMatricesTest, NumbersAreThoseOf64Bits) {
  int64_t large = int64_t(1) << 40;
  EXPECT_EQ(get({large, large, 5}, {2, 0, 1}), Sizes());
  EXPECT_EQ(get({large, large}, {1, 0}), (Sizes{1, large, large}));
}

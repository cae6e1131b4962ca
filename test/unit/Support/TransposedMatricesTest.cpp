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

/// Matrices, rows, columns, and elements of a unit; empty for nothing.
static Sizes getUnits(Sizes shape, Sizes permutation, int64_t bytes) {
  auto found = getTransposedUnits(shape, permutation, bytes);
  if (!found)
    return {};
  Sizes sizes;
  for (llvm::ArrayRef<int64_t> dims :
       {llvm::ArrayRef(found->of.matrices), llvm::ArrayRef(found->of.rows),
        llvm::ArrayRef(found->of.columns), llvm::ArrayRef(found->unit)}) {
    int64_t product = 1;
    for (int64_t dim : dims)
      product *= shape[dim];
    sizes.push_back(product);
  }
  EXPECT_EQ(sizes.back(), found->elements);
  return sizes;
}

TEST(TransposedMatricesTest, ShortUnitsAreMovedAsOne) {
  EXPECT_EQ(getUnits({20, 30, 3}, {1, 0, 2}, 2), (Sizes{1, 20, 30, 3}));
  EXPECT_EQ(getUnits({5, 20, 30, 3, 1, 5}, {0, 2, 1, 3, 4, 5}, 2),
            (Sizes{5, 20, 30, 15}));
  EXPECT_EQ(getUnits({20, 30, 31}, {1, 0, 2}, 1), (Sizes{1, 20, 30, 31}));
  int64_t any = mlir::ShapedType::kDynamic;
  EXPECT_TRUE(getTransposedUnits({any, any, 3}, {1, 0, 2}, 4));
}

TEST(TransposedMatricesTest, OtherUnitsArePiecesOfRows) {
  // A sector, multiples of 8 bytes, and single elements.
  EXPECT_EQ(getUnits({20, 30, 32}, {1, 0, 2}, 1), Sizes());
  EXPECT_EQ(getUnits({20, 30, 17}, {1, 0, 2}, 2), Sizes());
  EXPECT_EQ(getUnits({20, 30, 12}, {1, 0, 2}, 2), Sizes());
  EXPECT_EQ(getUnits({20, 30, 3}, {1, 0, 2}, 8), Sizes());
  EXPECT_EQ(getUnits({20, 30, 1}, {1, 0, 2}, 4), Sizes());
  EXPECT_EQ(getUnits({20, 30}, {1, 0}, 4), Sizes());
  // Copies, other orders, few rows or columns, and units of any extent.
  EXPECT_EQ(getUnits({20, 30, 3}, {0, 1, 2}, 4), Sizes());
  EXPECT_EQ(getUnits({20, 30, 40, 3}, {2, 1, 0, 3}, 4), Sizes());
  EXPECT_EQ(getUnits({15, 30, 3}, {1, 0, 2}, 4), Sizes());
  EXPECT_EQ(getUnits({30, 15, 3}, {1, 0, 2}, 4), Sizes());
  int64_t any = mlir::ShapedType::kDynamic;
  EXPECT_FALSE(getTransposedUnits({20, 30, any}, {1, 0, 2}, 4));
}

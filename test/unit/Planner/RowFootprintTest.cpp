//===- RowFootprintTest.cpp - Which rows of A blocks read -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Planner/RowFootprint.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nm;

namespace {
class RowFootprintTest : public ::testing::Test {
protected:
  RowFootprintTest() { context.loadDialect<NMDialect, func::FuncDialect>(); }

  /// The product of a module of 8 x 4 weights of 1:4, whose weight is `weight`.
  ProductOpInterface parse(const std::string &weight) {
    std::string type = "!nm.condensed<8x4xf32, #nm.pattern<1:4>>";
    module = parseSourceString<ModuleOp>(
        "func.func @f(%a: tensor<2x8xf32>, %w: " + type +
            ", %c: tensor<2x4xf32>) -> tensor<2x4xf32> {\n" + weight +
            "%r = nm.spmm %a, %v outs(%c : tensor<2x4xf32>) : "
            "tensor<2x8xf32>, " +
            type + " -> tensor<2x4xf32>\nreturn %r : tensor<2x4xf32>\n}",
        &context);
    ProductOpInterface found;
    module->walk([&](ProductOpInterface op) { found = op; });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(RowFootprintTest, CountsTheRowsOfBlocks) {
  std::shared_ptr<RowFootprint> footprint = RowFootprint::get(parse(
      "%v = nm.constant {values = dense<1.0> : tensor<2x4xf32>, indices = "
      "dense<[[0, 0, 1, 1], [2, 2, 2, 3]]> : tensor<2x4xi8>} : "
      "!nm.condensed<8x4xf32, #nm.pattern<1:4>>\n"));
  ASSERT_TRUE(footprint);
  EXPECT_EQ(footprint->getShare(1), 1.0 / 4);
  // {0}, {1}; {2}, {2, 3}: of 4 rows each.
  EXPECT_EQ(footprint->getShare(2), 5.0 / 16);
  EXPECT_EQ(footprint->getShare(4), 4.0 / 8);
  // The second block has one column.
  EXPECT_EQ(footprint->getShare(3), (2 + 1 + 1 + 1) / 16.0);
  EXPECT_EQ(footprint->getShare(64), 4.0 / 8);
}

TEST_F(RowFootprintTest, KnowsNoArguments) {
  EXPECT_FALSE(
      RowFootprint::get(parse("%v = builtin.unrealized_conversion_cast %w : "
                              "!nm.condensed<8x4xf32, #nm.pattern<1:4>> to "
                              "!nm.condensed<8x4xf32, #nm.pattern<1:4>>\n")));
}

TEST_F(RowFootprintTest, ExpectsRandomUnits) {
  CondensedType type = parse("%v = nm.constant {values = dense<1.0> : "
                             "tensor<2x4xf32>, indices = dense<0> : "
                             "tensor<2x4xi8>} : !nm.condensed<8x4xf32, "
                             "#nm.pattern<1:4>>\n")
                           .getWeightType();
  EXPECT_EQ(getExpectedRowShare(type, 1), 0.25);
  EXPECT_EQ(getExpectedRowShare(type, 2), 1 - 0.75 * 0.75);
}

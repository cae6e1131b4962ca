//===- PipelineOptionsTest.cpp - Options of all stages ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace nm;

TEST(PipelineOptionsTest, HaveTheDefaultsOfTheTable) {
  PipelineOptions options;
  EXPECT_EQ(options.get<int64_t>(OptionId::Stages), 2);
  EXPECT_EQ(options.get<double>(OptionId::PackingThreshold), 0.7);
  EXPECT_TRUE(options.get<bool>(OptionId::Fuse));
  EXPECT_EQ(options.get<std::string>(OptionId::Chip), "");
}

TEST(PipelineOptionsTest, AreReadFromText) {
  PipelineOptions options;
  ASSERT_TRUE(succeeded(options.parseFromString("stages=3 fuse=0")));
  EXPECT_EQ(options.get<int64_t>(OptionId::Stages), 3);
  EXPECT_FALSE(options.get<bool>(OptionId::Fuse));
  EXPECT_TRUE(options.isGiven<int64_t>(OptionId::Stages));
  EXPECT_FALSE(options.isGiven<bool>(OptionId::Promote));
}

TEST(PipelineOptionsTest, HandAPassWhatItReadsAndWasGiven) {
  PipelineOptions options;
  EXPECT_EQ(options.getTextFor("nm-select-schedule"), "");
  options.set<int64_t>(OptionId::Stages, 3);
  options.set(OptionId::MaxRatio, 0.25);
  options.set<std::string>(OptionId::Chip, "sm_80");
  EXPECT_EQ(options.getTextFor("nm-select-schedule"), "stages=3");
  EXPECT_EQ(options.getTextFor("nm-import-linalg"), "max-ratio=0.25");
  // A text may have any characters.
  EXPECT_EQ(options.getTextFor("nm-set-target"), "");
}

TEST(PipelineOptionsTest, HandOnAllDigits) {
  PipelineOptions options;
  options.set(OptionId::MaxRatio, 1.0 / 3);
  std::string text = options.getTextFor("nm-import-linalg");
  PipelineOptions read;
  ASSERT_TRUE(succeeded(read.parseFromString(text)));
  EXPECT_EQ(read.get<double>(OptionId::MaxRatio), 1.0 / 3);
}

/// The pipelines hand every option to the pass of its row: those that no pass
/// takes would end the process.
TEST(PipelineOptionsTest, ReachTheirPasses) {
  PipelineOptions options;
  for (const OptionRow &row : getOptions())
    if (row.kind == OptionKind::Integer)
      options.set<int64_t>(row.id, 3);
    else if (row.kind == OptionKind::Real)
      options.set(row.id, 0.25);
  mlir::OpPassManager pm(mlir::ModuleOp::getOperationName());
  buildToPTXPipeline(pm, options);
  std::string text;
  llvm::raw_string_ostream os(text);
  pm.printAsTextualPipeline(os);
  for (const OptionRow &row : getOptions())
    if (row.kind == OptionKind::Integer) {
      EXPECT_NE(text.find((row.argument + "=3").str()), std::string::npos)
          << row.argument.str();
    }
}

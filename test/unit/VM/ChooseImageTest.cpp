//===- ChooseImageTest.cpp - What of a program runs where -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/VM/PreparedProgram.h"

#include <gtest/gtest.h>

using namespace nm;
using namespace nm::vm;
using program::ImageKind;

namespace {

struct Choice {
  std::vector<size_t> images;
  std::string reason;
};

Choice choose(std::vector<program::Image> images, int32_t capability) {
  program::Program program;
  program.images = std::move(images);
  Choice choice;
  choice.images = chooseImages(program, capability, choice.reason);
  return choice;
}

const std::vector<program::Image> kAll = {{ImageKind::PTX, "sm_80", "p"},
                                          {ImageKind::Cubin, "sm_80", "c"},
                                          {ImageKind::Cubin, "sm_90", "c"},
                                          {ImageKind::Cubin, "sm_90a", "c"}};

TEST(ChooseImage, TakesTheMostSpecificMachineCode) {
  EXPECT_EQ(choose(kAll, 90).images, (std::vector<size_t>{3, 2, 0}));
  EXPECT_EQ(choose(kAll, 80).images, (std::vector<size_t>{1, 0}));
  // Machine code runs on later chips of its generation, a letter's on its own.
  EXPECT_EQ(choose(kAll, 86).images, (std::vector<size_t>{1, 0}));
  EXPECT_EQ(choose(kAll, 100).images, (std::vector<size_t>{0}));
  EXPECT_EQ(choose(kAll, 0).images, (std::vector<size_t>{0}));
}

TEST(ChooseImage, SaysWhyNothingRuns) {
  Choice choice = choose(kAll, 75);
  EXPECT_TRUE(choice.images.empty());
  EXPECT_EQ(choice.reason,
            "expected kernels that run on sm_75, got PTX for sm_80, machine "
            "code for sm_80, machine code for sm_90, machine code for sm_90a: "
            "compile the model with --chip=sm_75");
  choice = choose({{ImageKind::PTX, "sm_90a", "p"}}, 100);
  EXPECT_EQ(choice.reason, "expected kernels that run on sm_100, got PTX for "
                           "sm_90a: compile the model with --chip=sm_100");
  choice = choose({{ImageKind::Cubin, "sm_90", "c"}}, 0);
  EXPECT_EQ(choice.reason,
            "expected kernels that run on the emulator (PTX), got machine code "
            "for sm_90: compile the model with --chip=sm_90");
}

} // namespace

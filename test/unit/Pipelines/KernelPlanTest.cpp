//===- KernelPlanTest.cpp - Plans beside the kernels that passes make -----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/KernelPlan/KernelPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Parser/Parser.h"
#include "nm/Pipelines/InitAll.h"
#include "nm/Pipelines/Pipelines.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nm;

namespace {
/// A product of a weight that is an argument, or a constant of equal elements.
struct Case {
  int64_t m, n, k;
  std::string type, pattern;
  bool isFeatureMajor, isConstant;
  std::string chip;

  std::string getText() const;
};

/// What a kernel has of an SM.
struct KernelBlock {
  int64_t sharedBytes = 0, threads = 0;
  bool operator==(const KernelBlock &other) const {
    return sharedBytes == other.sharedBytes && threads == other.threads;
  }
};

class KernelPlanTest : public ::testing::Test {
protected:
  KernelPlanTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The plan of the product of `of`, and its kernel.
  std::pair<KernelBlock, KernelBlock> compile(const Case &of,
                                              std::string &schedule);

  MLIRContext context;
};
} // namespace

std::string Case::getText() const {
  auto tensor = [&](int64_t rows, int64_t columns) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + type + ">";
  };
  std::string a = isFeatureMajor ? tensor(k, m) : tensor(m, k);
  std::string c = tensor(m, n), layout = isFeatureMajor ? "feature" : "token";
  std::string weight = "!nm.condensed<" + std::to_string(k) + "x" +
                       std::to_string(n) + "x" + type + ", #nm.pattern<" +
                       pattern + ">>";
  std::string constant;
  if (isConstant) {
    // One row of 16 is kept, the first one, for all 128 columns of a unit.
    std::string units = std::to_string(n / 128);
    constant = "%w = nm.constant {values = dense<1.0> : " + tensor(k / 16, n) +
               ", indices = dense<0> : tensor<" + std::to_string(k / 16) + "x" +
               units + "xi8>} : " + weight + "\n";
  }
  return "func.func @main(%a: " + a + ", " +
         (isConstant ? "" : "%w: " + weight + ", ") + "%c: " + c + ") -> " + c +
         " {\n" + constant + "%y = nm.spmm %a, %w outs(%c : " + c +
         ") {a_layout = #nm.layout<" + layout + "_major>} : " + a + ", " +
         weight + " -> " + c + "\nreturn %y : " + c + "\n}";
}

std::pair<KernelBlock, KernelBlock>
KernelPlanTest::compile(const Case &of, std::string &schedule) {
  PipelineOptions options;
  options.set(OptionId::Chip, of.chip);
  auto module = parseSourceString<ModuleOp>(of.getText(), &context);
  auto run = [&](auto build) {
    PassManager pm(&context);
    build(pm);
    return succeeded(pm.run(*module));
  };
  KernelBlock planned, found;
  if (!module ||
      !run([&](OpPassManager &pm) { buildPlanPipeline(pm, options); })) {
    ADD_FAILURE() << of.getText();
    return {};
  }
  module->walk([&](ProductOpInterface op) {
    ScheduleAttr chosen = op.getScheduleAttr();
    llvm::raw_string_ostream(schedule) << chosen;
    KernelPlan plan = KernelPlan::get(
        chosen, op.getWeightType(), op.getAType().getElementType(),
        op.isAFeatureMajor(), *lookupTarget(of.chip));
    planned = {plan.getSharedBytes(), plan.threads};
  });
  EXPECT_TRUE(run([&](OpPassManager &pm) {
    buildBufferizePipeline(pm, /*formKernels=*/true);
    buildTilePipeline(pm, options);
  }));
  // Kernels beside the product's have no shared memory.
  module->walk([&](gpu::LaunchOp launch) {
    Value bytes = launch.getDynamicSharedMemorySize();
    if (bytes || found.threads == 0)
      found = {bytes ? *getConstantIntValue(bytes) : 0,
               *getConstantIntValue(launch.getBlockSizeX())};
  });
  return {planned, found};
}

/// Every seventh of all products, of which there are 160 for each chip and
/// extents of the weight: 7 does not divide them, so that the others follow.
static std::vector<Case> listCases() {
  std::vector<Case> cases;
  int64_t number = 0;
  for (const char *chip : {"sm_80", "sm_90", "sm_90a", "sm_120"})
    for (auto [n, k] : {std::pair(1024, 1024), {4096, 11008}, {1000, 1030}})
      for (int64_t m : {1, 2, 8, 16, 40, 64, 256, 1000})
        for (const char *type : {"f32", "f16"})
          for (bool isFeatureMajor : {false, true})
            for (const char *pattern :
                 {"2:4", "8:32, unit = 1x32", "16:32, unit = 1x128",
                  "2:4, unit = 4x4", "64:all"})
              if (number++ % 7 == 0)
                cases.push_back({m, n, k, type, pattern, isFeatureMajor,
                                 /*isConstant=*/false, chip});
  for (const char *chip : {"sm_80", "sm_90a"})
    for (const char *type : {"f32", "f16"})
      for (int64_t m : {8, 256, 4096})
        for (bool isFeatureMajor : {false, true})
          cases.push_back({m, 4096, 4096, type, "1:16, unit = 1x128",
                           isFeatureMajor,
                           /*isConstant=*/true, chip});
  return cases;
}

TEST_F(KernelPlanTest, IsWhatPassesMake) {
  std::string schedules;
  for (const Case &one : listCases()) {
    std::string schedule;
    auto [planned, found] = compile(one, schedule);
    EXPECT_EQ(planned.sharedBytes, found.sharedBytes)
        << one.chip << " " << schedule << "\n"
        << one.getText();
    EXPECT_EQ(planned.threads, found.threads) << one.getText();
    schedules += schedule;
  }
  for (const char *word :
       {"#nm.fma", "#nm.gemv", "#nm.mma_gemv", "#nm.mma_sync", "split_k",
        "stream_k", "persistent", "producers", "packed", "stages = 3"})
    EXPECT_NE(schedules.find(word), std::string::npos) << word;
}

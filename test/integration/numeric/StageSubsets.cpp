//===- StageSubsets.cpp - Modules stopped at any stage --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Promote, pack, double-buffer and prefetch move data and change no number:
// with each subset of the four, a product is right and equals the others bit by
// bit.
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "mlir/IR/MLIRContext.h"
#include "nm/Pipelines/Pipelines.h"

#include <cstdio>

using namespace nm;
using namespace nm::numeric;
using reference::Layout;
using sparsity::Pattern;

/// Products with tails in m, n and k and packed schedules of several stages.
static std::vector<KernelCase> makeBases() {
  const Pattern patterns[] = {{8, 32, 1, 32}, {2, 4, 1, 1},   {3, 10, 1, 4},
                              {2, 4, 4, 4},   {5, 7, 16, 16}, {4, 4, 1, 1}};
  using T = ElementType;
  const CaseTypes types[] = {
      {T::F32, T::F32, T::F32},    {T::F16, T::F16, T::F16},
      {T::BF16, T::BF16, T::BF16}, {T::I8, T::I8, T::I32},
      {T::F32, T::I8, T::F32},     {T::F16, T::F32, T::BF16}};
  std::vector<KernelCase> bases;
  for (const Pattern &pattern : patterns) {
    KernelCase c;
    c.number = bases.size();
    c.seed = 20261121 + c.number;
    c.pattern = pattern;
    c.m = 29;
    c.n = 61;
    int64_t window = pattern.window * pattern.unitK;
    int64_t step = window >= 32 ? window : 32 / window * window;
    c.k = 3 * step - 5;
    c.types = types[c.number];
    c.layoutA = c.number % 3 == 0 ? Layout::FeatureMajor : Layout::TokenMajor;
    c.layoutC = c.number % 3 == 1 ? Layout::FeatureMajor : Layout::TokenMajor;
    c.hasBias = true;
    c.schedule = "#nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], "
                 "thread = [2, 4]>, block = [16, 32, " +
                 std::to_string(step) +
                 "], packed = true, stages = 3, "
                 "prefetch = true>";
    bases.push_back(c);
  }
  // Gathers by ldmatrix, and element by element where A is not promoted.
  KernelCase matrices = bases.front();
  matrices.number = bases.size();
  matrices.types = {T::BF16, T::BF16, T::BF16};
  matrices.k = 3 * 64 - 5;
  matrices.schedule =
      "#nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [16, 32]>, "
      "block = [16, 64, 64], packed = true, stages = 3, prefetch = true>";
  bases.push_back(matrices);
  // Threads transpose a token-major A: with tails of m and k, by some threads
  // only, between products and at the end of a step, and on tensor cores.
  KernelCase staged = bases[1];
  staged.k = 3 * 32 - 8;
  for (const char *schedule :
       {"warps = [1, 2], lanes = [8, 4], thread = [2, 4]>, block = [16, 32, "
        "32], stages = 2",
        "warps = [1, 1], lanes = [4, 8], thread = [16, 8]>, block = [64, 64, "
        "32], stages = 2",
        "warps = [1, 1], lanes = [4, 8], thread = [16, 8]>, block = [64, 64, "
        "32], stages = 3, prefetch = true"}) {
    staged.number = bases.size();
    staged.schedule =
        "#nm.schedule<kind = #nm.fma<" + std::string(schedule) + ">";
    bases.push_back(staged);
  }
  staged = matrices;
  staged.number = bases.size();
  staged.layoutA = Layout::TokenMajor;
  staged.k = 3 * 64 - 8;
  bases.push_back(staged);
  // The blocks of a cluster share the steps, and what they store: rows of a
  // thread, columns of a row, strips, and in the first two what only some
  // blocks have.
  auto addSplit = [&](KernelCase split, int64_t k, int64_t splitK) {
    split.number = bases.size();
    split.k = k;
    split.schedule.replace(split.schedule.rfind('>'), 1,
                           ", split_k = " + std::to_string(splitK) + ">");
    bases.push_back(split);
  };
  addSplit(bases[0], 4 * 32 - 5, 4);
  addSplit(bases[2], 4 * 30 - 5, 4);
  addSplit(matrices, 4 * 64 - 5, 4);
  KernelCase wide = bases[0];
  wide.layoutC = Layout::FeatureMajor;
  for (const char *tile : {"thread = [8, 8]>, block = [64, 64, 32]",
                           "thread = [4, 8]>, block = [32, 64, 32]"}) {
    wide.schedule =
        "#nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], " +
        std::string(tile) + ", stages = 2, prefetch = true>";
    for (int64_t splitK : {2, 4, 8})
      addSplit(wide, splitK * 64 - 5, splitK);
  }
  // Some have a step more than others, and all several parts of the sums, or
  // some one. In the second, the ring has more slots than a block steps; in
  // the last, threads transpose A.
  for (int64_t splitK : {3, 5, 6, 7})
    addSplit(wide, (2 * splitK + 1) * 32 - 5, splitK);
  addSplit(bases[0], 4 * 32 - 5, 3);
  addSplit(matrices, 5 * 64 - 5, 3);
  addSplit(staged, 7 * 64 - 8, 3);
  // Through a workspace, as there are no clusters: with gathers, in the other
  // layout of C, and on tensor cores.
  KernelCase gathered = bases[0];
  for (KernelCase *shared : {&gathered, &wide, &matrices})
    shared->chip = "sm_80";
  addSplit(gathered, 4 * 32 - 5, 3);
  addSplit(wide, 11 * 32 - 5, 5);
  addSplit(matrices, 5 * 64 - 5, 3);
  return bases;
}

/// Runs `c` with all subsets of the stages.
static bool runSubsets(mlir::MLIRContext &context, KernelCase c) {
  CaseData data = makeData(c);
  std::string first;
  bool good = true;
  int subsets = c.layoutA == Layout::TokenMajor ? 32 : 16;
  for (int subset = 0; subset < subsets; ++subset) {
    c.promote = subset & 1;
    c.packTile = subset & 2;
    c.doubleBuffer = subset & 4;
    c.prefetch = subset & 8;
    c.stageTransposes = subset & 16;
    if (c.stageTransposes && !c.doubleBuffer)
      continue; // the same kernel as without
    CaseResult result;
    auto kernel = compileCase(context, c, data, result.message);
    if (!kernel)
      result.failedCheck = "compile";
    else
      result = runKernel(*kernel, c, data, {c.seed});
    if (subset == 0)
      first = result.output;
    if (result.passed() && result.output != first) {
      result.failedCheck = "subset";
      result.message = "expected the bits of the product with no stage";
    }
    std::printf("%s %s\n", result.passed() ? "passed" : "FAILED",
                c.describe().c_str());
    if (!result.passed())
      std::printf("  %s: %s\n", result.failedCheck.c_str(),
                  result.message.c_str());
    good &= result.passed();
  }
  return good;
}

int main() {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  unsigned passed = 0, failed = 0;
  for (const KernelCase &base : makeBases())
    ++(runSubsets(*context, base) ? passed : failed);
  std::printf("%u products passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

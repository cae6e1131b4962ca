//===- BankConflicts.cpp - Shared-memory wavefronts of kernels ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The central claim of nmSPARSE and NM-SpMM: with the right distribution, the
// gather through N:M indices is free of bank conflicts. Asserted for the cases
// where it must hold, counted for others; prints a table. Copies of 16 bytes
// must bring no sector of global memory twice.
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

namespace {
/// A case and whether its loads and stores of shared memory must take the ideal
/// number of wavefronts.
struct Row {
  const char *group;
  KernelCase kernelCase;
  bool mustBeIdeal;
};

/// Wavefronts of a kernel's loads and stores of shared memory: what the product
/// reads, and what threads read and store of a tile that they transpose. Copies
/// write there too, the epilogue uses registers.
struct AccessCosts {
  uint64_t requests = 0, wavefronts = 0, ideal = 0;
};
} // namespace

static bool isCounted(const emulator::SharedCounts &access) {
  return !access.isWrite || access.opcode.rfind("st.", 0) == 0;
}

static AccessCosts getCosts(const emulator::Counters &counters) {
  AccessCosts costs;
  for (const emulator::SharedCounts &access : counters.shared) {
    if (!isCounted(access))
      continue;
    costs.requests += access.requests;
    costs.wavefronts += access.wavefronts;
    costs.ideal += access.idealWavefronts;
  }
  return costs;
}

/// Whether copies of 16 bytes bring each sector of global memory once.
static bool bringsSectorsOnce(const emulator::Counters &counters) {
  uint64_t sectors = 0, lanes = 0;
  for (const emulator::GlobalCounts &access : counters.global)
    if (access.opcode.rfind("cp.async.cg.", 0) == 0)
      sectors += access.sectors;
  for (const auto &[opcode, count] : counters.byOpcode)
    if (opcode.rfind("cp.async.cg.", 0) == 0)
      lanes += count.lanes;
  return sectors * 32 <= lanes * 16;
}

//===----------------------------------------------------------------------===//
// The rows
//===----------------------------------------------------------------------===//

static KernelCase makeBase(Pattern pattern, int64_t m, int64_t n, int64_t k) {
  KernelCase c;
  c.seed = 20261121;
  c.pattern = pattern;
  c.m = m;
  c.n = n;
  c.k = k;
  c.isVector = m == 1;
  return c;
}

/// `c` with elements of each size, with both kinds of weights, and, where
/// `layouts`, both layouts of A.
static void addVariants(std::vector<Row> &rows, const char *group, KernelCase c,
                        bool mustBeIdeal, bool layouts) {
  using T = ElementType;
  for (CaseTypes types :
       {CaseTypes{T::F32, T::F32, T::F32}, CaseTypes{T::F16, T::F16, T::F16},
        CaseTypes{T::I8, T::I8, T::I32}})
    for (bool constant : {true, false})
      for (Layout layout : {Layout::TokenMajor, Layout::FeatureMajor}) {
        if (layout == Layout::FeatureMajor && !layouts)
          continue;
        c.types = types;
        c.constantWeight = constant;
        c.layoutA = layout;
        rows.push_back({group, c, mustBeIdeal});
      }
}

static std::vector<Row> makeRows() {
  std::vector<Row> rows;
  const Pattern elementWise[] = {
      {1, 2, 1, 1}, {2, 4, 1, 1}, {3, 10, 1, 1}, {8, 32, 1, 1}, {16, 32, 1, 1}};
  // Each lane reads its own place of a window: 32 words on 32 banks.
  for (const Pattern &pattern : elementWise)
    addVariants(rows, "EW SpMV, window of at most 32 words",
                makeBase(pattern, 1, 256, 320), true, false);
  // A warp's columns share an index: rows of A are read as they lie.
  for (const char *packed : {"", ", packed = true"}) {
    KernelCase c = makeBase({8, 32, 1, 32}, 64, 64, 256);
    c.schedule = std::string("#nm.schedule<kind = #nm.fma<warps = [1, 2], "
                             "lanes = [8, 4], thread = [8, 8]>, "
                             "block = [64, 64, 64]") +
                 packed + ", stages = 2>";
    addVariants(rows, "VW SpMM, a warp's columns within L", c, true, true);
  }
  // Gathered rows that are equal modulo 8 lie on the same banks, the less of
  // them the more a step has to choose from.
  KernelCase matrices = makeBase({8, 32, 1, 32}, 64, 64, 512);
  matrices.types = {ElementType::F16, ElementType::F16, ElementType::F16};
  matrices.layoutA = Layout::FeatureMajor;
  matrices.schedule =
      "#nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [64, 32]>, "
      "block = [64, 64, 128], stages = 2>";
  for (bool constant : {true, false}) {
    matrices.constantWeight = constant;
    rows.push_back({"VW SpMM on tensor cores", matrices, false});
  }
  // All lanes read one row of A, each its own columns.
  for (const Pattern &pattern : elementWise)
    addVariants(rows, "EW SpMM, lanes along m", makeBase(pattern, 128, 32, 160),
                true, true);
  // Counted only.
  addVariants(rows, "EW SpMV, window of all",
              makeBase({64, 0, 1, 1}, 1, 256, 256), false, false);
  addVariants(rows, "EW SpMM, few rows, lanes along n",
              makeBase({2, 4, 1, 1}, 8, 128, 128), false, true);
  KernelCase mixed = makeBase({8, 32, 1, 1}, 64, 32, 128);
  mixed.schedule =
      "#nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], "
      "thread = [4, 4]>, block = [32, 16, 32]>";
  addVariants(rows, "EW SpMM, lanes along both", mixed, false, true);
  mixed.pattern = {2, 4, 1, 4};
  addVariants(rows, "VW4 SpMM, lanes along both", mixed, false, true);
  mixed.pattern = {2, 4, 4, 4};
  addVariants(rows, "BW4x4 SpMM, lanes along both", mixed, false, true);
  return rows;
}

static bool runRow(mlir::MLIRContext &context, const Row &row) {
  const KernelCase &c = row.kernelCase;
  CaseData data = makeData(c);
  CaseResult result;
  auto kernel = compileCase(context, c, data, result.message);
  if (!kernel)
    result.failedCheck = "compile";
  else
    result = runKernel(*kernel, c, data,
                       {c.seed, emulator::CheckAll, /*withCounters=*/true});
  AccessCosts costs = getCosts(result.counters);
  // A kernel that reads nothing from shared memory proves nothing.
  bool isIdeal = costs.requests != 0 && costs.wavefronts == costs.ideal;
  bool once = c.pattern.unitN == 1 || bringsSectorsOnce(result.counters);
  bool good = result.passed() && once && (isIdeal || !row.mustBeIdeal);
  std::printf(
      "%-6s | %-36s | %8llu | %8llu | %8llu | %8llu | %s\n",
      good ? "passed" : "FAILED", row.group, (unsigned long long)costs.requests,
      (unsigned long long)costs.wavefronts, (unsigned long long)costs.ideal,
      (unsigned long long)(costs.wavefronts - costs.ideal),
      c.describe().c_str());
  if (!result.passed())
    std::printf("  %s: %s\n", result.failedCheck.c_str(),
                result.message.c_str());
  if (!once)
    std::printf("  copies bring sectors of global memory more than once\n");
  if (!good)
    for (const emulator::SharedCounts &access : result.counters.shared)
      if (isCounted(access) && access.bankConflicts() != 0)
        std::printf("  line %u %s: %llu wavefronts, ideal %llu\n", access.line,
                    access.opcode.c_str(),
                    (unsigned long long)access.wavefronts,
                    (unsigned long long)access.idealWavefronts);
  return good;
}

int main() {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  std::printf("%-6s | %-36s | %8s | %8s | %8s | %8s | case\n", "", "group",
              "requests", "wavefr.", "ideal", "conflict");
  unsigned passed = 0, failed = 0;
  for (const Row &row : makeRows())
    ++(runRow(*context, row) ? passed : failed);
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

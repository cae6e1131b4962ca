//===- NumericSuite.cpp - The suite's driver ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the list of cases, or a shard of it, and prints a line for each. Fails
// when a case does, or when the list misses a feasible pair of values.
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "Factors.h"
#include "mlir/IR/MLIRContext.h"
#include "nm/Numbers/TensorFile.h"
#include "nm/Pipelines/Pipelines.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>
#include <cstdio>
#include <fstream>

using namespace nm;
using namespace nm::numeric;
namespace cl = llvm::cl;

static cl::opt<unsigned> optCount("count", cl::desc("Cases of the list"),
                                  cl::init(3000));
static cl::opt<uint64_t> optSeed("seed", cl::desc("Seed of list and data"),
                                 cl::init(20261121));
static cl::opt<unsigned> optShard("shard", cl::desc("Shard to run, from 0"),
                                  cl::init(0));
static cl::opt<unsigned> optShards("shards", cl::desc("Number of shards"),
                                   cl::init(1));
static cl::opt<int64_t> optOnly("only", cl::desc("Run this case only"),
                                cl::init(-1));
static cl::opt<bool> optList("list", cl::desc("Print the list, run nothing"));
static cl::opt<std::string>
    optDump("dump", cl::desc("Directory for the .mlir and .ptx of each case"));
static cl::opt<std::string>
    optExport("export", cl::desc("Directory for the .mlir, the .npy of inputs "
                                 "and nm-run's options of each case; run "
                                 "nothing"));
static cl::opt<std::string>
    optUntil("until", cl::desc("Stop at the first failure of this check"));
static cl::opt<unsigned>
    optRepeat("repeat-every",
              cl::desc("Launch every N-th case in another order of warps too"),
              cl::init(8));

static std::string pathOf(const KernelCase &c, const std::string &directory,
                          const std::string &extension) {
  return directory + "/case-" + std::to_string(c.number) + "." + extension;
}

static void dump(const KernelCase &c, const char *extension,
                 const std::string &text) {
  if (!optDump.empty())
    std::ofstream(pathOf(c, optDump, extension)) << text;
}

/// Writes what nm-run needs to run a case anywhere, an option a line.
static bool exportCase(const KernelCase &c) {
  CaseData data = makeData(c);
  std::ofstream module(pathOf(c, optExport, "mlir"));
  module << makeModule(c, data);
  std::ofstream options(pathOf(c, optExport, "options"));
  options << "--entry=f\n--pipeline-options=" << makeOptions(c) << "\n";
  std::vector<Tensor> arguments = makeArguments(c, data);
  std::string error;
  for (size_t i = 0; i < arguments.size() && error.empty(); ++i)
    writeNpy(pathOf(c, optExport, "x" + std::to_string(i) + ".npy"),
             arguments[i], error);
  if (error.empty() && module.flush() && options.flush())
    return true;
  std::fprintf(stderr, "nm-numeric-suite: cannot write to `%s`%s%s\n",
               optExport.c_str(), error.empty() ? "" : ": ", error.c_str());
  return false;
}

static CaseResult runCase(mlir::MLIRContext &context, const KernelCase &c,
                          double &compileSeconds) {
  CaseData data = makeData(c);
  dump(c, "mlir", makeModule(c, data));
  CaseResult result;
  auto start = std::chrono::steady_clock::now();
  std::optional<CompiledKernel> kernel =
      compileCase(context, c, data, result.message);
  compileSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!kernel) {
    result.failedCheck = "compile";
    return result;
  }
  dump(c, "ptx", kernel->ptx);
  result = runKernel(*kernel, c, data, {c.seed});
  if (!result.passed() || optRepeat == 0 || c.number % optRepeat != 0)
    return result;
  CaseResult again = runKernel(*kernel, c, data, {c.seed + 1});
  if (again.output != result.output) {
    result.failedCheck = "repeat";
    result.message =
        "expected the same bits in another order of warps; " + again.message;
  }
  return result;
}

/// Prints and checks the coverage of the whole list.
static bool reportCoverage(const std::vector<Values> &cases) {
  Coverage coverage = checkCoverage(cases);
  for (const std::string &pair : coverage.missing)
    std::printf("missing pair: %s\n", pair.c_str());
  std::printf("%zu cases (seed %llu) cover %zu of %zu feasible pairs of values "
              "of %d factors; %zu pairs are infeasible\n",
              cases.size(), (unsigned long long)optSeed,
              coverage.feasible - coverage.missing.size(), coverage.feasible,
              int(NumFactors), coverage.infeasible);
  return coverage.missing.empty();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "the numeric suite of nm\n");
  std::vector<Values> cases = chooseCases(optCount, optSeed);
  bool covered = reportCoverage(cases);
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  unsigned passed = 0, failed = 0;
  double compileTotal = 0;
  auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < cases.size(); ++i) {
    if (optOnly >= 0 ? i != size_t(optOnly) : i % optShards != optShard)
      continue;
    KernelCase c = makeCase(cases[i], i, optSeed + i);
    if (optList) {
      std::printf("case %zu %s\n", i, c.describe().c_str());
      continue;
    }
    if (!optExport.empty()) {
      if (!exportCase(c))
        return 1;
      continue;
    }
    double compileSeconds = 0;
    CaseResult result = runCase(*context, c, compileSeconds);
    compileTotal += compileSeconds;
    ++(result.passed() ? passed : failed);
    std::printf("case %zu %s error=%.2e compile=%.2fs %s\n", i,
                result.passed() ? "passed"
                                : ("FAILED " + result.failedCheck).c_str(),
                result.error, compileSeconds, c.describe().c_str());
    if (!result.passed())
      std::printf("  %s\n", result.message.c_str());
    std::fflush(stdout);
    if (!optUntil.empty() && result.failedCheck == optUntil)
      break;
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  std::printf("%u passed, %u failed, %.1f s, of them %.1f s compiling\n",
              passed, failed, seconds, compileTotal);
  return covered && failed == 0 ? 0 : 1;
}

//===- Benchmark.cpp - Speed of the emulator ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the FFMA/LDS loop of Inputs/sgemm.cu on one core and prints lane
// instructions a second without checks, with the counters of accesses, and with
// all checks. With --require it fails below the speeds that the project
// promises (200 and 50 million); CI does not use it, as its machines are
// shared.
//
//===----------------------------------------------------------------------===//

#include "nm/Emulator/Emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>

using namespace nm::emulator;

namespace {

struct Case {
  const char *name;
  uint32_t checks;
  bool count;
  double required; ///< Million lane instructions a second.
};

/// Million lane instructions a second of the best of three launches; negative
/// after a fault.
double measure(const Module &module, const Case &test) {
  const int size = 256;
  Memory memory;
  uint64_t a = memory.allocate(size * size * 4);
  uint64_t b = memory.allocate(size * size * 4);
  uint64_t c = memory.allocate(size * size * 4);
  int m = size, n = size, k = size;
  const void *parameters[] = {&a, &b, &c, &m, &n, &k};
  LaunchConfig config;
  config.grid[0] = config.grid[1] = size / 64;
  config.block[0] = 64;
  Options options;
  options.checks = test.checks;
  const Kernel *kernel = module.findKernel("sgemm");
  Counters counters;
  std::string error;
  if (!launch(module, *kernel, memory, config, parameters, 6, options,
              &counters, error)) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return -1;
  }
  double lanes = static_cast<double>(counters.total.lanes), best = 0;
  for (int run = 0; run < 3; ++run) {
    // Time of this process: other work on the machine does not count.
    std::clock_t start = std::clock();
    launch(module, *kernel, memory, config, parameters, 6, options,
           test.count ? &counters : nullptr, error);
    double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::max(best, lanes / seconds / 1e6);
  }
  return best;
}

} // namespace

int main(int argc, char **argv) {
  bool require = argc > 1 && !std::strcmp(argv[1], "--require");
  std::ifstream file(NM_EMULATOR_INPUTS "/sgemm.ptx");
  std::stringstream text;
  text << file.rdbuf();
  std::string error;
  std::unique_ptr<Module> module = Module::parse(text.str(), error);
  if (!module) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 1;
  }
  const Case cases[] = {{"no checks", 0, false, 200},
                        {"no checks, accesses counted", 0, true, 0},
                        {"bounds and alignment",
                         CheckBounds | CheckAlignment | CheckBarriers, false,
                         0},
                        {"all checks", CheckAll, false, 50},
                        {"all checks, accesses counted", CheckAll, true, 50}};
  bool isFast = true;
  for (const Case &test : cases) {
    double speed = measure(*module, test);
    std::printf("%-30s %8.0f million lane instructions/s", test.name, speed);
    if (test.required > 0)
      std::printf(" (at least %.0f expected)", test.required);
    std::printf("\n");
    isFast = isFast && speed >= test.required;
  }
  return require && !isFast;
}

//===- call-library.cpp - A C++ program with a model inside ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: call-library X.bin Y.bin
//
// Calls `main` of a library that nm-compile made of an MLP (f32, 16 x 64 in and
// out) on a GPU, or in the emulator where there is none, and compares with what
// PyTorch computed.
//
//===----------------------------------------------------------------------===//

#include "mlp.h"

#include "nm-c/Program.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>

static std::vector<float> readFloats(const char *file, size_t count) {
  std::vector<float> values(count);
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char *>(values.data()), 4 * count);
  if (!stream)
    std::fprintf(stderr, "cannot read %s\n", file);
  return values;
}

static nmrt::Context openDevice() {
  try {
    return nmrt::Context(NMRT_DEVICE_CUDA);
  } catch (const nmrt::Error &) {
    return nmrt::Context(NMRT_DEVICE_EMULATOR);
  }
}

/// y = main(x), both on the host.
static std::vector<float> callModel(const std::vector<float> &x) {
  nmrt::Context context = openDevice();
  std::printf("device: %s\n", nmrtDeviceName(context.get()));
  nmrt::Program program(mlp_load);
  nmrt::Prepared prepared(program, context);
  nmrt::Memory memory(context, 4 * x.size());
  memory.upload(x.data());
  nmrt::Call call(prepared, {{nmrt::kFloat32, {16, 64}, memory}});
  call.run();
  std::vector<float> y(call.getResult(0).bytes() / 4);
  call.getResult(0).download(y.data());
  return y;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  std::vector<float> x = readFloats(argv[1], 16 * 64),
                     expected = readFloats(argv[2], 16 * 64), y;
  try {
    y = callModel(x);
  } catch (const nmrt::Error &error) {
    std::fprintf(stderr, "status %d: %s\n", error.status, error.what());
    return 1;
  }
  double difference = 0, norm = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(double(y[i]) - expected[i], 2);
    norm += std::pow(double(expected[i]), 2);
  }
  double error = std::sqrt(difference / norm);
  std::printf("relative error: %.3g\n", error);
  return error < 1e-5 ? 0 : 1;
}

//===- call-library.cpp - A C++ program on a compiled model ---------------===//
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

#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>

static std::vector<float> readFloats(const char *file, size_t count) {
  std::vector<float> values(count);
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char *>(values.data()), 4 * count);
  if (!stream)
    std::fprintf(stderr, "cannot read %s\n", file);
  return values;
}

static nmrtContext *openDevice() {
  nmrtContextOptions options = {};
  options.apiVersion = NMRT_API_VERSION;
  options.emulatorChecks = NMRT_CHECK_ALL;
  nmrtContext *context = nullptr;
  char error[1024];
  for (nmrtDeviceKind kind : {NMRT_DEVICE_CUDA, NMRT_DEVICE_EMULATOR}) {
    options.device = kind;
    if (nmrtContextCreate(&options, &context, error, sizeof(error)) == NMRT_OK)
      break;
  }
  return context;
}

/// Prints what the last call left as an error.
static int fail(const char *what) {
  std::fprintf(stderr, "%s: %s\n", what, nmrtLastError());
  return 1;
}

/// y = main(x), both on the host.
static int callModel(nmrtContext *context, const std::vector<float> &x,
                     std::vector<float> &y) {
  void *memory = nullptr;
  if (nmrtAlloc(context, 4 * x.size(), &memory) != NMRT_OK ||
      nmrtUpload(context, memory, x.data(), 4 * x.size()) != NMRT_OK)
    return fail("upload");
  const int64_t extents[2] = {16, 64};
  nmrtArray2 input = nmrtArray2Of(memory, extents), output;
  if (mlp_main(context, &input, &output) != NMRT_OK)
    return fail("main");
  y.resize(output.extents[0] * output.extents[1]);
  if (nmrtDownload(context, y.data(), output.data, 4 * y.size()) != NMRT_OK)
    return fail("download");
  nmrtFree(context, output.allocated);

  // What does not fit is refused, in words, and launches nothing.
  const int64_t wrong[2] = {64, 16};
  nmrtArray2 transposed = nmrtArray2Of(memory, wrong);
  if (mlp_main(context, &transposed, &output) != NMRT_OK)
    std::printf("refused: %s\n", nmrtLastError());
  nmrtFree(context, memory);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  nmrtContext *context = openDevice();
  if (!context)
    return 1;
  std::printf("device: %s\n", nmrtDeviceName(context));
  std::vector<float> x = readFloats(argv[1], 16 * 64),
                     expected = readFloats(argv[2], 16 * 64), y;
  int status = callModel(context, x, y);
  nmrtContextDestroy(context);
  if (status != 0)
    return status;
  double difference = 0, norm = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    difference += std::pow(double(y[i]) - expected[i], 2);
    norm += std::pow(double(expected[i]), 2);
  }
  double error = std::sqrt(difference / norm);
  std::printf("relative error: %.3g\n", error);
  return error < 1e-5 ? 0 : 1;
}

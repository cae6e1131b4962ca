//===- failing-calls.cpp - Calls of a library that fail -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls `f` of a library with what it does not take, in the emulator, and prints
// the status and the text of each call.
//
//===----------------------------------------------------------------------===//

#include "divide.h"

#include <cstdio>
#include <vector>

static nmrtContext *openEmulator() {
  nmrtContextOptions options = {};
  options.apiVersion = NMRT_API_VERSION;
  options.device = NMRT_DEVICE_EMULATOR;
  options.emulatorChecks = NMRT_CHECK_ALL;
  nmrtContext *context = nullptr;
  if (nmrtContextCreate(&options, &context, nullptr, 0) != NMRT_OK)
    std::puts("no emulator");
  return context;
}

static void print(const char *what, nmrtStatus status) {
  std::printf("%s: %d, %s\n", what, status, nmrtLastError());
}

/// Calls `f` with `rows` rows at `memory`.
static nmrtStatus call(nmrtContext *context, void *memory, int64_t rows,
                       nmrtArray2 &result) {
  const int64_t extents[2] = {rows, 4};
  nmrtArray2 argument = nmrtArray2Of(memory, extents);
  return divide_f(context, &argument, &result);
}

static void callWell(nmrtContext *context, void *memory) {
  nmrtArray2 result;
  nmrtStatus status = call(context, memory, 2, result);
  if (status != NMRT_OK)
    return print("2 rows", status);
  std::vector<float> numbers(result.extents[0] * result.extents[1]);
  status = nmrtDownload(context, numbers.data(), result.data,
                        sizeof(float) * numbers.size());
  std::printf("2 rows: %d, %d rows of %g\n", status,
              static_cast<int>(result.extents[0]), numbers.back());
  nmrtFree(context, result.allocated);
}

int main() {
  nmrtContext *context = openEmulator(), *other = openEmulator();
  void *memory = nullptr, *foreign = nullptr;
  if (!context || !other || nmrtAlloc(context, 64, &memory) != NMRT_OK ||
      nmrtAlloc(other, 64, &foreign) != NMRT_OK)
    return 1;
  const int64_t extents[2] = {2, 4};
  nmrtArray2 argument = nmrtArray2Of(memory, extents), result;
  print("no argument", divide_f(context, nullptr, &result));
  print("no result", divide_f(context, &argument, nullptr));
  print("no context", divide_f(nullptr, &argument, &result));
  print("-1 rows", call(context, memory, -1, result));
  print("memory of another context", call(context, foreign, 2, result));
  print("freed by another context", nmrtFree(context, foreign));
  print("0 rows", call(context, memory, 0, result));
  callWell(context, memory);
  nmrtContextDestroy(context);
  nmrtContextDestroy(other);
  return 0;
}

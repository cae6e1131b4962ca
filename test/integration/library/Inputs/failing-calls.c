/*===- failing-calls.c - Calls of a library that fail -------------*- C -*-===*\
|*
|* Part of nm, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * Calls the functions of a library with what they do not take, in the emulator,
 * and prints the status and the text of each call.
 */

#include "failing.h"

#include <stdio.h>

static nmProgram *program;
static nmPrepared *prepared;

static nmrtContext *openEmulator(void) {
  nmrtContextOptions options = {0};
  options.apiVersion = NMRT_API_VERSION;
  options.device = NMRT_DEVICE_EMULATOR;
  options.emulatorChecks = NMRT_CHECK_ALL;
  nmrtContext *context = NULL;
  if (nmrtContextCreate(&options, &context, NULL, 0) != NMRT_OK)
    puts("no emulator");
  return context;
}

static void print(const char *what, nmrtStatus status) {
  printf("%s: %d, %s\n", what, (int)status, nmrtLastError());
}

/* Calls `function` with `x`; `y` has memory, and gets its extents. */
static nmrtStatus call(uint32_t function, nmArray x, nmArray *y) {
  static char workspace[1];
  uint64_t bytes = 0;
  nmrtStatus status = nmProgramPlan(program, function, &x, y, &bytes);
  if (status != NMRT_OK)
    return status;
  nmCall call = {function, NULL, &x, y, workspace, bytes};
  return nmPreparedRun(prepared, &call);
}

static nmrtStatus divide(void *memory, int64_t rows, nmArray *y) {
  int64_t extents[2] = {0};
  nmArray x = {memory, {2, 32, 1}, 2, extents, NULL};
  extents[0] = rows;
  extents[1] = 4;
  return call(FAILING_DIVIDE, x, y);
}

/* Row `row` of a table with four, which a kernel looks at. */
static nmrtStatus pick(nmrtContext *context, void *memory, int64_t row,
                       void *result) {
  int64_t extents[1] = {1}, resultExtents[1] = {0};
  nmArray x = {memory, {0, 64, 1}, 1, extents, NULL};
  nmArray y = {result, {2, 32, 1}, 1, resultExtents, NULL};
  nmrtStatus status = nmrtUpload(context, memory, &row, sizeof(row));
  if (status == NMRT_OK)
    status = call(FAILING_PICK, x, &y);
  return status == NMRT_OK ? nmrtSynchronize(context) : status;
}

/* Two arrays of ones, of `first` and `second` elements, which are allocated in the
 * call; a call that fails keeps none of them. */
static void allocateInCall(nmrtContext *context, void *memory, int64_t first,
                           int64_t second) {
  int64_t sizes[2], extents[3] = {2, 0, 0};
  sizes[0] = first;
  sizes[1] = second;
  nmArray x = {memory, {0, 64, 1}, 1, &extents[0], NULL};
  nmArray y[2] = {{NULL, {2, 32, 1}, 1, &extents[1], NULL},
                  {NULL, {2, 32, 1}, 1, &extents[2], NULL}};
  uint64_t before = 0, after = 0, peak = 0;
  nmrtStatus status = nmrtUpload(context, memory, sizes, sizeof(sizes));
  (void)nmrtMemoryUsage(context, &before, &peak);
  if (status == NMRT_OK)
    status = call(FAILING_ONES, x, y);
  (void)nmrtMemoryUsage(context, &after, &peak);
  printf("%d and %d ones: %d, %d more bytes\n", (int)first, (int)second,
         (int)status, (int)(after - before));
  if (status != NMRT_OK) {
    print("as", status);
    return;
  }
  printf("extents: %d, %d\n", (int)y[0].extents[0], (int)y[1].extents[0]);
  if (nmrtFree(context, y[0].data) != NMRT_OK ||
      nmrtFree(context, y[1].data) != NMRT_OK)
    print("free", status);
}

static void divideWell(nmrtContext *context, void *memory, nmArray *y) {
  nmrtStatus status = divide(memory, 2, y);
  if (status != NMRT_OK) {
    print("2 rows", status);
    return;
  }
  float numbers[16];
  status = nmrtDownload(context, numbers, y->data, sizeof(numbers));
  printf("2 rows: %d, %d rows of %g\n", (int)status, (int)y->extents[0],
         numbers[15]);
}

int main(void) {
  nmrtContext *context = openEmulator(), *other = openEmulator();
  void *memory = NULL, *foreign = NULL, *result = NULL;
  if (!context || !other || nmrtAlloc(context, 64, &memory) != NMRT_OK ||
      nmrtAlloc(context, 64, &result) != NMRT_OK ||
      nmrtAlloc(other, 64, &foreign) != NMRT_OK)
    return 1;
  float zeros[16] = {0};
  if (nmrtUpload(context, memory, zeros, sizeof(zeros)) != NMRT_OK)
    return 1;
  print("no place", failing_load(NULL));
  if (failing_load(&program) != NMRT_OK)
    return 1;
  print("no context", nmProgramPrepare(program, NULL, &prepared));
  if (nmProgramPrepare(program, context, &prepared) != NMRT_OK)
    return 1;

  uint64_t bytes = 0;
  int64_t extents[2] = {0};
  nmArray y = {result, {2, 32, 1}, 2, extents, NULL};
  print("no argument",
        nmProgramPlan(program, FAILING_DIVIDE, NULL, &y, &bytes));
  print("no function", call(3, y, &y));
  print("-1 rows", divide(memory, -1, &y));
  print("no memory", divide(NULL, 2, &y));
  print("memory of another context", divide(foreign, 2, &y));
  y.data = foreign;
  print("result of another context", divide(memory, 2, &y));
  y.data = memory;
  print("argument as result", divide(memory, 2, &y));
  y.data = result;
  print("freed by another context", nmrtFree(context, foreign));
  print("0 rows", divide(memory, 0, &y));
  print("row 4", pick(context, memory, 4, result));
  printf("row 3: %d\n", (int)pick(context, memory, 3, result));
  allocateInCall(context, memory, 4, -1);
  allocateInCall(context, memory, 4, 2);
  divideWell(context, memory, &y);

  nmPreparedRelease(prepared);
  nmProgramRelease(program);
  nmrtContextDestroy(context);
  nmrtContextDestroy(other);
  return 0;
}

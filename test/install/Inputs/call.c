/*===- call.c - Calls a program with an installed nm --------------*- C -*-===*\
|*
|* Part of nm, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * Usage: call PROGRAM, whose function takes and gives three numbers of f32. Calls it
 * in the emulator, and prints its name and the result.
 */

#include <nm-c/Program.h>

#include <stdio.h>

enum { kCount = 3 };

static int fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, nmrtLastError());
  return 1;
}

static nmrtContext *openEmulator(void) {
  nmrtContextOptions options = {0};
  options.apiVersion = NMRT_API_VERSION;
  options.device = NMRT_DEVICE_EMULATOR;
  nmrtContext *context = NULL;
  return nmrtContextCreate(&options, &context, NULL, 0) == NMRT_OK ? context
                                                                  : NULL;
}

/* Calls the first function of `program` with `values`, which get its result. */
static nmrtStatus call(nmProgram *program, nmrtContext *context,
                       float values[kCount]) {
  int64_t extents[1] = {kCount}, resultExtents[1] = {0};
  nmArray x = {NULL, {2, 32, 1}, 1, extents, NULL};
  nmArray y = {NULL, {2, 32, 1}, 1, resultExtents, NULL};
  const size_t size = kCount * sizeof(float);
  void *workspace = NULL;
  uint64_t bytes = 0;
  nmPrepared *prepared = NULL;
  nmrtStatus status = nmProgramPrepare(program, context, &prepared);
  if (status == NMRT_OK)
    status = nmProgramPlan(program, 0, &x, &y, &bytes);
  if (status == NMRT_OK)
    status = nmrtAlloc(context, size, &x.data);
  if (status == NMRT_OK)
    status = nmrtAlloc(context, size, &y.data);
  if (status == NMRT_OK)
    status = nmrtAlloc(context, bytes, &workspace);
  if (status == NMRT_OK)
    status = nmrtUpload(context, x.data, values, size);
  nmCall it = {0, NULL, &x, &y, workspace, bytes};
  if (status == NMRT_OK)
    status = nmPreparedRun(prepared, &it);
  if (status == NMRT_OK)
    status = nmrtDownload(context, values, y.data, size);
  /* What is still allocated ends with the context. */
  nmPreparedRelease(prepared);
  return status;
}

int main(int argc, char **argv) {
  nmrtContext *context = openEmulator();
  nmProgram *program = NULL;
  float values[kCount] = {1, 2, 3};
  if (argc != 2 || !context)
    return fail("expected a program and an emulator");
  if (nmProgramLoad(argv[1], &program) != NMRT_OK)
    return fail("load");
  nmFunctionInfo info;
  if (nmProgramGetFunction(program, 0, &info) != NMRT_OK)
    return fail("function");
  if (call(program, context, values) != NMRT_OK)
    return fail("call");
  printf("%s: %g %g %g\n", info.name, values[0], values[1], values[2]);
  nmProgramRelease(program);
  nmrtContextDestroy(context);
  return 0;
}

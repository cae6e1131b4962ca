/*===- nm-c/Program.h - Programs in files -------------------------*- C -*-===*\
|*
|* Part of nm, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * Loads what `nm-compile --emit=program` or `--emit=lib` made, and calls its
 * functions; needs neither a compiler nor CUDA to build or link.
 *
 *     nmProgram *program;
 *     nmPrepared *prepared;
 *     nmProgramLoad("model.nm", &program);
 *     nmProgramPrepare(program, context, &prepared);   // loads and uploads
 *     nmProgramPlan(program, 0, arguments, results, &bytes);
 *     ...                      // memory for the results and the workspace
 *     nmPreparedRun(prepared, &call);                  // enqueues
 *
 * Every function that can fail returns a status; nmrtLastError says why. All of
 * them may be called from several threads at once, on several streams; only
 * releasing something is not to overlap with its use. A call of a prepared
 * program allocates nothing, waits for nothing, loads and copies nothing, and
 * can be captured into a CUDA graph, unless the function says otherwise
 * (nmFunctionInfo).
 */

#ifndef NM_C_PROGRAM_H
#define NM_C_PROGRAM_H

#include "nm-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nmProgram nmProgram;
typedef struct nmPrepared nmPrepared;

/* DLPack's DLDataType: code 0 signed, 1 unsigned, 2 float, 4 bfloat, 5 complex,
 * 6 bool; bits of an element; lanes are 1. */
typedef struct nmElementType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} nmElementType;

/* An argument or a result of a call. An array is row-major, in memory of the
 * device, aligned to NM_ARRAY_ALIGNMENT bytes; a number lies in host memory. */
typedef struct nmArray {
  void *data;
  nmElementType element;
  int32_t rank;
  int64_t *extents;       /* [rank] */
  const int64_t *strides; /* [rank], in elements; null: row-major */
} nmArray;
enum { NM_ARRAY_ALIGNMENT = 16 };

/* Maps the file at `path`, checks it, and reads all but the constants' data. */
nmrtStatus nmProgramLoad(const char *path, nmProgram **program);
/* Reads a file's bytes, which outlive the program and what is prepared of it.
 */
nmrtStatus nmProgramLoadBytes(const void *bytes, uint64_t size,
                              nmProgram **program);
/* Reads the data of all constants, and fails where one is damaged; otherwise
 * that is seen when the program is prepared. */
nmrtStatus nmProgramVerify(const nmProgram *program);
/* What is prepared stays so. */
void nmProgramRelease(nmProgram *program);

/* Texts live as long as the program. */
typedef struct nmProgramInfo {
  const char *version;     /* of nm, that made it */
  const char *llvmVersion; /* that it was made with */
  const char *source;      /* the file that it was made from */
  const char *chip;        /* for which its kernels were chosen */
  const char *report;      /* JSON, docs/Report.md */
  uint32_t functions;
  uint32_t kernels;
  uint32_t constants;
  uint64_t constantBytes;
} nmProgramInfo;
nmrtStatus nmProgramGetInfo(const nmProgram *program, nmProgramInfo *info);

typedef struct nmFunctionInfo {
  const char *name;
  uint32_t arguments;
  uint32_t results;
  /* As many leading arguments and results are state that the caller keeps. */
  uint32_t state;
  /* Whether a call may wait for the device to read a number, or allocate. */
  bool waits;
  bool allocates;
  /* Weights whose arrays are among the arguments. */
  uint32_t weights;
} nmFunctionInfo;
nmrtStatus nmProgramGetFunction(const nmProgram *program, uint32_t function,
                                nmFunctionInfo *info);
/* The function of this name; of null, the only one. */
nmrtStatus nmProgramFindFunction(const nmProgram *program, const char *name,
                                 uint32_t *function);

typedef struct nmValueInfo {
  const char *name;    /* "" if it has none */
  const char *element; /* "f32" */
  nmElementType type;
  bool isNumber;
  /* Whether the call allocates the result, as its extents depend on data. */
  bool isAllocated;
  int32_t rank;
  const int64_t *extents; /* [rank], -1 for a dynamic one */
} nmValueInfo;
nmrtStatus nmProgramGetArgument(const nmProgram *program, uint32_t function,
                                uint32_t argument, nmValueInfo *info);
nmrtStatus nmProgramGetResult(const nmProgram *program, uint32_t function,
                              uint32_t result, nmValueInfo *info);

/* What argument `argument`, which is state, begins with: `bytes` bytes of the
 * argument's type, row-major, of the program, in host memory. */
nmrtStatus nmProgramGetInitialState(const nmProgram *program, uint32_t function,
                                    uint32_t argument, const void **data,
                                    uint64_t *bytes);

/* A weight [k, n] of the caller's. Its condensed form (docs/Spec.md, 2) has the
 * values [w, n], and the positions [w / unitK, ceil(n / unitN)], unsigned, of 1
 * byte in windows of at most 256 units, of 2 in those of at most 65536, else of
 * 4. Each layout is made of these; calls take the arrays of all. */
typedef struct nmWeightInfo {
  const char *element; /* "f32" */
  nmElementType type;
  int64_t k, n;
  int64_t keep;
  int64_t window; /* units; 0: all of k */
  int64_t unitK, unitN;
  uint32_t layouts;
} nmWeightInfo;
nmrtStatus nmProgramGetWeight(const nmProgram *program, uint32_t function,
                              uint32_t weight, nmWeightInfo *info);

/* Which arguments are the arrays of a layout. Arrays of one weight that have
 * the same key are equal, whichever functions, layouts and programs they are
 * of; a key names nm's version of the layout. Texts live as long as the
 * program. */
typedef struct nmWeightLayout {
  uint32_t values, indices;
  const char *valuesKey, *indicesKey;
  /* How values lie: `rows` x `columns`, filled up with zeros, in panels of
   * `panelColumns` columns, of a column of which `laneRows` rows follow each
   * other; where `isFragments`, 16 rows and columns are a fragment (Spec.md,
   * 2). Of the condensed form, one panel. */
  int64_t rows, columns;
  int64_t panelColumns, laneRows;
  bool isFragments;
  /* Whether rows stand in another order than that of k: nmProgramOrderWeight,
   * in which `orderColumns` columns beside each other have one order. */
  bool isOrdered;
  int64_t orderColumns;
} nmWeightLayout;
nmrtStatus nmProgramGetWeightLayout(const nmProgram *program, uint32_t function,
                                    uint32_t weight, uint32_t layout,
                                    nmWeightLayout *info);

/* Makes the arrays of a layout, in host memory, of the condensed form; what is
 * null is not made. Fails where positions are not ascending in their window. On
 * several threads. */
nmrtStatus nmProgramPackWeight(const nmProgram *program, uint32_t function,
                               uint32_t weight, uint32_t layout,
                               const void *values, const void *positions,
                               void *packedValues, void *packedIndices);

/* Writes which unit row of the condensed form, or of the padding behind it,
 * lies in each place: order[rows / unitK, columns / orderColumns], in host
 * memory. Fails as nmProgramPackWeight. */
nmrtStatus nmProgramOrderWeight(const nmProgram *program, uint32_t function,
                                uint32_t weight, uint32_t layout,
                                const void *positions, int32_t *order);

/* What a call with `arguments` needs: writes the extents of the results that
 * the caller provides to `results`, whose ranks are those of the function, and
 * the bytes of the workspace. Reads extents and numbers, and no memory of a
 * device. Fails as the call would for what is wrong with these. */
nmrtStatus nmProgramPlan(const nmProgram *program, uint32_t function,
                         const nmArray *arguments, nmArray *results,
                         uint64_t *workspaceBytes);

/* Loads the kernels and uploads the constants, which prepared programs of one
 * context share where they are equal. The context outlives what is prepared. */
nmrtStatus nmProgramPrepare(nmProgram *program, nmrtContext *context,
                            nmPrepared **prepared);
/* Unloads its kernels: no call of it may run any more, nor a graph that
 * captured one. */
void nmPreparedRelease(nmPrepared *prepared);

typedef struct nmCall {
  uint32_t function;
  /* A CUstream; null is the context's own. */
  void *stream;
  const nmArray *arguments;
  /* Arrays do not overlap with arguments or each other. A result that is
   * allocated in the call receives its memory, which nmrtFree frees, and its
   * extents. */
  nmArray *results;
  /* As nmProgramPlan says, aligned as arrays are; used by one call at a time.
   */
  void *workspace;
  uint64_t workspaceBytes;
} nmCall;
/* Checks all arrays, then enqueues the call. An assertion of a kernel is
 * reported when it has failed: by nmrtSynchronize, nmrtDownload, or the next
 * call of any program on this context. */
nmrtStatus nmPreparedRun(nmPrepared *prepared, const nmCall *call);

#ifdef __cplusplus
}
#endif

#endif /* NM_C_PROGRAM_H */

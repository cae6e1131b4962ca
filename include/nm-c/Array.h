/*===- nm-c/Array.h - Arrays as compiled functions take them ------*- C -*-===*\
|*
|* Part of nm, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * The arguments and results of the functions that `nm-compile --emit=lib`
 * makes. An nmrtArrayR is an array of rank R in device memory; it owns nothing.
 * The layout is that of MLIR's memref descriptor.
 *
 *     int64_t extents[2] = {16, 64};
 *     nmrtArray2 x = nmrtArray2Of(memory, extents);    // row-major
 */

#ifndef NM_C_ARRAY_H
#define NM_C_ARRAY_H

#include "nm-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `allocated` is what nmrtFree takes, when the array is a result. The first
 * element is `offset` elements behind `data`. */
typedef struct nmrtArray0 {
  void *allocated;
  void *data;
  int64_t offset;
} nmrtArray0;

static inline nmrtArray0 nmrtArray0Of(void *data) {
  nmrtArray0 array;
  array.allocated = data;
  array.data = data;
  array.offset = 0;
  return array;
}

#define NMRT_DEFINE_ARRAY(rank)                                                \
  typedef struct nmrtArray##rank {                                             \
    void *allocated;                                                           \
    void *data;                                                                \
    int64_t offset;                                                            \
    int64_t extents[rank];                                                     \
    int64_t strides[rank]; /* in elements */                                   \
  } nmrtArray##rank;                                                           \
                                                                               \
  static inline nmrtArray##rank nmrtArray##rank##Of(void *data,                \
                                                    const int64_t *extents) {  \
    nmrtArray##rank array;                                                     \
    int64_t stride = 1;                                                        \
    int axis;                                                                  \
    array.allocated = data;                                                    \
    array.data = data;                                                         \
    array.offset = 0;                                                          \
    for (axis = rank - 1; axis >= 0; --axis) {                                 \
      array.extents[axis] = extents[axis];                                     \
      array.strides[axis] = stride;                                            \
      stride *= extents[axis];                                                 \
    }                                                                          \
    return array;                                                              \
  }

NMRT_DEFINE_ARRAY(1)
NMRT_DEFINE_ARRAY(2)
NMRT_DEFINE_ARRAY(3)
NMRT_DEFINE_ARRAY(4)
NMRT_DEFINE_ARRAY(5)
NMRT_DEFINE_ARRAY(6)
NMRT_DEFINE_ARRAY(7)
NMRT_DEFINE_ARRAY(8)
#undef NMRT_DEFINE_ARRAY

/* Checks that an argument is row-major, begins at its memory, which in the
 * emulator is of this context, and has the extents `expected`, of which -1 is
 * any. On failure nmrtLastError names `what`, such as "argument #0 of main",
 * and both shapes. */
nmrtStatus nmrtCheckArray(nmrtContext *context, const char *what, int32_t rank,
                          const void *data, int64_t offset,
                          const int64_t *extents, const int64_t *strides,
                          const int64_t *expected);

/* Checks that there is a context, and that `pointer`, to `what`, is not null.
 * nmrtLastError says which of them is. */
nmrtStatus nmrtCheckPointer(nmrtContext *context, const char *what,
                            const void *pointer);

#ifdef __cplusplus
}
#endif

#endif /* NM_C_ARRAY_H */

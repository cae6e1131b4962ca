/*===- nm-c/Pattern.h - Patterns of dense weights ----------------*- C -*-===*\
|*                                                                            *|
|* Part of nm, under the Apache License v2.0 with LLVM Exceptions.            *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * Which N:M pattern a dense weight has, and what its condensed form keeps
 * (docs/Spec.md, 1 and 2). A weight [k, n] is told by which of its elements are
 * not zero: for each of the n columns ceil(k / 64) words of 64 bits, the lowest
 * bit of the first word for row 0; bits beyond k are 0. -0.0 is zero.
 *
 * All functions may be called from several threads at once.
 */

#ifndef NM_C_PATTERN_H
#define NM_C_PATTERN_H

#include "nm-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nmPattern {
  int64_t keep;
  int64_t window; /* units; 0: all of k */
  int64_t unitK, unitN;
} nmPattern;

/* The tightest pattern of which at most `maxRatio` is kept, or `maxRatioWide`
 * where units have at least 8 columns; `found` says whether there is one. As
 * nm-import-linalg searches. */
nmrtStatus nmPatternFind(const uint64_t *nonZero, int64_t k, int64_t n,
                         double maxRatio, double maxRatioWide,
                         nmPattern *pattern, bool *found);

/* Writes the positions of the kept units, [windows * keep, ceil(n / unitN)], of
 * 1 byte in windows of at most 256 units, of 2 in those of at most 65536, else
 * of 4. Fails where a window keeps more than the pattern says, and names it. */
nmrtStatus nmPatternSelect(const uint64_t *nonZero, int64_t k, int64_t n,
                           const nmPattern *pattern, void *positions);

#ifdef __cplusplus
}
#endif

#endif /* NM_C_PATTERN_H */

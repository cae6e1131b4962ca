//===- CheckArray.h - Whether an array is what a function takes -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_CHECKARRAY_H
#define NM_LIB_RUNTIME_CHECKARRAY_H

#include "nm/Runtime/Device.h"

namespace nm {
namespace runtime {

/// What nmrtCheckArray does; none of the pointers but `data` is null.
Status checkArray(const Device &device, const char *what, int32_t rank,
                  const void *data, int64_t offset, const int64_t *extents,
                  const int64_t *strides, const int64_t *expected);

} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_CHECKARRAY_H

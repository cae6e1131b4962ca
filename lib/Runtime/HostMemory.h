//===- HostMemory.h - Memory for code that runs on the host -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_HOSTMEMORY_H
#define NM_LIB_RUNTIME_HOSTMEMORY_H

#include "nm/Runtime/Status.h"

namespace nm {
namespace runtime {

/// What nmrtHostAlloc does.
Status allocateHost(uint64_t bytes, const char *what, void **pointer);

} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_HOSTMEMORY_H

//===- CheckCall.h - Whether arrays fit a function --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is checked before the first launch, and texts are made of what is
// wrong only.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_VM_CHECKCALL_H
#define NM_LIB_VM_CHECKCALL_H

#include "nm-c/Program.h"
#include "nm/Program/Program.h"
#include "nm/Runtime/Device.h"

namespace nm {
namespace vm {

/// Types, extents and strides of arguments; their memory too, where there is a
/// device.
runtime::Status checkArguments(const program::Entry &entry,
                               const nmArray *arguments,
                               const runtime::Device *device);

/// Bytes of an array that has been checked; 0 for a number.
uint64_t countBytes(const ValueType &type, const nmArray &array);

/// Whether result `index` has room for as many extents as the function says.
runtime::Status checkRank(const program::Entry &entry, size_t index,
                          const nmArray &result);

/// Results that the caller provides: `planned` are their dynamic extents. They
/// overlap with no argument and not with each other.
runtime::Status checkResults(const program::Entry &entry, const nmCall &call,
                             const int64_t *planned,
                             const runtime::Device &device);

runtime::Status checkWorkspace(const program::Entry &entry, const nmCall &call,
                               uint64_t bytes, const runtime::Device &device);

} // namespace vm
} // namespace nm

#endif // NM_LIB_VM_CHECKCALL_H

//===- Handles.h - The C ABI's handles and errors ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the files that implement a C ABI on the runtime's classes. A handle is
// the address of its object.
//
//===----------------------------------------------------------------------===//

#ifndef NM_RUNTIME_HANDLES_H
#define NM_RUNTIME_HANDLES_H

#include "nm/Runtime/Status.h"

#include <exception>
#include <new>

namespace nm {
namespace runtime {

class Context;
class Kernel;
class Module;

#define NM_DEFINE_HANDLE(Class, Handle)                                        \
  inline Class *unwrap(Handle *handle) {                                       \
    return reinterpret_cast<Class *>(handle);                                  \
  }                                                                            \
  inline const Class *unwrap(const Handle *handle) {                           \
    return reinterpret_cast<const Class *>(handle);                            \
  }                                                                            \
  inline Handle *wrap(Class *object) {                                         \
    return reinterpret_cast<Handle *>(object);                                 \
  }
NM_DEFINE_HANDLE(Context, nmrtContext)
NM_DEFINE_HANDLE(Module, nmrtModule)
NM_DEFINE_HANDLE(Kernel, nmrtKernel)
#undef NM_DEFINE_HANDLE

/// Keeps the text of a failure where nmrtLastError finds it in this thread, and
/// returns the code.
nmrtStatus keepError(Status status);

/// Runs `body`, which returns a Status, and keeps its error. No exception (out
/// of memory, in practice) gets out.
template <typename Body> nmrtStatus guarded(Body body) {
  try {
    return keepError(body());
  } catch (const std::bad_alloc &) {
    return keepError(Status(NMRT_OUT_OF_MEMORY, "out of host memory"));
  } catch (const std::exception &exception) {
    return keepError(Status(NMRT_DRIVER_ERROR, exception.what()));
  }
}

/// Runs `body` with the context, which may not be null.
template <typename Body> nmrtStatus guarded(nmrtContext *context, Body body) {
  return guarded([&] {
    return context
               ? body(*unwrap(context))
               : Status(NMRT_INVALID_ARGUMENT, "expected a context, got null");
  });
}

} // namespace runtime
} // namespace nm

#endif // NM_RUNTIME_HANDLES_H

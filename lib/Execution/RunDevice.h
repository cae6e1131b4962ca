//===- RunDevice.h - The device that nm-run runs on -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_RUNDEVICE_H
#define NM_LIB_EXECUTION_RUNDEVICE_H

#include "RunOptions.h"
#include "nm-c/Runtime.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace nm {

struct DestroyContext {
  void operator()(nmrtContext *context) const { nmrtContextDestroy(context); }
};
using RuntimeContext = std::unique_ptr<nmrtContext, DestroyContext>;

/// Opens the device that the options ask for and prints which it is. The
/// context is null for the CPU.
llvm::Expected<RuntimeContext> openDevice(const RunOptions &options);

} // namespace nm

#endif // NM_LIB_EXECUTION_RUNDEVICE_H

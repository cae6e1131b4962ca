//===- RunReport.h - What nm-run prints about kernels -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_RUNREPORT_H
#define NM_LIB_EXECUTION_RUNREPORT_H

#include "nm-c/Runtime.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace nm {

/// Prints, for each kernel in the order of first launch: name, launches, total
/// and mean time in ms, share of the total; then the device memory used at
/// most.
llvm::Error printKernelTable(nmrtContext *context, llvm::raw_ostream &os);

/// Writes a JSON array with, for each launch in order, {"kernel", "grid",
/// "block", "sharedBytes", "counters"}.
llvm::Error writeCounters(nmrtContext *context, const std::string &path);

} // namespace nm

#endif // NM_LIB_EXECUTION_RUNREPORT_H

//===- RunReport.h - What nm-run prints about kernels -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_RUNREPORT_H
#define NM_LIB_EXECUTION_RUNREPORT_H

#include "nm-c/Runtime.h"

#include "nm/Report/Report.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace nm {

/// The launches and times of each kernel, in the order of first launch.
llvm::Expected<std::vector<KernelTime>> measureKernels(nmrtContext *context);

/// Prints, for each of `kernels`: name, launches, total
/// and mean time in ms, share of the total; then the device memory used at
/// most, and the live maximum: what no order of allocations can undercut.
llvm::Error printKernelTable(llvm::ArrayRef<KernelTime> kernels,
                             nmrtContext *context, llvm::raw_ostream &os);

/// What nmrtGetMemoryStatistics says, for the report.
llvm::Expected<MeasuredMemory> measureMemory(nmrtContext *context);

/// Writes the report as JSON to the file `path`, or as a table to standard
/// output when it is "-".
llvm::Error writeReport(const Report &report, const std::string &path);

/// Writes a JSON array with, for each launch in order, {"kernel", "grid",
/// "block", "sharedBytes", "counters"}.
llvm::Error writeCounters(nmrtContext *context, const std::string &path);

} // namespace nm

#endif // NM_LIB_EXECUTION_RUNREPORT_H

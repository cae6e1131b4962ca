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

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace nm {

/// What is known of launches before they are.
class LaunchFloors {
public:
  /// Of what `report` says of the module, or of the program file.
  explicit LaunchFloors(const Report &report);

  /// The bytes that the launch called `name` reads and writes, where known.
  std::optional<int64_t> getBytes(llvm::StringRef name) const;
  /// The milliseconds that memory of the chip takes for `bytes` at least.
  std::optional<double> getFloor(std::optional<int64_t> bytes) const;

private:
  llvm::StringMap<int64_t> bytes;
  double bandwidth = 0; // bytes a second; 0 where the chip is not known
};

/// The launches and times of each kernel, in the order of first launch.
llvm::Expected<std::vector<KernelTime>>
measureKernels(nmrtContext *context, const LaunchFloors &floors);

/// Prints, for each of `kernels`: name, launches, total and mean time in ms,
/// share of the total, bytes of a launch, its floor in us, and on a GPU the
/// share of the time that the floor is; then the device memory
/// used at most, and the live maximum: what no order of allocations can
/// undercut.
llvm::Error printKernelTable(llvm::ArrayRef<KernelTime> kernels,
                             nmrtContext *context, llvm::raw_ostream &os);

/// What nmrtGetMemoryStatistics says, for the report.
llvm::Expected<MeasuredMemory> measureMemory(nmrtContext *context);

/// Writes the report as JSON to the file `path`, or as a table to standard
/// output when it is "-".
llvm::Error writeReport(const Report &report, const std::string &path);

/// Writes a JSON array with, for each launch in order, {"kernel", "grid",
/// "block", "sharedBytes", "bytes", "floorMilliseconds", "counters"}.
llvm::Error writeCounters(nmrtContext *context, const LaunchFloors &floors,
                          const std::string &path);

} // namespace nm

#endif // NM_LIB_EXECUTION_RUNREPORT_H

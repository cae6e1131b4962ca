//===- LaunchRecords.h - What was launched ----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_LAUNCHRECORDS_H
#define NM_LIB_RUNTIME_LAUNCHRECORDS_H

#include "nm/Runtime/Device.h"

#include <deque>
#include <mutex>

namespace nm {
namespace runtime {

/// The recorded launches of a context (recordKernels). Several threads may call
/// it at once.
class LaunchRecords {
public:
  explicit LaunchRecords(Device &device) : device(device) {}

  /// Launches and, if that succeeds, adds a record.
  Status launch(const Launch &launch);

  uint64_t size() const;
  Status getRecord(uint64_t index, nmrtKernelRecord *record);
  Status getCounters(uint64_t index, const char **json);
  void clear();

private:
  struct Record {
    std::string name, kernel;
    nmrtKernelRecord launch;
    LaunchTiming timing;
    bool timed = false;
  };

  /// Fetches the timing of a record once.
  Status resolve(uint64_t index, Record *&record);

  Device &device;
  mutable std::mutex mutex;
  /// A deque, since callers hold pointers to the names.
  std::deque<Record> records;
};

} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_LAUNCHRECORDS_H

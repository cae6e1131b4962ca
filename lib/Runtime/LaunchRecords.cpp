//===- LaunchRecords.cpp - What was launched ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRecords.h"

#include <algorithm>
#include <iterator>

using namespace nm::runtime;

using Lock = std::lock_guard<std::mutex>;

static Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

Status LaunchRecords::launch(const Launch &launch) {
  // The device's timings have the order of the records.
  Lock lock(mutex);
  Status status = device.launch(launch, /*record=*/true);
  if (status.failed())
    return status;
  Record &record = records.emplace_back();
  record.kernel = launch.kernel->getName();
  record.name = launch.what ? launch.what : record.kernel;
  record.launch.sharedBytes = launch.sharedBytes;
  std::copy(std::begin(launch.grid), std::end(launch.grid), record.launch.grid);
  std::copy(std::begin(launch.block), std::end(launch.block),
            record.launch.block);
  return Status();
}

uint64_t LaunchRecords::size() const {
  Lock lock(mutex);
  return records.size();
}

Status LaunchRecords::resolve(uint64_t index, Record *&record) {
  if (index >= records.size())
    return invalid("expected the index of one of " +
                   std::to_string(records.size()) + " records, got " +
                   std::to_string(index));
  record = &records[index];
  if (record->timed)
    return Status();
  Status status = device.timing(index, record->timing);
  if (status.failed())
    return status;
  record->timed = true;
  record->launch.name = record->name.c_str();
  record->launch.kernel = record->kernel.c_str();
  record->launch.milliseconds = record->timing.milliseconds;
  return Status();
}

Status LaunchRecords::getRecord(uint64_t index, nmrtKernelRecord *result) {
  if (!result)
    return invalid("expected a place for the record, got null");
  Lock lock(mutex);
  Record *record = nullptr;
  Status status = resolve(index, record);
  if (!status.failed())
    *result = record->launch;
  return status;
}

Status LaunchRecords::getCounters(uint64_t index, const char **json) {
  if (!json)
    return invalid("expected a place for the counters, got null");
  Lock lock(mutex);
  Record *record = nullptr;
  Status status = resolve(index, record);
  if (!status.failed())
    *json = record->timing.counters.c_str();
  return status;
}

void LaunchRecords::clear() {
  Lock lock(mutex);
  records.clear();
  device.clearTimings();
}

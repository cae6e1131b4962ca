//===- StatisticsCApi.cpp - What a context did, by the C ABI --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRecords.h"
#include "nm/Runtime/Context.h"
#include "nm/Runtime/Handles.h"

using namespace nm::runtime;

static Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

nmrtStatus nmrtGetCounters(nmrtContext *context, nmrtCounters *counters) {
  return guarded(context, [&](Context &impl) {
    if (!counters)
      return invalid("expected a place for the counters, got null");
    impl.getCounters(*counters);
    return Status();
  });
}

nmrtStatus nmrtKernelRecordCount(nmrtContext *context, uint64_t *count) {
  return guarded(context, [&](Context &impl) {
    if (!count)
      return invalid("expected a place for the count, got null");
    *count = impl.getRecords().size();
    return Status();
  });
}

nmrtStatus nmrtKernelRecordAt(nmrtContext *context, uint64_t index,
                              nmrtKernelRecord *record) {
  return guarded(context, [&](Context &impl) {
    return impl.getRecords().getRecord(index, record);
  });
}

nmrtStatus nmrtKernelRecordCounters(nmrtContext *context, uint64_t index,
                                    const char **json) {
  return guarded(context, [&](Context &impl) {
    return impl.getRecords().getCounters(index, json);
  });
}

nmrtStatus nmrtKernelRecordsClear(nmrtContext *context) {
  return guarded(context, [](Context &impl) {
    impl.getRecords().clear();
    return Status();
  });
}

nmrtStatus nmrtMemoryUsage(nmrtContext *context, uint64_t *current,
                           uint64_t *peak) {
  return guarded(context, [&](Context &impl) {
    if (!current || !peak)
      return invalid("expected two places for the sizes, got null");
    nmrtMemoryStatistics statistics;
    impl.getStatistics(statistics);
    *current = statistics.current;
    *peak = statistics.peak;
    return Status();
  });
}

nmrtStatus nmrtGetMemoryStatistics(nmrtContext *context,
                                   nmrtMemoryStatistics *statistics) {
  return guarded(context, [&](Context &impl) {
    if (!statistics)
      return invalid("expected a place for the statistics, got null");
    impl.getStatistics(*statistics);
    return Status();
  });
}

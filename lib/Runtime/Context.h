//===- Context.h - State behind nmrtContext ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What does not depend on the back end: checking of arguments, accounting of
// memory, constants and launch records.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_CONTEXT_H
#define NM_LIB_RUNTIME_CONTEXT_H

#include "Device.h"
#include "Liveness.h"

#include <deque>
#include <map>
#include <unordered_map>

namespace nm {
namespace runtime {

class Context {
public:
  Context() = default;
  Context(const Context &) = delete;
  /// Frees what the program did not: a GPU's memory outlives its context.
  ~Context();

  static Status create(const nmrtContextOptions &options,
                       std::unique_ptr<Context> &context);

  Device &getDevice() { return *device; }

  /// `what` the memory is for, for the error when there is none.
  Status allocate(uint64_t bytes, void **pointer, const char *what = "");
  Status free(void *pointer);
  Status upload(void *target, const void *host, uint64_t bytes);
  Status download(void *host, const void *source, uint64_t bytes);
  Status copy(void *target, const void *source, uint64_t bytes);
  /// Waits for the device; fails if an assertion of a kernel did.
  Status synchronize();
  Status constant(const void *host, uint64_t bytes, void **pointer);
  Status forget(const void *host, uint64_t bytes);
  Status launch(const void *image, uint64_t imageBytes, const char *name,
                const char *what, const uint64_t (&grid)[3],
                const uint32_t (&block)[3], uint32_t sharedBytes,
                void **parameters, uint32_t parameterCount);

  uint64_t recordCount() const { return records.size(); }
  Status recordAt(uint64_t index, nmrtKernelRecord *record);
  Status recordCounters(uint64_t index, const char **json);
  void clearRecords();

  uint64_t currentBytes() const { return current; }
  uint64_t peakBytes() const { return peak; }
  void getStatistics(nmrtMemoryStatistics &statistics) const;

private:
  struct Record {
    std::string name, kernel;
    nmrtKernelRecord launch;
    LaunchTiming timing;
    bool timed = false;
  };
  struct Allocation {
    uint64_t bytes;
    /// Taken by `constant`, so not the program's to free.
    bool isConstant;
    Lifetime lifetime;
  };

  Status release(void *pointer);
  /// Remembers where the image of a launch reports failed assertions.
  Status noteAssertions(const Launch &launch);
  /// After the device has been waited for: the first assertion that has failed
  /// since the last check.
  Status checkAssertions();
  /// Remembers that the allocation at `pointer`, if there is one, is used; with
  /// `untilFreed` it counts as used until then.
  void noteUse(const void *pointer, bool untilFreed = false);
  void noteLaunch(const Launch &launch);
  /// Fetches the timing of a record once.
  Status resolve(uint64_t index, Record *&record);

  std::unique_ptr<Device> device;
  bool recordKernels = false;
  std::unordered_map<void *, Allocation> allocations;
  /// Device addresses by host address.
  std::map<uintptr_t, void *> constants;
  /// Where failed assertions are reported, by the address of the image; null
  /// for an image without any.
  std::map<uintptr_t, void *> assertions;
  /// A deque, since callers hold pointers to the names.
  std::deque<Record> records;
  uint64_t current = 0;
  uint64_t peak = 0;
  uint64_t constantBytes = 0;
  Liveness liveness;
};

} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_CONTEXT_H

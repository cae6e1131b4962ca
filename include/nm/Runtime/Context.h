//===- Context.h - State behind nmrtContext ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What does not depend on the back end: checking of arguments, accounting of
// memory, modules, constants, launch records and counters. nm-c/Runtime.h says
// what the functions do, and what threads and streams may do at once.
//
//===----------------------------------------------------------------------===//

#ifndef NM_RUNTIME_CONTEXT_H
#define NM_RUNTIME_CONTEXT_H

#include "nm/Runtime/Device.h"

#include <atomic>
#include <mutex>

namespace nm {
namespace runtime {

class Allocations;
class LaunchRecords;

class Context {
public:
  /// Makes the device current for this thread as long as it lives, so that the
  /// calls within need not each do so. Scopes nest; one ends in the thread it
  /// began in.
  class Scope {
  public:
    explicit Scope(Context &context) : device(*context.device) {
      entered = device.enter(before);
    }
    Scope(const Scope &) = delete;
    ~Scope() {
      if (!entered.failed())
        device.leave(before);
    }
    const Status &getStatus() const { return entered; }

  private:
    Device &device;
    void *before = nullptr;
    Status entered;
  };

  static Status create(const nmrtContextOptions &options,
                       std::unique_ptr<Context> &context);
  Context(const Context &) = delete;
  /// Frees what the program did not: a GPU's memory outlives its context.
  ~Context();

  Device &getDevice() { return *device; }
  const Device &getDevice() const { return *device; }

  /// `what` the memory is for, for the error when there is none.
  Status allocate(uint64_t bytes, void **pointer, const char *what = "",
                  void *stream = nullptr);
  Status free(void *pointer);
  /// For constants, which statistics count apart and `free` refuses.
  Status allocateConstant(uint64_t bytes, void **pointer, const char *what);
  Status freeConstant(void *memory);
  Status upload(void *target, const void *host, uint64_t bytes,
                void *stream = nullptr);
  Status download(void *host, const void *source, uint64_t bytes,
                  void *stream = nullptr);
  Status copy(void *target, const void *source, uint64_t bytes,
              void *stream = nullptr);
  Status encodeTensorMap(const nmrtTensorMapConfig *config, nmrtTensorMap *map);

  Status loadModule(const void *image, uint64_t bytes, Module *&module);
  Status unloadModule(Module *module);
  Status getKernel(Module &module, const char *name, Kernel *&kernel);
  Status launch(const Launch &launch);

  /// Waits for the stream; fails if an assertion of a kernel did.
  Status synchronize(void *stream = nullptr);
  /// The first assertion that has failed since the last check. Waits for
  /// nothing, and takes the text from the device only after a failure.
  Status checkAssertions();

  LaunchRecords &getRecords() { return *records; }
  void getStatistics(nmrtMemoryStatistics &statistics) const;
  void getCounters(nmrtCounters &counters) const;

private:
  Context(std::unique_ptr<Device> device, bool recordKernels);

  using Counter = std::atomic<uint64_t>;
  static void count(Counter &counter) {
    counter.fetch_add(1, std::memory_order_relaxed);
  }
  /// Counts what succeeded.
  static Status count(Counter &counter, Status status) {
    if (!status.failed())
      count(counter);
    return status;
  }
  Status allocateCounted(uint64_t bytes, void **pointer, const char *what,
                         void *stream, bool isConstant);

  std::unique_ptr<Device> device;
  bool recordKernels;
  std::unique_ptr<Allocations> allocations;
  std::unique_ptr<LaunchRecords> records;

  /// Guards the modules, and the kernels in them.
  std::mutex modulesMutex;
  std::map<Module *, std::unique_ptr<Module>> modules;

  Counter launches{0}, allocated{0}, freed{0}, synchronizations{0},
      moduleLoads{0}, uploads{0}, downloads{0}, copies{0};
};

} // namespace runtime
} // namespace nm

#endif // NM_RUNTIME_CONTEXT_H

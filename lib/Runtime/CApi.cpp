//===- CApi.cpp - The C ABI of the runtime --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function ends in `guarded`, which keeps the error's text and lets no
// exception (out of memory, in practice) out.
//
//===----------------------------------------------------------------------===//

#include "CheckArray.h"
#include "Context.h"
#include "HostMemory.h"
#include "nm-c/Array.h"

#include <cstdio>
#include <exception>
#include <new>

using nm::runtime::Context;
using nm::runtime::Status;

struct nmrtContext {
  std::unique_ptr<Context> impl;
  std::string lastError;
};

static_assert(sizeof(nmrtContextOptions) == 32,
              "raise NMRT_API_VERSION when a struct changes");
static_assert(sizeof(nmrtKernelRecord) == 64,
              "raise NMRT_API_VERSION when a struct changes");
static_assert(sizeof(nmrtMemoryStatistics) == 40,
              "raise NMRT_API_VERSION when a struct changes");

/// Runs `body`, which returns a Status.
template <typename Body> static Status catching(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return Status(NMRT_OUT_OF_MEMORY, "out of host memory");
  } catch (const std::exception &exception) {
    return Status(NMRT_DRIVER_ERROR, exception.what());
  }
}

/// The last error of code that runs without a context.
static thread_local std::string hostError;

/// Keeps the text of `status` where nmrtLastError finds it.
static nmrtStatus keep(nmrtContext *context, Status status) {
  if (status.failed())
    (context ? context->lastError : hostError) = std::move(status.message);
  return status.code;
}

template <typename Body>
static nmrtStatus guarded(nmrtContext *context, Body body) {
  return keep(context, context ? catching([&] { return body(*context->impl); })
                               : Status(NMRT_INVALID_ARGUMENT,
                                        "expected a context, got null"));
}

uint32_t nmrtApiVersion(void) { return NMRT_API_VERSION; }

nmrtStatus nmrtContextCreate(const nmrtContextOptions *options,
                             nmrtContext **context, char *error,
                             size_t errorSize) {
  if (error && errorSize != 0)
    error[0] = '\0';
  Status status = catching([&] {
    if (!options || !context)
      return Status(NMRT_INVALID_ARGUMENT,
                    "expected options and a place for the context, got null");
    *context = nullptr;
    auto result = std::make_unique<nmrtContext>();
    Status created = Context::create(*options, result->impl);
    if (!created.failed())
      *context = result.release();
    return created;
  });
  if (status.failed() && error && errorSize != 0)
    std::snprintf(error, errorSize, "%s", status.message.c_str());
  return status.code;
}

void nmrtContextDestroy(nmrtContext *context) { delete context; }

const char *nmrtLastError(const nmrtContext *context) {
  return context ? context->lastError.c_str() : hostError.c_str();
}

const char *nmrtDeviceName(const nmrtContext *context) {
  return context ? context->impl->getDevice().name() : "";
}

int32_t nmrtDeviceCapability(const nmrtContext *context) {
  return context ? context->impl->getDevice().capability() : 0;
}

nmrtDeviceKind nmrtDeviceGetKind(const nmrtContext *context) {
  return context ? context->impl->getDevice().kind() : NMRT_DEVICE_EMULATOR;
}

nmrtStatus nmrtCheckArray(nmrtContext *context, const char *what, int32_t rank,
                          const void *data, int64_t offset,
                          const int64_t *extents, const int64_t *strides,
                          const int64_t *expected) {
  return guarded(context, [&](Context &impl) {
    if (!what || (rank > 0 && (!extents || !strides || !expected)))
      return Status(NMRT_INVALID_ARGUMENT, "expected an array, got null");
    return nm::runtime::checkArray(impl.getDevice(), what, rank, data, offset,
                                   extents, strides, expected);
  });
}

nmrtStatus nmrtCheckPointer(nmrtContext *context, const char *what,
                            const void *pointer) {
  return guarded(context, [&](Context &) {
    return pointer ? Status()
                   : Status(NMRT_INVALID_ARGUMENT,
                            std::string(what ? what : "a pointer") +
                                ": expected an address, got null");
  });
}

nmrtStatus nmrtAlloc(nmrtContext *context, uint64_t bytes, void **pointer) {
  return guarded(context,
                 [&](Context &impl) { return impl.allocate(bytes, pointer); });
}

nmrtStatus nmrtAllocFor(nmrtContext *context, uint64_t bytes, const char *what,
                        void **pointer) {
  return guarded(context, [&](Context &impl) {
    return impl.allocate(bytes, pointer, what ? what : "");
  });
}

nmrtStatus nmrtFree(nmrtContext *context, void *pointer) {
  return guarded(context, [&](Context &impl) { return impl.free(pointer); });
}

nmrtStatus nmrtUpload(nmrtContext *context, void *device, const void *host,
                      uint64_t bytes) {
  return guarded(
      context, [&](Context &impl) { return impl.upload(device, host, bytes); });
}

nmrtStatus nmrtDownload(nmrtContext *context, void *host, const void *device,
                        uint64_t bytes) {
  return guarded(context, [&](Context &impl) {
    return impl.download(host, device, bytes);
  });
}

nmrtStatus nmrtCopy(nmrtContext *context, void *destination, const void *source,
                    uint64_t bytes) {
  return guarded(context, [&](Context &impl) {
    return impl.copy(destination, source, bytes);
  });
}

nmrtStatus nmrtConstant(nmrtContext *context, const void *host, uint64_t bytes,
                        void **device) {
  return guarded(context, [&](Context &impl) {
    return impl.constant(host, bytes, device);
  });
}

nmrtStatus nmrtLaunch(nmrtContext *context, const void *image,
                      uint64_t imageBytes, const char *name, const char *what,
                      uint64_t gridX, uint64_t gridY, uint64_t gridZ,
                      uint32_t blockX, uint32_t blockY, uint32_t blockZ,
                      uint32_t sharedBytes, void **parameters,
                      uint32_t parameterCount) {
  return guarded(context, [&](Context &impl) {
    return impl.launch(image, imageBytes, name, what, {gridX, gridY, gridZ},
                       {blockX, blockY, blockZ}, sharedBytes, parameters,
                       parameterCount);
  });
}

nmrtStatus nmrtForget(nmrtContext *context, const void *host, uint64_t bytes) {
  return guarded(context,
                 [&](Context &impl) { return impl.forget(host, bytes); });
}

nmrtStatus nmrtSynchronize(nmrtContext *context) {
  return guarded(context, [](Context &impl) { return impl.synchronize(); });
}

nmrtStatus nmrtHostAlloc(nmrtContext *context, uint64_t bytes, const char *what,
                         void **pointer) {
  return keep(context, catching([&] {
                return nm::runtime::allocateHost(bytes, what, pointer);
              }));
}

nmrtStatus nmrtAssertionFailed(nmrtContext *context, const char *message) {
  return keep(context, catching([&] {
                return Status(NMRT_ASSERTION,
                              message ? message : "assertion failed");
              }));
}

nmrtStatus nmrtKernelRecordCount(nmrtContext *context, uint64_t *count) {
  return guarded(context, [&](Context &impl) {
    if (!count)
      return Status(NMRT_INVALID_ARGUMENT,
                    "expected a place for the count, got null");
    *count = impl.recordCount();
    return Status();
  });
}

nmrtStatus nmrtKernelRecordAt(nmrtContext *context, uint64_t index,
                              nmrtKernelRecord *record) {
  return guarded(context,
                 [&](Context &impl) { return impl.recordAt(index, record); });
}

nmrtStatus nmrtKernelRecordCounters(nmrtContext *context, uint64_t index,
                                    const char **json) {
  return guarded(
      context, [&](Context &impl) { return impl.recordCounters(index, json); });
}

nmrtStatus nmrtKernelRecordsClear(nmrtContext *context) {
  return guarded(context, [](Context &impl) {
    impl.clearRecords();
    return Status();
  });
}

nmrtStatus nmrtMemoryUsage(nmrtContext *context, uint64_t *current,
                           uint64_t *peak) {
  return guarded(context, [&](Context &impl) {
    if (!current || !peak)
      return Status(NMRT_INVALID_ARGUMENT,
                    "expected two places for the sizes, got null");
    *current = impl.currentBytes();
    *peak = impl.peakBytes();
    return Status();
  });
}

nmrtStatus nmrtGetMemoryStatistics(nmrtContext *context,
                                   nmrtMemoryStatistics *statistics) {
  return guarded(context, [&](Context &impl) {
    if (!statistics)
      return Status(NMRT_INVALID_ARGUMENT,
                    "expected a place for the statistics, got null");
    impl.getStatistics(*statistics);
    return Status();
  });
}

//===- ContextMemory.cpp - Memory of a context ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Runtime/Context.h"

#include "Allocations.h"
#include "nm/Base/TensorMapLimits.h"

using namespace nm;
using namespace nm::runtime;

static Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

Status Context::allocate(uint64_t bytes, void **pointer, const char *what,
                         void *stream) {
  return allocateCounted(bytes, pointer, what, stream, /*isConstant=*/false);
}

Status Context::allocateConstant(uint64_t bytes, void **pointer,
                                 const char *what) {
  return allocateCounted(bytes, pointer, what, /*stream=*/nullptr,
                         /*isConstant=*/true);
}

Status Context::allocateCounted(uint64_t bytes, void **pointer,
                                const char *what, void *stream,
                                bool isConstant) {
  if (!pointer)
    return invalid("expected a place for the pointer, got null");
  *pointer = nullptr;
  // The device's own locks and the caller's allocator come before ours.
  void *memory = nullptr;
  Status status = device->allocate(bytes, stream, memory);
  if (status.code == NMRT_OUT_OF_MEMORY)
    status.message = "cannot allocate " + describeBytes(bytes) +
                     (*what ? " for " : "") + what + ": " + status.message +
                     "; " + allocations->describeUse();
  if (status.failed())
    return status;
  allocations->add(memory, bytes, stream, isConstant);
  count(allocated);
  *pointer = memory;
  return Status();
}

Status Context::free(void *pointer) {
  if (!pointer)
    return Status();
  void *stream = nullptr;
  if (!allocations->remove(pointer, /*isConstant=*/false, stream))
    return invalid("expected a pointer that nmrtAlloc gave and nobody freed, "
                   "got address " +
                   std::to_string(reinterpret_cast<uintptr_t>(pointer)));
  return count(freed, device->free(pointer, stream));
}

Status Context::freeConstant(void *memory) {
  void *stream = nullptr;
  allocations->remove(memory, /*isConstant=*/true, stream);
  return count(freed, device->free(memory, stream));
}

/// Checks the addresses of a copy of `bytes` bytes, which are not 0.
static Status checkAddresses(const char *what, const void *target,
                             const void *source, uint64_t bytes) {
  if (target && source)
    return Status();
  return invalid(std::string("expected two addresses for ") + what + " of " +
                 std::to_string(bytes) + " bytes, got null");
}

Status Context::upload(void *target, const void *host, uint64_t bytes,
                       void *stream) {
  if (bytes == 0)
    return Status();
  Status status = checkAddresses("an upload", target, host, bytes);
  if (status.failed())
    return status;
  allocations->noteUse(target, /*untilFreed=*/true);
  status = count(uploads, device->upload(target, host, bytes, stream));
  return count(synchronizations, std::move(status));
}

Status Context::download(void *host, const void *source, uint64_t bytes,
                         void *stream) {
  if (bytes == 0)
    return synchronize(stream);
  Status status = checkAddresses("a download", host, source, bytes);
  if (status.failed())
    return status;
  allocations->noteUse(source);
  status = count(downloads, device->download(host, source, bytes, stream));
  status = count(synchronizations, std::move(status));
  return status.failed() ? status : checkAssertions();
}

Status Context::copy(void *target, const void *source, uint64_t bytes,
                     void *stream) {
  if (bytes == 0)
    return Status();
  Status status = checkAddresses("a copy", target, source, bytes);
  if (status.failed())
    return status;
  allocations->noteCopy(target, source);
  return count(copies, device->copy(target, source, bytes, stream));
}

Status Context::encodeTensorMap(const nmrtTensorMapConfig *config,
                                nmrtTensorMap *map) {
  if (!config || !map)
    return invalid("expected a tensor map and its description, got null");
  if (config->rank < 1 || config->rank > kMostTensorMapDimensions)
    return invalid("expected a tensor map of rank 1 to 5, got " +
                   std::to_string(config->rank));
  // The mistake that is easily made, for which a driver has no words.
  uintptr_t behind =
      reinterpret_cast<uintptr_t>(config->address) % kTensorMapUnit;
  if (behind != 0)
    return invalid("expected a tensor at an address that is a multiple of " +
                   std::to_string(kTensorMapUnit) + ", got one " +
                   std::to_string(behind) + " bytes behind it");
  Status status = device->encodeTensorMap(*config, *map);
  // No launch says which map it uses.
  if (!status.failed())
    allocations->noteUse(config->address, /*untilFreed=*/true);
  return status;
}

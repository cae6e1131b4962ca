//===- ContextHostData.cpp - What is known by its host address -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled host code has its images and constants as data: it names them by
// their addresses.
//
//===----------------------------------------------------------------------===//

#include "nm/Runtime/Context.h"

#include "Allocations.h"

#include <limits>

using namespace nm::runtime;

using Lock = std::lock_guard<std::mutex>;

static Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

Status Context::getImage(const void *image, uint64_t bytes, Module *&module) {
  Lock lock(hostDataMutex);
  Module *&known = images[reinterpret_cast<uintptr_t>(image)];
  Status status;
  if (!known)
    status = loadModule(image, bytes, known);
  module = known;
  return status;
}

Status Context::constant(const void *host, uint64_t bytes, void **pointer) {
  if (!pointer)
    return invalid("expected a place for the pointer, got null");
  *pointer = nullptr;
  if (!host && bytes != 0)
    return invalid("expected the address of a constant, got null");
  Lock lock(hostDataMutex);
  auto key = reinterpret_cast<uintptr_t>(host);
  auto found = constants.find(key);
  if (found != constants.end()) {
    uint64_t before = allocations->bytesAt(found->second);
    if (before != bytes)
      return invalid("expected the constant at this address to have " +
                     std::to_string(before) + " bytes as before, got " +
                     std::to_string(bytes));
    *pointer = found->second;
    return Status();
  }
  void *memory = nullptr;
  Status status = allocateCounted(bytes, &memory, "a constant",
                                  /*stream=*/nullptr, /*isConstant=*/true);
  if (status.failed())
    return status;
  status = upload(memory, host, bytes);
  if (status.failed()) {
    (void)freeConstant(memory);
    return status;
  }
  constants[key] = memory;
  *pointer = memory;
  return Status();
}

Status Context::freeConstant(void *memory) {
  void *stream = nullptr;
  allocations->remove(memory, /*isConstant=*/true, stream);
  return count(freed, device->free(memory, stream));
}

Status Context::forget(const void *host, uint64_t bytes) {
  auto begin = reinterpret_cast<uintptr_t>(host);
  uintptr_t end = begin + bytes;
  if (end < begin)
    end = std::numeric_limits<uintptr_t>::max();
  Lock lock(hostDataMutex);
  for (auto it = constants.lower_bound(begin);
       it != constants.end() && it->first < end;) {
    Status status = freeConstant(it->second);
    it = constants.erase(it);
    if (status.failed())
      return status;
  }
  for (auto it = images.lower_bound(begin);
       it != images.end() && it->first < end;) {
    Status status = unloadModule(it->second);
    it = images.erase(it);
    if (status.failed())
      return status;
  }
  return Status();
}

//===- HostMemory.cpp - Memory for code that runs on the host -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMemory.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace nm::runtime;

/// Of the machine; all ones where it does not say.
static uint64_t physicalBytes() {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0
             ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(size)
             : ~uint64_t(0);
}

Status nm::runtime::allocateHost(uint64_t bytes, const char *what,
                                 void **pointer) {
  if (!pointer)
    return Status(NMRT_INVALID_ARGUMENT,
                  "expected a place for the pointer, got null");
  // Linux grants memory that it does not have, and ends the process that uses
  // it.
  constexpr uint64_t alignment = 64;
  uint64_t limit = physicalBytes();
  *pointer = nullptr;
  if (bytes <= limit - alignment)
    *pointer =
        std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  if (*pointer)
    return Status();
  return Status(NMRT_OUT_OF_MEMORY,
                "cannot allocate " + describeBytes(bytes) +
                    (what ? std::string(" for ") + what : std::string()) +
                    ": this machine has " + std::to_string(limit));
}

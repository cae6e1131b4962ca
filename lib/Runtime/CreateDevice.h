//===- CreateDevice.h - Opens the back ends ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_CREATEDEVICE_H
#define NM_LIB_RUNTIME_CREATEDEVICE_H

#include "nm/Runtime/Device.h"

#include <cstring>

namespace nm {
namespace runtime {

/// Each opens the back end of its row.
#define NM_DEVICE(kind, name, description, create)                             \
  Status create(const nmrtContextOptions &options,                             \
                std::unique_ptr<Device> &device);
#include "Devices.def"

/// Whether an image is a compiled binary (cubin) and not PTX text.
inline bool isCubin(const void *image, uint64_t bytes) {
  return bytes >= 4 && std::memcmp(image, "\177ELF", 4) == 0;
}

/// Whether the modules of an image have a slot for failed assertions. A cubin
/// holds the names of its variables, too. To ask the driver for one that is not
/// there is an error that compute-sanitizer reports.
bool reportsAssertions(const void *image, uint64_t bytes);

} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_CREATEDEVICE_H

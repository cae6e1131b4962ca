//===- Devices.h - The back ends of the runtime -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools that let a user choose one; programs name it by its value in
// nm-c/Runtime.h. The rows are in lib/Runtime/Devices.def.
//
//===----------------------------------------------------------------------===//

#ifndef NM_RUNTIME_DEVICES_H
#define NM_RUNTIME_DEVICES_H

#include "nm-c/Runtime.h"

#include <memory>
#include <vector>

namespace nm {
namespace runtime {

class Device;
struct Status;

/// A row; Devices.def says what the columns mean.
struct DeviceKind {
  nmrtDeviceKind kind;
  const char *name;
  const char *description;
  Status (*create)(const nmrtContextOptions &options,
                   std::unique_ptr<Device> &device);
};

/// All rows, in their order.
const std::vector<DeviceKind> &getDeviceKinds();

/// The row of `kind`; null if there is none.
const DeviceKind *lookupDeviceKind(nmrtDeviceKind kind);

} // namespace runtime
} // namespace nm

#endif // NM_RUNTIME_DEVICES_H

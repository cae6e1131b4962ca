//===- Devices.cpp - The back ends of the runtime -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Runtime/Devices.h"
#include "CreateDevice.h"

using namespace nm::runtime;

const std::vector<DeviceKind> &nm::runtime::getDeviceKinds() {
  static const std::vector<DeviceKind> kinds = {
#define NM_DEVICE(...) {__VA_ARGS__},
#include "Devices.def"
  };
  return kinds;
}

const DeviceKind *nm::runtime::lookupDeviceKind(nmrtDeviceKind kind) {
  for (const DeviceKind &row : getDeviceKinds())
    if (row.kind == kind)
      return &row;
  return nullptr;
}

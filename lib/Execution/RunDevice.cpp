//===- RunDevice.cpp - The device that nm-run runs on ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunDevice.h"

#include "nm/Runtime/Devices.h"
#include "llvm/Support/raw_ostream.h"

using namespace nm;

/// Opens a device of one kind.
static llvm::Expected<RuntimeContext> open(const RunOptions &options,
                                           const runtime::DeviceKind &kind) {
  nmrtContextOptions request = {};
  request.apiVersion = NMRT_API_VERSION;
  request.device = kind.kind;
  request.emulatorChecks = options.checks;
  request.emulatorSeed = options.seed;
  request.emulatorThreads = options.emulatorThreads;
  request.recordKernels = true;
  request.emulatorCounters = !options.counters.empty();
  nmrtContext *created = nullptr;
  char text[4096];
  if (nmrtContextCreate(&request, &created, text, sizeof(text)) == NMRT_OK)
    return RuntimeContext(created);
  return llvm::createStringError(llvm::Twine("cannot open ") +
                                 kind.description + ": " + text);
}

/// Opens the first device that can be, with a note of why not those before.
static llvm::Expected<RuntimeContext> openAny(const RunOptions &options,
                                              std::string &note) {
  std::string reasons;
  for (const runtime::DeviceKind &kind : runtime::getDeviceKinds()) {
    auto context = open(options, kind);
    if (context) {
      note = reasons.empty() ? "" : " (" + reasons + ")";
      return context;
    }
    reasons +=
        (reasons.empty() ? "" : "; ") + llvm::toString(context.takeError());
  }
  return llvm::createStringError(reasons);
}

llvm::Expected<RuntimeContext> nm::openDevice(const RunOptions &options) {
  if (options.device == RunDevice::Cpu) {
    llvm::outs() << "device: CPU\n";
    return RuntimeContext();
  }
  std::string note;
  auto context =
      options.device == RunDevice::Auto
          ? openAny(options, note)
          : open(options, *runtime::lookupDeviceKind(
                              static_cast<nmrtDeviceKind>(options.device)));
  if (!context)
    return context;
  llvm::outs() << "device: " << nmrtDeviceName(context->get());
  if (int32_t capability = nmrtDeviceCapability(context->get()))
    llvm::outs() << " (sm_" << capability << ")";
  llvm::outs() << note << "\n";
  return context;
}

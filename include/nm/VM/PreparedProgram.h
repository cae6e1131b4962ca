//===- PreparedProgram.h - A program on a device ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After `create` has loaded the kernels and uploaded the constants, a call
// looks nothing up: it interprets host code that the verifier has accepted.
// Calls may be made from several threads, on several streams, at once; what a
// call writes is its own, but for the state of the program, which all calls
// share.
//
//===----------------------------------------------------------------------===//

#ifndef NM_VM_PREPAREDPROGRAM_H
#define NM_VM_PREPAREDPROGRAM_H

#include "nm/Program/File.h"
#include "nm/Runtime/Context.h"

#include <memory>
#include <vector>

namespace nm {
namespace vm {

using runtime::Status;

/// Memory of the device, and how much of it.
struct Buffer {
  void *address = nullptr;
  uint64_t bytes = 0;
};

/// A constant's memory, which is freed with its last owner. The context
/// outlives it.
class DeviceMemory {
public:
  DeviceMemory(runtime::Context &context, Buffer buffer)
      : context(context), buffer(buffer) {}
  DeviceMemory(const DeviceMemory &) = delete;
  ~DeviceMemory() { (void)context.freeConstant(buffer.address); }
  const Buffer &get() const { return buffer; }

private:
  runtime::Context &context;
  Buffer buffer;
};

class PreparedProgram {
public:
  /// Loads the image that fits the device, and has the constants on it: each is
  /// checked, and those that a prepared program of the same context has already
  /// are shared. State is each prepared program's own.
  static Status create(std::shared_ptr<const program::File> file,
                       runtime::Context &context,
                       std::unique_ptr<PreparedProgram> &prepared);
  PreparedProgram(const PreparedProgram &) = delete;
  ~PreparedProgram();

  const program::Program &getProgram() const { return file->getProgram(); }
  runtime::Context &getContext() const { return context; }

  runtime::Kernel &getKernel(uint32_t index) const { return *kernels[index]; }
  const Buffer &getConstant(uint32_t index) const { return constants[index]; }

private:
  PreparedProgram(std::shared_ptr<const program::File> file,
                  runtime::Context &context)
      : file(std::move(file)), context(context) {}
  Status loadKernels();
  Status uploadConstants();

  std::shared_ptr<const program::File> file;
  runtime::Context &context;
  runtime::Module *module = nullptr;
  std::vector<runtime::Kernel *> kernels;
  std::vector<Buffer> constants;
  std::vector<std::shared_ptr<DeviceMemory>> memory;
};

/// What of `program` runs on a device: the index of an image, best first; for
/// the emulator (`capability` 0) PTX. Says in `reason` why if there is none.
std::vector<size_t> chooseImages(const program::Program &program,
                                 int32_t capability, std::string &reason);

} // namespace vm
} // namespace nm

#endif // NM_VM_PREPAREDPROGRAM_H

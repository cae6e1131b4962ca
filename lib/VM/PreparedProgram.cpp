//===- PreparedProgram.cpp - A program on a device ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/VM/PreparedProgram.h"

#include <map>
#include <mutex>

using namespace nm;
using namespace nm::vm;
using runtime::Context;

namespace {

/// Constants on devices, by what they hold. Files that have the same weights,
/// such as one loaded twice, have one copy of them.
class ConstantCache {
public:
  static ConstantCache &get() {
    static ConstantCache cache;
    return cache;
  }

  /// Uploads `data`, whose checksum is `checksum`, unless it is there.
  Status find(Context &context, const program::Checksum &checksum,
              std::string_view data, const std::string &name,
              std::shared_ptr<DeviceMemory> &memory) {
    std::lock_guard<std::mutex> lock(mutex);
    std::weak_ptr<DeviceMemory> &entry = entries[{&context, checksum}];
    memory = entry.lock();
    if (memory && memory->get().bytes == data.size())
      return Status();
    Status status = upload(context, data, name, memory);
    if (!status.failed())
      entry = memory;
    return status;
  }

  static Status upload(Context &context, std::string_view data,
                       const std::string &name,
                       std::shared_ptr<DeviceMemory> &memory) {
    Buffer buffer{nullptr, data.size()};
    std::string what = "constant `" + name + "`";
    Status status =
        context.allocateConstant(data.size(), &buffer.address, what.c_str());
    if (status.failed())
      return status;
    memory = std::make_shared<DeviceMemory>(context, buffer);
    return context.upload(buffer.address, data.data(), data.size());
  }

  /// Forgets what nobody has any more.
  void trim() {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto entry = entries.begin(); entry != entries.end();)
      entry = entry->second.expired() ? entries.erase(entry) : std::next(entry);
  }

private:
  std::mutex mutex;
  std::map<std::pair<Context *, program::Checksum>, std::weak_ptr<DeviceMemory>>
      entries;
};

} // namespace

PreparedProgram::~PreparedProgram() {
  if (module)
    (void)context.unloadModule(module);
  memory.clear();
  ConstantCache::get().trim();
}

Status PreparedProgram::loadKernels() {
  const program::Program &program = getProgram();
  if (program.kernels.empty())
    return Status();
  std::string reason;
  Status status;
  std::vector<size_t> images =
      chooseImages(program, context.getDevice().capability(), reason);
  if (images.empty())
    return Status(NMRT_INVALID_IMAGE, reason);
  // A driver that is too old for machine code may still take PTX.
  for (size_t index : images) {
    const std::string &bytes = program.images[index].bytes;
    status = context.loadModule(bytes.data(), bytes.size(), module);
    if (!status.failed())
      break;
  }
  if (status.failed())
    return status;
  for (const program::Kernel &kernel : program.kernels) {
    runtime::Kernel *loaded = nullptr;
    status = context.getKernel(*module, kernel.name.c_str(), loaded);
    if (status.failed())
      return status;
    kernels.push_back(loaded);
  }
  return Status();
}

Status PreparedProgram::uploadConstants() {
  const program::Program &program = getProgram();
  for (size_t i = 0; i < program.constants.size(); ++i) {
    const program::Constant &constant = program.constants[i];
    if (constant.kind == program::ConstantKind::Initial) {
      constants.emplace_back();
      continue;
    }
    std::string error;
    if (!file->checkConstant(i, error))
      return Status(NMRT_INVALID_ARGUMENT, error);
    std::shared_ptr<DeviceMemory> there;
    Status status =
        constant.kind == program::ConstantKind::State
            ? ConstantCache::upload(context, constant.data, constant.name,
                                    there)
            : ConstantCache::get().find(context, file->getChecksum(i),
                                        constant.data, constant.name, there);
    if (status.failed())
      return status;
    constants.push_back(there->get());
    memory.push_back(std::move(there));
  }
  return Status();
}

Status PreparedProgram::create(std::shared_ptr<const program::File> file,
                               Context &context,
                               std::unique_ptr<PreparedProgram> &prepared) {
  Context::Scope scope(context);
  if (scope.getStatus().failed())
    return scope.getStatus();
  std::unique_ptr<PreparedProgram> result(
      new PreparedProgram(std::move(file), context));
  Status status = result->loadKernels();
  if (!status.failed())
    status = result->uploadConstants();
  if (!status.failed())
    prepared = std::move(result);
  return status;
}

//===- CudaModule.cpp - Images on a GPU ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CreateDevice.h"
#include "CudaDevice.h"
#include "nm/Base/KernelAssertion.h"

#include <algorithm>
#include <string_view>

using namespace nm::runtime;
using namespace nm::runtime::cuda;

/// What every kernel may use of shared memory without asking.
static constexpr uint32_t kUsualSharedBytes = 48 * 1024;

/// The first CUDA whose drivers know CU_JIT_SPLIT_COMPILE; others refuse what
/// they do not know.
static constexpr int kSplitCompileVersion = 13000;

namespace {
/// What the driver is asked to do when it translates PTX: to write what is
/// wrong into a log, and to use as many threads as there are processors. A
/// kernel takes up to .3 s, a decoder block 1.2 s on one (H200).
class JitOptions {
public:
  explicit JitOptions(int version) : log(16384, '\0') {
    add(CU_JIT_ERROR_LOG_BUFFER, log.data());
    add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        reinterpret_cast<void *>(log.size() - 1));
    if (version >= kSplitCompileVersion)
      add(CU_JIT_SPLIT_COMPILE, nullptr); // 0, as many threads as processors
  }

  unsigned count() const { return unsigned(keys.size()); }
  int *getKeys() { return keys.data(); }
  void **getValues() { return values.data(); }
  const char *getLog() const { return log.data(); }

private:
  void add(int key, void *value) {
    keys.push_back(key);
    values.push_back(value);
  }

  std::vector<char> log;
  std::vector<int> keys;
  std::vector<void *> values;
};
} // namespace

/// The number of parameters of each kernel of a PTX text, from the list behind
/// `.entry`; those with comments in it are left out. (To ask the driver for a
/// parameter that is not there is an error that compute-sanitizer reports.)
static std::map<std::string, size_t, std::less<>>
countParameters(std::string_view ptx) {
  constexpr std::string_view entry = ".entry", parameter = ".param";
  constexpr auto npos = std::string_view::npos;
  std::map<std::string, size_t, std::less<>> counts;
  for (size_t at = ptx.find(entry); at != npos; at = ptx.find(entry, at + 1)) {
    size_t name = ptx.find_first_not_of(" \t\n", at + entry.size());
    size_t open = ptx.find_first_of("( \t\n", name);
    size_t close = ptx.find(')', open);
    if (close == npos)
      break;
    std::string_view list = ptx.substr(open, close - open);
    if (list.find('/') != npos || list.find('{') != npos)
      continue;
    size_t &count = counts[std::string(ptx.substr(name, open - name))] = 0;
    for (size_t i = list.find(parameter); i != npos;
         i = list.find(parameter, i + 1))
      ++count;
  }
  return counts;
}

Status CudaDevice::loadModule(const void *image, uint64_t bytes,
                              std::unique_ptr<Module> &module) {
  Current current(*this);
  if (current.failed())
    return current.status();
  // The driver wants PTX to end in a 0 byte, which the caller need not provide.
  std::string text;
  const void *terminated = image;
  if (!isCubin(image, bytes)) {
    text.assign(static_cast<const char *>(image), bytes);
    terminated = text.c_str();
  }
  int version = 0;
  NM_CUDA_TRY(cuDriverGetVersion, &version);
  JitOptions options(version);
  auto loaded = std::make_unique<CudaModule>();
  Status status = driver.check(
      driver.cuModuleLoadDataEx(&loaded->handle, terminated, options.count(),
                                options.getKeys(), options.getValues()),
      "cuModuleLoadDataEx");
  if (status.failed()) {
    if (*options.getLog())
      status.message += std::string("\n") + options.getLog();
    return status;
  }
  if (driver.cuFuncGetParamInfo)
    loaded->parameterCounts = countParameters(text);
  if (reportsAssertions(image, bytes))
    status = makeSlot(*loaded);
  if (status.failed())
    (void)unloadModule(std::move(loaded));
  else
    module = std::move(loaded);
  return status;
}

Status CudaDevice::makeSlot(CudaModule &module) {
  CUdeviceptr variable = 0, slot = 0;
  size_t bytes = 0;
  NM_CUDA_TRY(cuModuleGetGlobal, &variable, &bytes, module.handle,
              kFailedAssertion);
  void *memory = nullptr;
  NM_CUDA_TRY(cuMemHostAlloc, &memory, sizeof(uint64_t),
              CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
  module.slot = static_cast<uint64_t *>(memory);
  *module.slot = 0;
  NM_CUDA_TRY(cuMemHostGetDevicePointer, &slot, memory, /*flags=*/0);
  return upload(toPointer(variable), &slot, sizeof(slot), /*stream=*/nullptr);
}

void *CudaModule::takeFailedAssertion() {
  // Kernels that still run may store to it, and so may other threads.
  if (!slot || __atomic_load_n(slot, __ATOMIC_ACQUIRE) == 0)
    return nullptr;
  return toPointer(__atomic_exchange_n(slot, 0, __ATOMIC_ACQ_REL));
}

Status CudaDevice::unloadModule(std::unique_ptr<Module> module) {
  Current current(*this);
  if (current.failed())
    return current.status();
  auto &unloaded = static_cast<CudaModule &>(*module);
  if (unloaded.slot)
    NM_CUDA_TRY(cuMemFreeHost, static_cast<void *>(unloaded.slot));
  NM_CUDA_TRY(cuModuleUnload, unloaded.handle);
  return Status();
}

Status CudaDevice::getKernel(Module &module, const char *name,
                             std::unique_ptr<Kernel> &kernel) {
  Current current(*this);
  if (current.failed())
    return current.status();
  auto found = std::make_unique<CudaKernel>(module, name);
  NM_CUDA_TRY(cuModuleGetFunction, &found->function,
              static_cast<CudaModule &>(module).handle, name);
  int fixed = 0, dynamic = 0;
  NM_CUDA_TRY(cuFuncGetAttribute, &fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
              found->function);
  NM_CUDA_TRY(cuFuncGetAttribute, &dynamic,
              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, found->function);
  found->staticSharedBytes = static_cast<uint32_t>(fixed);
  uint32_t usual =
      kUsualSharedBytes - std::min(kUsualSharedBytes, found->staticSharedBytes);
  found->dynamicSharedBytes = std::max(usual, static_cast<uint32_t>(dynamic));
  Status status = readParameterSizes(*found);
  if (!status.failed())
    kernel = std::move(found);
  return status;
}

Status CudaDevice::readParameterSizes(CudaKernel &kernel) {
  const auto &counts =
      static_cast<CudaModule &>(kernel.getModule()).parameterCounts;
  auto found = counts.find(kernel.getName());
  if (found == counts.end())
    return Status();
  std::vector<uint64_t> sizes(found->second);
  for (size_t i = 0; i < sizes.size(); ++i) {
    size_t offset = 0, bytes = 0;
    NM_CUDA_TRY(cuFuncGetParamInfo, kernel.function, i, &offset, &bytes);
    sizes[i] = bytes;
  }
  kernel.setParameterSizes(std::move(sizes));
  return Status();
}

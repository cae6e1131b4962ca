//===- FakeCudaDriver.cpp - A libcuda.so.1 without a GPU ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver calls that the runtime uses, over the PTX emulator. With it the
// CUDA tests run where there is no GPU, and what a GPU lets pass is an error:
// calls without a current context, contexts not popped, and memory, modules,
// events or streams that are left when the context is released.
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include "nm/Emulator/Emulator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace nm::runtime::cuda;
namespace emulator = nm::emulator;

namespace nm {
namespace runtime {
namespace cuda {

struct CUmod_st {
  std::unique_ptr<emulator::Module> module;
  std::set<CUfunction> functions;
};
struct CUfunc_st {
  const emulator::Module *module;
  const emulator::Kernel *kernel;
  int sharedLimit = 48 * 1024;
};
struct CUevent_st {
  int time = -1;
};

} // namespace cuda
} // namespace runtime
} // namespace nm

/// What a Hopper GPU allows.
static constexpr int kSharedLimit = 232448;

static emulator::Memory memory;
static std::set<CUmodule> modules;
static std::set<CUevent> events;
static int currentDepth, streams, ticks;
static uint64_t liveBytes;

static CUcontext theContext() { return reinterpret_cast<CUcontext>(&memory); }
static CUstream theStream() { return reinterpret_cast<CUstream>(&streams); }

[[noreturn]] static void fail(const char *what) {
  std::fprintf(stderr, "fake driver: %s\n", what);
  std::abort();
}

static void requireContext() {
  if (currentDepth != 1)
    fail("expected the context to be current exactly once");
}

static void requireStream(CUstream stream) {
  requireContext();
  if (streams != 1 || stream != theStream())
    fail("expected the stream that was created");
}

extern "C" {
CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char **text) {
  *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == CUDA_ERROR_INVALID_PTX ? "CUDA_ERROR_INVALID_PTX"
                                            : "CUDA_ERROR_OTHER";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char **text) {
  *text = "as the fake driver says";
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int length, CUdevice) {
  std::snprintf(name, length, "fake GPU");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = 9;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = 0;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = kSharedLimit;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  *context = theContext();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  if (currentDepth != 0)
    fail("expected no current context at its release");
  if (liveBytes != 0 || !modules.empty() || !events.empty() || streams != 0)
    fail("expected no memory, module, event or stream at the release");
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (context != theContext())
    fail("expected the context that was retained");
  ++currentDepth;
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  requireContext();
  --currentDepth;
  *context = theContext();
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  requireContext();
  if (flags != CU_STREAM_NON_BLOCKING || streams++ != 0)
    fail("expected one non-blocking stream");
  *stream = theStream();
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  requireStream(stream);
  --streams;
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
  requireStream(stream);
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes) {
  requireContext();
  *pointer = bytes < (size_t(1) << 40) ? memory.allocate(bytes) : 0;
  if (*pointer == 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  liveBytes += bytes;
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
  requireContext();
  const emulator::Allocation *allocation = memory.find(pointer);
  if (!allocation)
    fail("expected an allocation to free");
  liveBytes -= allocation->size;
  memory.free(pointer);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void *source,
                              size_t bytes, CUstream stream) {
  requireStream(stream);
  return memory.upload(target, source, bytes) ? CUDA_SUCCESS
                                              : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t bytes,
                              CUstream stream) {
  requireStream(stream);
  return memory.download(target, source, bytes) ? CUDA_SUCCESS
                                                : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source,
                              size_t bytes, CUstream stream) {
  requireStream(stream);
  const uint8_t *from = memory.hostPointer(source, bytes);
  return from && memory.upload(target, from, bytes) ? CUDA_SUCCESS
                                                    : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned optionCount, int *options, void **values) {
  requireContext();
  if (optionCount != 2 || options[0] != CU_JIT_ERROR_LOG_BUFFER ||
      options[1] != CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
    fail("expected the options for an error log");
  std::string error;
  auto parsed =
      emulator::Module::parse(static_cast<const char *>(image), error);
  if (!parsed) {
    std::snprintf(static_cast<char *>(values[0]),
                  reinterpret_cast<uintptr_t>(values[1]), "%s", error.c_str());
    return CUDA_ERROR_INVALID_PTX;
  }
  *module = new CUmod_st{std::move(parsed), {}};
  modules.insert(*module);
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
  requireContext();
  if (modules.erase(module) == 0)
    fail("expected a loaded module to unload");
  for (CUfunction function : module->functions)
    delete function;
  delete module;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  requireContext();
  const emulator::Kernel *kernel = module->module->findKernel(name);
  if (!kernel)
    return CUDA_ERROR_NOT_FOUND;
  *function = new CUfunc_st{module->module.get(), kernel};
  module->functions.insert(*function);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, size_t *bytes,
                              CUmodule module, const char *name) {
  requireContext();
  *pointer = emulator::findVariable(*module->module, name, memory);
  *bytes = 8;
  return *pointer ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  *value = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
               ? function->kernel->staticSharedBytes()
               : function->sharedLimit;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
      value > kSharedLimit)
    return CUDA_ERROR_INVALID_VALUE;
  function->sharedLimit = value;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **parameters, void **) {
  requireStream(stream);
  if (int64_t(sharedBytes) > function->sharedLimit)
    return CUDA_ERROR_INVALID_VALUE;
  emulator::LaunchConfig config;
  config.grid[0] = gridX, config.grid[1] = gridY, config.grid[2] = gridZ;
  config.block[0] = blockX, config.block[1] = blockY, config.block[2] = blockZ;
  config.dynamicSharedBytes = sharedBytes;
  std::string error;
  if (emulator::launch(*function->module, *function->kernel, memory, config,
                       parameters, function->kernel->parameterCount(),
                       emulator::Options(), nullptr, error))
    return CUDA_SUCCESS;
  std::fprintf(stderr, "fake driver: %s\n", error.c_str());
  return CUDA_ERROR_LAUNCH_FAILED;
}

CUresult cuEventCreate(CUevent *event, unsigned) {
  requireContext();
  events.insert(*event = new CUevent_st);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  requireStream(stream);
  event->time = ++ticks;
  return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event) {
  requireContext();
  if (event->time < 0)
    fail("expected a recorded event to wait for");
  return CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
  *milliseconds = static_cast<float>(stop->time - start->time);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  requireContext();
  if (events.erase(event) == 0)
    fail("expected a created event to destroy");
  delete event;
  return CUDA_SUCCESS;
}
}

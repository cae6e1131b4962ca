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
// With NM_FAKE_OLD_DRIVER it lacks the calls that are optional.
//
//===----------------------------------------------------------------------===//

#include "FakeCudaDriver.h"
#include "CudaDriver.h"

#include "nm/Emulator/Emulator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
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

static std::mutex mutex;
static emulator::Memory memory;
static std::set<CUmodule> modules;
static std::set<CUevent> events;
/// The device addresses of the host's pinned memory.
static std::map<void *, CUdeviceptr> pinned;
static std::set<CUstream> streams;
static int retained, ticks;
static uint64_t liveBytes;
static FakeCuda state;
static thread_local int currentDepth;

using Lock = std::lock_guard<std::mutex>;

static CUcontext theContext() { return reinterpret_cast<CUcontext>(&memory); }

[[noreturn]] static void fail(const char *what) {
  std::fprintf(stderr, "fake driver: %s\n", what);
  std::abort();
}

static void requireContext() {
  if (currentDepth == 0)
    fail("expected the context to be current");
}

static void requireStream(CUstream stream) {
  requireContext();
  // Those of CUDA that always exist are the caller's.
  auto number = reinterpret_cast<uintptr_t>(stream);
  Lock lock(mutex);
  if (number != 1 && number != 2 && streams.count(stream) == 0)
    fail("expected the stream that was created, or one of CUDA's own");
}

/// Takes `bytes` bytes that are live until `giveBack`.
static CUresult take(CUdeviceptr *pointer, size_t bytes) {
  *pointer = bytes < (size_t(1) << 40) ? memory.allocate(bytes) : 0;
  if (*pointer == 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  liveBytes += bytes;
  return CUDA_SUCCESS;
}

static CUresult giveBack(CUdeviceptr pointer) {
  const emulator::Allocation *allocation = memory.find(pointer);
  if (!allocation)
    fail("expected an allocation to free");
  liveBytes -= allocation->size;
  memory.free(pointer);
  return CUDA_SUCCESS;
}

/// Notes the attributes of a launch for the test.
static void readAttributes(const CUlaunchConfig &config) {
  state.launchStream = static_cast<void *>(config.hStream);
  state.dependent = false;
  std::memset(state.cluster, 0, sizeof(state.cluster));
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute &attribute = config.attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      state.cluster[0] = attribute.value.clusterDim.x;
      state.cluster[1] = attribute.value.clusterDim.y;
      state.cluster[2] = attribute.value.clusterDim.z;
    } else if (attribute.id ==
               CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) {
      state.dependent =
          attribute.value.programmaticStreamSerializationAllowed != 0;
    } else {
      fail("expected a cluster or a dependent launch");
    }
  }
}

extern "C" {
FakeCuda *nmFakeCuda(void) { return &state; }

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *version) {
  int set = nmFakeCuda()->version;
  *version = set != 0 ? set : 13000;
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
  Lock lock(mutex);
  ++state.attributeQueries;
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
  case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
    *value = 1;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  Lock lock(mutex);
  ++retained;
  *context = theContext();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  Lock lock(mutex);
  if (currentDepth != 0)
    fail("expected no current context at its release");
  if (--retained != 0)
    return CUDA_SUCCESS;
  if (liveBytes != 0 || !modules.empty() || !events.empty() ||
      !pinned.empty() || !streams.empty())
    fail("expected no memory, module, event or stream at the release");
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (context != theContext())
    fail("expected the context that was retained");
  ++currentDepth;
  Lock lock(mutex);
  ++state.contextPushes;
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  requireContext();
  --currentDepth;
  *context = theContext();
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  requireContext();
  return CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  requireContext();
  Lock lock(mutex);
  if (flags != CU_STREAM_NON_BLOCKING)
    fail("expected a non-blocking stream");
  *stream = reinterpret_cast<CUstream>(new int);
  streams.insert(*stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  requireStream(stream);
  Lock lock(mutex);
  streams.erase(stream);
  delete reinterpret_cast<int *>(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
  requireStream(stream);
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes) {
  requireContext();
  Lock lock(mutex);
  return take(pointer, bytes);
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
  requireContext();
  Lock lock(mutex);
  return giveBack(pointer);
}
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  requireContext();
  Lock lock(mutex);
  if (flags != (CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE))
    fail("expected pinned memory that every context sees");
  CUdeviceptr where = memory.allocate(bytes);
  *pointer = memory.hostPointer(where, bytes);
  pinned[*pointer] = where;
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void *pointer) {
  requireContext();
  Lock lock(mutex);
  if (pinned.count(pointer) == 0)
    fail("expected pinned memory to free");
  memory.free(pinned[pointer]);
  pinned.erase(pointer);
  return CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pointer, void *host,
                                      unsigned) {
  requireContext();
  Lock lock(mutex);
  *pointer = pinned.at(host);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr target, const void *source,
                              size_t bytes, CUstream stream) {
  requireStream(stream);
  Lock lock(mutex);
  return memory.upload(target, source, bytes) ? CUDA_SUCCESS
                                              : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t bytes,
                              CUstream stream) {
  requireStream(stream);
  Lock lock(mutex);
  return memory.download(target, source, bytes) ? CUDA_SUCCESS
                                                : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr target, CUdeviceptr source,
                              size_t bytes, CUstream stream) {
  requireStream(stream);
  Lock lock(mutex);
  const uint8_t *from = memory.hostPointer(source, bytes);
  return from && memory.upload(target, from, bytes) ? CUDA_SUCCESS
                                                    : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned optionCount, int *options, void **values) {
  requireContext();
  Lock lock(mutex);
  if (optionCount < 2 || options[0] != CU_JIT_ERROR_LOG_BUFFER ||
      options[1] != CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
    fail("expected the options for an error log");
  bool splits = optionCount == 3 && options[2] == CU_JIT_SPLIT_COMPILE &&
                values[2] == nullptr;
  if (optionCount > 2 && !splits)
    fail("expected no other option than that of all processors");
  nmFakeCuda()->splitCompile = splits;
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
  Lock lock(mutex);
  if (modules.erase(module) == 0)
    fail("expected a loaded module to unload");
  for (CUfunction function : module->functions)
    delete function;
  emulator::removeVariables(*module->module, memory);
  delete module;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  requireContext();
  Lock lock(mutex);
  ++state.functionLookups;
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
  Lock lock(mutex);
  *pointer = emulator::findVariable(*module->module, name, memory);
  *bytes = 8;
  return *pointer ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  Lock lock(mutex);
  ++state.attributeQueries;
  *value = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
               ? function->kernel->staticSharedBytes()
               : function->sharedLimit;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  Lock lock(mutex);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
      value > kSharedLimit)
    return CUDA_ERROR_INVALID_VALUE;
  function->sharedLimit = value;
  ++state.limitRaises;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **parameters, void **) {
  requireStream(config->hStream);
  Lock lock(mutex);
  readAttributes(*config);
  if (int64_t(config->sharedMemBytes) > function->sharedLimit)
    return CUDA_ERROR_INVALID_VALUE;
  if (state.skipLaunches)
    return CUDA_SUCCESS;
  emulator::LaunchConfig size;
  size.grid[0] = config->gridDimX, size.grid[1] = config->gridDimY;
  size.grid[2] = config->gridDimZ;
  size.block[0] = config->blockDimX, size.block[1] = config->blockDimY;
  size.block[2] = config->blockDimZ;
  size.dynamicSharedBytes = config->sharedMemBytes;
  std::string error;
  if (emulator::launch(*function->module, *function->kernel, memory, size,
                       parameters, function->kernel->parameterCount(),
                       emulator::Options(), nullptr, error))
    return CUDA_SUCCESS;
  std::fprintf(stderr, "fake driver: %s\n", error.c_str());
  return CUDA_ERROR_LAUNCH_FAILED;
}

#ifndef NM_FAKE_OLD_DRIVER
CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
  requireStream(stream);
  Lock lock(mutex);
  state.allocationStream = static_cast<void *>(stream);
  return take(pointer, bytes);
}
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  requireStream(stream);
  Lock lock(mutex);
  if (static_cast<void *>(stream) == state.allocationStream)
    ++state.freesOnStream;
  return giveBack(pointer);
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset,
                            size_t *bytes) {
  requireContext();
  Lock lock(mutex);
  if (index >= function->kernel->parameterCount())
    fail("expected a parameter that there is; compute-sanitizer reports this");
  ++state.attributeQueries;
  *offset = 0;
  *bytes = function->kernel->parameterSize(index);
  return CUDA_SUCCESS;
}
CUresult cuTensorMapEncodeTiled(nmrtTensorMap *map, int elementType,
                                uint32_t rank, void *address,
                                const uint64_t *extents,
                                const uint64_t *strides, const uint32_t *box,
                                const uint32_t *, int, int swizzle, int, int) {
  requireContext();
  if (reinterpret_cast<uintptr_t>(map) % 64 != 0)
    fail("expected a tensor map aligned to 64 bytes");
  map->opaque[0] = reinterpret_cast<uintptr_t>(address);
  map->opaque[1] = static_cast<uint64_t>(elementType) * 100 + rank;
  map->opaque[2] = extents[rank - 1] + strides[0] + box[0];
  map->opaque[3] = static_cast<uint64_t>(swizzle);
  return CUDA_SUCCESS;
}
#endif

CUresult cuEventCreate(CUevent *event, unsigned) {
  requireContext();
  Lock lock(mutex);
  events.insert(*event = new CUevent_st);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  requireStream(stream);
  Lock lock(mutex);
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
  Lock lock(mutex);
  if (events.erase(event) == 0)
    fail("expected a created event to destroy");
  delete event;
  return CUDA_SUCCESS;
}
}

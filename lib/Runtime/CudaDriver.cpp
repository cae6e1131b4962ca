//===- CudaDriver.cpp - libcuda, opened at run time -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include <dlfcn.h>

using namespace nm::runtime;
using namespace nm::runtime::cuda;

/// The status that a driver's error code stands for.
static nmrtStatus classify(CUresult result) {
  switch (result) {
  case CUDA_ERROR_INVALID_VALUE:
    return NMRT_INVALID_ARGUMENT;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return NMRT_OUT_OF_MEMORY;
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_INVALID_DEVICE:
    return NMRT_NO_DEVICE;
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_JIT_COMPILATION_DISABLED:
  case CUDA_ERROR_NOT_FOUND:
    return NMRT_INVALID_IMAGE;
  default:
    // 700 to 719: what a kernel did wrong.
    return result >= CUDA_ERROR_ILLEGAL_ADDRESS &&
                   result <= CUDA_ERROR_LAUNCH_FAILED
               ? NMRT_LAUNCH_FAILED
               : NMRT_DRIVER_ERROR;
  }
}

Status Driver::check(CUresult result, const char *call) const {
  if (result == CUDA_SUCCESS)
    return Status();
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
    name = "unknown error";
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || !text)
    text = "no description";
  return Status(classify(result), std::string(call) + ": " + name + " (" +
                                      std::to_string(result) + "): " + text);
}

/// Opens the library and resolves its symbols.
static Status open(Driver &driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return Status(NMRT_NO_DEVICE,
                  std::string("expected the NVIDIA driver's libcuda.so.1: ") +
                      (reason ? reason : "not found"));
  }
#define NM_CUDA_OPTIONAL_SYMBOL(name, exported, parameters)                    \
  driver.name =                                                                \
      reinterpret_cast<CUresult(*) parameters>(dlsym(library, exported));
#define NM_CUDA_SYMBOL(name, exported, parameters)                             \
  NM_CUDA_OPTIONAL_SYMBOL(name, exported, parameters)                          \
  if (!driver.name)                                                            \
    return Status(NMRT_NO_DEVICE, "expected " exported                         \
                                  " in libcuda.so.1: the driver is too old");
#include "CudaDriverSymbols.inc"
  CUresult result = driver.cuInit(0);
  if (result != CUDA_SUCCESS)
    return Status(NMRT_NO_DEVICE, driver.check(result, "cuInit").message);
  return Status();
}

Status Driver::get(const Driver *&driver) {
  // Kept open to the end of the process: libcuda cannot be unloaded safely.
  static Driver instance;
  static const Status status = open(instance);
  driver = status.failed() ? nullptr : &instance;
  return status;
}

/*===- Runtime.h - C ABI of nm's runtime --------------------------*- C -*-===//
 *
 * Part of nm, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 * The contract between compiled host code and the runtime, and the interface of
 * programs that drive kernels themselves. Every call but the destroyers returns
 * a status; the text of the last error is kept in the context. A context has
 * one stream: what is enqueued runs in order. One thread may use a context at a
 * time.
 *
 *===----------------------------------------------------------------------===*/

#ifndef NM_C_RUNTIME_H
#define NM_C_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a signature or a struct below changes. */
#define NMRT_API_VERSION 2

typedef struct nmrtContext nmrtContext;

/* 0 is success; the values are stable. */
typedef int32_t nmrtStatus;
enum {
  NMRT_OK = 0,
  NMRT_INVALID_ARGUMENT = 1,
  NMRT_OUT_OF_MEMORY = 2,
  NMRT_NO_DEVICE = 3,     /* no libcuda, no GPU, or the driver is too old */
  NMRT_INVALID_IMAGE = 4, /* PTX or cubin refused; the log is in the error */
  NMRT_LAUNCH_FAILED = 5, /* also a check of the emulator that found a fault */
  NMRT_DRIVER_ERROR = 6,  /* any other error of the driver */
  NMRT_ASSERTION = 7      /* a cf.assert of the program failed */
};

typedef int32_t nmrtDeviceKind;
enum { NMRT_DEVICE_CUDA = 0, NMRT_DEVICE_EMULATOR = 1 };

/* Checks of the emulator (ignored by CUDA), or-ed together. */
enum {
  NMRT_CHECK_BOUNDS = 1,        /* accesses outside of any allocation */
  NMRT_CHECK_ALIGNMENT = 2,     /* misaligned accesses */
  NMRT_CHECK_UNINITIALIZED = 4, /* reads of shared memory nobody wrote */
  NMRT_CHECK_RACES = 8,         /* conflicting accesses between barriers */
  NMRT_CHECK_BARRIERS = 16,     /* barriers not reached by all threads */
  NMRT_CHECK_ALL = 31
};

typedef struct nmrtContextOptions {
  uint32_t apiVersion; /* NMRT_API_VERSION */
  nmrtDeviceKind device;
  int32_t deviceOrdinal;    /* CUDA: which GPU */
  uint32_t emulatorChecks;  /* NMRT_CHECK_* */
  uint64_t emulatorSeed;    /* order in which warps run */
  uint32_t emulatorThreads; /* host threads that run blocks; 0 counts as 1 */
  bool recordKernels;       /* time every launch (nmrtKernelRecord) */
  bool emulatorCounters;    /* with recordKernels: count what a launch executes
                               (nmrtKernelRecordCounters); makes it slower */
} nmrtContextOptions;

/* NMRT_API_VERSION of the library that is linked or loaded. */
uint32_t nmrtApiVersion(void);

/* Creates a context. On failure *context is null and, when `error` is not null,
 * up to `errorSize` bytes of text (with the final 0) are written to it. */
nmrtStatus nmrtContextCreate(const nmrtContextOptions *options,
                             nmrtContext **context, char *error,
                             size_t errorSize);
void nmrtContextDestroy(nmrtContext *context);

/* Text of the last failed call on this context; "" if none. Valid until the
 * next call. With null: of the last failed call of this thread for the host
 * (nmrtHostAlloc, nmrtAssertionFailed) or without the context that it needs. */
const char *nmrtLastError(const nmrtContext *context);
/* Name of the device, such as "NVIDIA H200" or "PTX emulator". */
const char *nmrtDeviceName(const nmrtContext *context);
/* Compute capability, major*10+minor (90 for sm_90); 0 in the emulator. */
int32_t nmrtDeviceCapability(const nmrtContext *context);
/* NMRT_DEVICE_CUDA or NMRT_DEVICE_EMULATOR. */
nmrtDeviceKind nmrtDeviceGetKind(const nmrtContext *context);

/* Device memory. Pointers are 256-byte aligned. An allocation of 0 bytes gives
 * a valid pointer that may be freed; freeing null does nothing. nmrtFree is
 * ordered with the stream and refuses what nmrtAlloc did not give. */
nmrtStatus nmrtAlloc(nmrtContext *context, uint64_t bytes, void **pointer);
nmrtStatus nmrtFree(nmrtContext *context, void *pointer);
/* As nmrtAlloc; the error says that the memory was for `what`. */
nmrtStatus nmrtAllocFor(nmrtContext *context, uint64_t bytes, const char *what,
                        void **pointer);
/* Host to device; `host` may be changed when the call returns. */
nmrtStatus nmrtUpload(nmrtContext *context, void *device, const void *host,
                      uint64_t bytes);
/* Waits for what was enqueued, then copies to the host. */
nmrtStatus nmrtDownload(nmrtContext *context, void *host, const void *device,
                        uint64_t bytes);
/* Device to device, ordered with the stream; the ranges do not overlap. */
nmrtStatus nmrtCopy(nmrtContext *context, void *destination, const void *source,
                    uint64_t bytes);

/* The device copy of `bytes` bytes of constant host memory at `host`, uploaded
 * on the first call with this address and kept until the context ends or
 * nmrtForget. */
nmrtStatus nmrtConstant(nmrtContext *context, const void *host, uint64_t bytes,
                        void **device);

/* Enqueues kernel `name` of the PTX text or cubin `image` (`imageBytes` bytes;
 * loaded on first use, recognised by its address). `parameters` points to
 * `parameterCount` pointers to the values, as cuLaunchKernel takes them. Layers
 * that are alike launch the same kernel: `what` tells them apart in records and
 * errors (null: by the kernel's name). A grid with a zero extent launches
 * nothing and succeeds. */
nmrtStatus nmrtLaunch(nmrtContext *context, const void *image,
                      uint64_t imageBytes, const char *name, const char *what,
                      uint64_t gridX, uint64_t gridY, uint64_t gridZ,
                      uint32_t blockX, uint32_t blockY, uint32_t blockZ,
                      uint32_t sharedBytes, void **parameters,
                      uint32_t parameterCount);

/* Drops the constants and images that were taken from host memory in
 * [host, host + bytes): to be called before that memory is freed or changed, as
 * when a compiled library is unloaded while the context lives on. */
nmrtStatus nmrtForget(nmrtContext *context, const void *host, uint64_t bytes);

nmrtStatus nmrtSynchronize(nmrtContext *context);

/* Host memory, 64-byte aligned, to be freed by free(). Asking for more than the
 * machine has fails with both sizes in the error, which says that the memory
 * was for `what` (may be null). The context may be null, as in all code for the
 * CPU. */
nmrtStatus nmrtHostAlloc(nmrtContext *context, uint64_t bytes, const char *what,
                         void **pointer);

/* Records `message` as the error of a failed cf.assert; returns
 * NMRT_ASSERTION. */
nmrtStatus nmrtAssertionFailed(nmrtContext *context, const char *message);

/* One row a launch, in order, when recordKernels is set. */
typedef struct nmrtKernelRecord {
  const char *name;    /* of the launch: nmrtLaunch's `what`, ... */
  const char *kernel;  /* ... and of its kernel; both are valid until the
                          records are cleared */
  double milliseconds; /* device time; emulator: host time */
  uint64_t grid[3];
  uint32_t block[3];
  uint32_t sharedBytes;
} nmrtKernelRecord;
nmrtStatus nmrtKernelRecordCount(nmrtContext *context, uint64_t *count);
nmrtStatus nmrtKernelRecordAt(nmrtContext *context, uint64_t index,
                              nmrtKernelRecord *record);
/* What the launch executed, as JSON (docs/Runtime.md); "" without
 * emulatorCounters and on CUDA. Valid until the records are cleared. */
nmrtStatus nmrtKernelRecordCounters(nmrtContext *context, uint64_t index,
                                    const char **json);
nmrtStatus nmrtKernelRecordsClear(nmrtContext *context);

/* Bytes of device memory now in use and the most that ever were (constants
 * included). */
nmrtStatus nmrtMemoryUsage(nmrtContext *context, uint64_t *current,
                           uint64_t *peak);

/* What device memory was used for. `liveMaximum` is the largest sum of the
 * sizes of buffers between their first and last use, which no order of
 * allocations can undercut; constants and what the host uploads are used until
 * they are freed. Which launch uses what is known in the emulator with
 * recordKernels; elsewhere a buffer counts from its allocation on. */
typedef struct nmrtMemoryStatistics {
  uint64_t current;      /* bytes allocated now */
  uint64_t peak;         /* bytes allocated at most */
  uint64_t peakReserved; /* bytes taken from the device at most */
  uint64_t liveMaximum;
  uint64_t constants; /* bytes of constants now */
} nmrtMemoryStatistics;
nmrtStatus nmrtGetMemoryStatistics(nmrtContext *context,
                                   nmrtMemoryStatistics *statistics);

#ifdef __cplusplus
}
#endif

#endif /* NM_C_RUNTIME_H */

/*===- Runtime.h - C ABI of nm's runtime --------------------------*- C -*-===//
 *
 * Part of nm, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 * Devices, their memory and their kernels: what nm-c/Program.h runs on, and the
 * interface of programs that launch kernels themselves.
 *
 * Errors. Every call that can fail returns a status; nmrtLastError gives the
 * text of the last failure of the calling thread.
 *
 * Threads. Every function may be called from several threads at once, on one
 * context or on several, but what a call destroys or frees (a context, a
 * module, memory) no other thread may be using. A launch on a GPU without
 * recordKernels takes no lock; the emulator runs one launch at a time.
 *
 * Streams. A parameter `stream` is a CUstream of the caller, or null for the
 * context's own stream, which functions without one use; 1 is CUDA's legacy
 * default stream (CU_STREAM_LEGACY). What is enqueued on one stream runs in the
 * order of the calls. Nothing else is ordered: the context's stream does not
 * wait for the caller's, nor for the legacy one, nor they for it, unless the
 * caller makes them (nmrtSynchronizeOn, or CUDA's events). A stream must live
 * until what was allocated on it has been freed. In the emulator all is done
 * when a call returns, and streams are ignored.
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
#define NMRT_API_VERSION 5

typedef struct nmrtContext nmrtContext;
typedef struct nmrtModule nmrtModule;
typedef struct nmrtKernel nmrtKernel;

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

/* Where a context takes device memory from, in place of a pool of its own. Both
 * are called with CUDA's context current, from any thread, possibly from
 * several at once. `stream` is the CUstream that the memory is used on (never
 * null). `allocate` gives memory aligned to 256 bytes; `release` gets what it
 * gave and the same stream, on which the last use of the memory is enqueued. */
typedef struct nmrtAllocator {
  void *user;
  nmrtStatus (*allocate)(void *user, uint64_t bytes, void *stream,
                         void **pointer);
  void (*release)(void *user, void *pointer, void *stream);
} nmrtAllocator;

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
  nmrtAllocator allocator;  /* CUDA: all null, or both functions given */
} nmrtContextOptions;

/* NMRT_API_VERSION of the library that is linked or loaded. */
uint32_t nmrtApiVersion(void);

/* Creates a context. On failure *context is null and, when `error` is not null,
 * up to `errorSize` bytes of text (with the final 0) are written to it. */
nmrtStatus nmrtContextCreate(const nmrtContextOptions *options,
                             nmrtContext **context, char *error,
                             size_t errorSize);
void nmrtContextDestroy(nmrtContext *context);

/* Text of the last failed call of this thread, on whatever context; "" if none
 * has failed. Valid until the thread's next call that fails. */
const char *nmrtLastError(void);
/* Name of the device, such as "NVIDIA H200" or "PTX emulator". */
const char *nmrtDeviceName(const nmrtContext *context);
/* Compute capability, major*10+minor (90 for sm_90); 0 in the emulator. */
int32_t nmrtDeviceCapability(const nmrtContext *context);
/* NMRT_DEVICE_CUDA or NMRT_DEVICE_EMULATOR. */
nmrtDeviceKind nmrtDeviceGetKind(const nmrtContext *context);
/* The CUstream that a null stream stands for; null in the emulator. */
void *nmrtContextStream(const nmrtContext *context);

/* Device memory. Pointers are 256-byte aligned. An allocation of 0 bytes gives
 * a valid pointer that may be freed; freeing null does nothing. Memory belongs
 * to the stream it was allocated on: what is enqueued there after the
 * allocation may use it, and nmrtFree is ordered there behind what was enqueued
 * before. Other streams must be ordered with that one by the caller. Memory of
 * the context's stream is handed out from a pool, that of others by
 * cuMemAllocAsync. nmrtFree refuses what was not allocated here. */
nmrtStatus nmrtAlloc(nmrtContext *context, uint64_t bytes, void **pointer);
/* As nmrtAlloc; the error says that the memory was for `what` (null: nothing).
 */
nmrtStatus nmrtAllocFor(nmrtContext *context, uint64_t bytes, const char *what,
                        void **pointer);
nmrtStatus nmrtAllocOn(nmrtContext *context, void *stream, uint64_t bytes,
                       const char *what, void **pointer);
nmrtStatus nmrtFree(nmrtContext *context, void *pointer);
/* Host to device; waits for the stream, so that `host` may be changed when the
 * call returns. */
nmrtStatus nmrtUpload(nmrtContext *context, void *device, const void *host,
                      uint64_t bytes);
nmrtStatus nmrtUploadOn(nmrtContext *context, void *stream, void *device,
                        const void *host, uint64_t bytes);
/* Waits for what was enqueued on the stream, then copies to the host. Fails if
 * an assertion of a kernel did (nmrtCheckAssertions). */
nmrtStatus nmrtDownload(nmrtContext *context, void *host, const void *device,
                        uint64_t bytes);
nmrtStatus nmrtDownloadOn(nmrtContext *context, void *stream, void *host,
                          const void *device, uint64_t bytes);
/* Device to device, in the stream's order; the ranges do not overlap. */
nmrtStatus nmrtCopy(nmrtContext *context, void *destination, const void *source,
                    uint64_t bytes);
nmrtStatus nmrtCopyOn(nmrtContext *context, void *stream, void *destination,
                      const void *source, uint64_t bytes);

/* Waits for what was enqueued on the stream. Fails if a kernel did, or an
 * assertion of one. */
nmrtStatus nmrtSynchronize(nmrtContext *context);
nmrtStatus nmrtSynchronizeOn(nmrtContext *context, void *stream);

/* NMRT_ASSERTION and its message if a cf.assert of a kernel has failed since
 * the last call that said so; waits for nothing and copies nothing else, so
 * kernels that still run may fail later, and the same failure may show twice.
 */
nmrtStatus nmrtCheckAssertions(nmrtContext *context);

/* A loaded image: PTX text or a cubin of `bytes` bytes, which is not read after
 * the call. It is unloaded with the context at the latest. */
nmrtStatus nmrtModuleLoad(nmrtContext *context, const void *image,
                          uint64_t bytes, nmrtModule **module);
/* Waits for the device first; null does nothing. */
nmrtStatus nmrtModuleUnload(nmrtContext *context, nmrtModule *module);
/* The kernel `name`, the same pointer at every call; it lives as long as its
 * module. What a launch has to know of it is asked for here. */
nmrtStatus nmrtKernelGet(nmrtContext *context, nmrtModule *module,
                         const char *name, nmrtKernel **kernel);

/* A parameter is passed by value: `bytes` bytes at `value`, which are read
 * before the launch returns. */
typedef struct nmrtParameter {
  const void *value;
  uint64_t bytes;
} nmrtParameter;

enum {
  /* Programmatic dependent launch: the kernel may start before the last one of
   * the stream has ended, and waits for it itself (griddepcontrol.wait). The
   * emulator starts it afterwards, and finds what it touches too early. */
  NMRT_LAUNCH_DEPENDENT = 1
};

typedef struct nmrtLaunchConfig {
  uint64_t grid[3];     /* an extent of 0 launches nothing and succeeds */
  uint32_t block[3];    /* threads */
  uint32_t cluster[3];  /* blocks that share memory; all 0: none */
  uint32_t sharedBytes; /* dynamic shared memory */
  uint32_t flags;       /* NMRT_LAUNCH_*, or-ed together */
  void *stream;
  const char *what; /* Layers that are alike launch the same kernel: this tells
                       them apart in records and errors (null: its name) */
  const nmrtParameter *parameters;
  uint32_t parameterCount;
} nmrtLaunchConfig;

/* Enqueues a kernel. The number and the sizes of the parameters are compared
 * with the kernel's (on a GPU those of PTX, with drivers since CUDA 12.4).
 * Without recordKernels, a launch on a GPU that succeeds allocates no memory,
 * takes no lock and asks the driver for nothing else; the first that needs more
 * dynamic shared memory than any before it raises the kernel's limit. */
nmrtStatus nmrtLaunch(nmrtContext *context, nmrtKernel *kernel,
                      const nmrtLaunchConfig *config);

/* What a kernel takes for the tensor memory accelerator: a parameter of 128
 * bytes. The layout is the device's (on a GPU CUtensorMap). */
typedef struct nmrtTensorMap {
#ifdef __cplusplus
  alignas(64)
#else
  _Alignas(64)
#endif
      uint64_t opaque[16];
} nmrtTensorMap;

/* The arguments of cuTensorMapEncodeTiled, dimensions from the innermost on;
 * the numbers of types and modes are those of cuda.h. */
typedef struct nmrtTensorMapConfig {
  void *address;
  uint64_t extents[5];        /* in elements */
  uint64_t strides[4];        /* in bytes, from the second dimension on */
  uint32_t box[5];            /* in elements */
  uint32_t elementStrides[5]; /* in elements */
  uint32_t rank;              /* 1 to 5 */
  int32_t elementType;        /* CUtensorMapDataType */
  int32_t interleave;         /* CUtensorMapInterleave */
  int32_t swizzle;            /* CUtensorMapSwizzle */
  int32_t l2Promotion;        /* CUtensorMapL2promotion */
  int32_t outOfBounds;        /* CUtensorMapFloatOOBfill */
} nmrtTensorMapConfig;

/* Waits for nothing. The emulator's maps are for the emulator only, of what it
 * executes (docs/Emulator.md). An error with drivers before CUDA 12. */
nmrtStatus nmrtTensorMapEncode(nmrtContext *context,
                               const nmrtTensorMapConfig *config,
                               nmrtTensorMap *map);

/* What was done since the context was made; what failed counts nowhere. */
typedef struct nmrtCounters {
  uint64_t launches;
  uint64_t allocations;       /* of device memory, constants included ... */
  uint64_t driverAllocations; /* ... and calls of the driver or of the caller's
                                 allocator that they took */
  uint64_t frees;
  uint64_t synchronizations; /* waits for the device of whatever call, but for
                                those of nmrtKernelRecordAt */
  uint64_t moduleLoads;
  uint64_t uploads;
  uint64_t downloads;
  uint64_t copies;
} nmrtCounters;
nmrtStatus nmrtGetCounters(nmrtContext *context, nmrtCounters *counters);

/*===----------------------------------------------------------------------===*/
/* What code compiled for the CPU calls. */
/*===----------------------------------------------------------------------===*/

/* Host memory, 64-byte aligned, to be freed by free(). Asking for more than the
 * machine has fails with both sizes in the error, which says that the memory
 * was for `what` (may be null). The context may be null, as in all code for the
 * CPU. */
nmrtStatus nmrtHostAlloc(nmrtContext *context, uint64_t bytes, const char *what,
                         void **pointer);

/* Records `message` as the error of a failed cf.assert; returns
 * NMRT_ASSERTION. */
nmrtStatus nmrtAssertionFailed(nmrtContext *context, const char *message);

/*===----------------------------------------------------------------------===*/
/* What was launched and allocated. */
/*===----------------------------------------------------------------------===*/

/* One row a launch, in order, when recordKernels is set. */
typedef struct nmrtKernelRecord {
  const char *name;    /* of the launch: `what` it is, ... */
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
 * they are freed. Which launch uses what is known with recordKernels, and where
 * the sizes of a kernel's parameters are; elsewhere a buffer counts from its
 * allocation on. A tensor's memory is used until it is freed, once a map of it
 * was made. */
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

//===- faulty.cu - Kernels with one error each -----------------*- CUDA -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checks must find. The arguments decide whether the error happens, so
// that each kernel also has a launch that must pass.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

// Reverses a block's values; without the barrier when `skip` is set.
extern "C" __global__ void missingBarrier(int *data, int skip) {
  __shared__ int shared[256];
  shared[threadIdx.x] = data[threadIdx.x];
  if (!skip)
    __syncthreads();
  data[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

// The second round overwrites what the first one may still be reading.
extern "C" __global__ void missingSecondBarrier(int *data, int skip) {
  __shared__ int shared[256];
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    shared[threadIdx.x] = data[threadIdx.x] + round;
    __syncthreads();
    sum += shared[(threadIdx.x + 32) % blockDim.x];
    if (!skip)
      __syncthreads();
  }
  data[threadIdx.x] = sum;
}

// Within one warp: lanes exchange through shared memory.
extern "C" __global__ void missingWarpBarrier(int *data, int skip) {
  __shared__ int shared[32];
  shared[threadIdx.x] = data[threadIdx.x];
  if (!skip)
    __syncwarp();
  data[threadIdx.x] = shared[threadIdx.x ^ 1];
}

extern "C" __global__ void outOfBounds(int *data, int n) {
  data[blockIdx.x * blockDim.x + threadIdx.x + n] = 1;
}

extern "C" __global__ void sharedOutOfBounds(int *data, int shift) {
  __shared__ int shared[64];
  shared[threadIdx.x + shift] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = shared[threadIdx.x];
}

extern "C" __global__ void misaligned(char *data, int shift) {
  *reinterpret_cast<float4 *>(data + 16 * threadIdx.x + shift) =
      make_float4(1, 2, 3, 4);
}

extern "C" __global__ void uninitialised(int *data, int written) {
  __shared__ int shared[64];
  if (threadIdx.x < written)
    shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = shared[threadIdx.x];
}

extern "C" __global__ void divergentBarrier(int *data, int limit) {
  __shared__ int shared[64];
  shared[threadIdx.x] = data[threadIdx.x];
  if (threadIdx.x < limit)
    __syncthreads();
  data[threadIdx.x] = shared[threadIdx.x] + 1;
}

// Threads leave before a barrier that the others wait at.
extern "C" __global__ void exitBeforeBarrier(int *data, int n) {
  if (threadIdx.x >= n)
    return;
  data[threadIdx.x] += 1;
  __syncthreads();
  data[threadIdx.x] += 1;
}

// Reads a copy before it waited (skip 1), or before a barrier (skip 2).
extern "C" __global__ void earlyCopyRead(const int *in, int *out, int skip) {
  __shared__ int shared[64];
  __pipeline_memcpy_async(&shared[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  if (skip != 1)
    __pipeline_wait_prior(0);
  if (skip == 0)
    __syncthreads();
  out[threadIdx.x] = shared[skip == 1 ? threadIdx.x : 63 - threadIdx.x];
}

extern "C" __global__ void trapIf(int *data, int limit) {
  if (data[threadIdx.x] > limit)
    __trap();
}

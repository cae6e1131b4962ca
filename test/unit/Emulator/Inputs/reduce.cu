//===- reduce.cu - Reductions with shuffles and atomics --------*- CUDA -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sum of n floats by shuffles, shared memory and one atomic a block; and a
// histogram with shared and global atomics.
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void blockSum(const float *in, float *out, int n) {
  __shared__ float partial[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
    for (int offset = 16; offset; offset /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0)
      atomicAdd(out, sum);
  }
}

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins,
                                     unsigned *evens, int n) {
  __shared__ unsigned local[64];
  if (threadIdx.x < 64)
    local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
  int even = __syncthreads_count(threadIdx.x < n && in[threadIdx.x] % 2 == 0);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *evens = even;
}

// Inclusive scan of each warp, and what ballot, match and redux say.
extern "C" __global__ void warpOps(const int *in, int *scan, unsigned *ballot,
                                   unsigned *matched, int *total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = in[i], sum = value;
  for (int offset = 1; offset < 32; offset *= 2) {
    int other = __shfl_up_sync(0xffffffff, sum, offset);
    if (lane >= offset)
      sum += other;
  }
  scan[i] = sum;
  ballot[i] = __ballot_sync(0xffffffff, value > 0);
  matched[i] = __match_any_sync(0xffffffff, value);
  total[i] = __reduce_add_sync(0xffffffff, value) +
             (__any_sync(0xffffffff, value > 100) ? 1000000 : 0);
}

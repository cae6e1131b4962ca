//===- softmax.cu - Row softmax and divergent code -------------*- CUDA -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Softmax over rows of any length, one block a row, with expf and divergence at
// the tail; and kernels of nested and irregular control flow.
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void softmax(const float *in, float *out, int n) {
  __shared__ float shared[8];
  const float *row = in + blockIdx.x * n;
  float most = -3.0e38f, sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    most = fmaxf(most, row[i]);
  for (int offset = 16; offset; offset /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, offset));
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = most;
  __syncthreads();
  for (int i = 0; i < blockDim.x / 32; ++i)
    most = fmaxf(most, shared[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += expf(row[i] - most);
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < blockDim.x / 32; ++i)
    sum += shared[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = expf(row[i] - most) / sum;
}

// Steps of Collatz's sequence: each lane leaves its loop at another time.
extern "C" __global__ void collatz(const unsigned *in, unsigned *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long value = in[i];
  unsigned count = 0;
  while (value != 1) {
    if (count > 1000)
      break;
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++count;
  }
  steps[i] = count;
}

// Nested branches, a switch, continue and an early return within loops.
extern "C" __global__ void maze(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i % n], result = 0;
  for (int outer = 0; outer < value % 7; ++outer) {
    if (value % 3 == 0 && outer == 2)
      continue;
    for (int inner = outer; inner < 9; ++inner) {
      switch ((value + inner) % 5) {
      case 0:
        result += inner;
        break;
      case 1:
        result ^= outer * 3;
        if (result > 500) {
          out[i] = -result;
          return;
        }
        break;
      case 2:
        result = result * 5 + 1;
        break;
      case 3:
        goto next;
      default:
        result -= 2;
      }
      if ((result & 15) == 7)
        break;
    }
  next:
    result += 100;
  }
  out[i] = result;
}

// A table in constant memory, a local array with indices known at run time only,
// and double arithmetic.
__constant__ double weights[8] = {0.5, 1.5, -2.25, 3.0, 1e-3, 7.0, -0.125, 9.0};
__device__ int calls = 40;

extern "C" __global__ void tables(const int *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    calls += 1;
  if (i >= n)
    return;
  double local[8];
  for (int j = 0; j < 8; ++j)
    local[(j * 3 + in[i]) & 7] = weights[j] / (i + 1);
  double sum = calls >= 40 ? 0 : 1e9;
  for (int j = 0; j < 8; ++j)
    sum += sqrt(fabs(local[(j + in[i] * 5) & 7])) * j;
  out[i] = sum;
}

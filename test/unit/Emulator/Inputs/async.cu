//===- async.cu - Matrix products with asynchronous copies -----*- CUDA -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A * B (A [k,m]) with two stages of cp.async in dynamic shared memory; m, n
// multiples of 32, k of 8. And the same tile as a plain product of half2, and
// with ldmatrix and mma.sync.
//
//===----------------------------------------------------------------------===//

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

extern "C" __global__ void asyncGemm(const float *a, const float *b, float *c,
                                     int m, int n, int k) {
  extern __shared__ float buffer[]; // [2][2][8][32]
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  int row = blockIdx.y * 32, column = blockIdx.x * 32;
  auto fetch = [&](int step, int stage) {
    if (threadIdx.x < 64) {
      int r = threadIdx.x / 8, q = threadIdx.x % 8 * 4;
      __pipeline_memcpy_async(buffer + stage * 512 + r * 32 + q,
                              a + (step + r) * m + row + q, 16);
    } else if (threadIdx.x < 128) {
      int r = threadIdx.x / 8 - 8, q = threadIdx.x % 8 * 4;
      __pipeline_memcpy_async(buffer + stage * 512 + 256 + r * 32 + q,
                              b + (step + r) * n + column + q, 16);
    }
    __pipeline_commit();
  };
  float sum[2][2] = {};
  fetch(0, 0);
  for (int step = 0; step < k; step += 8) {
    int stage = step / 8 % 2;
    if (step + 8 < k) {
      fetch(step + 8, stage ^ 1);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    const float *as = buffer + stage * 512, *bs = as + 256;
    for (int kk = 0; kk < 8; ++kk)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          sum[i][j] += as[kk * 32 + ty * 2 + i] * bs[kk * 32 + tx * 2 + j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      c[(row + ty * 2 + i) * n + column + tx * 2 + j] = sum[i][j];
}

// y = relu(x * w + b) and the row maximum in halves.
extern "C" __global__ void halfAxpy(const __half2 *x, const __half2 *w,
                                    const __half2 *b, __half2 *y, float *most,
                                    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half2 zero = __float2half2_rn(0.0f);
  __half2 value = __hmax2(__hfma2(x[i], w[i], b[i]), zero);
  y[i] = __hadd2(value, __hmul2(x[i], __float2half2_rn(0.5f)));
  most[i] = fmaxf(__low2float(value), __high2float(value));
  if (__hgt(__low2half(value), __high2half(value)))
    most[i] += 1000.0f;
}

// One warp, C[16,8] = A[16,16] * B[16,8], all row-major halves.
extern "C" __global__ void mmaTile(const __half *a, const __half *b, float *c) {
  __shared__ __align__(16) __half as[16][16], bs[16][8];
  int lane = threadIdx.x;
  reinterpret_cast<uint4 *>(as)[lane] = reinterpret_cast<const uint4 *>(a)[lane];
  if (lane < 16)
    reinterpret_cast<uint4 *>(bs)[lane] = reinterpret_cast<const uint4 *>(b)[lane];
  __syncthreads();
  unsigned ra[4], rb[2];
  unsigned pa = __cvta_generic_to_shared(&as[lane % 16][lane / 16 * 8]);
  unsigned pb = __cvta_generic_to_shared(&bs[lane % 16][0]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
               : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(rb[0]), "=r"(rb[1])
               : "r"(pb));
  float d[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]),
                 "r"(rb[1]));
  int group = lane / 4, column = lane % 4 * 2;
  c[group * 8 + column] = d[0];
  c[group * 8 + column + 1] = d[1];
  c[(group + 8) * 8 + column] = d[2];
  c[(group + 8) * 8 + column + 1] = d[3];
}

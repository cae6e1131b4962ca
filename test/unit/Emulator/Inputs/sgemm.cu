//===- sgemm.cu - Tiled matrix product -------------------------*- CUDA -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[m,n] = A[m,k] * B[k,n] with 64x64 tiles in shared memory, 64 threads and an
// 8x8 tile a thread: the inner loop of the benchmark. m, n multiples of 64, k of
// 16. A is k-major ([k,m]).
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void __launch_bounds__(64)
    sgemm(const float *__restrict__ a, const float *__restrict__ b,
          float *__restrict__ c, int m, int n, int k) {
  __shared__ float4 as[16][16], bs[16][16];
  int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
  int row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sum[8][8] = {};
  for (int step = 0; step < k; step += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int r = i * 4 + threadIdx.x / 16, q = threadIdx.x % 16;
      as[r][q] = *reinterpret_cast<const float4 *>(a + (step + r) * m + row + 4 * q);
      bs[r][q] = *reinterpret_cast<const float4 *>(b + (step + r) * n + column + 4 * q);
    }
    __syncthreads();
#pragma unroll 4
    for (int kk = 0; kk < 16; ++kk) {
      float4 a0 = as[kk][ty], a1 = as[kk][ty + 8];
      float4 b0 = bs[kk][tx], b1 = bs[kk][tx + 8];
      float av[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      float bv[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          sum[i][j] = fmaf(av[i], bv[j], sum[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      int r = row + (i < 4 ? 0 : 32) + ty * 4 + i % 4;
      *reinterpret_cast<float4 *>(c + r * n + column + j * 32 + tx * 4) =
          make_float4(sum[i][4 * j], sum[i][4 * j + 1], sum[i][4 * j + 2],
                      sum[i][4 * j + 3]);
    }
}

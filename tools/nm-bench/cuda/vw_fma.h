//===- vw_fma.h - A thread's part of vector-wise N:M SpMM -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the CUDA kernels that ptx_equivalence.py compares nm's with have in
// common. They compute C[m][n] = A^T x B, with A feature-major, [k][m], and B
// as values and one row of a step for each value row and unit of 32 columns, [n
// / BlockN][step][unit of the block][row].
//
// A warp has the 32 columns of one unit, so that its lanes read one row of A.
// A compilation is one case, whose numbers are macros: nm's kernels know their
// extents too. Extents are multiples of the tile.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TOOLS_BENCH_CUDA_VW_FMA_H
#define NM_TOOLS_BENCH_CUDA_VW_FMA_H

namespace {
constexpr int kM = NM_M, kN = NM_N, kK = NM_K;
constexpr int kBlockM = NM_BLOCK_M, kBlockN = NM_BLOCK_N;
constexpr int kThreadM = NM_THREAD_M, kThreadN = NM_THREAD_N;
constexpr int kStepK = NM_STEP; // rows of A a step ...
constexpr int kRows = NM_ROWS;  // ... of which each unit keeps so many
constexpr int kStages = NM_STAGES;

constexpr int kUnitN = 32;
constexpr int kVector = 4; // elements of a 16-byte access
constexpr int kUnits = kBlockN / kUnitN;
constexpr int kConsumers = kUnits * 32; // threads that compute
constexpr int kLanesM = kBlockM / kThreadM;
constexpr int kLanesN = kUnitN / kThreadN;
constexpr int kSteps = kK / kStepK;
static_assert(kLanesM * kLanesN == 32, "a warp has the columns of a unit");
static_assert(kSteps >= kStages && kStages >= 2, "the ring is filled");

/// One slot of the ring.
struct Slot {
  float a[kStepK][kBlockM];
  float values[kRows][kBlockN];
  int positions[kUnits][kRows];
};

/// The operands of one product of a thread.
struct Fragment {
  float4 a[kThreadM / kVector];
  float4 b[kThreadN / kVector];
};

/// The sums of a thread.
class Sums {
public:
  __device__ Sums()
      : warp(threadIdx.x / 32), laneM(threadIdx.x % 32 / kLanesN),
        laneN(threadIdx.x % kLanesN) {}

  __device__ void load(const Slot &from, int row, Fragment &to) const {
    const float *a = from.a[from.positions[warp][row]];
    const float *b = &from.values[row][warp * kUnitN];
#pragma unroll
    for (int i = 0; i < kThreadM; i += kVector)
      to.a[i / kVector] = getVector(a + i * kLanesM + laneM * kVector);
#pragma unroll
    for (int j = 0; j < kThreadN; j += kVector)
      to.b[j / kVector] = getVector(b + j * kLanesN + laneN * kVector);
  }

  __device__ void multiply(const Fragment &fragment) {
#pragma unroll
    for (int i = 0; i < kThreadM; ++i)
#pragma unroll
      for (int j = 0; j < kThreadN; ++j)
        sums[i][j] = fmaf(getElement(fragment.a, i), getElement(fragment.b, j),
                          sums[i][j]);
  }

  __device__ void store(float *c) const {
    c += blockIdx.x * kBlockM * kN + blockIdx.y * kBlockN + warp * kUnitN;
#pragma unroll
    for (int i = 0; i < kThreadM; ++i) {
      int row = i / kVector * kVector * kLanesM + laneM * kVector + i % kVector;
#pragma unroll
      for (int j = 0; j < kThreadN; j += kVector) {
        const float *s = sums[i] + j;
        float *to = c + row * kN + j * kLanesN + laneN * kVector;
        *reinterpret_cast<float4 *>(to) = make_float4(s[0], s[1], s[2], s[3]);
      }
    }
  }

private:
  __device__ static float4 getVector(const float *from) {
    return *reinterpret_cast<const float4 *>(from);
  }

  __device__ static float getElement(const float4 *vectors, int i) {
    return reinterpret_cast<const float *>(vectors)[i];
  }

  int warp, laneM, laneN;
  float sums[kThreadM][kThreadN] = {};
};

/// The slot after `slot` in the ring.
__device__ inline int next(int slot) {
  return slot + 1 == kStages ? 0 : slot + 1;
}
} // namespace

/// Read by ptx_equivalence.py from the PTX.
extern "C" __device__ const int dynamic_shared_bytes = kStages * sizeof(Slot);

#endif // NM_TOOLS_BENCH_CUDA_VW_FMA_H

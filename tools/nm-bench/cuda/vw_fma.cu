//===- vw_fma.cu - Vector-wise N:M SpMM of f32, written by hand -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ptx_equivalence.py compares nm's kernels with whose threads all copy and
// compute (see vw_fma.h). The values are [w][n].
//
//===----------------------------------------------------------------------===//

#include "vw_fma.h"
#include <cuda_pipeline.h>

namespace {
constexpr bool kPrefetch = NM_PREFETCH;

/// What a block computes and how.
class Spmm {
public:
  __device__ Spmm(const float *a, const float *values, const int *positions,
                  float4 *memory)
      : a(a + blockIdx.x * kBlockM), values(values + blockIdx.y * kBlockN),
        positions(positions + blockIdx.y * kSteps * kUnits * kRows),
        ring(reinterpret_cast<Slot *>(memory)) {}

  __device__ void run(float *c) {
#pragma unroll
    for (int step = 0; step < kStages - 1; ++step)
      copyStep(step, step);
    if (kPrefetch) {
      awaitStep();
      sums.load(ring[0], 0, fragments[0]);
    }
    int slot = 0, free = kStages - 1;
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step) {
      if (!kPrefetch)
        awaitStep();
      // The barrier has shown that nobody reads the slot of the step before.
      copyStep(step + kStages - 1, free);
      multiplyStep(slot);
      free = slot;
      slot = next(slot);
    }
    sums.store(c);
  }

private:
  /// Begins to copy Count elements, RowLength together at a distance of Stride.
  template <int Count, int RowLength, int Stride, typename T>
  __device__ static void copy(T *to, const T *from) {
    constexpr int kVectors = Count / kVector;
#pragma unroll
    for (int first = 0; first < kVectors; first += kConsumers) {
      int vector = first + threadIdx.x;
      if (first + kConsumers > kVectors && vector >= kVectors)
        break;
      int row = vector / (RowLength / kVector);
      int column = vector % (RowLength / kVector) * kVector;
      __pipeline_memcpy_async(to + vector * kVector,
                              from + row * Stride + column, 16);
    }
  }

  /// Begins to copy the tiles of a step; where there is none, an empty group.
  __device__ void copyStep(int step, int slot) {
    if (step < kSteps) {
      Slot &to = ring[slot];
      copy<kStepK * kBlockM, kBlockM, kM>(&to.a[0][0], a + step * kStepK * kM);
      copy<kRows * kBlockN, kBlockN, kN>(&to.values[0][0],
                                         values + step * kRows * kN);
      copy<kUnits * kRows, kRows, kRows>(&to.positions[0][0],
                                         positions + step * kUnits * kRows);
    }
    __pipeline_commit();
  }

  /// Waits until all threads' copies of the next step have arrived.
  __device__ static void awaitStep() {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
  }

  /// The products of a step; each is preceded by the loads of the next.
  __device__ void multiplyStep(int slot) {
    if (!kPrefetch)
      sums.load(ring[slot], 0, fragments[0]);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (row + 1 < kRows) {
        sums.load(ring[slot], row + 1, fragments[(row + 1) % 2]);
      } else if (kPrefetch) {
        // After the last step, of a slot that is full but not used.
        awaitStep();
        sums.load(ring[next(slot)], 0, fragments[(row + 1) % 2]);
      }
      sums.multiply(fragments[row % 2]);
    }
    static_assert(kRows % 2 == 0, "a step begins with fragment 0");
  }

  const float *a;
  const float *values;
  const int *positions;
  Slot *ring;
  Fragment fragments[2];
  Sums sums;
};
} // namespace

extern "C" __global__ void __launch_bounds__(kConsumers)
    vw_fma(const float *__restrict__ a, const float *__restrict__ values,
           const int *__restrict__ positions, float *__restrict__ c) {
  extern __shared__ float4 memory[];
  Spmm kernel(a, values, positions, memory);
  kernel.run(c);
}

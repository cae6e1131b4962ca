//===- vw_fma.cu - Vector-wise N:M SpMM of f32, written by hand -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ptx_equivalence.py compares nm's kernels with: C[m][n] = A^T x B, with A
// feature-major, [k][m], and B as values [w][n] and one row of a step for each
// value row and unit of 32 columns, [n / BlockN][step][unit of the block][row].
//
// A warp has the 32 columns of one unit, so that its lanes read one row of A.
// A compilation is one case, whose numbers are macros: nm's kernels know their
// extents too. Extents are multiples of the tile.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

namespace {
constexpr int kM = NM_M, kN = NM_N, kK = NM_K;
constexpr int kUnitN = 32;
constexpr int kVector = 4; // elements of a 16-byte access

/// What a block computes and how; a step has StepK rows of A, of which each
/// unit keeps Rows.
template <int BlockM, int BlockN, int ThreadM, int ThreadN, int StepK, int Rows,
          int Stages, bool Prefetch>
class Spmm {
  static constexpr int kUnits = BlockN / kUnitN;
  static constexpr int kThreads = kUnits * 32;
  static constexpr int kLanesM = BlockM / ThreadM;
  static constexpr int kLanesN = kUnitN / ThreadN;
  static constexpr int kSteps = kK / StepK;
  static_assert(kLanesM * kLanesN == 32, "a warp has the columns of a unit");
  static_assert(kSteps >= Stages && Stages >= 2, "the ring is filled");

  /// One slot of the ring.
  struct Slot {
    float a[StepK][BlockM];
    float values[Rows][BlockN];
    int positions[kUnits][Rows];
  };

  /// The operands of one product of a thread.
  struct Fragment {
    float4 a[ThreadM / kVector];
    float4 b[ThreadN / kVector];
  };

public:
  static constexpr int kSharedBytes = Stages * sizeof(Slot);

  __device__ Spmm(const float *a, const float *values, const int *positions,
                  float4 *memory)
      : a(a + blockIdx.x * BlockM), values(values + blockIdx.y * BlockN),
        positions(positions + blockIdx.y * kSteps * kUnits * Rows),
        ring(reinterpret_cast<Slot *>(memory)), warp(threadIdx.x / 32),
        laneM(threadIdx.x % 32 / kLanesN), laneN(threadIdx.x % kLanesN) {}

  __device__ void run(float *c) {
#pragma unroll
    for (int step = 0; step < Stages - 1; ++step)
      copyStep(step, step);
    if (Prefetch) {
      awaitStep();
      load(0, 0, fragments[0]);
    }
    int slot = 0, free = Stages - 1;
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step) {
      if (!Prefetch)
        awaitStep();
      // The barrier has shown that nobody reads the slot of the step before.
      copyStep(step + Stages - 1, free);
      multiplyStep(slot);
      free = slot;
      slot = next(slot);
    }
    store(c);
  }

private:
  __device__ static int next(int slot) {
    return slot + 1 == Stages ? 0 : slot + 1;
  }

  /// Begins to copy Count elements, RowLength together at a distance of Stride.
  template <int Count, int RowLength, int Stride, typename T>
  __device__ static void copy(T *to, const T *from) {
    constexpr int kVectors = Count / kVector;
#pragma unroll
    for (int first = 0; first < kVectors; first += kThreads) {
      int vector = first + threadIdx.x;
      if (first + kThreads > kVectors && vector >= kVectors)
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
      copy<StepK * BlockM, BlockM, kM>(&to.a[0][0], a + step * StepK * kM);
      copy<Rows * BlockN, BlockN, kN>(&to.values[0][0],
                                      values + step * Rows * kN);
      copy<kUnits * Rows, Rows, Rows>(&to.positions[0][0],
                                      positions + step * kUnits * Rows);
    }
    __pipeline_commit();
  }

  /// Waits until all threads' copies of the next step have arrived.
  __device__ static void awaitStep() {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
  }

  __device__ void load(int slot, int row, Fragment &to) const {
    const Slot &from = ring[slot];
    const float *a = from.a[from.positions[warp][row]];
    const float *b = &from.values[row][warp * kUnitN];
#pragma unroll
    for (int i = 0; i < ThreadM; i += kVector)
      to.a[i / kVector] = getVector(a + i * kLanesM + laneM * kVector);
#pragma unroll
    for (int j = 0; j < ThreadN; j += kVector)
      to.b[j / kVector] = getVector(b + j * kLanesN + laneN * kVector);
  }

  __device__ static float4 getVector(const float *from) {
    return *reinterpret_cast<const float4 *>(from);
  }

  __device__ static float getElement(const float4 *vectors, int i) {
    return reinterpret_cast<const float *>(vectors)[i];
  }

  /// The products of a step; each is preceded by the loads of the next.
  __device__ void multiplyStep(int slot) {
    if (!Prefetch)
      load(slot, 0, fragments[0]);
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      if (row + 1 < Rows) {
        load(slot, row + 1, fragments[(row + 1) % 2]);
      } else if (Prefetch) {
        // After the last step, of a slot that is full but not used.
        awaitStep();
        load(next(slot), 0, fragments[(row + 1) % 2]);
      }
      multiply(fragments[row % 2]);
    }
    static_assert(Rows % 2 == 0, "a step begins with fragment 0");
  }

  __device__ void multiply(const Fragment &fragment) {
#pragma unroll
    for (int i = 0; i < ThreadM; ++i)
#pragma unroll
      for (int j = 0; j < ThreadN; ++j)
        sums[i][j] = fmaf(getElement(fragment.a, i), getElement(fragment.b, j),
                          sums[i][j]);
  }

  __device__ void store(float *c) const {
    c += blockIdx.x * BlockM * kN + blockIdx.y * BlockN + warp * kUnitN;
#pragma unroll
    for (int i = 0; i < ThreadM; ++i) {
      int row = i / kVector * kVector * kLanesM + laneM * kVector + i % kVector;
#pragma unroll
      for (int j = 0; j < ThreadN; j += kVector) {
        const float *s = sums[i] + j;
        float *to = c + row * kN + j * kLanesN + laneN * kVector;
        *reinterpret_cast<float4 *>(to) = make_float4(s[0], s[1], s[2], s[3]);
      }
    }
  }

  const float *a;
  const float *values;
  const int *positions;
  Slot *ring;
  int warp, laneM, laneN;
  Fragment fragments[2];
  float sums[ThreadM][ThreadN] = {};
};

using Case = Spmm<NM_BLOCK_M, NM_BLOCK_N, NM_THREAD_M, NM_THREAD_N, NM_STEP,
                  NM_ROWS, NM_STAGES, NM_PREFETCH>;
} // namespace

/// Read by ptx_equivalence.py from the PTX.
extern "C" __device__ const int dynamic_shared_bytes = Case::kSharedBytes;

extern "C" __global__ void __launch_bounds__(NM_BLOCK_N)
    vw_fma(const float *__restrict__ a, const float *__restrict__ values,
           const int *__restrict__ positions, float *__restrict__ c) {
  extern __shared__ float4 memory[];
  Case kernel(a, values, positions, memory);
  kernel.run(c);
}

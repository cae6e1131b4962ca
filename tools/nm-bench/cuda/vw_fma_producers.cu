//===- vw_fma_producers.cu - The same with warps that only copy -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ptx_equivalence.py compares nm's kernels with that have producers (see
// vw_fma.h): a last warpgroup gives its registers to the others, and one thread
// of it lets the copy engine fill the ring. The values are [n /
// BlockN][w][BlockN], so that those of a step are one range.
//
//===----------------------------------------------------------------------===//

#include "vw_fma.h"
#include <cstdint>
#include <cuda.h>

namespace {
constexpr int kProducers = 128;         // threads: a warpgroup
constexpr int kConsumerRegisters = 240; // of a thread; nm's numbers
constexpr int kProducerRegisters = 24;
constexpr int kWarps = kConsumers / 32; // that compute

__device__ uint32_t getSharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/// An mbarrier in shared memory.
class Barrier {
public:
  __device__ void init(int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(getAddress()),
                 "r"(arrivals)
                 : "memory");
  }

  __device__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(getAddress())
                 : "memory");
  }

  /// Arrives; the phase is not complete before so many bytes have come.
  __device__ void arriveExpecting(int bytes) {
    uint32_t address = getAddress();
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address),
        "r"(bytes)
        : "memory");
  }

  /// Waits until the phase of this parity is complete.
  __device__ void wait(uint32_t parity) {
    while (!tryWait(parity)) {
    }
  }

  __device__ uint32_t getAddress() const { return getSharedAddress(this); }

private:
  __device__ bool tryWait(uint32_t parity) {
    uint32_t isComplete;
    asm volatile(
        "{\n"
        ".reg .pred complete;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;\n"
        "selp.b32 %0, 1, 0, complete;\n"
        "}"
        : "=r"(isComplete)
        : "r"(getAddress()), "r"(parity)
        : "memory");
    return isComplete;
  }

  uint64_t state;
};

/// Begins to copy a box of the tensor of `map`, from `column` and `row` on.
__device__ void copyBox(void *to, const CUtensorMap &map, int column, int row,
                        const Barrier &barrier) {
  uint32_t target = getSharedAddress(to), full = barrier.getAddress();
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(target),
      "l"(&map), "r"(column), "r"(row), "r"(full)
      : "memory");
}

/// Begins to copy `bytes` bytes that lie together.
__device__ void copyRange(void *to, const void *from, int bytes,
                          const Barrier &barrier) {
  uint32_t target = getSharedAddress(to), full = barrier.getAddress();
  size_t source = __cvta_generic_to_global(from);
  asm volatile(
      "cp.async.bulk.shared::cluster.global"
      ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(target),
      "l"(source), "r"(bytes), "r"(full)
      : "memory");
}

/// True of one thread of the warp.
__device__ bool elect() {
  uint32_t isElected;
  asm volatile("{\n"
               ".reg .pred elected;\n"
               "elect.sync _|elected, 0xffffffff;\n"
               "selp.b32 %0, 1, 0, elected;\n"
               "}"
               : "=r"(isElected));
  return isElected;
}

/// The place of a step: its slot, and the parity of the rounds of the ring that
/// are over.
struct Place {
  int slot = 0;
  uint32_t parity = 0;

  __device__ void advance() {
    slot = next(slot);
    parity ^= slot == 0;
  }
};

/// What a block computes and how.
class Spmm {
public:
  struct Barriers {
    Barrier full[kStages], free[kStages];
  };

  __device__ Spmm(Slot *ring, Barriers &barriers)
      : ring(ring), barriers(barriers) {}

  __device__ void init() {
    if (threadIdx.x == 0) {
      for (int slot = 0; slot < kStages; ++slot) {
        barriers.full[slot].init(1);
        barriers.free[slot].init(kWarps);
      }
      // The copy engine has to see them.
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
  }

  /// What one warp of the producers does.
  __device__ void produce(const CUtensorMap &a, const float *values,
                          const int *positions) {
    values += blockIdx.y * kSteps * kRows * kBlockN;
    positions += blockIdx.y * kSteps * kUnits * kRows;
    Place place;
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step) {
      // The first round finds slots that nobody has used.
      barriers.free[place.slot].wait(place.parity ^ 1);
      if (elect()) {
        Slot &to = ring[place.slot];
        Barrier &full = barriers.full[place.slot];
        full.arriveExpecting(sizeof(Slot));
        copyBox(to.a, a, blockIdx.x * kBlockM, step * kStepK, full);
        copyRange(to.values, values + step * kRows * kBlockN, sizeof(to.values),
                  full);
        copyRange(to.positions, positions + step * kUnits * kRows,
                  sizeof(to.positions), full);
      }
      place.advance();
    }
  }

  __device__ void consume(float *c) {
    Place place;
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step) {
      barriers.full[place.slot].wait(place.parity);
      multiplyStep(ring[place.slot]);
      release(place.slot);
      place.advance();
    }
    sums.store(c);
  }

private:
  /// The products of a step; each is preceded by the loads of the next.
  __device__ void multiplyStep(const Slot &slot) {
    Fragment fragments[2];
    sums.load(slot, 0, fragments[0]);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (row + 1 < kRows)
        sums.load(slot, row + 1, fragments[(row + 1) % 2]);
      sums.multiply(fragments[row % 2]);
    }
  }

  /// Lets the producers fill `slot` again.
  __device__ void release(int slot) {
    // The copy engine may write only after what this thread has read.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      barriers.free[slot].arrive();
  }

  Slot *ring;
  Barriers &barriers;
  Sums sums;
};
} // namespace

extern "C" __global__ void __launch_bounds__(kConsumers + kProducers, 1)
    vw_fma_producers(const __grid_constant__ CUtensorMap a,
                     const float *__restrict__ values,
                     const int *__restrict__ positions, float *__restrict__ c) {
  extern __shared__ __align__(128) char memory[];
  __shared__ Spmm::Barriers barriers;
  Spmm kernel(reinterpret_cast<Slot *>(memory), barriers);
  kernel.init();
  // By a shuffle, so that ptxas knows it to be the same for a warp's threads.
  int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);
  if (warp < kWarps) {
    asm volatile(
        "setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kConsumerRegisters));
    kernel.consume(c);
  } else {
    asm volatile(
        "setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kProducerRegisters));
    if (warp == kWarps)
      kernel.produce(a, values, positions);
  }
}

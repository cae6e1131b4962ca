//===- Mbarrier.h - An mbarrier object --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that mbarrier instructions work on. It is kept beside the bytes of
// shared memory that PTX gives to it, as nothing else may touch those.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_MBARRIER_H
#define NM_LIB_EMULATOR_MBARRIER_H

#include "RaceDetector.h"

namespace nm {
namespace emulator {

struct Mbarrier {
  /// Limits of PTX for counts of arrivals and of tx.
  static constexpr uint32_t maxCount = (1u << 20) - 1;

  bool isValid = false;  ///< Between init and inval.
  uint32_t expected = 0; ///< Arrivals in the next phase.
  uint32_t pending = 0;  ///< Arrivals that the phase still lacks.
  int32_t tx = 0;        ///< tx-count of the phase.
  uint32_t phase = 0;    ///< Phases completed.

  // For the race detector.
  uint32_t agent = 0;  ///< Of the copies that the mbarrier completes.
  uint32_t period = 1; ///< Of that agent; counts on over inval and init.
  Stamp initialised;
  bool isInitFenced = false;
  std::vector<Stamp> users; ///< Last use, by warp.
  Released arriving;        ///< By all arrivals so far.
  Released completed;       ///< By those up to the last phase completed.

  /// The opaque state that an arrival returns.
  uint64_t state() const { return uint64_t(phase) << 32 | pending; }
  /// Begins the next phase if this one is complete.
  bool complete() {
    if (pending != 0 || tx != 0)
      return false;
    arriving.order.add(agent, 0xffffffffu, period++);
    completed = arriving;
    ++phase;
    pending = expected;
    return true;
  }
};

/// A cp.async.mbarrier.arrive that has not happened.
struct AsyncArrival {
  uint32_t mbarrier; ///< Address.
  uint32_t warp, lanes;
  uint64_t copies; ///< Those of the warp with a lower number come before it.
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_MBARRIER_H

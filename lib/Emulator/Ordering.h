//===- Ordering.h - What threads know to be over ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector clock for each warp: the last period of every agent whose accesses
// lie before the warp's own. What only some lanes know, or is known only of
// some lanes, is kept beside it in parts: one lane that arrives at an mbarrier
// hands over nothing of the other lanes, and one that waits learns nothing for
// them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_ORDERING_H
#define NM_LIB_EMULATOR_ORDERING_H

#include "Stamp.h"

#include <cstddef>
#include <vector>

namespace nm {
namespace emulator {

/// What one thread hands to another.
struct Known {
  struct Part {
    uint32_t agent, lanes, period;
  };
  std::vector<uint32_t> periods; ///< By agent; 0 beyond its end.
  std::vector<Part> parts;       ///< Of some lanes only.

  void clear();
  /// The accesses of `lanes` of `agent` up to `period`.
  void add(uint32_t agent, uint32_t lanes, uint32_t period);
  void add(const Known &other);
};

/// What all warps of a cluster know. Lane masks of all ones mean the whole
/// warp, whatever threads it has.
class Ordering {
public:
  void reset(uint32_t warps);
  void addAgent();

  bool knows(uint32_t warp, uint32_t lane, Stamp earlier) const {
    return earlier.period() <= row(warp)[earlier.agent()] ||
           knowsInPart(warp, lane, earlier);
  }
  /// By agent, the last period that the whole warp knows of all its lanes.
  const uint32_t *row(uint32_t warp) const {
    return known.data() + size_t(warp) * stride;
  }
  bool knowsInPart(uint32_t warp, uint32_t lane, Stamp earlier) const;
  /// Adds to `to` what any of `lanes` knows.
  void give(uint32_t warp, uint32_t lanes, Known &to) const;
  /// All of `lanes` know `from`.
  void take(uint32_t warp, uint32_t lanes, const Known &from);
  /// The whole warp knows of itself up to `period`, what is often all there is
  /// to a barrier of a warp. False: there is more, use give and take.
  bool takeOwn(uint32_t warp, uint32_t period);

private:
  struct Part {
    uint32_t readers; ///< Lanes that know it.
    Known::Part of;
  };
  void learn(uint32_t warp, uint32_t readers, const Known::Part &of);

  uint32_t agents = 0, stride = 0;
  std::vector<uint32_t> known;          ///< By warp and agent.
  std::vector<std::vector<Part>> parts; ///< By warp.
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_ORDERING_H

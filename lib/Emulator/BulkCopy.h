//===- BulkCopy.h - A bulk copy that is on its way --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cp.async.bulk and its relatives note when they are executed. The bytes
// move when somebody waits for them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_BULKCOPY_H
#define NM_LIB_EMULATOR_BULKCOPY_H

#include "Stamp.h"

#include <vector>

namespace nm {
namespace emulator {

struct BulkCopy {
  /// Bytes that lie together on both sides.
  struct Piece {
    uint32_t offset; ///< In the shared side.
    uint32_t bytes;
    uint8_t *other; ///< Host memory of the other side; null: zeros.
  };

  uint32_t pc = 0, warp = 0, lane = 0;
  bool toGlobal = false;
  uint32_t shared = 0; ///< Address of the side that is in shared memory.
  uint32_t bytes = 0;
  std::vector<Piece> pieces;
  Stamp begun;
  /// To shared memory: the mbarrier that counts the bytes; and the source, if
  /// that is shared memory as well, or 0.
  uint32_t mbarrier = 0, sharedSource = 0;
  /// To global memory: which commit of the thread it belongs to, and what has
  /// been read of the source.
  uint32_t group = 0;
  std::vector<uint8_t> read;
  bool isDone = false;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_BULKCOPY_H

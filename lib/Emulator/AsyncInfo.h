//===- AsyncInfo.h - Decoded asynchronous instructions ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Side tables of Program.h: asynchronous copies, the mbarriers that say when
// they have arrived, and what else warps that are specialised need.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_ASYNCINFO_H
#define NM_LIB_EMULATOR_ASYNCINFO_H

#include "Syntax.h"

namespace nm {
namespace emulator {

/// An operand that is not there: no guard, or the sink `_`.
constexpr uint32_t noRegister = 0xffffffffu;

struct Address {
  uint32_t base = 0; ///< Register.
  bool is64 = true;  ///< Size of that register.
  int64_t offset = 0;
};

/// Side table of AsyncCopy.
struct AsyncCopy {
  Address destination; ///< Shared.
  Address source;      ///< Global.
  uint8_t bytes = 16;
  uint32_t sourceBytes = noRegister;  ///< Register; the rest is zero-filled.
  uint32_t ignoreSource = noRegister; ///< Predicate.
};

/// Side table of BulkCopy.
struct BulkInfo {
  bool toGlobal = false;
  bool fromShared = false; ///< Of the block, to that of the cluster.
  Space sharedSpace = Space::SharedCluster; ///< Of `shared` and `mbarrier`.
  Address shared, other, mbarrier;
  uint32_t bytes = noRegister;
  uint32_t blocks = noRegister; ///< Those of the cluster that get a copy.
  // Tensor copies, in place of `other` and `bytes`.
  uint8_t rank = 0; ///< 0: none.
  Space mapSpace = Space::Generic;
  Address tensorMap;
  uint32_t coordinates[5] = {};
};

/// `detail` of MapBlock and BlockRank.
enum : uint32_t { addressIsGeneric = 1, addressIs64 = 2 };

/// Side table of SetMaxRegisters.
struct RegisterInfo {
  bool isIncrease = false;
  uint32_t count = 0;
};

/// Side table of Mbarrier.
struct MbarrierInfo {
  enum Op : uint8_t {
    Init,
    Inval,
    Arrive,
    ArriveDrop,
    ExpectTx,
    CompleteTx,
    Wait,        ///< test_wait and try_wait.
    AsyncArrive, ///< cp.async.mbarrier.arrive
  } op = Init;
  bool expectsTx = false;   ///< Arrive: `count` is a tx-count.
  bool noComplete = false;  ///< Arrive: must not complete the phase.
  bool noIncrement = false; ///< AsyncArrive: the count allows for it.
  bool isOrdered = true;    ///< Not .relaxed.
  bool byParity = false;    ///< Wait.
  Space space = Space::Generic;
  Address address;
  uint32_t count = noRegister; ///< Register; none: 1.
  /// Arrive: register for the state. Wait: register with it, or the parity.
  uint32_t state = noRegister;
  uint32_t result = noRegister; ///< Predicate.
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_ASYNCINFO_H

//===- TargetInfo.h - What passes may ask about a chip ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row a chip, all in KnownTargets.cpp. Nothing else names chips.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TARGET_TARGETINFO_H
#define NM_TARGET_TARGETINFO_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace nm {

/// The numbers of one chip. Where a compute capability covers several products,
/// those of the largest one for data centers or workstations.
struct TargetInfo {
  llvm::StringRef chip;         // as LLVM and ptxas call it
  unsigned ptxVersion;          // least PTX ISA that LLVM accepts, 80 for 8.0
  int64_t sharedMemoryPerBlock; // bytes, with opt-in
  int64_t sharedMemoryPerSM;    // bytes
  int64_t unifiedCachePerSM;    // bytes of shared memory and L1 together
  int64_t registersPerSM;       // 32-bit
  int64_t maxThreadsPerSM;
  int64_t numSMs;
  int64_t l2Bytes;
  double memoryBandwidth;   // bytes a second
  double fp32Rate;          // FLOP a second of FMAs on CUDA cores
  double mmaRate;           // FLOP a second of mma.sync, f16 with f32 sums
  bool hasDependentLaunch;  // kernels wait for those before them themselves
  bool hasClusters;         // blocks that read each other's shared memory
  bool hasBulkCopies;       // an engine that copies rows to shared memory
  bool hasRegisterTransfer; // warps give registers to others (setmaxnreg)
};

/// The chip that is compiled for when none is named, and that the emulator is.
inline constexpr const char *kDefaultChip = "sm_90";

/// Bytes of a sector, which memory and L2 read at least, of all chips.
inline constexpr int64_t kSectorBytes = 32;

/// The row of `chip`; null if there is none.
const TargetInfo *lookupTarget(llvm::StringRef chip);

/// The chip to compile for where a GPU of compute capability `capability`, such
/// as 90, is at hand: the row with instructions that no other capability has
/// ("sm_90a"), else "sm_90", whether or not that is a row.
std::string chooseChip(int64_t capability);

/// What is wrong with a `chip` that is no row: "expected one of the known chips
/// (...), got `sm_12`".
std::string describeUnknownChip(llvm::StringRef chip);

} // namespace nm

#endif // NM_TARGET_TARGETINFO_H

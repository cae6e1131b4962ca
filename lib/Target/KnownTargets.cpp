//===- KnownTargets.cpp - The table of chips ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: CUDA C++ programming guide, "compute capabilities"; vendor data
// sheets for SM counts, L2, bandwidth and FP32 rate. Only the H200's row was
// checked by measurement.
//
//===----------------------------------------------------------------------===//

#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace nm;

// The units' own names. NOLINTNEXTLINE(readability-identifier-naming)
static constexpr int64_t KiB = 1024, MiB = 1024 * KiB;

static constexpr TargetInfo kTargets[] = {
    // A100 80 GB. A block gets 1 KiB less than an SM has: the system keeps it.
    {"sm_80", 80, 163 * KiB, 164 * KiB, 192 * KiB, 65536, 2048, 108, 40 * MiB,
     2.04e12, 19.5e12, 312e12, false, false, false, false},
    // A40. Consumer Ampere has 100 KiB of shared memory and 1536 threads an SM.
    {"sm_86", 80, 99 * KiB, 100 * KiB, 128 * KiB, 65536, 1536, 84, 6 * MiB,
     0.70e12, 37.4e12, 150e12, false, false, false, false},
    // L40S. As sm_86, but with a large L2.
    {"sm_89", 80, 99 * KiB, 100 * KiB, 128 * KiB, 65536, 1536, 142, 96 * MiB,
     0.86e12, 91.6e12, 362e12, false, false, false, false},
    // H200. mma.sync reaches about five eighths of what wgmma does.
    {"sm_90", 80, 227 * KiB, 228 * KiB, 256 * KiB, 65536, 2048, 132, 50 * MiB,
     4.8e12, 66.9e12, 620e12, true, true, true, false},
    // H200, with instructions that no later chip has (wgmma).
    {"sm_90a", 80, 227 * KiB, 228 * KiB, 256 * KiB, 65536, 2048, 132, 50 * MiB,
     4.8e12, 66.9e12, 620e12, true, true, true, true},
    // B200. LLVM refuses the chip with an older PTX ISA than 8.6.
    {"sm_100", 86, 227 * KiB, 228 * KiB, 256 * KiB, 65536, 2048, 148, 126 * MiB,
     8.0e12, 75.0e12, 620e12, true, true, true, false},
    // RTX PRO 6000 Blackwell. Shared memory as sm_86; needs PTX ISA 8.7.
    {"sm_120", 87, 99 * KiB, 100 * KiB, 128 * KiB, 65536, 1536, 188, 128 * MiB,
     1.79e12, 125.0e12, 500e12, true, true, true, false},
};

const TargetInfo *nm::lookupTarget(llvm::StringRef chip) {
  const TargetInfo *row = llvm::find_if(
      kTargets, [&](const TargetInfo &t) { return t.chip == chip; });
  return row == std::end(kTargets) ? nullptr : row;
}

std::string nm::chooseChip(int64_t capability) {
  std::string chip = "sm_" + std::to_string(capability);
  return lookupTarget(chip + "a") ? chip + "a" : chip;
}

std::string nm::describeUnknownChip(llvm::StringRef chip) {
  std::string names;
  for (const TargetInfo &target : kTargets)
    names += (names.empty() ? "" : ", ") + target.chip.str();
  return "expected one of the known chips (" + names + "), got `" + chip.str() +
         "`";
}

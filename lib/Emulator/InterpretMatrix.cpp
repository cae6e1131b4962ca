//===- InterpretMatrix.cpp - Execution of matrix instructions -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ldmatrix, stmatrix and mma.sync of m16n8. In the fragments, lane 4*g + t of
// group g (0 to 7) and thread t (0 to 3) holds
//   A (16 x k): rows g and g + 8, columns two by two from 2*t (and 2*t + 8),
//   B (k x 8):  column g, rows two by two from 2*t (and 2*t + 8),
//   C (16 x 8): rows g and g + 8, columns 2*t and 2*t + 1;
// tf32 elements take a register each: A columns t and t + 4, B rows t and t
// + 4.
//
//===----------------------------------------------------------------------===//

#include "AccessPatterns.h"
#include "Interpreter.h"
#include "LaneSupport.h"

#include <cstring>

using namespace nm::emulator;
using namespace nm::emulator::NM_LANE_NAMESPACE;

/// Checks the row addresses, which lanes 8*i to 8*i + 7 give for matrix i.
bool Interpreter::resolveRows(Warp &warp, const MemoryAccess &access,
                              Target &target) {
  uint64_t addresses[warpSize];
  readAddresses(warp, access.address, addresses);
  uint32_t rows = access.count == 4 ? fullWarp : (1u << (8 * access.count)) - 1;
  if (!resolve(warp, Space::Shared, addresses, rows, 16, access.isWrite,
               target))
    return false;
  if (!launch.count)
    return true;
  // Each matrix is a pass of its own over the banks.
  AccessCount &count = accessCounts[pc];
  ++count.sharedRequests;
  for (unsigned i = 0; i < access.count; ++i) {
    SharedCost cost = sharedCost(target.addresses, 0xffu << (8 * i), 16);
    count.wavefronts += cost.wavefronts;
    count.idealWavefronts += cost.ideal;
  }
  return true;
}

Interpreter::Step Interpreter::loadMatrix(Warp &warp,
                                          const Instruction &instruction,
                                          uint32_t mask) {
  const MemoryAccess &access = kernel.accesses[instruction.detail];
  Target target;
  if (!checkWholeWarp(warp, mask) || !resolveRows(warp, access, target))
    return Step::Fault;
  if (checksShared && !checkSharedRead(warp, target, 16, ~0ull))
    return Step::Fault;
  for (unsigned i = 0; i < access.count; ++i) {
    uint32_t *values = lanes<uint32_t>(warp, access.registers[i]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned row = lane / 4, column = lane % 4 * 2;
      uint16_t pair[2];
      for (unsigned j = 0; j < 2; ++j) {
        unsigned from = access.transposed ? column + j : row;
        unsigned at = access.transposed ? row : column + j;
        std::memcpy(&pair[j], target.pointers[8 * i + from] + 2 * at, 2);
      }
      values[lane] = uint32_t(pair[1]) << 16 | pair[0];
    }
  }
  return Step::Next;
}

Interpreter::Step Interpreter::storeMatrix(Warp &warp,
                                           const Instruction &instruction,
                                           uint32_t mask) {
  const MemoryAccess &access = kernel.accesses[instruction.detail];
  Target target;
  if (!checkWholeWarp(warp, mask) || !resolveRows(warp, access, target))
    return Step::Fault;
  if (checksShared && !checkSharedWrite(warp, target, 16, false, nullptr, 0))
    return Step::Fault;
  for (unsigned i = 0; i < access.count; ++i) {
    const uint32_t *values = lanes<uint32_t>(warp, access.registers[i]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      unsigned row = lane / 4, column = lane % 4 * 2;
      for (unsigned j = 0; j < 2; ++j) {
        uint16_t element = uint16_t(values[lane] >> (16 * j));
        unsigned to = access.transposed ? column + j : row;
        unsigned at = access.transposed ? row : column + j;
        std::memcpy(target.pointers[8 * i + to] + 2 * at, &element, 2);
      }
    }
  }
  return Step::Next;
}

namespace {

/// The 16-bit element `i` of a register pair of elements.
float element(uint32_t bits, unsigned i, MmaInfo::Input input) {
  uint16_t half = uint16_t(bits >> (16 * i));
  return input == MmaInfo::F16 ? toFloat(Half{half}) : toFloat(BFloat{half});
}

/// The tensor core reads tf32 with 10 bits of mantissa.
float truncated(uint32_t bits) { return bitCast<float>(bits & 0xffffe000u); }

} // namespace

// Products are exact in double; they are summed in double in the order of k and
// rounded once. Hardware sums in an order and a precision that NVIDIA does not
// document, so results agree to a few units of the last place, not to the bit.
Interpreter::Step Interpreter::mma(Warp &warp, const Instruction &instruction,
                                   uint32_t mask) {
  if (!checkWholeWarp(warp, mask))
    return Step::Fault;
  const MmaInfo &info = kernel.mmas[instruction.detail];
  float a[16][16], b[16][8];
  double sum[16][8];
  bool isTF32 = info.input == MmaInfo::TF32;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    unsigned group = lane / 4, thread = lane % 4;
    auto bits = [&](uint32_t offset) {
      return lanes<uint32_t>(warp, offset)[lane];
    };
    if (isTF32) {
      for (unsigned i = 0; i < info.k / 2u; ++i)
        a[group + i % 2 * 8][thread + i / 2 * 4] = truncated(bits(info.a[i]));
      for (unsigned i = 0; i < info.k / 4u; ++i)
        b[thread + i * 4][group] = truncated(bits(info.b[i]));
    } else {
      for (unsigned i = 0; i < info.k / 4u; ++i)
        for (unsigned j = 0; j < 2; ++j)
          a[group + i % 2 * 8][thread * 2 + j + i / 2 * 8] =
              element(bits(info.a[i]), j, info.input);
      for (unsigned i = 0; i < info.k / 8u; ++i)
        for (unsigned j = 0; j < 2; ++j)
          b[thread * 2 + j + i * 8][group] =
              element(bits(info.b[i]), j, info.input);
    }
    for (unsigned i = 0; i < 4; ++i)
      sum[group + i / 2 * 8][thread * 2 + i % 2] =
          info.halfAccumulator
              ? element(bits(info.c[i / 2]), i % 2, MmaInfo::F16)
              : bitCast<float>(bits(info.c[i]));
  }
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column)
      for (unsigned k = 0; k < info.k; ++k)
        sum[row][column] += double(a[row][k]) * double(b[k][column]);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    unsigned group = lane / 4, thread = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
      double value = sum[group + i / 2 * 8][thread * 2 + i % 2];
      if (!info.halfAccumulator) {
        float narrow =
            isNaN(value) ? bitCast<float>(0x7fffffffu) : float(value);
        lanes<float>(warp, info.d[i])[lane] = narrow;
        continue;
      }
      uint32_t half = toHalf(roundToOdd(value)).bits;
      uint32_t &pair = lanes<uint32_t>(warp, info.d[i / 2])[lane];
      pair = i % 2 ? (pair & 0xffff) | half << 16 : half;
    }
  }
  return Step::Next;
}

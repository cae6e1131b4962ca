//===- InterpretCluster.cpp - Execution of clusters of blocks -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shared memory of another block is there as long as that block runs. Who
// touches it must tell the block, by a barrier, before the block ends: whether
// it ran long enough by chance does not matter.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>

using namespace nm::emulator;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The address as .shared::cluster has it; false when it is another's.
static bool clusterAddress(uint64_t address, uint32_t detail,
                           uint64_t &result) {
  result = address;
  if (!(detail & addressIsGeneric))
    return address < windowBytes;
  result = address % windowBytes;
  return address / windowBytes == sharedWindow / windowBytes;
}

static uint64_t laneAddress(const uint8_t *registers, unsigned lane,
                            uint32_t detail) {
  return detail & addressIs64
             ? reinterpret_cast<const uint64_t *>(registers)[lane]
             : reinterpret_cast<const uint32_t *>(registers)[lane];
}

bool Interpreter::mapBlock(Warp &warp, const Instruction &instruction,
                           uint32_t mask) {
  const LaneOperands &operands = instruction.operands;
  const uint32_t *ranks = lanes<uint32_t>(warp, operands.source[1]);
  uint32_t detail = instruction.detail;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address;
    if (ranks[lane] >= blocks.size())
      return fail(
          warp, lane, 0,
          "expected the rank of one of the " + std::to_string(blocks.size()) +
              " blocks of the cluster, got " + std::to_string(ranks[lane]));
    if (!clusterAddress(
            laneAddress(warp.registers + operands.source[0], lane, detail),
            detail, address))
      return fail(warp, lane, CheckBounds,
                  "expected an address of shared memory");
    uint64_t low = (1ull << clusterRankShift) - 1;
    address = (address & low) | uint64_t(ranks[lane] + 1) << clusterRankShift;
    if (detail & addressIsGeneric)
      address += sharedWindow;
    if (detail & addressIs64)
      lanes<uint64_t>(warp, operands.destination)[lane] = address;
    else
      lanes<uint32_t>(warp, operands.destination)[lane] =
          static_cast<uint32_t>(address);
  }
  return true;
}

bool Interpreter::blockRank(Warp &warp, const Instruction &instruction,
                            uint32_t mask) {
  const LaneOperands &operands = instruction.operands;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address;
    bool isShared =
        clusterAddress(laneAddress(warp.registers + operands.source[0], lane,
                                   instruction.detail),
                       instruction.detail, address);
    uint64_t rank = address >> clusterRankShift;
    if (!isShared || rank > blocks.size())
      return fail(warp, lane, CheckBounds,
                  "expected an address of shared memory of the cluster");
    lanes<uint32_t>(warp, operands.destination)[lane] =
        rank ? static_cast<uint32_t>(rank - 1) : warp.block;
  }
  return true;
}

/// Addresses of which not all lie in the block's own memory.
bool Interpreter::resolveCluster(Warp &warp, uint32_t bytes, bool isWrite,
                                 Target &target) {
  target.space = Space::Shared;
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t &address = target.addresses[lane];
    uint64_t rank = address >> clusterRankShift;
    if (rank > blocks.size())
      return fail(warp, lane, CheckBounds,
                  "out-of-bounds " +
                      describeAccess(target, lane, bytes, isWrite) +
                      ": expected it to lie within the block's " +
                      std::to_string(launch.sharedBytes) +
                      " bytes, or those of one of the " +
                      std::to_string(blocks.size()) + " blocks of the cluster");
    address &= (1ull << clusterRankShift) - 1;
    uint32_t block = rank ? static_cast<uint32_t>(rank - 1) : warp.block;
    if (address < reservedSharedBytes || address >= sharedLimit ||
        sharedLimit - address < bytes)
      return fail(
          warp, lane, CheckBounds,
          "out-of-bounds " + describeAccess(target, lane, bytes, isWrite) +
              (block == warp.block ? "" : " of block " + describeBlock(block)) +
              ": expected it to lie within the block's " +
              std::to_string(launch.sharedBytes) + " bytes");
    address += uint64_t(block) * sharedStride;
    target.pointers[lane] = sharedStorage.data() + address;
  }
  return true;
}

/// Notes who touches the shared memory of other blocks.
bool Interpreter::noteVisits(Warp &warp, const Target &target) {
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    auto rank = static_cast<uint32_t>(target.addresses[lane] / sharedStride);
    if (rank == warp.block)
      continue;
    Block &block = blocks[rank];
    if (block.running == 0)
      return failEnded(warp, lane, rank);
    if (!detector.checksRaces())
      continue;
    Stamp now = detector.stamp(warp.index, pc, false).byLane(lane);
    Stamp &last = block.visitors[warp.index];
    last = last && !detector.isOrdered(last, now)
               ? now.byLane(Stamp::severalLanes)
               : now;
  }
  return true;
}

bool Interpreter::failEnded(Warp &warp, unsigned lane, uint32_t rank) {
  return fail(warp, lane, CheckBounds,
              "access to the shared memory of block " + describeBlock(rank) +
                  ", which has ended: expected it to wait at barrier.cluster "
                  "before its end");
}

/// Whether all that others did in the block's shared memory was over before.
bool Interpreter::checkVisits(Warp &last, Block &block) {
  for (Stamp visitor : block.visitors) {
    bool isKnown = !visitor;
    for (uint32_t i = 0; i < launch.warps && !isKnown; ++i)
      isKnown = detector.isKnown(visitor, warpOf(block, i).index);
    if (!isKnown)
      return fail(last, 0, CheckRaces,
                  "the block ended, and " + describeStamp(visitor) +
                      " may still touch its shared memory in " +
                      describeInstruction(visitor.pc()) +
                      ": expected barrier.cluster between them");
  }
  return true;
}

bool Interpreter::finishWarp(Warp &warp) {
  warp.state = State::Done;
  ++changes;
  Block &block = blockOf(warp);
  return --block.running != 0 || !detector.checksRaces() ||
         checkVisits(warp, block);
}

//===----------------------------------------------------------------------===//
// barrier.cluster
//===----------------------------------------------------------------------===//

/// Paths of a warp do not wait for each other here: with .aligned or without,
/// all threads that have not exited come together.
bool Interpreter::checkPresentWarp(Warp &warp, uint32_t mask) {
  return !checks(CheckBarriers) || mask == (warp.threads & ~warp.exited) ||
         checkWholeWarp(warp, mask);
}

Interpreter::Step Interpreter::clusterArrive(Warp &warp,
                                             const Instruction &instruction,
                                             uint32_t mask) {
  if (!checkPresentWarp(warp, mask))
    return Step::Fault;
  if (uint32_t twice = mask & (warp.clusterArrived | warp.clusterPassed)) {
    fail(warp, __builtin_ctz(twice), CheckBarriers,
         "expected barrier.cluster.wait before another barrier.cluster.arrive");
    return Step::Fault;
  }
  bool isRelaxed = instruction.detail != 0;
  if (checksShared && !isRelaxed &&
      !detector.release(warp.index, wholeWarp(warp, mask),
                        clusterBarrier.arriving)) {
    tooManyPeriods(warp, mask);
    return Step::Fault;
  }
  warp.clusterArrived |= mask;
  ++changes;
  completeCluster();
  return Step::Next;
}

Interpreter::Step Interpreter::clusterWait(Warp &warp, uint32_t mask) {
  if (!checkPresentWarp(warp, mask))
    return Step::Fault;
  if (uint32_t early = mask & ~(warp.clusterArrived | warp.clusterPassed)) {
    fail(warp, __builtin_ctz(early), CheckBarriers,
         "expected barrier.cluster.arrive before barrier.cluster.wait");
    return Step::Fault;
  }
  warp.waitPc = pc;
  warp.waitMask = mask;
  if (mask & warp.clusterArrived) {
    warp.waitsForCluster = true;
    warp.state = State::Waiting;
    return Step::Blocked;
  }
  passCluster(warp);
  return Step::Next;
}

/// The lanes that wait go on.
void Interpreter::passCluster(Warp &warp) {
  warp.clusterPassed &= ~warp.waitMask;
  if (checksShared)
    detector.acquire(warp.index, wholeWarp(warp, warp.waitMask),
                     clusterBarrier.completed);
}

/// Ends the phase if all threads that have not exited have arrived.
void Interpreter::completeCluster() {
  bool isComplete =
      std::all_of(warps.begin(), warps.end(), [](const Warp &warp) {
        return (warp.threads & ~warp.exited & ~warp.clusterArrived) == 0;
      });
  if (!isComplete)
    return;
  clusterBarrier.completed = clusterBarrier.arriving;
  ++changes;
  for (Warp &warp : warps) {
    warp.clusterPassed |= warp.clusterArrived;
    warp.clusterArrived = 0;
    if (!warp.waitsForCluster)
      continue;
    warp.waitsForCluster = false;
    warp.state = State::Ready;
    passCluster(warp);
  }
}

/// Nothing can go on, and no other barrier is the reason.
bool Interpreter::reportCluster() {
  auto waits = [](const Warp &warp) { return warp.waitsForCluster; };
  auto first = std::find_if(warps.begin(), warps.end(), waits);
  if (first == warps.end())
    return false;
  for (Warp &warp : warps) {
    uint32_t absent = warp.threads & ~warp.exited & ~warp.clusterArrived;
    if (!absent)
      continue;
    pc = first->waitPc;
    return fail(*first, __builtin_ctz(first->waitMask), CheckBarriers,
                "deadlock: barrier.cluster cannot complete: expected " +
                    describeThread(warp.index, __builtin_ctz(absent)) +
                    " to arrive, which waits elsewhere");
  }
  return false;
}

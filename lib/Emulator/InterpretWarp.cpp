//===- InterpretWarp.cpp - Execution of exchanges within a warp -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shuffles, votes, matches and reductions; and the moves between registers that
// are no function of single lanes.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace nm::emulator;

// Each executing thread must name itself, and all that it names must execute
// the instruction with it. Lanes that never were threads may be named.
bool Interpreter::checkMembers(Warp &warp, const WarpOp &op, uint32_t mask) {
  const uint32_t *members = lanes<uint32_t>(warp, op.members);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t named = members[lane] & warp.threads;
    if ((named >> lane & 1) && !(named & ~mask))
      continue;
    char text[160];
    std::snprintf(text, sizeof(text),
                  "expected the lanes of the member mask to be those that "
                  "execute the instruction, got mask 0x%08x and lanes 0x%08x",
                  members[lane], mask);
    return fail(warp, lane, CheckBarriers, text);
  }
  return true;
}

// c holds the clamp in bits 0 to 4 and the mask of the segment in bits 8 to 12.
// A lane whose source is out of range keeps its own value.
Interpreter::Step Interpreter::shuffle(Warp &warp,
                                       const Instruction &instruction,
                                       uint32_t mask) {
  const WarpOp &op = kernel.warpOps[instruction.detail];
  if (!checkMembers(warp, op, mask))
    return Step::Fault;
  const uint32_t *a = lanes<uint32_t>(warp, op.source);
  const uint32_t *b = lanes<uint32_t>(warp, op.second);
  const uint32_t *c = lanes<uint32_t>(warp, op.third);
  uint32_t values[warpSize], inRange = 0;
  for (uint32_t lane = 0; lane < warpSize; ++lane) {
    uint32_t amount = b[lane] & 31, clamp = c[lane] & 31;
    uint32_t segment = c[lane] >> 8 & 31;
    uint32_t most = (lane & segment) | (clamp & ~segment);
    uint32_t least = lane & segment;
    uint32_t from = lane;
    bool valid = false;
    switch (op.mode) {
    case WarpOp::Up:
      from = lane - amount;
      valid = static_cast<int32_t>(from) >= static_cast<int32_t>(most);
      break;
    case WarpOp::Down:
      from = lane + amount;
      valid = from <= most;
      break;
    case WarpOp::Butterfly:
      from = lane ^ amount;
      valid = from <= most;
      break;
    default:
      from = least | (amount & ~segment);
      valid = from <= most;
      break;
    }
    inRange |= valid ? 1u << lane : 0;
    values[lane] = a[valid ? from : lane];
  }
  if (op.destination != noRegister)
    setLanes(warp, op.destination, values, mask);
  if (op.predicate != noRegister)
    setPredicate(warp, op.predicate, inRange, mask);
  return Step::Next;
}

Interpreter::Step Interpreter::vote(Warp &warp, const Instruction &instruction,
                                    uint32_t mask) {
  const WarpOp &op = kernel.warpOps[instruction.detail];
  if (!checkMembers(warp, op, mask))
    return Step::Fault;
  uint32_t votes = predicate(warp, op.source);
  votes = op.sourceNegated ? ~votes : votes;
  const uint32_t *members = lanes<uint32_t>(warp, op.members);
  uint32_t values[warpSize] = {}, result = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t among = members[lane] & mask, yes = votes & among;
    values[lane] = yes;
    bool holds = op.mode == WarpOp::All   ? yes == among
                 : op.mode == WarpOp::Any ? yes != 0
                                          : yes == among || yes == 0;
    result |= holds ? 1u << lane : 0;
  }
  if (op.mode == WarpOp::Ballot)
    setLanes(warp, op.destination, values, mask);
  else
    setPredicate(warp, op.destination, result, mask);
  return Step::Next;
}

Interpreter::Step Interpreter::match(Warp &warp, const Instruction &instruction,
                                     uint32_t mask) {
  const WarpOp &op = kernel.warpOps[instruction.detail];
  if (!checkMembers(warp, op, mask))
    return Step::Fault;
  const uint8_t *source = warp.registers + op.source;
  const uint32_t *members = lanes<uint32_t>(warp, op.members);
  uint32_t values[warpSize] = {}, all = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t among = members[lane] & mask, same = 0;
    for (uint32_t others = among; others; others &= others - 1) {
      unsigned other = static_cast<unsigned>(__builtin_ctz(others));
      if (!std::memcmp(source + lane * op.bytes, source + other * op.bytes,
                       op.bytes))
        same |= 1u << other;
    }
    all |= same == among ? 1u << lane : 0;
    values[lane] = op.mode == WarpOp::Any || same == among ? same : 0;
  }
  setLanes(warp, op.destination, values, mask);
  if (op.predicate != noRegister)
    setPredicate(warp, op.predicate, all, mask);
  return Step::Next;
}

static uint32_t reduce(const WarpOp &op, uint32_t a, uint32_t b) {
  bool isSigned = op.element == ElementType::Signed;
  bool isLess =
      isSigned ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  switch (op.op) {
  case AtomicOp::Add:
    return a + b;
  case AtomicOp::Min:
    return isLess ? a : b;
  case AtomicOp::Max:
    return isLess ? b : a;
  case AtomicOp::And:
    return a & b;
  case AtomicOp::Or:
    return a | b;
  default:
    return a ^ b;
  }
}

Interpreter::Step Interpreter::redux(Warp &warp, const Instruction &instruction,
                                     uint32_t mask) {
  const WarpOp &op = kernel.warpOps[instruction.detail];
  if (!checkMembers(warp, op, mask))
    return Step::Fault;
  const uint32_t *source = lanes<uint32_t>(warp, op.source);
  const uint32_t *members = lanes<uint32_t>(warp, op.members);
  uint32_t values[warpSize] = {};
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t among = members[lane] & mask;
    uint32_t value = source[__builtin_ctz(among)];
    for (among &= among - 1; among; among &= among - 1)
      value = reduce(op, value, source[__builtin_ctz(among)]);
    values[lane] = value;
  }
  setLanes(warp, op.destination, values, mask);
  return Step::Next;
}

Interpreter::Step Interpreter::elect(Warp &warp, const Instruction &instruction,
                                     uint32_t mask) {
  const WarpOp &op = kernel.warpOps[instruction.detail];
  if (!checkMembers(warp, op, mask))
    return Step::Fault;
  uint32_t leader = static_cast<uint32_t>(__builtin_ctz(mask));
  uint32_t values[warpSize];
  std::fill(std::begin(values), std::end(values), leader);
  if (op.destination != noRegister)
    setLanes(warp, op.destination, values, mask);
  setPredicate(warp, op.predicate, 1u << leader, mask);
  return Step::Next;
}

void Interpreter::pack(Warp &warp, const Instruction &instruction,
                       uint32_t mask) {
  const VectorMove &move = kernel.vectorMoves[instruction.detail];
  unsigned bytes = move.partBytes, whole = bytes * move.count;
  // Parts may overlap the result: it is put together apart.
  uint8_t result[warpSize * 8];
  for (unsigned i = 0; i < move.count; ++i)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(result + lane * whole + i * bytes,
                  warp.registers + move.parts[i] + lane * bytes, bytes);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::memcpy(warp.registers + move.whole + lane * whole,
                result + lane * whole, whole);
  }
}

void Interpreter::unpack(Warp &warp, const Instruction &instruction,
                         uint32_t mask) {
  const VectorMove &move = kernel.vectorMoves[instruction.detail];
  unsigned bytes = move.partBytes, whole = bytes * move.count;
  uint8_t source[warpSize * 8];
  std::memcpy(source, warp.registers + move.whole, warpSize * whole);
  for (unsigned i = 0; i < move.count; ++i) {
    if (move.parts[i] == noRegister)
      continue;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      std::memcpy(warp.registers + move.parts[i] + lane * bytes,
                  source + lane * whole + i * bytes, bytes);
    }
  }
}

void Interpreter::isSpace(Warp &warp, const Instruction &instruction,
                          uint32_t mask) {
  const uint64_t *source =
      lanes<uint64_t>(warp, instruction.operands.source[0]);
  uint32_t result = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    uint64_t window = source[lane] / windowBytes;
    bool isWindow = window >= 1 && window <= 3;
    bool holds = instruction.detail ? window == instruction.detail : !isWindow;
    uint64_t rank = (source[lane] & (windowBytes - 1)) >> clusterRankShift;
    if (instruction.detail == sharedWindow >> 32 && !instruction.target)
      holds = holds && (rank == 0 || rank == warp.block + 1);
    result |= holds ? 1u << lane : 0;
  }
  setPredicate(warp, instruction.operands.destination, result, mask);
}

// Time is the number of instructions that the block has executed.
void Interpreter::clock(Warp &warp, const Instruction &instruction,
                        uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t destination = instruction.operands.destination;
    if (instruction.detail == 8)
      lanes<uint64_t>(warp, destination)[lane] = executed;
    else
      lanes<uint32_t>(warp, destination)[lane] =
          instruction.detail ? static_cast<uint32_t>(executed) : 0;
  }
}

//===- DecodeControl.cpp - Syntax to a decoded kernel: control and warps --===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branches, barriers and the instructions by which the lanes of a warp exchange
// values.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

bool Decoder::decodeBranch() {
  if (current->opcode != "bra" && current->opcode != "bra.uni")
    return unsupported();
  if (!expectOperands(1, 1))
    return false;
  const Operand &label = current->operands[0];
  if (label.kind != Operand::Label)
    return fail("expected a label, got '" + std::string(label.name) + "'");
  result.kind = Kind::Branch;
  result.target = label.index;
  return true;
}

bool Decoder::decodeBranchTable() {
  if (current->opcode != "brx.idx" && current->opcode != "brx.idx.uni")
    return unsupported();
  if (!expectOperands(2, 2) ||
      !source(current->operands[0], OperandType::Bits32,
              result.operands.source[0]))
    return false;
  auto table = syntax.branchTables.find(current->operands[1].name);
  if (table == syntax.branchTables.end())
    return fail("expected the label of .branchtargets, got '" +
                std::string(current->operands[1].name) + "'");
  result.kind = Kind::BranchTable;
  result.detail = static_cast<uint32_t>(kernel->branchTables.size());
  kernel->branchTables.push_back(table->second);
  return true;
}

bool Decoder::decodeExit() {
  result.kind = Kind::Exit;
  if (current->opcode != "ret" && current->opcode != "exit" &&
      current->opcode != "ret.uni")
    return unsupported();
  return expectOperands(0, 0);
}

bool Decoder::decodeTrap() {
  result.kind = Kind::Trap;
  return (current->opcode == "trap" || unsupported()) && expectOperands(0, 0);
}

// bar{.cta}.{sync,arrive,red} and barrier{.cta}..., with .aligned on the
// latter.
bool Decoder::decodeBarrier() {
  Modifiers modifiers(current->opcode);
  if (modifiers.accept("warp"))
    return decodeWarpBarrier();
  if (modifiers.accept("cluster"))
    return decodeClusterBarrier(modifiers);
  modifiers.accept("cta");
  BarrierInfo info;
  bool isReduction = false;
  if (modifiers.accept("arrive"))
    info.arriveOnly = true;
  else if (modifiers.accept("red"))
    isReduction = true;
  else if (!modifiers.accept("sync"))
    return unsupportedModifier(modifiers.peek());
  if (isReduction) {
    std::string_view op = modifiers.take();
    info.reduction = op == "popc"  ? BarrierInfo::Popc
                     : op == "and" ? BarrierInfo::And
                     : op == "or"  ? BarrierInfo::Or
                                   : BarrierInfo::None;
    if (info.reduction == BarrierInfo::None)
      return unsupportedModifier(op);
  }
  modifiers.accept("aligned");
  if (isReduction &&
      !modifiers.accept(info.reduction == BarrierInfo::Popc ? "u32" : "pred"))
    return unsupportedModifier(modifiers.peek());
  if (!modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  // [d,] barrier [, threads] [, predicate]
  size_t extra = isReduction ? 2 : 0;
  if (!expectOperands(1 + extra + info.arriveOnly, 2 + extra))
    return false;
  size_t next = 0;
  if (isReduction &&
      !destination(current->operands[next++],
                   info.reduction == BarrierInfo::Popc ? OperandType::Bits32
                                                       : OperandType::Predicate,
                   info.destination))
    return false;
  if (!source(current->operands[next++], OperandType::Bits32, info.barrier))
    return false;
  if (current->operands.size() - next > (isReduction ? 1u : 0u)) {
    if (!source(current->operands[next], OperandType::Bits32, info.threads))
      return false;
    ++next;
  }
  if (isReduction) {
    Operand predicate = current->operands[next];
    info.predicateNegated = predicate.negated;
    predicate.negated = false;
    if (!source(predicate, OperandType::Predicate, info.predicate))
      return false;
  }
  result.kind = Kind::Barrier;
  result.detail = static_cast<uint32_t>(kernel->barriers.size());
  kernel->barriers.push_back(info);
  return true;
}

bool Decoder::addWarpOp(Kind kind, const WarpOp &op) {
  result.kind = kind;
  result.detail = static_cast<uint32_t>(kernel->warpOps.size());
  kernel->warpOps.push_back(op);
  return true;
}

/// The whole opcodes of shuffles and votes.
static constexpr std::pair<std::string_view, WarpOp::Mode> kModes[] = {
    {"shfl.sync.up.b32", WarpOp::Up},
    {"shfl.sync.down.b32", WarpOp::Down},
    {"shfl.sync.bfly.b32", WarpOp::Butterfly},
    {"shfl.sync.idx.b32", WarpOp::Index},
    {"vote.sync.all.pred", WarpOp::All},
    {"vote.sync.any.pred", WarpOp::Any},
    {"vote.sync.uni.pred", WarpOp::Uniform},
    {"vote.sync.ballot.b32", WarpOp::Ballot}};

bool Decoder::decodeMode(WarpOp &op) {
  for (auto [opcode, mode] : kModes)
    if (current->opcode == opcode) {
      op.mode = mode;
      return true;
    }
  return unsupported();
}

bool Decoder::decodeWarpBarrier() {
  if (current->opcode != "bar.warp.sync")
    return unsupported();
  WarpOp op;
  if (!expectOperands(1, 1) ||
      !source(current->operands[0], OperandType::Bits32, op.members))
    return false;
  return addWarpOp(Kind::WarpBarrier, op);
}

// shfl.sync.{up,down,bfly,idx}.b32 d[|p], a, b, c, members
bool Decoder::decodeShuffle() {
  WarpOp op;
  if (!decodeMode(op) || !expectOperands(5, 5))
    return false;
  Operand value = current->operands[0];
  if (value.kind == Operand::Pair) {
    if (value.elements[1].kind != Operand::Sink &&
        !destination(value.elements[1], OperandType::Predicate, op.predicate))
      return false;
    value = Operand(current->operands[0].elements[0]);
  }
  if (value.kind != Operand::Sink &&
      !destination(value, OperandType::Bits32, op.destination))
    return false;
  if (!source(current->operands[1], OperandType::Bits32, op.source) ||
      !source(current->operands[2], OperandType::Bits32, op.second) ||
      !source(current->operands[3], OperandType::Bits32, op.third) ||
      !source(current->operands[4], OperandType::Bits32, op.members))
    return false;
  return addWarpOp(Kind::Shuffle, op);
}

bool Decoder::decodeVote() {
  WarpOp op;
  if (!decodeMode(op) || !expectOperands(3, 3))
    return false;
  Operand predicate = current->operands[1];
  op.sourceNegated = predicate.negated;
  predicate.negated = false;
  if (!destination(current->operands[0],
                   op.mode == WarpOp::Ballot ? OperandType::Bits32
                                             : OperandType::Predicate,
                   op.destination) ||
      !source(predicate, OperandType::Predicate, op.source) ||
      !source(current->operands[2], OperandType::Bits32, op.members))
    return false;
  return addWarpOp(Kind::Vote, op);
}

// match.any.sync.b32 d, a, members; match.all.sync.b32 d|p, a, members
bool Decoder::decodeMatch() {
  Modifiers modifiers(current->opcode);
  WarpOp op;
  op.mode = modifiers.accept("all") ? WarpOp::All : WarpOp::Any;
  if (op.mode == WarpOp::Any && !modifiers.accept("any"))
    return unsupported();
  if (!modifiers.accept("sync"))
    return unsupported();
  op.bytes = modifiers.accept("b64") ? 8 : 4;
  if (op.bytes == 4 && !modifiers.accept("b32"))
    return unsupported();
  if (!modifiers.atEnd() || !expectOperands(3, 3))
    return unsupported();
  Operand value = current->operands[0];
  if (value.kind == Operand::Pair) {
    if (!destination(value.elements[1], OperandType::Predicate, op.predicate))
      return false;
    value = Operand(current->operands[0].elements[0]);
  }
  if (!destination(value, OperandType::Bits32, op.destination) ||
      !source(current->operands[1],
              op.bytes == 8 ? OperandType::Bits64 : OperandType::Bits32,
              op.source) ||
      !source(current->operands[2], OperandType::Bits32, op.members))
    return false;
  return addWarpOp(Kind::Match, op);
}

bool Decoder::decodeRedux() {
  struct Row {
    std::string_view opcode;
    AtomicOp op;
    ElementType element;
  };
  static const Row rows[] = {
      {"redux.sync.add.u32", AtomicOp::Add, ElementType::Unsigned},
      {"redux.sync.add.s32", AtomicOp::Add, ElementType::Signed},
      {"redux.sync.min.u32", AtomicOp::Min, ElementType::Unsigned},
      {"redux.sync.min.s32", AtomicOp::Min, ElementType::Signed},
      {"redux.sync.max.u32", AtomicOp::Max, ElementType::Unsigned},
      {"redux.sync.max.s32", AtomicOp::Max, ElementType::Signed},
      {"redux.sync.and.b32", AtomicOp::And, ElementType::Bits},
      {"redux.sync.or.b32", AtomicOp::Or, ElementType::Bits},
      {"redux.sync.xor.b32", AtomicOp::Xor, ElementType::Bits}};
  for (const Row &row : rows) {
    if (row.opcode != current->opcode)
      continue;
    WarpOp op;
    op.op = row.op;
    op.element = row.element;
    if (!expectOperands(3, 3) ||
        !destination(current->operands[0], OperandType::Bits32,
                     op.destination) ||
        !source(current->operands[1], OperandType::Bits32, op.source) ||
        !source(current->operands[2], OperandType::Bits32, op.members))
      return false;
    return addWarpOp(Kind::Redux, op);
  }
  return unsupported();
}

bool Decoder::decodeActiveMask() {
  if (current->opcode != "activemask.b32")
    return unsupported();
  result.kind = Kind::ActiveMask;
  return expectOperands(1, 1) &&
         destination(current->operands[0], OperandType::Bits32,
                     result.operands.destination);
}

// elect.sync d|p, members
bool Decoder::decodeElect() {
  if (current->opcode != "elect.sync")
    return unsupported();
  WarpOp op;
  if (!expectOperands(2, 2))
    return false;
  const Operand &pair = current->operands[0];
  if (pair.kind != Operand::Pair)
    return fail("expected two destinations, written d|p");
  if (pair.elements[0].kind != Operand::Sink &&
      !destination(pair.elements[0], OperandType::Bits32, op.destination))
    return false;
  if (!destination(pair.elements[1], OperandType::Predicate, op.predicate) ||
      !source(current->operands[1], OperandType::Bits32, op.members))
    return false;
  return addWarpOp(Kind::Elect, op);
}

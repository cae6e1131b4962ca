//===- DecodeMbarrier.cpp - Syntax to a decoded kernel: mbarriers ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mbarrier.* and cp.async.mbarrier.arrive. Scopes change nothing, as memory is
// coherent; .relaxed does, as it orders nothing.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

/// {.order{.scope}}; false when an order lacks its scope.
static bool acceptOrder(Modifiers &modifiers, std::string_view order,
                        MbarrierInfo &info) {
  if (modifiers.accept("relaxed"))
    info.isOrdered = false;
  else if (!modifiers.accept(order))
    return true;
  return modifiers.accept("cta") || modifiers.accept("cluster");
}

static bool acceptShared(Modifiers &modifiers, bool mayBeRemote,
                         MbarrierInfo &info) {
  if (modifiers.accept("shared") || modifiers.accept("shared::cta"))
    info.space = Space::Shared;
  else if (mayBeRemote && modifiers.accept("shared::cluster"))
    info.space = Space::SharedCluster;
  return modifiers.accept("b64") && modifiers.atEnd();
}

bool Decoder::addMbarrier(const MbarrierInfo &info) {
  result.kind = Kind::Mbarrier;
  result.detail = static_cast<uint32_t>(kernel->mbarriers.size());
  kernel->mbarriers.push_back(info);
  return true;
}

bool Decoder::decodeMbarrier() {
  Modifiers modifiers(current->opcode);
  MbarrierInfo info;
  std::string_view op = modifiers.take();
  if (op == "arrive" || op == "arrive_drop") {
    info.op = op == "arrive" ? MbarrierInfo::Arrive : MbarrierInfo::ArriveDrop;
    return decodeMbarrierArrive(modifiers, info);
  }
  if (op == "test_wait" || op == "try_wait") {
    info.op = MbarrierInfo::Wait;
    return decodeMbarrierWait(modifiers, info);
  }
  if (op == "pending_count")
    return decodePendingCount(modifiers);
  bool isTx = op == "expect_tx" || op == "complete_tx";
  if (!isTx && op != "init" && op != "inval")
    return unsupported();
  info.op = op == "init"        ? MbarrierInfo::Init
            : op == "inval"     ? MbarrierInfo::Inval
            : op == "expect_tx" ? MbarrierInfo::ExpectTx
                                : MbarrierInfo::CompleteTx;
  if ((isTx && !acceptOrder(modifiers, "relaxed", info)) ||
      !acceptShared(modifiers, isTx, info))
    return unsupported();
  size_t count = op == "inval" ? 1 : 2;
  return expectOperands(count, count) &&
         address(current->operands[0], info.space, info.address) &&
         (count == 1 ||
          source(current->operands[1], OperandType::Bits32, info.count)) &&
         addMbarrier(info);
}

// mbarrier.arrive{_drop}{.expect_tx|.noComplete}... state, [addr]{, count}
bool Decoder::decodeMbarrierArrive(Modifiers &modifiers, MbarrierInfo &info) {
  info.expectsTx = modifiers.accept("expect_tx");
  info.noComplete = !info.expectsTx && modifiers.accept("noComplete");
  if (!acceptOrder(modifiers, "release", info) ||
      !acceptShared(modifiers, !info.noComplete, info))
    return unsupported();
  bool needsCount = info.expectsTx || info.noComplete;
  if (!expectOperands(needsCount ? 3 : 2, 3))
    return false;
  const Operand &state = current->operands[0];
  if (info.space == Space::SharedCluster && state.kind != Operand::Sink)
    return fail("expected '_' for the state of an arrival in .shared::cluster");
  return (state.kind == Operand::Sink ||
          destination(state, OperandType::Bits64, info.state)) &&
         address(current->operands[1], info.space, info.address) &&
         (current->operands.size() == 2 ||
          source(current->operands[2], OperandType::Bits32, info.count)) &&
         addMbarrier(info);
}

// mbarrier.{test,try}_wait{.parity}... p, [addr], state|parity{, time}
bool Decoder::decodeMbarrierWait(Modifiers &modifiers, MbarrierInfo &info) {
  bool mayHaveTime = current->opcode.substr(0, 17) == "mbarrier.try_wait";
  info.byParity = modifiers.accept("parity");
  if (!acceptOrder(modifiers, "acquire", info) ||
      !acceptShared(modifiers, false, info))
    return unsupported();
  uint32_t time = 0;
  return expectOperands(3, mayHaveTime ? 4 : 3) &&
         destination(current->operands[0], OperandType::Predicate,
                     info.result) &&
         address(current->operands[1], info.space, info.address) &&
         source(current->operands[2],
                info.byParity ? OperandType::Bits32 : OperandType::Bits64,
                info.state) &&
         (current->operands.size() == 3 ||
          source(current->operands[3], OperandType::Bits32, time)) &&
         addMbarrier(info);
}

// mbarrier.pending_count.b64 count, state
bool Decoder::decodePendingCount(Modifiers &modifiers) {
  result.kind = Kind::PendingCount;
  if (!modifiers.accept("b64") || !modifiers.atEnd())
    return unsupported();
  return expectOperands(2, 2) &&
         destination(current->operands[0], OperandType::Bits32,
                     result.operands.destination) &&
         source(current->operands[1], OperandType::Bits64,
                result.operands.source[0]);
}

// cp.async.mbarrier.arrive{.noinc}{.shared{::cta}}.b64 [addr]
bool Decoder::decodeAsyncArrive(Modifiers &modifiers) {
  MbarrierInfo info;
  info.op = MbarrierInfo::AsyncArrive;
  if (!modifiers.accept("arrive"))
    return unsupportedModifier(modifiers.peek());
  info.noIncrement = modifiers.accept("noinc");
  return (acceptShared(modifiers, false, info) || unsupported()) &&
         expectOperands(1, 1) &&
         address(current->operands[0], info.space, info.address) &&
         addMbarrier(info);
}

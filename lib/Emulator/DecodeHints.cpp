//===- DecodeHints.cpp - Instructions without an effect here --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory is sequentially consistent in the emulator, caches do not exist, and a
// grid starts when the one before it has ended: most fences, prefetches, waits
// for other grids and sleeps have nothing to do. They are known by their whole
// opcode all the same, as every other instruction is. The fences that bulk
// copies and mbarriers need, and the waits, are noted for the race detectors.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include <algorithm>
#include <iterator>

using namespace nm::emulator;

template <size_t size>
static bool isOneOf(std::string_view part,
                    const std::string_view (&known)[size]) {
  return std::find(std::begin(known), std::end(known), part) != std::end(known);
}

/// fence.proxy.KIND and membar.proxy.KIND.
static constexpr std::string_view kProxies[] = {
    "alias", "async", "async.global", "async.shared::cta",
    "async.shared::cluster"};

static bool isMemoryBarrier(std::string_view opcode) {
  static constexpr std::string_view levels[] = {"membar.cta", "membar.gl",
                                                "membar.sys"};
  static constexpr std::string_view proxy = "membar.proxy.";
  return isOneOf(opcode, levels) ||
         (opcode.substr(0, proxy.size()) == proxy &&
          isOneOf(opcode.substr(proxy.size()), kProxies));
}

static bool isFence(std::string_view opcode) {
  static constexpr std::string_view proxy = "fence.proxy.";
  if (opcode.substr(0, proxy.size()) == proxy)
    return isOneOf(opcode.substr(proxy.size()), kProxies);
  if (opcode == "fence.mbarrier_init.release.cluster")
    return true;
  static constexpr std::string_view scopes[] = {"cta", "cluster", "gpu", "sys"};
  Modifiers modifiers(opcode);
  // Without an order it is acq_rel.
  if (!modifiers.accept("sc") && !modifiers.accept("acq_rel") &&
      !modifiers.accept("acquire"))
    modifiers.accept("release");
  return isOneOf(modifiers.take(), scopes) && modifiers.atEnd();
}

/// What the race detector has to know of a fence.
static Kind fenceKind(std::string_view opcode) {
  if (opcode == "fence.mbarrier_init.release.cluster")
    return Kind::MbarrierInitFence;
  bool isOfShared = opcode.find(".proxy.async") != opcode.npos &&
                    opcode.find(".global") == opcode.npos;
  if (isOfShared)
    return Kind::ProxyFence;
  Modifiers modifiers(opcode);
  for (std::string_view part = modifiers.take(); !part.empty();
       part = modifiers.take())
    if (part == "gl" || part == "gpu" || part == "sys")
      return Kind::Fence;
  return Kind::Nop;
}

bool Decoder::decodeFence() {
  result.kind = fenceKind(current->opcode);
  bool isKnown = current->opcode.substr(0, 6) == "membar"
                     ? isMemoryBarrier(current->opcode)
                     : isFence(current->opcode);
  return (isKnown || unsupported()) && expectOperands(0, 0);
}

bool Decoder::decodePrefetch() {
  static constexpr std::string_view known[] = {
      "prefetch.L1",
      "prefetch.L2",
      "prefetch.global.L1",
      "prefetch.global.L2",
      "prefetch.local.L1",
      "prefetch.local.L2",
      "prefetch.global.L2::evict_last",
      "prefetch.global.L2::evict_normal",
      "prefetchu.L1",
      "prefetch.tensormap",
      "prefetch.param.tensormap",
      "prefetch.const.tensormap"};
  result.kind = Kind::Nop;
  Space space = Space::Generic;
  Address unused;
  return (isOneOf(current->opcode, known) || unsupported()) &&
         expectOperands(1, 1) && address(current->operands[0], space, unused);
}

bool Decoder::decodeSleep() {
  result.kind = Kind::Nop;
  uint32_t unused = 0;
  return (current->opcode == "nanosleep.u32" || unsupported()) &&
         expectOperands(1, 1) &&
         source(current->operands[0], OperandType::Bits32, unused);
}

bool Decoder::decodeGridDependency() {
  bool isWait = current->opcode == "griddepcontrol.wait";
  result.kind = isWait ? Kind::GridWait : Kind::GridStart;
  return (isWait || current->opcode == "griddepcontrol.launch_dependents" ||
          unsupported()) &&
         expectOperands(0, 0);
}

//===- Roles.cpp - Roles of warps as a branch -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first threads of a block compute, as if they were all; those behind them
// copy, as if these were all.
//
//===----------------------------------------------------------------------===//

#include "Roles.h"
#include "Copies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

/// Threads of a warp, and of the warps that give and take registers together.
static constexpr int64_t kWarp = 32, kWarpgroup = 128;

/// Registers of a thread that copies 16 bytes at a time, addresses of some
/// chunks, and where the copy engine does that, the least there can be.
static constexpr int64_t kOfProducer = 40, kOfLeader = 24;

/// The most that a thread may have, and what their number is a multiple of.
static constexpr int64_t kMostRegisters = 240, kRegisterStep = 8;

static RolesOp findRoles(gpu::LaunchOp launch) {
  auto roles = launch.getBody().getOps<RolesOp>();
  return roles.empty() ? RolesOp() : *roles.begin();
}

void nm::lowerCopiesOfRoles(gpu::LaunchOp launch) {
  Value thread = launch.getThreadIds().x;
  int64_t consumers = getSchedule(launch).getNumThreads();
  if (RolesOp roles = findRoles(launch)) {
    auto b = ImplicitLocOpBuilder::atBlockBegin(roles.getLoc(),
                                                &roles.getProduce().front());
    Value own = arith::SubIOp::create(b, thread, indexConstant(b, consumers));
    lowerCopies(roles.getProduce(), own, kWarp * roles.getProducers());
  }
  lowerCopies(launch.getBody(), thread, consumers);
}

/// Lets a barrier of the block in `region` be one of the `threads` that execute
/// it.
static void nameBarriers(Region &region, int32_t name, int64_t threads) {
  region.walk([&](gpu::BarrierOp barrier) {
    ImplicitLocOpBuilder b(barrier.getLoc(), barrier);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, value, 32);
    };
    NVVM::BarrierOp::create(b, /*res=*/Type(), constant(name),
                            constant(threads), /*reductionOp=*/{},
                            /*reductionPredicate=*/Value());
    barrier.erase();
  });
}

namespace {
/// Registers of a thread.
struct Registers {
  int64_t producer, consumer;
};
} // namespace

/// What threads are to have after producers have given all but `least`; nothing
/// where they cannot.
static std::optional<Registers> shareRegisters(int64_t producers,
                                               int64_t consumers, int64_t least,
                                               const TargetInfo &target) {
  if (!target.hasRegisterTransfer || producers % kWarpgroup != 0 ||
      consumers % kWarpgroup != 0)
    return std::nullopt;
  // As a launch gives them.
  int64_t equal = llvm::alignDown(
      target.registersPerSM / (producers + consumers), kRegisterStep);
  int64_t left = equal * (producers + consumers) - least * producers;
  int64_t more = llvm::alignDown(left / consumers, kRegisterStep);
  more = std::min(more, kMostRegisters);
  if (equal <= least || equal > kMostRegisters || more <= equal)
    return std::nullopt;
  return Registers{least, more};
}

/// Sets the registers of the threads that execute `block`.
static void setRegisters(Block &block, Location loc, int64_t count,
                         NVVM::SetMaxRegisterAction action) {
  auto b = ImplicitLocOpBuilder::atBlockBegin(loc, &block);
  NVVM::SetMaxRegisterOp::create(b, int32_t(count), action);
}

/// Whether this thread's warp is one of the first `warps`, in a way that ptxas
/// knows to be the same for all threads of it.
static Value isBefore(ImplicitLocOpBuilder &b, Value thread, int64_t warps) {
  Type i32 = b.getI32Type();
  Value warp = arith::IndexCastUIOp::create(b, i32, divIndex(b, thread, kWarp));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  auto first = gpu::ShuffleOp::create(b, warp, constant(0), constant(kWarp),
                                      gpu::ShuffleMode::IDX);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                               first.getShuffleResult(), constant(warps));
}

/// Makes the branch of `roles`.
static scf::IfOp createBranch(RolesOp roles, Value thread, int64_t consumers) {
  ImplicitLocOpBuilder b(roles.getLoc(), roles);
  int64_t warps = consumers / kWarp;
  auto branch = scf::IfOp::create(b, isBefore(b, thread, warps),
                                  /*withElseRegion=*/true);
  auto move = [](Region &from, Block *to) {
    to->getOperations().splice(to->getTerminator()->getIterator(),
                               from.front().getOperations());
  };
  move(roles.getConsume(), branch.thenBlock());
  Block *produce = branch.elseBlock();
  if (roles.getLeader()) {
    b.setInsertionPointToStart(produce);
    produce = scf::IfOp::create(b, isBefore(b, thread, warps + 1),
                                /*withElseRegion=*/false)
                  .thenBlock();
  }
  move(roles.getProduce(), produce);
  return branch;
}

void nm::lowerRoles(gpu::LaunchOp launch) {
  RolesOp roles = findRoles(launch);
  if (!roles)
    return;
  int64_t consumers = getSchedule(launch).getNumThreads();
  int64_t producers = kWarp * roles.getProducers();
  nameBarriers(roles.getConsume(), 1, consumers);
  nameBarriers(roles.getProduce(), 2, producers);
  scf::IfOp branch = createBranch(roles, launch.getThreadIds().x, consumers);
  int64_t least = roles.getLeader() ? kOfLeader : kOfProducer;
  if (auto registers =
          shareRegisters(producers, consumers, least, getTarget(launch))) {
    setRegisters(*branch.thenBlock(), roles.getLoc(), registers->consumer,
                 NVVM::SetMaxRegisterAction::increase);
    setRegisters(*branch.elseBlock(), roles.getLoc(), registers->producer,
                 NVVM::SetMaxRegisterAction::decrease);
  }
  roles.erase();
}

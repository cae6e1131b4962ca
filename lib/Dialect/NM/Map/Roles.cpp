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

/// Registers of a thread that copies 16 bytes at a time: addresses of some
/// chunks.
static constexpr int64_t kOfProducer = 40;

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

/// What threads are to have after producers have given what they do not need;
/// nothing where they cannot.
static std::optional<Registers>
shareRegisters(int64_t producers, int64_t consumers, const TargetInfo &target) {
  if (!target.hasRegisterTransfer || producers % kWarpgroup != 0 ||
      consumers % kWarpgroup != 0)
    return std::nullopt;
  // As a launch gives them.
  int64_t equal = llvm::alignDown(
      target.registersPerSM / (producers + consumers), kRegisterStep);
  int64_t left = equal * (producers + consumers) - kOfProducer * producers;
  int64_t more = llvm::alignDown(left / consumers, kRegisterStep);
  more = std::min(more, kMostRegisters);
  if (equal <= kOfProducer || equal > kMostRegisters || more <= equal)
    return std::nullopt;
  return Registers{kOfProducer, more};
}

/// Sets the registers of the threads that execute `block`.
static void setRegisters(Block &block, Location loc, int64_t count,
                         NVVM::SetMaxRegisterAction action) {
  auto b = ImplicitLocOpBuilder::atBlockBegin(loc, &block);
  NVVM::SetMaxRegisterOp::create(b, int32_t(count), action);
}

/// Whether this thread's warp is one of those that compute, in a way that ptxas
/// knows to be the same for all threads of it.
static Value isConsumer(ImplicitLocOpBuilder &b, Value thread,
                        int64_t consumers) {
  Type i32 = b.getI32Type();
  Value warp = arith::IndexCastUIOp::create(b, i32, divIndex(b, thread, kWarp));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  auto first = gpu::ShuffleOp::create(b, warp, constant(0), constant(kWarp),
                                      gpu::ShuffleMode::IDX);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                               first.getShuffleResult(),
                               constant(consumers / kWarp));
}

void nm::lowerRoles(gpu::LaunchOp launch) {
  RolesOp roles = findRoles(launch);
  if (!roles)
    return;
  int64_t consumers = getSchedule(launch).getNumThreads();
  int64_t producers = kWarp * roles.getProducers();
  nameBarriers(roles.getConsume(), 1, consumers);
  nameBarriers(roles.getProduce(), 2, producers);
  ImplicitLocOpBuilder b(roles.getLoc(), roles);
  auto choice =
      scf::IfOp::create(b, isConsumer(b, launch.getThreadIds().x, consumers),
                        /*withElseRegion=*/true);
  auto move = [](Region &from, Block *to) {
    Block &body = from.front();
    to->getOperations().splice(to->getTerminator()->getIterator(),
                               body.getOperations());
  };
  move(roles.getConsume(), choice.thenBlock());
  move(roles.getProduce(), choice.elseBlock());
  const TargetInfo &target = getTarget(launch);
  if (auto registers = shareRegisters(producers, consumers, target)) {
    setRegisters(*choice.thenBlock(), roles.getLoc(), registers->consumer,
                 NVVM::SetMaxRegisterAction::increase);
    setRegisters(*choice.elseBlock(), roles.getLoc(), registers->producer,
                 NVVM::SetMaxRegisterAction::decrease);
  }
  roles.erase();
}

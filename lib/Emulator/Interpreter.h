//===- Interpreter.h - Execution of the blocks of a launch ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one cluster of blocks after the other; without clusters, each block is
// one of its own. The warps of a cluster take turns, in an order
// that the seed decides; each keeps a stack of the paths that its lanes have
// parted into, and runs the path on top to where the paths meet.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_INTERPRETER_H
#define NM_LIB_EMULATOR_INTERPRETER_H

#include "BulkCopy.h"
#include "EarlierGrids.h"
#include "Mbarrier.h"
#include "WarpState.h"

#include <map>
#include <memory>

namespace nm {
namespace emulator {

struct TensorMap;

/// What all blocks of a launch share. Read-only while they run.
struct LaunchContext {
  LaunchContext(const KernelImpl &kernel, const Memory &memory,
                const LaunchConfig &config, const Options &options)
      : kernel(kernel), memory(memory), config(config), options(options) {}

  const KernelImpl &kernel;
  const Memory &memory;
  LaunchConfig config;
  Options options;
  bool count = false; ///< Whether access patterns are counted.
  std::vector<uint8_t> parameters;
  uint64_t globalVariables = 0;    ///< Address of the module's variables.
  uint32_t threads = 0, warps = 0; ///< Per block.
  uint32_t sharedBytes = 0;        ///< Static and dynamic.
  uint32_t cluster[3] = {1, 1, 1}; ///< In blocks.
  uint32_t clusterBlocks = 1;
  bool isExplicitCluster = false;
  GlobalRaces *globalRaces = nullptr; ///< Null: not checked.
  GlobalRaces *globalAtomics = nullptr;
  const EarlierGrids *earlierGrids = nullptr; ///< Null: none may still run.
};

/// Counts of one instruction.
struct PcCount {
  uint64_t warps = 0, lanes = 0;
};
/// Counts of one memory access or asynchronous copy.
struct AccessCount {
  uint64_t sharedRequests = 0, wavefronts = 0, idealWavefronts = 0;
  uint64_t globalRequests = 0, sectors = 0;
};

class Interpreter {
public:
  explicit Interpreter(const LaunchContext &launch);

  /// Runs cluster number `cluster` in the order x, y, z. Returns false after a
  /// fault.
  bool runCluster(uint64_t cluster);

  const Fault &fault() const { return faultFound; }
  std::vector<PcCount> counts;           ///< By instruction.
  std::vector<AccessCount> accessCounts; ///< By instruction; empty if not
                                         ///< counted.
  /// What the next launches learn of its blocks, as Grid has it.
  bool waitsForGrids = false, holdsBackGrids = false;

private:
  /// Yield: the warp goes on later, as a wait of it failed.
  enum class Step : uint8_t { Next, Jumped, Blocked, Yield, Fault };

  // BlockSetup.cpp
  void fillConstants(Warp &warp);
  void fillSpecials(Warp &warp);
  void startCluster(uint64_t cluster);
  void startBlock(Block &block);

  // Interpreter.cpp
  bool runWarp(Warp &warp, uint64_t budget);
  Step execute(Warp &warp, const Instruction &instruction, uint32_t mask);
  bool allStopped();
  bool allPoll(const Warp &warp);
  bool reportDeadlock();
  bool reportDeadlock(Block &block, bool &isReleased);
  void letOtherPathRun(Warp &warp);
  uint64_t random();

  // InterpretControl.cpp
  Step branch(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step branchTable(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step exitLanes(Warp &warp, uint32_t mask);

  // InterpretAccess.cpp
  /// Where the lanes of one access point to, once checked.
  struct Target {
    Space space;
    uint32_t mask;
    uint64_t addresses[warpSize]; ///< In `space`.
    uint8_t *pointers[warpSize];
  };
  void readAddresses(const Warp &warp, const Address &address,
                     uint64_t *addresses) const;
  /// Resolves the lanes of `mask` that lie in the space of the first of them;
  /// the others are left for another call. False after a fault.
  bool resolve(Warp &warp, Space space, const uint64_t *addresses,
               uint32_t mask, uint32_t bytes, bool isWrite, Target &target);
  bool resolveGlobal(Warp &warp, uint32_t bytes, bool isWrite, Target &target);
  bool resolveShared(Warp &warp, uint32_t bytes, bool isWrite, Target &target);
  bool resolveLocal(Warp &warp, uint32_t bytes, bool isWrite, Target &target);
  bool resolveParam(Warp &warp, uint32_t bytes, bool isWrite, Target &target);
  bool checkAlignment(Warp &warp, uint32_t bytes, bool isWrite,
                      const Target &target);
  void countAccess(const Target &target, uint32_t bytes);

  // InterpretMemory.cpp
  Step load(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step store(Warp &warp, const Instruction &instruction, uint32_t mask);

  // InterpretShared.cpp
  bool checkSharedRead(Warp &warp, const Target &target, uint32_t bytes,
                       uint64_t usedBytes);
  bool checkSharedWrite(Warp &warp, const Target &target, uint32_t bytes,
                        bool isAtomic, const uint8_t *values,
                        uint32_t valueStride);
  bool reportConflict(Warp &warp, unsigned lane, uint32_t bytes, bool isWrite,
                      const Conflict &conflict);

  // InterpretGlobal.cpp
  bool checkGlobal(Warp &warp, const Target &target, uint32_t bytes,
                   bool isWrite, const uint8_t *values, uint32_t valueStride);
  const Allocation *allocationOf(uint64_t address) const;
  bool checkGlobalAccess(Warp &warp, unsigned lane, uint64_t address,
                         uint32_t bytes, bool isWrite, const uint8_t *value);
  bool checkBlocks(Warp &warp, unsigned lane, uint64_t address, uint32_t bytes,
                   bool isWrite, const uint8_t *value);
  bool checkStrong(Warp &warp, const Target &target, uint32_t bytes,
                   bool isWrite);

  // InterpretGrids.cpp
  void waitForGrids(Warp &warp, uint32_t mask);
  void startNextGrid(Warp &warp, uint32_t mask);
  void noteGridOrder();
  bool hasWaitedForGrids(Warp &warp, unsigned lane);
  bool checkGrids(Warp &warp, const Target &target, uint32_t bytes,
                  bool isWrite, bool isAtomic, const uint8_t *values,
                  uint32_t valueStride);
  bool checkGridsOfLane(Warp &warp, unsigned lane, uint64_t address,
                        uint32_t bytes, bool isWrite, bool isAtomic,
                        const uint8_t *value);
  bool reportGrid(Warp &warp, unsigned lane, const Allocation &in,
                  uint32_t bytes, bool isWrite, const Grid &grid,
                  const GlobalRaces::Conflict &conflict);
  /// Whether a grid before this one may still run for some of `lanes`.
  bool isBesideGrids(const Warp &warp, uint32_t lanes) const {
    return launch.earlierGrids && ((lanes & ~warp.knowsGridWait) ||
                                   launch.earlierGrids->outliveWait());
  }

  // InterpretAtomic.cpp
  Step atomic(Warp &warp, const Instruction &instruction, uint32_t mask);

  // InterpretAsync.cpp
  Step asyncCopy(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step asyncCommit(Warp &warp, uint32_t mask);
  Step asyncWait(Warp &warp, uint32_t allowed, uint32_t mask);
  bool readCopySizes(Warp &warp, const AsyncCopy &info, PendingCopy &copy);
  bool resolveCopySources(Warp &warp, const AsyncCopy &info, PendingCopy &copy);
  void deliver(PendingCopy &copy, uint32_t mask, Stamp arrived);
  void dropDelivered(Warp &warp);

  // InterpretBulk.cpp
  Step bulkCopy(Warp &warp, const Instruction &instruction, uint32_t mask);
  bool checkBulkAlignment(Warp &warp, unsigned lane, uint64_t address,
                          uint32_t alignment, const char *what);
  bool resolveBulkShared(Warp &warp, unsigned lane, const Address &operand,
                         Space space, uint32_t bytes, bool isWrite,
                         uint32_t &address);
  bool locateBulk(Warp &warp, unsigned lane, const BulkInfo &info,
                  BulkCopy &copy);
  bool checkBulkMbarrier(Warp &warp, unsigned lane, const BulkCopy &copy);
  bool beginCopies(Warp &warp, unsigned lane, const BulkInfo &info,
                   BulkCopy &copy);
  bool beginMulticast(Warp &warp, unsigned lane, const BulkCopy &copy,
                      uint32_t ranks);
  bool beginBulk(Warp &warp, unsigned lane, BulkCopy &copy);
  void deliverBulk(BulkCopy &copy, Mbarrier &barrier);
  void readBulk(BulkCopy &copy);
  void writeBulk(BulkCopy &copy);
  void dropDoneBulk();
  void bulkWait(Warp &warp, uint32_t allowed, bool onlyRead, uint32_t mask);
  bool finishBulk();

  // InterpretTensor.cpp
  bool readTensorMap(Warp &warp, unsigned lane, const BulkInfo &info,
                     TensorMap &map);
  bool locateTensor(Warp &warp, unsigned lane, const BulkInfo &info,
                    BulkCopy &copy);
  bool addTensorRows(Warp &warp, unsigned lane, const TensorMap &map,
                     const int64_t *first, BulkCopy &copy);

  // InterpretCluster.cpp
  Step clusterArrive(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step clusterWait(Warp &warp, uint32_t mask);
  bool checkPresentWarp(Warp &warp, uint32_t mask);
  void completeCluster();
  bool reportCluster();
  void passCluster(Warp &warp);
  bool mapBlock(Warp &warp, const Instruction &instruction, uint32_t mask);
  bool blockRank(Warp &warp, const Instruction &instruction, uint32_t mask);
  bool resolveCluster(Warp &warp, uint32_t bytes, bool isWrite, Target &target);
  bool noteVisits(Warp &warp, const Target &target);
  bool failEnded(Warp &warp, unsigned lane, uint32_t rank);
  bool checkVisits(Warp &last, Block &block);
  bool finishWarp(Warp &warp);

  // InterpretRegisters.cpp
  Step setMaxRegisters(Warp &warp, const Instruction &instruction,
                       uint32_t mask);
  bool checkWarpgroup(Warp &warp, unsigned lane);
  void grantRegisters(Block &block);
  bool reportRegisters(Warp &warp);
  bool finishRegisters();

  // InterpretMbarrier.cpp
  Step mbarrier(Warp &warp, const Instruction &instruction, uint32_t mask);
  /// One operation of `lanes`, which all have this address.
  bool mbarrierOp(Warp &warp, const MbarrierInfo &info, uint32_t address,
                  uint32_t lanes);
  bool initMbarrier(Warp &warp, const MbarrierInfo &info, uint32_t address,
                    unsigned lane);
  bool invalMbarrier(Warp &warp, Mbarrier &barrier, uint32_t address,
                     unsigned lane);
  Mbarrier *findMbarrier(Warp &warp, uint32_t address, uint32_t lanes);
  bool arriveAt(Warp &warp, const MbarrierInfo &info, Mbarrier &barrier,
                uint32_t address, unsigned lane);
  bool addTx(Warp &warp, Mbarrier &barrier, uint32_t address, unsigned lane,
             int64_t bytes);
  void pendingCount(Warp &warp, const Instruction &instruction, uint32_t mask);
  void mbarrierInitFence(Warp &warp, uint32_t mask);
  bool proxyFence(Warp &warp, uint32_t mask);

  // InterpretMbarrierWait.cpp
  bool waitFor(Warp &warp, const MbarrierInfo &info, Mbarrier &barrier,
               uint32_t address, uint32_t lanes);
  Step finishWait(Warp &warp, bool hasFailed);
  void beginAsyncArrival(Warp &warp, const MbarrierInfo &info,
                         Mbarrier &barrier, uint32_t address, uint32_t lanes);
  bool completeByCopies(Mbarrier &barrier, uint32_t address);
  void arriveAfterCopies(Mbarrier &barrier, AsyncArrival &arrival);
  bool reportPolling();

  // InterpretBarrier.cpp
  Step barrier(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step warpBarrier(Warp &warp, const Instruction &instruction, uint32_t mask);
  bool checkWholeWarp(Warp &warp, uint32_t mask);
  void release(Block &block, uint32_t number);
  bool tooManyPeriods(Warp &warp, uint32_t mask);
  /// All ones when `mask` holds all threads of the warp.
  static uint32_t wholeWarp(const Warp &warp, uint32_t mask) {
    return mask == warp.threads ? fullWarp : mask;
  }

  // InterpretWarp.cpp
  Step shuffle(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step vote(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step match(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step redux(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step elect(Warp &warp, const Instruction &instruction, uint32_t mask);
  void pack(Warp &warp, const Instruction &instruction, uint32_t mask);
  void unpack(Warp &warp, const Instruction &instruction, uint32_t mask);
  void isSpace(Warp &warp, const Instruction &instruction, uint32_t mask);
  void clock(Warp &warp, const Instruction &instruction, uint32_t mask);
  bool checkMembers(Warp &warp, const WarpOp &op, uint32_t mask);

  // InterpretMatrix.cpp
  Step loadMatrix(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step storeMatrix(Warp &warp, const Instruction &instruction, uint32_t mask);
  Step mma(Warp &warp, const Instruction &instruction, uint32_t mask);
  bool resolveRows(Warp &warp, const MemoryAccess &access, Target &target);

  // Faults.cpp
  /// Records a fault of a lane of `warp` at the instruction it executes.
  bool fail(Warp &warp, unsigned lane, uint32_t check,
            const std::string &message);
  std::string describeThread(uint32_t warp, uint32_t lane) const;
  std::string describeBlock(uint32_t rank) const;
  std::string describeStamp(Stamp stamp) const;
  std::string describeInstruction(uint32_t pc) const {
    return describeInstruction(kernel, pc);
  }
  static std::string describeInstruction(const KernelImpl &kernel, uint32_t pc);
  static std::string describeGlobal(uint64_t address);
  std::string describeShared(uint32_t address) const;
  std::string describeMbarrier(uint32_t address) const;
  std::string describeAccess(const Target &target, unsigned lane,
                             uint32_t bytes, bool isWrite) const;

  // Registers.
  template <class T> T *lanes(Warp &warp, uint32_t offset) const {
    return reinterpret_cast<T *>(warp.registers + offset);
  }
  template <class T> const T *lanes(const Warp &warp, uint32_t offset) const {
    return reinterpret_cast<const T *>(warp.registers + offset);
  }
  uint32_t predicate(const Warp &warp, uint32_t offset) const {
    return *lanes<uint32_t>(warp, offset);
  }
  void setPredicate(Warp &warp, uint32_t offset, uint32_t value,
                    uint32_t mask) const {
    uint32_t *bits = lanes<uint32_t>(warp, offset);
    *bits = (*bits & ~mask) | (value & mask);
  }
  template <class T>
  void setLanes(Warp &warp, uint32_t offset, const T *values,
                uint32_t mask) const {
    T *destination = lanes<T>(warp, offset);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (mask >> lane & 1)
        destination[lane] = values[lane];
  }
  uint32_t sharedBase(const Warp &warp) const {
    return warp.block * sharedStride;
  }
  Block &blockOf(const Warp &warp) { return blocks[warp.block]; }
  Warp &warpOf(const Block &block, uint32_t number) {
    auto rank = static_cast<uint32_t>(&block - blocks.data());
    return warps[rank * launch.warps + number];
  }
  bool checks(uint32_t check) const {
    return (launch.options.checks & check) != 0;
  }

  const LaunchContext &launch;
  const KernelImpl &kernel;
  std::vector<Block> blocks; ///< By rank in the cluster.
  std::vector<Warp> warps;   ///< Block by block.
  ClusterBarrier clusterBarrier;
  GlobalRaces::Agent globalAgent;
  /// Which lanes of which warp executed griddepcontrol.wait, and when.
  struct GridWait {
    Stamp stamp;
    uint32_t lanes;
  };
  std::vector<GridWait> gridWaits;
  std::unique_ptr<uint8_t[]> registerStorage;
  std::vector<uint8_t> localStorage;
  std::vector<uint8_t> sharedStorage;
  uint32_t sharedLimit = 0;  ///< First address that may not be touched.
  uint32_t sharedStride = 0; ///< Between the blocks of a cluster.
  std::map<uint32_t, Mbarrier> mbarriers;  ///< By address.
  std::vector<AsyncArrival> asyncArrivals; ///< In the order of their issue.
  std::vector<BulkCopy> bulkCopies;        ///< In the order of their issue.
  uint64_t changes = 0;                    ///< Of what a wait may wait for.
  RaceDetector detector;
  bool checksShared = false;
  /// The allocation that each instruction used last.
  std::vector<const Allocation *> lastAllocation;
  uint32_t pc = 0;       ///< Of the instruction being executed.
  uint64_t executed = 0; ///< Instructions of this cluster.
  uint64_t randomState = 0;
  Fault faultFound;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_INTERPRETER_H

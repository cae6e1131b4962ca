//===- Program.h - A decoded kernel -----------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter runs: one compact instruction after the other, with
// operands as offsets into the registers of a warp, and side tables for what
// only few instructions need.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_PROGRAM_H
#define NM_LIB_EMULATOR_PROGRAM_H

#include "AsyncInfo.h"
#include "LaneOps.h"
#include "nm/Emulator/Emulator.h"

namespace nm {
namespace emulator {

/// A program counter that is never reached.
constexpr uint32_t noTarget = 0xffffffffu;

enum class Kind : uint8_t {
  Lane,              ///< `lane` does all.
  Nop,               ///< Fences, prefetches and hints: memory is coherent here.
  Fence,             ///< Of the whole device.
  ProxyFence,        ///< fence.proxy.async
  MbarrierInitFence, ///< fence.mbarrier_init
  GridWait,          ///< griddepcontrol.wait
  GridStart,         ///< griddepcontrol.launch_dependents
  Branch,            ///< To `target`.
  BranchTable,
  Exit,
  Trap,
  Pack, ///< Vector of registers to one.
  Unpack,
  Clock,
  IsSpace,
  Load,
  Store,
  Atomic,
  AsyncCopy,
  AsyncCommit,
  AsyncWait,
  BulkCopy,
  BulkCommit,
  BulkWait,
  BulkWaitRead,
  Mbarrier,
  PendingCount,
  SetMaxRegisters,
  ClusterArrive,
  ClusterWait,
  MapBlock,
  BlockRank,
  Barrier,
  WarpBarrier,
  Shuffle,
  Vote,
  Match,
  Redux,
  ActiveMask,
  Elect,
  LoadMatrix,
  StoreMatrix,
  Mma
};

struct Instruction {
  Kind kind = Kind::Nop;
  bool guardNegated = false;
  uint32_t guard = noRegister;
  LaneFunction lane = nullptr;
  LaneOperands operands;
  uint32_t detail = 0; ///< Index into the side table of the kind.
  uint32_t target = noTarget;
  /// Where the lanes of a divergent branch meet again.
  uint32_t reconvergence = noTarget;
};

enum class AtomicOp : uint8_t {
  Add,
  Min,
  Max,
  And,
  Or,
  Xor,
  Exch,
  Cas,
  Inc,
  Dec
};

/// How the bits of an element are to be read by atomics and reductions.
enum class ElementType : uint8_t {
  Bits,
  Unsigned,
  Signed,
  F16,
  F16x2,
  BF16,
  BF16x2,
  Float
};

/// Side table of Load, Store, Atomic, LoadMatrix and StoreMatrix.
struct MemoryAccess {
  Space space = Space::Generic;
  bool isWrite = false;
  bool signExtend = false;
  /// Volatile, relaxed, acquire or release; and whether it is the last.
  bool isStrong = false, isRelease = false;
  uint8_t elementBytes = 4;
  uint8_t count = 1; ///< Elements a lane; matrices of LoadMatrix.
  bool transposed = false;
  uint8_t registerBytes[8] = {};
  uint32_t registers[8] = {};
  /// Loads: a bit for each byte that reaches a use, see UsedBytes.h.
  uint64_t usedBytes = 0;
  Address address;
  // Atomics only.
  AtomicOp op = AtomicOp::Add;
  ElementType element = ElementType::Bits;
  bool hasResult = false;
  uint32_t operands[2] = {noRegister, noRegister};

  unsigned bytes() const { return unsigned(elementBytes) * count; }
};

/// Side table of Barrier.
struct BarrierInfo {
  bool arriveOnly = false;
  uint32_t barrier = noRegister; ///< Register with its number.
  uint32_t threads = noRegister; ///< Register with the count; none: all.
  enum Reduction : uint8_t { None, And, Or, Popc } reduction = None;
  uint32_t destination = noRegister;
  uint32_t predicate = noRegister;
  bool predicateNegated = false;
};

/// Side table of Shuffle, Vote, Match, Redux, Elect, WarpBarrier.
struct WarpOp {
  enum Mode : uint8_t {
    Up,
    Down,
    Butterfly,
    Index,
    All,
    Any,
    Uniform,
    Ballot
  } mode = Up;
  uint32_t members = noRegister; ///< Register with the lanes that take part.
  uint32_t source = noRegister;
  bool sourceNegated = false;
  uint32_t second = noRegister, third = noRegister;
  uint32_t destination = noRegister;
  uint32_t predicate = noRegister; ///< Second destination.
  uint8_t bytes = 4;
  AtomicOp op = AtomicOp::Add;
  ElementType element = ElementType::Unsigned;
};

/// Side table of Pack and Unpack: the parts, low to high.
struct VectorMove {
  uint8_t partBytes = 4;
  uint8_t count = 2;
  uint32_t parts[8] = {};
  uint32_t whole = 0;
};

/// Side table of Mma: D = A*B + C.
struct MmaInfo {
  uint8_t k = 16;
  enum Input : uint8_t { F16, BF16, TF32 } input = F16;
  bool halfAccumulator = false; ///< C and D are f16 pairs.
  uint32_t d[4] = {}, a[4] = {}, b[2] = {}, c[4] = {};
};

/// A register with the same value in all lanes, filled when a launch starts.
struct Constant {
  uint32_t offset;
  uint8_t bytes; ///< 0: a predicate.
  uint64_t value;
  bool isGlobalAddress =
      false; ///< The address of the module's variables is added.
};

/// Special registers; each is a 32-bit register of the warp.
enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  LaneId,
  WarpId,
  LaneMaskEq,
  LaneMaskLe,
  LaneMaskLt,
  LaneMaskGe,
  LaneMaskGt,
  // The same for all threads of the launch.
  NtidX,
  NtidY,
  NtidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  NWarpId,
  SmId,
  NSmId,
  DynamicSharedSize,
  TotalSharedSize,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusterNctaRank,
  NClusterIdX,
  NClusterIdY,
  NClusterIdZ,
  IsExplicitCluster, ///< A predicate.
  // The same for all threads of a block.
  CtaidX,
  CtaidY,
  CtaidZ,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterCtaRank,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ
};
struct SpecialRegister {
  Special special;
  uint32_t offset;
};

struct ParameterInfo {
  uint64_t offset, size;
};

/// An innermost loop: the instructions of its basic blocks.
struct LoopInfo {
  uint32_t header = 0; ///< First instruction of the header.
  std::vector<uint32_t> instructions;
};

struct KernelImpl {
  std::string name;
  std::vector<Instruction> code;
  std::vector<unsigned> lines; ///< Of each instruction.
  std::vector<std::string_view> texts;
  std::vector<std::string_view> opcodes;
  std::vector<LoopInfo> loops; ///< Innermost ones.

  std::vector<MemoryAccess> accesses;
  std::vector<AsyncCopy> asyncCopies;
  std::vector<BulkInfo> bulkCopies;
  std::vector<MbarrierInfo> mbarriers;
  std::vector<RegisterInfo> registerInfos;
  std::vector<BarrierInfo> barriers;
  std::vector<WarpOp> warpOps;
  std::vector<VectorMove> vectorMoves;
  std::vector<MmaInfo> mmas;
  std::vector<std::vector<uint32_t>> branchTables;

  std::vector<Constant> constants;
  std::vector<SpecialRegister> specials;
  uint32_t registerBytes = 0; ///< Of one warp.

  std::vector<ParameterInfo> parameters;
  uint64_t parameterBytes = 0;
  uint32_t staticSharedBytes = 0; ///< Where dynamic shared memory begins.
  uint64_t localBytes = 0;        ///< Of one thread.
  uint32_t maxBlock[3] = {0, 0, 0};
  uint32_t requiredBlock[3] = {0, 0, 0};
  uint32_t requiredCluster[3] = {0, 0, 0}; ///< .reqnctapercluster
  uint32_t maxCluster = 0;                 ///< .maxclusterrank
  bool isExplicitCluster = false;          ///< .explicitcluster
  /// Of a thread when a block begins, for setmaxnreg; 0: unknown.
  uint32_t entryRegisters = 0;
};

struct ModuleImpl {
  ParsedModule syntax;
  std::vector<std::unique_ptr<Kernel>> kernels;
  uint64_t id = 0; ///< Unique in the process.
};

/// The windows of generic addresses through which the other spaces are seen.
/// Global addresses, where constants live too, are above them.
constexpr uint64_t sharedWindow = 1ull << 32;
constexpr uint64_t localWindow = 2ull << 32;
constexpr uint64_t paramWindow = 3ull << 32;
constexpr uint64_t windowBytes = 1ull << 32;
constexpr uint64_t firstGlobalAddress = 1ull << 36;

/// An address of .shared::cluster: below this one of the block's own shared
/// memory; above, one of the block whose rank, plus 1, are the bits from here.
constexpr uint32_t clusterRankShift = 24;
/// What a launch may ask for, without attributes of its own.
constexpr uint32_t maxClusterBlocks = 8;

/// Shared memory that the system keeps for itself at address 0, as on sm_80 and
/// later: a null pointer into shared memory is out of bounds.
constexpr uint32_t reservedSharedBytes = 1024;
/// What a block may declare at most, as on Hopper.
constexpr uint32_t maxSharedBytes = 227 * 1024;
/// What a thread may declare at most.
constexpr uint64_t maxLocalBytes = uint64_t(512) * 1024;

/// Decodes `kernel`. Returns null, with "line N: ..." in `error`, when it holds
/// something that cannot be executed.
std::unique_ptr<KernelImpl> decodeKernel(const ParsedKernel &kernel,
                                         std::string &error);

/// Fills in where divergent branches meet again, and the loops. `successors` of
/// a branch table are in KernelImpl::branchTables.
void analyseControlFlow(KernelImpl &kernel);

/// The row of a lane-wise opcode, or null; and the other lane functions.
const LaneOp *findLaneOp(std::string_view opcode);
const LaneSet &laneSet();

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_PROGRAM_H

//===- Memory.h - Global memory of the emulated device ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allocations that kernels may touch. Device addresses are numbers of a
// private address space: they fit a `void *` but must never be dereferenced by
// the host. Addresses are handed out once and allocations lie at least 16 MiB
// apart, so that an access past the end, or after `free`, never falls by chance
// into another allocation. No two memories of a process share an address.
//
//===----------------------------------------------------------------------===//

#ifndef NM_EMULATOR_MEMORY_H
#define NM_EMULATOR_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace nm {
namespace emulator {

class EarlierGrids;

/// A live allocation.
struct Allocation {
  uint64_t address; ///< First byte; a multiple of 256.
  uint64_t size;    ///< In bytes, as asked for.
  uint8_t *host;    ///< Where its bytes are kept; room up to a multiple of 256.
};

/// The global memory of one device. One thread at a time may allocate and free,
/// and none while a launch runs.
class Memory {
public:
  Memory();
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Returns the address of `bytes` new bytes, a multiple of 256; 0 when there
  /// is no memory for them. 0 bytes give a valid address that nothing can be
  /// read from. The bytes are 0xff, a NaN in every floating-point type, so that
  /// a result which depends on them shows.
  uint64_t allocate(uint64_t bytes);

  /// Ends the allocation that starts at `address`. Returns false when there is
  /// none.
  bool free(uint64_t address);

  /// The allocation that holds `address`, its padding included, or null.
  const Allocation *find(uint64_t address) const;

  /// The last allocation that starts at or below `address`, or null: what an
  /// access past the end most likely meant.
  const Allocation *findBelow(uint64_t address) const;

  /// Where the `bytes` bytes from `address` are kept, or null unless they lie
  /// within one live allocation.
  uint8_t *hostPointer(uint64_t address, uint64_t bytes) const;

  /// Copy between host and device. Return false, and copy nothing, unless the
  /// device's bytes lie within one live allocation.
  bool upload(uint64_t address, const void *host, uint64_t bytes);
  bool download(void *host, uint64_t address, uint64_t bytes) const;

  /// Bytes in live allocations now, and the most there ever were. Variables of
  /// modules count.
  uint64_t bytesInUse() const { return inUse; }
  uint64_t peakBytes() const { return peak; }

private:
  friend class EarlierGrids;
  friend class ModuleVariables;

  struct Record {
    Allocation allocation;
    std::unique_ptr<uint8_t[]> storage;
  };

  uint64_t region; ///< Number of its part of the address space.
  std::map<uint64_t, Record> allocations; ///< By address.
  /// Address of the `.global` and `.const` variables of each module launched.
  std::map<uint64_t, uint64_t> moduleVariables;
  /// What launches that may still run have touched; null before the first.
  std::unique_ptr<EarlierGrids> earlierGrids;
  uint64_t nextAddress;
  uint64_t inUse = 0;
  uint64_t peak = 0;
};

} // namespace emulator
} // namespace nm

#endif // NM_EMULATOR_MEMORY_H

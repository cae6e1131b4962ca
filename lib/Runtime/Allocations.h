//===- Allocations.h - What memory a context has given ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_RUNTIME_ALLOCATIONS_H
#define NM_LIB_RUNTIME_ALLOCATIONS_H

#include "Liveness.h"
#include "nm/Runtime/Device.h"

#include <mutex>

namespace nm {
namespace runtime {

/// The live allocations of a context, their sum, and when they are used.
/// Several threads may call it at once.
class Allocations {
public:
  /// With `recordUses` what is used when is remembered.
  explicit Allocations(bool recordUses) : recordUses(recordUses) {}

  void add(void *pointer, uint64_t bytes, void *stream, bool isConstant);
  /// Removes an allocation, a constant or not as asked, and returns true with
  /// the stream it belongs to; false when there is none of this address.
  bool remove(void *pointer, bool isConstant, void *&stream);
  /// The size of an allocation, which there is.
  uint64_t bytesAt(void *pointer) const;
  /// All that are left: address and stream.
  std::vector<std::pair<void *, void *>> list() const;

  /// A use of what holds `pointer`, if there is such an allocation; with
  /// `untilFreed` it counts as used until then.
  void noteUse(const void *pointer, bool untilFreed = false);
  void noteCopy(const void *target, const void *source);
  void noteLaunch(const Launch &launch);

  /// All but peakReserved.
  void getStatistics(nmrtMemoryStatistics &statistics) const;
  /// "24 bytes are in use, 0 of them constants".
  std::string describeUse() const;

private:
  struct Allocation {
    uint64_t bytes;
    void *stream;
    /// Not the program's to free.
    bool isConstant;
    Lifetime lifetime;
  };

  void use(const void *pointer, bool untilFreed);

  const bool recordUses;
  mutable std::mutex mutex;
  std::map<uintptr_t, Allocation> allocations;
  uint64_t current = 0, peak = 0, constantBytes = 0;
  Liveness liveness;
};

} // namespace runtime
} // namespace nm

#endif // NM_LIB_RUNTIME_ALLOCATIONS_H

//===- BlockMemory.h - What the threads of a launch access ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_BLOCKMEMORY_H
#define NM_DIALECT_NM_MAP_BLOCKMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/MapVector.h"

namespace nm {

/// Where an access begins, in elements of the buffer that its views are of: the
/// sum of `constant` and of each value by its factor.
struct ElementPlace {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> terms;
  int64_t constant = 0;
};

/// A load or a store of `type`, a number or a vector, at `indices` of `buffer`;
/// of an asynchronous copy `type` is null.
struct MemoryAccess {
  mlir::Operation *op;
  mlir::Value buffer;
  mlir::ValueRange indices;
  mlir::Type type;

  /// Nothing where strides are not known.
  std::optional<ElementPlace> getPlace() const;
};

struct BufferAccesses {
  llvm::SmallVector<MemoryAccess> loads, stores;
};

/// Bytes of a block's dynamic shared memory.
struct SharedRange {
  int64_t begin, end;

  bool operator==(const SharedRange &other) const {
    return begin == other.begin && end == other.end;
  }
  bool overlaps(const SharedRange &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// The accesses to memory of the threads of a launch, after nm-allocate-shared.
class BlockMemory {
public:
  explicit BlockMemory(mlir::gpu::LaunchOp launch);

  /// Whether something is accessed by other ops than loads and stores of
  /// numbers and vectors, and asynchronous copies to shared memory.
  bool hasUnknown() const { return isUnknown; }

  /// By the buffers that are accessed in global memory: what views are of.
  const llvm::MapVector<mlir::Value, BufferAccesses> &getGlobal() const {
    return global;
  }
  const BufferAccesses &getGlobal(mlir::Value root) const;

  /// The parts of shared memory that are written, as views are of them.
  llvm::SmallVector<SharedRange> getWrittenRanges() const;

  /// The ops right in the launch in which `range` is written, in order; nothing
  /// where these access other parts or read this one, or where others write
  /// what overlaps it.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  getWriters(const SharedRange &range) const;

private:
  struct SharedAccess {
    mlir::Operation *op;
    SharedRange range;
    bool isWrite;
  };

  void add(mlir::Operation *op);
  void addBuffer(mlir::Operation *op, mlir::Value buffer,
                 mlir::ValueRange indices, mlir::Type type, bool isWrite);

  mlir::Block *body;
  llvm::MapVector<mlir::Value, BufferAccesses> global;
  llvm::SmallVector<SharedAccess> shared;
  bool isUnknown = false;
};

} // namespace nm

#endif // NM_DIALECT_NM_MAP_BLOCKMEMORY_H

//===- MemoryPlan.cpp - Device memory that types say ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Report/Report.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "nm/Support/Extents.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

using Bytes = std::optional<uint64_t>;

static Bytes add(Bytes a, Bytes b) {
  if (!a || !b)
    return std::nullopt;
  return llvm::SaturatingAdd(*a, *b);
}

/// Nothing for a type whose size depends on the run or is not ours; 0 for what
/// is no buffer.
static Bytes getBytes(Type type) {
  if (!isa<BaseMemRefType>(type))
    return 0;
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || !buffer.hasStaticShape())
    return std::nullopt;
  Bytes bytes = getElementBytes(buffer.getElementType());
  return bytes ? getArrayBytes(buffer.getShape(), *bytes) : bytes;
}

Bytes MemoryReport::getLiveMaximum() const {
  return add(add(arguments, constants), buffers);
}

MemoryReport nm::planMemory(func::FuncOp function) {
  MemoryReport memory = {0, 0, 0};
  for (Type type : function.getArgumentTypes())
    memory.arguments = add(memory.arguments, getBytes(type));
  DenseSet<Attribute> constants;
  Bytes current = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      if (constants.insert(global.getNameAttr()).second)
        memory.constants = add(memory.constants, getBytes(global.getType()));
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      current = add(current, getBytes(alloc.getType()));
      memory.buffers = memory.buffers && current
                           ? Bytes(std::max(*memory.buffers, *current))
                           : std::nullopt;
    }
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      if (Bytes bytes = getBytes(dealloc.getMemref().getType());
          current && bytes)
        current = *current - std::min(*current, *bytes);
    // What a call allocates is its own, and its results' sizes are the types'.
    if (auto call = dyn_cast<func::CallOp>(op))
      for (Type type : call.getResultTypes())
        current = add(current, getBytes(type));
  });
  return memory;
}

//===- PlanFunction.h - What follows from arguments only --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside a function that works there is one that only computes sizes. It takes
// the same arguments and reads no buffer, so that it can run before anything is
// allocated.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_BUFFERS_PLANFUNCTION_H
#define NM_LIB_TRANSFORMS_BUFFERS_PLANFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

class PlanFunction {
public:
  /// Makes `f.plan` for `function`, before it and without a return.
  explicit PlanFunction(mlir::func::FuncOp function);

  /// Whether `value` follows from the arguments without reading a buffer.
  bool canCompute(mlir::Value value);
  /// Whether the plan can tell if a call comes to `op`, and can compute
  /// `value`, which is there, even if it does not: it is not divided by what
  /// may be 0.
  bool canComputeIfReached(mlir::Value value, mlir::Operation *op);
  /// `value` in the plan; `canCompute` has said that it can be.
  mlir::Value compute(mlir::Value value);
  /// Moves an assertion whose condition can be computed.
  void takeAssertion(mlir::Operation *assertion);
  /// The bytes of an allocation, all ones where they pass 64 bits, after an
  /// assertion that no size is negative; 0 where it can tell that a call does
  /// not come to it. The sizes can be computed.
  mlir::Value computeBytes(mlir::memref::AllocOp alloc);

  /// The sum, all ones where it or a summand passes 64 bits.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value constant(uint64_t value);
  /// `bytes` rounded up to a multiple of `alignment`, a power of 2.
  mlir::Value align(mlir::Value bytes, uint64_t alignment);

  /// Returns `values`, and ends the function.
  void finish(mlir::ValueRange values);
  mlir::func::FuncOp getFunction() { return plan; }

private:
  bool canTellIfReached(mlir::Operation *op);
  /// Whether a call comes to `op`, about which it can be told; null: always.
  mlir::Value computeIfReached(mlir::Operation *op);
  bool canSpeculate(mlir::Value value);

  mlir::func::FuncOp plan;
  mlir::ImplicitLocOpBuilder b;
  mlir::IRMapping mapping;
  llvm::DenseMap<mlir::Value, bool> known;
};

/// Asserts before `alloc` that no size of it that was computed is negative, by
/// `b`, which is where `sizes`, the dynamic ones, are. Where `isReached` is
/// false, which is null for true, they may be.
void assertSizes(mlir::ImplicitLocOpBuilder &b, mlir::memref::AllocOp alloc,
                 mlir::ValueRange sizes, mlir::Value isReached = nullptr);

} // namespace nm

#endif // NM_LIB_TRANSFORMS_BUFFERS_PLANFUNCTION_H

//===- FunctionEmitter.h - One host function to instructions ----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_HOSTTOPROGRAM_FUNCTIONEMITTER_H
#define NM_LIB_CONVERSION_HOSTTOPROGRAM_FUNCTIONEMITTER_H

#include "CodeBuilder.h"
#include "ProgramTables.h"
#include "nm/Dialect/NM/IR/NMOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace nm {

/// Where a buffer's elements are: a memref in numbers.
struct BufferView {
  Buffer buffer = 0;
  Number offset = 0; // in elements
  llvm::SmallVector<Number> sizes;
  /// In elements; empty where they are those of a row-major array.
  llvm::SmallVector<Number> strides;
};

/// Numbers of a value (countPlaces). Those of a tensor map follow each other.
using Numbers = llvm::SmallVector<Number, 2>;

class FunctionEmitter {
public:
  FunctionEmitter(mlir::func::FuncOp function, ProgramTables &tables)
      : function(function), tables(tables) {}

  /// Emits an error at the first op that cannot be converted.
  llvm::FailureOr<program::Function> run();

private:
  void addParameters();
  void addBlockArguments(mlir::Block &block);
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);

  // Control.cpp
  void emitBranch(mlir::cf::BranchOp op);
  void emitCondBranch(mlir::cf::CondBranchOp op);
  void emitMoves(mlir::Block *target, mlir::ValueRange operands);
  void emitReturn(mlir::func::ReturnOp op);
  mlir::LogicalResult emitCall(mlir::func::CallOp op);
  void emitAssert(Number condition, llvm::StringRef message);
  mlir::LogicalResult emitLaunch(mlir::gpu::LaunchFuncOp op);
  /// Appends what a call hands over: the numbers and the buffer of `value`.
  void addArgument(mlir::Value value, llvm::SmallVectorImpl<Number> &numbers,
                   llvm::SmallVectorImpl<Buffer> &buffers);
  /// Defines `value` by what `add...` makes.
  void define(mlir::Value value, llvm::function_ref<Number()> addNumber,
              llvm::function_ref<Buffer()> addBuffer);

  // Buffers.cpp
  /// Nothing where `op` is no op on buffers.
  std::optional<mlir::LogicalResult> emitBufferOp(mlir::Operation *op);
  mlir::LogicalResult emitAlloc(mlir::memref::AllocOp op);
  mlir::LogicalResult emitLoad(mlir::memref::LoadOp op);
  mlir::LogicalResult emitGlobal(mlir::memref::GetGlobalOp op);
  void emitView(mlir::memref::ViewOp op);
  void emitMetadata(mlir::memref::ExtractStridedMetadataOp op);
  mlir::LogicalResult emitDim(mlir::memref::DimOp op);
  void emitTensorMap(TensorMapOp op);
  Number getStride(const BufferView &view, size_t dim);
  /// Bytes of all elements; all ones where that passes 64 bits.
  Number computeBytes(mlir::MemRefType type, const BufferView &view);
  /// The first byte of element `place`.
  Number toBytes(Number place, mlir::Type element);
  Number getNumber(mlir::OpFoldResult value);

  // Numbers.cpp
  std::optional<mlir::LogicalResult> emitNumberOp(mlir::Operation *op);
  bool emitInteger(mlir::Operation *op);
  bool emitCompare(mlir::Operation *op);
  bool emitFloat(mlir::Operation *op);
  bool emitConversion(mlir::Operation *op);
  bool emitIntrinsic(mlir::LLVM::CallIntrinsicOp op);
  bool emitComplex(mlir::Operation *op);
  bool emitCount(mlir::Operation *op);
  void emitSelect(mlir::arith::SelectOp op);
  Number zeroExtend(Number number, unsigned bits);
  Number signExtend(Number number, unsigned bits);
  /// A float as f32 or f64, whichever holds it, and back, rounded.
  Number widen(Number number, mlir::Type type);
  Number narrow(Number number, mlir::Type type);

  Number numberOf(mlir::Value value) { return numbers.find(value)->second[0]; }
  void setNumber(mlir::Value value, Number number) {
    numbers[value] = {number};
  }

  mlir::func::FuncOp function;
  ProgramTables &tables;
  CodeBuilder code;
  llvm::DenseMap<mlir::Value, Numbers> numbers;
  llvm::DenseMap<mlir::Value, BufferView> views;
  llvm::DenseMap<mlir::Block *, Label> labels;
};

} // namespace nm

#endif // NM_LIB_CONVERSION_HOSTTOPROGRAM_FUNCTIONEMITTER_H

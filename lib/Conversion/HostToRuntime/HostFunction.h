//===- HostFunction.h - One host function on its way down -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every lowering of a host op needs: calls of the runtime whose status is
// checked at once, slots on the stack, descriptors, and the record of buffers
// that an error must free.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_HOSTTORUNTIME_HOSTFUNCTION_H
#define NM_LIB_CONVERSION_HOSTTORUNTIME_HOSTFUNCTION_H

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// Text and bytes as globals, and functions of the runtime as declarations.
class ModuleSymbols {
public:
  explicit ModuleSymbols(mlir::ModuleOp module)
      : module(module), table(module) {}

  /// A pointer to the constant bytes `data` in a global called like `name`.
  mlir::Value addressOf(mlir::ImplicitLocOpBuilder &b, llvm::StringRef name,
                        llvm::StringRef data);
  /// The symbol `name` of the module; null if it is of another kind.
  template <typename T> T lookup(llvm::StringRef name) const {
    return table.lookup<T>(name);
  }
  /// Declares an external function, once.
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::Type result,
                                 mlir::TypeRange parameters);

private:
  mlir::LLVM::GlobalOp createGlobal(mlir::ImplicitLocOpBuilder &b,
                                    llvm::StringRef name, llvm::StringRef data);

  mlir::ModuleOp module;
  mlir::SymbolTable table;
  llvm::StringMap<mlir::LLVM::GlobalOp> globals; // by data
};

/// A function that has the new signature. All insertion goes through `b`.
class HostFunction {
public:
  /// Gives `function` the signature (context, result pointers, arguments) ->
  /// i32.
  HostFunction(mlir::func::FuncOp function, ModuleSymbols &symbols,
               const mlir::LLVMTypeConverter &types);

  mlir::ImplicitLocOpBuilder b;
  ModuleSymbols &symbols;
  const mlir::LLVMTypeConverter &types;

  mlir::Value context() { return function.getArgument(0); }
  mlir::LLVM::LLVMPointerType pointerType();
  mlir::Value constant(mlir::Type type, int64_t value);
  /// Space for one value of `type`, in the entry block so that a loop does not
  /// grow the stack.
  mlir::Value createSlot(mlir::Type type);
  /// `value` as a value of a type of LLVM: an index as an i64, a complex number
  /// as a struct, a float of fewer than 16 bits as an integer. Integers and
  /// other floats are left as they are.
  mlir::Value toLLVM(mlir::Value value);
  /// The reverse: `value` as one of `type`.
  mlir::Value fromLLVM(mlir::Value value, mlir::Type type);
  /// The descriptor of a memref and back.
  mlir::MemRefDescriptor descriptorOf(mlir::Value memref);
  mlir::Value memrefOf(mlir::Value descriptor, mlir::Type type);

  /// Calls a function of the runtime with the context before `arguments`;
  /// returns from this function at once unless its status is 0. Afterwards `b`
  /// inserts behind the check.
  void callChecked(llvm::StringRef callee, mlir::ValueRange arguments);
  /// Returns from this function unless `status` is 0.
  void check(mlir::Value status);
  /// Continues where `condition` holds and returns what the runtime makes of
  /// the message elsewhere.
  void checkAssertion(mlir::Value condition, llvm::StringRef message);

  /// Remembers that `memref` owns the buffer at `pointer`, until
  /// `forgetBuffer`.
  void rememberBuffer(mlir::Value memref, mlir::Value pointer);
  void forgetBuffer(mlir::Value memref);
  /// Stores results for every return and builds the way out after an error.
  void finish();

private:
  void rewriteSignature();
  void rewriteReturn(mlir::func::ReturnOp op);
  /// Lets `b` continue in a new block after the ops before its insertion point.
  mlir::Block *splitBlock();

  mlir::func::FuncOp function;
  mlir::Block *errorBlock;
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::DenseMap<mlir::Value, mlir::Value> bufferSlots;
};

} // namespace nm

#endif // NM_LIB_CONVERSION_HOSTTORUNTIME_HOSTFUNCTION_H

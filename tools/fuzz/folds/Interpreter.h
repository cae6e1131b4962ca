//===- Interpreter.h - Executes functions without folding -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_INTERPRETER_H
#define NM_FUZZ_FOLDS_INTERPRETER_H

#include "Scalars.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace nm {
namespace folds {

/// Tensors of more elements come of programs that nobody meant.
constexpr int64_t kMostElements = 4096;

using Data = llvm::SmallVector<Datum, 4>;

/// Executes the ops of one function, one after the other. A method that
/// executes an op returns false when the execution ends there, and sets the
/// status. (A tensor's extents are known in full, whatever its type says.)
class Interpreter {
public:
  explicit Interpreter(unsigned mostOps) : opsLeft(mostOps) {}

  /// Returns what the function returns, when the status is Defined.
  Data run(mlir::func::FuncOp function, llvm::ArrayRef<Datum> arguments);

  Status getStatus() const { return status; }
  /// Where the execution ended otherwise: an op's name, and why.
  const std::string &getReason() const { return reason; }

private:
  bool stop(Status why, mlir::Operation *op, const char *text);
  bool undefined(mlir::Operation *op, const char *text) {
    return stop(Status::Undefined, op, text);
  }

  /// Control.
  bool execute(mlir::Operation *op);
  bool executeBlock(mlir::Block &block, Data arguments, Data &yielded);
  bool executeIf(mlir::Operation *op);
  bool executeFor(mlir::Operation *op);
  bool executeWhile(mlir::Operation *op);
  bool executeSwitch(mlir::Operation *op);
  bool executeControl(mlir::Operation *op, bool &isKnown);

  /// Numbers, and tensors of them.
  bool executeConstant(mlir::Operation *op);
  bool executeElementwise(mlir::Operation *op);
  bool executeAffine(mlir::Operation *op, bool &isKnown);

  /// Tensors.
  bool executeTensor(mlir::Operation *op, bool &isKnown);
  bool executeAccess(mlir::Operation *op, bool &isKnown);
  bool executeReshape(mlir::Operation *op, bool &isKnown);
  bool executeGenerate(mlir::Operation *op);
  bool executePad(mlir::Operation *op);
  bool executeConcat(mlir::Operation *op);
  bool executeSlice(mlir::Operation *op);
  bool executeLinalg(mlir::Operation *op);

  const Datum &get(mlir::Value value) const { return values.at(value); }
  Data getAll(mlir::ValueRange range) const;
  void set(mlir::Value value, Datum datum) { values[value] = std::move(datum); }
  bool setResults(mlir::Operation *op, Data data);

  /// The number of an index or integer; false of poison.
  bool getInteger(mlir::Operation *op, mlir::Value value, int64_t &number);
  bool getIntegers(mlir::Operation *op, mlir::ValueRange range,
                   llvm::SmallVectorImpl<int64_t> &numbers);
  /// Sizes given partly in an attribute, partly as operands.
  bool getMixed(mlir::Operation *op, llvm::ArrayRef<mlir::OpFoldResult> range,
                llvm::SmallVectorImpl<int64_t> &numbers);
  /// The extents of a tensor made by `op`: its type's, and operands for the
  /// dynamic ones.
  bool getExtents(mlir::Operation *op, mlir::Type type,
                  mlir::ValueRange dynamic, Extents &extents);
  /// Whether a tensor is of the type that it is said to be.
  bool checkType(mlir::Operation *op, const Datum &datum, mlir::Type type);
  bool checkPosition(mlir::Operation *op, llvm::ArrayRef<int64_t> position,
                     llvm::ArrayRef<int64_t> extents);

  llvm::DenseMap<mlir::Value, Datum> values;
  unsigned opsLeft;
  Status status = Status::Defined;
  std::string reason;
};

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_INTERPRETER_H

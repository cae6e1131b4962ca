//===- RowAccess.h - What a thread reads and writes of a row ----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWACCESS_H
#define NM_LIB_DIALECT_NM_ROWS_ROWACCESS_H

#include "RowSpan.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include <optional>

namespace nm {

/// A number that certainly divides the elements of a row along its innermost
/// dimension.
int64_t getElementsDivisor(RowsOp op);

/// Whether a vector of the elements of an array packs bits, which have a byte
/// each in memory.
bool isPacked(mlir::Type type);

/// The most elements that follow each other, as those of a row do, which one
/// access of operand number `number` moves: at most 16 bytes of it.
int64_t getAccessWidth(RowsOp op, int64_t number, int64_t vector);

/// Whether an operand has a dimension of the rows.
bool isOfRows(RowsOp op, int64_t number);

/// Whether an operand has elements that follow each other as those of a row do,
/// and other ones for each row.
bool hasOwnElements(RowsOp op, int64_t number);

/// Elements that follow each other, and are 16 bytes of the widest elements.
int64_t chooseWidest(RowsOp op);

/// Whether what the body computes is of elements alone, so that it does not
/// matter what a row is.
bool isOfElementsAlone(RowsOp op);

/// Whether neighbouring rows, and not the elements of a row, follow each other
/// in what is read of elements.
bool followRows(RowsOp op);

/// Whether vectors of `vector` elements are whole in each operand that is
/// row-major: where the innermost extent, which only the call knows, is a
/// multiple of them. Null where that is certain.
mlir::Value createAreWhole(mlir::ImplicitLocOpBuilder &b, RowsOp op,
                           int64_t vector);

/// `count` elements of `memref` from `place` on, by accesses of `width`.
llvm::SmallVector<mlir::Value> loadElements(mlir::ImplicitLocOpBuilder &b,
                                            mlir::Value memref,
                                            llvm::ArrayRef<mlir::Value> place,
                                            int64_t count, int64_t width);
/// Stores `values` to `memref` from `place` on, by accesses of `width`.
void storeElements(mlir::ImplicitLocOpBuilder &b, mlir::Value memref,
                   llvm::ArrayRef<mlir::Value> place,
                   llvm::ArrayRef<mlir::Value> values, int64_t width);

/// Accesses of a thread. Indices are of the dimensions of the iteration space.
class RowAccess {
public:
  /// `reciprocals` are those of RowDigits.h, or none.
  RowAccess(mlir::ImplicitLocOpBuilder &b, RowsOp op,
            llvm::ArrayRef<mlir::Value> reciprocals = {})
      : b(b), op(op), reciprocals(reciprocals) {}

  /// Sets the row of the next accesses: number `row` of all rows.
  void setRow(mlir::Value row);
  /// Sets the place of the next accesses in the row: they begin at element
  /// number `element`.
  void setElement(mlir::Value element);

  /// Lets accesses of `vector` elements be whole, although rows begin anywhere:
  /// gives the elements of the row that stand before the first whole vector, of
  /// which `threads` can have one each.
  mlir::Value alignVectors(int64_t vector, int64_t threads);

  /// Lets vectors be whole in each operand that is row-major, until
  /// `forgetVectors`: createAreWhole says where they are.
  void assumeVectors();
  void forgetVectors() { aligned.clear(); }

  /// Lets the next elements be `count` that may end in the next row, of a space
  /// without rows, until `forgetSpans`: createAreSpans says where they do.
  void assumeSpans(int64_t count) { inSpan = count; }
  void forgetSpans() {
    inSpan = 0;
    span.reset();
  }
  bool areSpans() const { return inSpan > 0; }

  /// Lets the numbers of the next elements be such.
  void assumeNumbers(Numbers those) { numbers = those; }

  /// `count` elements of an operand that follow each other.
  llvm::SmallVector<mlir::Value> load(int64_t number, int64_t count);
  void store(int64_t number, llvm::ArrayRef<mlir::Value> values);
  /// Whether `copy` can move `count` elements of an operand at once: of 4, 8 or
  /// 16 bytes.
  bool canCopy(int64_t number, int64_t count);
  /// Begins to copy `count` elements of an operand to `place` of `memory`,
  /// which is shared.
  void copy(int64_t number, int64_t count, mlir::Value memory,
            mlir::Value place);
  /// What an operand has of the row.
  mlir::Value loadOfRow(int64_t number);
  void storeOfRow(int64_t number, mlir::Value value);

  /// The place along dimension `dim` of the space of the element that is
  /// `offset` behind the first one.
  mlir::Value getIndex(int64_t dim, int64_t offset);
  /// `count` elements of an array that is no operand, which follow each other:
  /// the first is at `place`.
  llvm::SmallVector<mlir::Value>
  loadAt(mlir::Value memref, llvm::ArrayRef<mlir::Value> place, int64_t count);
  /// The place, in an operand, of the element that is `offset` behind the first
  /// one.
  llvm::SmallVector<mlir::Value> getPlace(int64_t number, int64_t offset);

private:
  void delinearize(mlir::Value linear, int64_t begin, int64_t end);
  int64_t getWidth(int64_t number, int64_t count);
  bool isAtVectors(int64_t number, int64_t count);

  mlir::ImplicitLocOpBuilder &b;
  RowsOp op;
  llvm::SmallVector<mlir::Value> reciprocals;
  /// Of each dimension.
  llvm::SmallVector<mlir::Value> indices;
  bool isShifted = false; // whether vectors begin where the row's head ends
  mlir::Value head; // null where none is shifted, or all begin with a vector
  /// The operands of which vectors are whole, whatever their types say.
  llvm::SmallVector<int64_t> aligned;
  int64_t inSpan = 0; // elements of a span; 0 where all are of one row
  std::optional<RowSpan> span;
  Numbers numbers = Numbers::Unknown;
};

/// Places of an array along its first dimensions that its extents bound,
/// whatever `indices` are.
llvm::SmallVector<mlir::Value> boundIndices(mlir::ImplicitLocOpBuilder &b,
                                            mlir::Value memref,
                                            mlir::ValueRange indices);

/// The extent of a dimension of the space: a constant where it is known.
mlir::Value getExtent(mlir::ImplicitLocOpBuilder &b, RowsOp op, int64_t dim);

/// The product of the extents of dimensions from `begin` to before `end`.
mlir::Value countPoints(mlir::ImplicitLocOpBuilder &b, RowsOp op, int64_t begin,
                        int64_t end);

/// That product where it is known and has 63 bits.
std::optional<int64_t> getStaticPoints(RowsOp op, int64_t begin, int64_t end);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWACCESS_H

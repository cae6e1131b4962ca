//===- CondenseElements.h - Condensing constant weights ------- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the data of a dense constant to the two parts of `nm.constant`. Shared
// by the importer, `nm-condense-weights` and the folder of `nm.condense`.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_CONDENSEELEMENTS_H
#define NM_DIALECT_NM_IR_CONDENSEELEMENTS_H

#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Sparsity/NonZeroMask.h"
#include "nm/Support/RawElements.h"

namespace nm {

/// Read access to a dense constant weight [k, n] that lies in memory in any
/// order: element (row, column) is at offset `rowOffsets[row] +
/// columnOffsets[column]`.
class DenseWeight {
public:
  /// `data` must outlive the weight; offsets count elements.
  DenseWeight(const char *data, mlir::Type elementType,
              std::vector<int64_t> rowOffsets,
              std::vector<int64_t> columnOffsets)
      : data(data), elementType(elementType),
        elementBytes(elementType.getIntOrFloatBitWidth() / 8),
        rowOffsets(std::move(rowOffsets)),
        columnOffsets(std::move(columnOffsets)) {}

  /// As above, with data that the weight owns.
  DenseWeight(std::vector<char> owned, mlir::Type elementType,
              std::vector<int64_t> rowOffsets,
              std::vector<int64_t> columnOffsets)
      : DenseWeight(owned.data(), elementType, std::move(rowOffsets),
                    std::move(columnOffsets)) {
    storage = std::move(owned);
  }
  DenseWeight(DenseWeight &&) = default;
  DenseWeight(const DenseWeight &) = delete;

  int64_t getK() const { return rowOffsets.size(); }
  int64_t getN() const { return columnOffsets.size(); }
  mlir::Type getElementType() const { return elementType; }
  int64_t getElementBytes() const { return elementBytes; }
  const char *getElement(int64_t row, int64_t column) const {
    return data + (rowOffsets[row] + columnOffsets[column]) * elementBytes;
  }

  /// Which elements are not zero; -0.0 is zero. With `transposed`, the mask of
  /// the transposed weight [n, k].
  sparsity::NonZeroMask getMask(bool transposed = false) const;

private:
  const char *data;
  mlir::Type elementType;
  int64_t elementBytes;
  std::vector<int64_t> rowOffsets;
  std::vector<int64_t> columnOffsets;
  std::vector<char> storage;
};

/// The parts of an `nm.constant`.
struct CondensedElements {
  mlir::ElementsAttr values;
  mlir::ElementsAttr indices;
};

/// Condenses `weight`, whose mask is `mask`, to `type`, which has its extents
/// and element type and no packing. Resources are called `name`.values and
/// `name`.indices. Fails when a window keeps more units than the pattern allows
/// (the reason names the first one, its rows, its columns and its count), or
/// when the condensed form would be far larger than the weight.
llvm::FailureOr<CondensedElements>
condense(const DenseWeight &weight, const sparsity::NonZeroMask &mask,
         CondensedType type, llvm::StringRef name, ReasonEmitter emitReason);

/// Checks that `indices`, of the shape that `type` gives, can be read, and that
/// they lie in the window, ascending and unique (constant_c4), or, when packed,
/// are rows of the step (constant_c5). The error names the first that is not.
mlir::LogicalResult
checkIndices(mlir::ElementsAttr indices, CondensedType type,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Checks the column information of a packed constant: every entry is -1 or a
/// row of the step (constant_c5). The error names the first that is not.
mlir::LogicalResult
checkColumns(mlir::ElementsAttr columns, CondensedType type,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace nm

#endif // NM_DIALECT_NM_IR_CONDENSEELEMENTS_H

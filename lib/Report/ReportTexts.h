//===- ReportTexts.h - Texts and sizes in the report ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_REPORT_REPORTTEXTS_H
#define NM_LIB_REPORT_REPORTTEXTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Support/Extents.h"
#include "nm/Support/NumberOps.h"
#include "llvm/Support/MathExtras.h"

namespace nm {

template <typename T> std::string toText(T attributeOrType) {
  std::string text;
  llvm::raw_string_ostream(text) << attributeOrType;
  return text;
}

inline std::string getFunctionName(mlir::Operation *op) {
  auto function = op->getParentOfType<mlir::FunctionOpInterface>();
  return function ? function.getName().str() : "";
}

/// Bytes of an array; saturated, since a type may have any extents.
inline uint64_t getBytes(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
  return getArrayBytes(shape, getElementBytes(element).value_or(0));
}

inline uint64_t getBytes(CondensedType type) {
  uint64_t bytes = llvm::SaturatingAdd(
      getBytes(type.getValuesShape(), type.getElementType()),
      getBytes(type.getIndicesShape(), type.getIndexType()));
  llvm::SmallVector<int64_t, 2> columns = type.getColumnsShape();
  if (columns.empty())
    return bytes;
  return llvm::SaturatingAdd(bytes, getBytes(columns, type.getIndexType()));
}

} // namespace nm

#endif // NM_LIB_REPORT_REPORTTEXTS_H

//===- Remarks.h - Remarks of passes ----------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_REMARKS_H
#define NM_SUPPORT_REMARKS_H

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Support/Locations.h"

namespace nm {

/// What the remark `name` of `pass` about `op` says of itself, the function
/// that holds `op` included. The strings are constants.
inline mlir::remark::RemarkOpts
getRemark(mlir::Operation *op, llvm::StringRef name, llvm::StringRef pass) {
  auto function = op->getParentOfType<mlir::FunctionOpInterface>();
  return mlir::remark::RemarkOpts::name(name).category(pass).function(
      function ? function.getName() : "");
}

/// `remark`, about something at `loc`, with the layer that it belongs to.
inline mlir::remark::detail::InFlightRemark
withLayer(mlir::remark::detail::InFlightRemark remark, mlir::Location loc) {
  if (llvm::StringRef layer = getLayerName(loc); !layer.empty())
    remark << mlir::remark::metric("Layer", layer);
  return remark;
}

/// The remark `name` of `pass` that it changed `op`.
inline mlir::remark::detail::InFlightRemark
remarkPassed(mlir::Operation *op, llvm::StringRef name, llvm::StringRef pass) {
  mlir::Location loc = op->getLoc();
  return withLayer(mlir::remark::passed(loc, getRemark(op, name, pass)), loc);
}

/// The remark `name` of `pass` that it left `op` as it was.
inline mlir::remark::detail::InFlightRemark
remarkMissed(mlir::Operation *op, llvm::StringRef name, llvm::StringRef pass) {
  mlir::Location loc = op->getLoc();
  return withLayer(mlir::remark::missed(loc, getRemark(op, name, pass)), loc);
}

/// The remark `name` of `pass` that it found something about `op`.
inline mlir::remark::detail::InFlightRemark
remarkAnalysis(mlir::Operation *op, llvm::StringRef name,
               llvm::StringRef pass) {
  mlir::Location loc = op->getLoc();
  return withLayer(mlir::remark::analysis(loc, getRemark(op, name, pass)), loc);
}

} // namespace nm

#endif // NM_SUPPORT_REMARKS_H

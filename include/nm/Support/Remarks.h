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

namespace nm {

/// What the remark `name` of `pass` about `op` says of itself, the function
/// that holds `op` included. The strings are constants.
inline mlir::remark::RemarkOpts
getRemark(mlir::Operation *op, llvm::StringRef name, llvm::StringRef pass) {
  auto function = op->getParentOfType<mlir::FunctionOpInterface>();
  return mlir::remark::RemarkOpts::name(name).category(pass).function(
      function ? function.getName() : "");
}

} // namespace nm

#endif // NM_SUPPORT_REMARKS_H

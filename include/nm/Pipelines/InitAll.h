//===- InitAll.h - Everything a module of nm may need -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nm-opt and nm-compile register. One file includes MLIR's lists, which
// are slow to compile.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PIPELINES_INITALL_H
#define NM_PIPELINES_INITALL_H

#include "mlir/IR/DialectRegistry.h"

namespace nm {

/// The dialects of nm and MLIR, their extensions and translations to LLVM IR.
void registerAllDialects(mlir::DialectRegistry &registry);

/// The passes of nm and MLIR and the pipelines of nm, for command lines.
void registerAllPasses();

} // namespace nm

#endif // NM_PIPELINES_INITALL_H

//===- BufferizableOpInterfaceImpl.h - Bufferization of nm ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_BUFFERIZABLEOPINTERFACEIMPL_H
#define NM_DIALECT_NM_IR_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace nm {
/// Attaches BufferizableOpInterface to nm.spmm, nm.spmv and nm.assemble, which
/// on memrefs keep their names; and BufferViewFlowOpInterface to func.call,
/// whose results are allocations of their own.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);
} // namespace nm

#endif // NM_DIALECT_NM_IR_BUFFERIZABLEOPINTERFACEIMPL_H

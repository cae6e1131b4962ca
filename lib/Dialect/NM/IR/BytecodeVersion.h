//===- BytecodeVersion.h - Which nm wrote a bytecode file -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytecode holds the operands and attributes of an op by position. Read by
// another nm, whose op has one more or one less, it could mean something else
// without being an error; so it carries nm's version, and no other reads it.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_IR_BYTECODEVERSION_H
#define NM_LIB_DIALECT_NM_IR_BYTECODEVERSION_H

#include "nm/Dialect/NM/IR/NMDialect.h"

namespace nm {

/// Lets bytecode with ops of `dialect` carry nm's version; that of another
/// version is refused, with both in the error. Types and attributes alone are
/// text in bytecode, and are parsed as such.
void addBytecodeVersion(NMDialect &dialect);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_IR_BYTECODEVERSION_H

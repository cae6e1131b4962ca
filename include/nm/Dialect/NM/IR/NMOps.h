//===- NMOps.h - Ops of the nm dialect --------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMOPS_H
#define NM_DIALECT_NM_IR_NMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "nm/Dialect/NM/IR/NMDialect.h"

#include "nm/Dialect/NM/IR/NMInterfaces.h.inc"

#define GET_OP_CLASSES
#include "nm/Dialect/NM/IR/NMOps.h.inc"

#endif // NM_DIALECT_NM_IR_NMOPS_H

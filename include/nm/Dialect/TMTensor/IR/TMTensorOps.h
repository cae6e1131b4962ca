//===- TMTensorOps.h - The tm_tensor dialect --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_TMTENSOR_IR_TMTENSOROPS_H
#define NM_DIALECT_TMTENSOR_IR_TMTENSOROPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "nm/Dialect/TMTensor/IR/TMTensorDialect.h.inc"

#define GET_OP_CLASSES
#include "nm/Dialect/TMTensor/IR/TMTensorOps.h.inc"

namespace nm::tm_tensor {
/// Attaches BufferizableOpInterface to the ops of this dialect, which on
/// memrefs keep their names.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);
} // namespace nm::tm_tensor

#endif // NM_DIALECT_TMTENSOR_IR_TMTENSOROPS_H

//===- CallersWeights.h - Weights that the caller lays out ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_CALLERSWEIGHTS_H
#define NM_DIALECT_NM_IR_CALLERSWEIGHTS_H

#include "mlir/IR/Value.h"

namespace nm {

/// Whether `weight` is an argument of a public function: its callers lay it out
/// (nm-pack-weights), and what it holds is not known. An argument of a private
/// function stands for any weight.
bool isWeightOfCaller(mlir::Value weight);

} // namespace nm

#endif // NM_DIALECT_NM_IR_CALLERSWEIGHTS_H

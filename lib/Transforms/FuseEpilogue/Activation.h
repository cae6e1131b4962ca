//===- Activation.h - Finds an activation in scalar code --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_FUSEEPILOGUE_ACTIVATION_H
#define NM_LIB_TRANSFORMS_FUSEEPILOGUE_ACTIVATION_H

#include "mlir/IR/Value.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include <optional>

namespace nm {

/// An activation that `result` is of some value.
struct Activation {
  Epilogue kind;
  mlir::Value result;
};

/// The activation of `x` in the block of its users, of which every use of `x`
/// is a part. Constants may differ from the true ones by a few roundings in the
/// type of `x`.
std::optional<Activation> findActivation(mlir::Value x);

} // namespace nm

#endif // NM_LIB_TRANSFORMS_FUSEEPILOGUE_ACTIVATION_H

//===- PlannedFunctions.h - What nm-plan-memory leaves ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_PLANNEDFUNCTIONS_H
#define NM_SUPPORT_PLANNEDFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

namespace nm {

/// Symbol of the function that computes the sizes of a call of this one.
inline constexpr llvm::StringLiteral kPlanAttr = "nm.plan";
/// Of an argument that takes the memory of a result: which result.
inline constexpr llvm::StringLiteral kResultAttr = "nm.result";
/// Unit attribute of the argument in which temporary buffers lie.
inline constexpr llvm::StringLiteral kWorkspaceAttr = "nm.workspace";

} // namespace nm

#endif // NM_SUPPORT_PLANNEDFUNCTIONS_H

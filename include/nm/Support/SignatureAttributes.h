//===- SignatureAttributes.h - What a signature says beside types -*- C++ -*-=//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_SIGNATUREATTRIBUTES_H
#define NM_SUPPORT_SIGNATUREATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace nm {

/// Of an argument or a result: its name in the model, a string.
inline constexpr llvm::StringLiteral kNameAttr = "nm.name";
/// Of an argument that is state, which the caller keeps from call to call: the
/// elements that it begins with. Arguments and results begin with the state.
inline constexpr llvm::StringLiteral kStateAttr = "nm.state";
/// Of an argument or a result of i8, which says nothing of a sign: its numbers
/// have none, a unit attribute.
inline constexpr llvm::StringLiteral kUnsignedAttr = "nm.unsigned";
/// Of an argument that is one array of a weight: a list of #nm.part.
inline constexpr llvm::StringLiteral kPartAttr = "nm.part";

} // namespace nm

#endif // NM_SUPPORT_SIGNATUREATTRIBUTES_H

//===- OwnedResults.h - Who frees what regions pass on ----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TRANSFORMS_BUFFERS_OWNEDRESULTS_H
#define NM_LIB_TRANSFORMS_BUFFERS_OWNEDRESULTS_H

#include "llvm/ADT/StringRef.h"

namespace nm {

/// Discardable unit attribute of an scf.for, scf.if or scf.while: each buffer
/// that enters or leaves its regions is an allocation of its own, and is freed
/// by whoever receives it.
constexpr llvm::StringLiteral kOwnsResultsAttr = "nm.owns_results";

} // namespace nm

#endif // NM_LIB_TRANSFORMS_BUFFERS_OWNEDRESULTS_H

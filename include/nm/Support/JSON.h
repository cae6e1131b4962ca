//===- JSON.h - JSON texts that are not to be trusted -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_JSON_H
#define NM_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace nm {

/// As llvm::json::parse, which calls itself for each bracket, so that a text of
/// a million of them overflows the stack, and of members of one name takes the
/// last without a word. Both are errors here, in the form of its own:
/// "[line:column, byte=n]: message".
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text);

} // namespace nm

#endif // NM_SUPPORT_JSON_H

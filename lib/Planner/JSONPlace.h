//===- JSONPlace.h - Where a value stands in a JSON text --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::json keeps no places of what it has parsed; errors about values need
// them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PLANNER_JSONPLACE_H
#define NM_LIB_PLANNER_JSONPLACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace nm {

/// From an object to a member, or from an array to an element.
struct JSONStep {
  llvm::StringRef key; // "" for an element
  size_t index = 0;
};

/// From 1, as editors count.
struct JSONPlace {
  unsigned line, column;
};

/// The place of the value that `path` leads to in `text`, which is valid JSON;
/// of the last value on the way where there is none.
JSONPlace findJSONPlace(llvm::StringRef text, llvm::ArrayRef<JSONStep> path);

} // namespace nm

#endif // NM_LIB_PLANNER_JSONPLACE_H

//===- ThreadWords.h - A thread's values as words of memory -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread has of a fragment goes to other blocks through memory in which
// a row has one word of each thread, so that neighbouring threads access
// neighbouring words.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_THREADWORDS_H
#define NM_LIB_DIALECT_NM_MAP_THREADWORDS_H

#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// `value`, an f32 or a vector, in other registers. A vector store takes
/// neighbouring ones, and ptxas would let the FMAs of a loop write their sums
/// right there: then half of them read two registers of one bank (1,086 of
/// 2,048; 169 so). It does not look through a permutation of bytes, this one of
/// none, as it does through a move. Numbers of other types are left alone.
mlir::Value moveFromLoop(mlir::ImplicitLocOpBuilder &b, mlir::Value value);

/// The values of one thread, moved from the loop that made them: vectors, which
/// are words, or scalars, of which four are one.
class ThreadWords {
public:
  ThreadWords(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange values);

  const FragmentValues &get() const { return words; }
  mlir::VectorType getType() const;
  /// Elements of a word, and its bytes.
  int64_t getWidth() const { return getType().getNumElements(); }
  int64_t getBytes() const;
  /// The values that `words`, as many or a part of them, are.
  FragmentValues unpack(mlir::ImplicitLocOpBuilder &b,
                        mlir::ValueRange words) const;

private:
  FragmentValues words;
  bool isPacked = false; // whether a word is several values
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_THREADWORDS_H

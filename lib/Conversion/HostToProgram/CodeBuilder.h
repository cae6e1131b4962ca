//===- CodeBuilder.h - Instructions of one function -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_HOSTTOPROGRAM_CODEBUILDER_H
#define NM_LIB_CONVERSION_HOSTTOPROGRAM_CODEBUILDER_H

#include "nm/Program/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>

namespace nm {

/// A number's place in the frame, until `finish`: constants and others are
/// counted apart.
using Number = uint32_t;
/// A buffer's place.
using Buffer = uint32_t;
using Label = uint32_t;

class CodeBuilder {
public:
  /// Parameters come before anything else is made.
  Number addNumberParameter();
  Buffer addBufferParameter();
  Number addNumber() { return numbers++; }
  Buffer addBuffer() { return buffers++; }
  /// One place for equal values.
  Number constant(int64_t value);
  /// The value of a constant; nothing for another number.
  std::optional<int64_t> getConstant(Number number) const;

  Label addLabel();
  /// The next instruction is where `label` is.
  void place(Label label);

  void emit(program::Opcode opcode, llvm::ArrayRef<uint32_t> words);
  /// Emits an instruction that writes one number, its first operand, and
  /// returns that.
  Number compute(program::Opcode opcode, llvm::ArrayRef<uint32_t> words);

  /// The function, with all labels and places final.
  program::Function finish(llvm::StringRef name, uint32_t numberResults,
                           uint32_t bufferResults);

private:
  static constexpr uint32_t kConstantBit = 1u << 31;

  uint32_t resolve(char kind, uint32_t word) const;

  std::vector<uint32_t> code;
  std::vector<int64_t> constants;
  std::map<int64_t, Number> constantPlaces;
  uint32_t numbers = 0, buffers = 0;
  uint32_t numberParameters = 0, bufferParameters = 0;
  llvm::SmallVector<uint32_t> labels;
};

} // namespace nm

#endif // NM_LIB_CONVERSION_HOSTTOPROGRAM_CODEBUILDER_H

//===- Lexer.h - Tokens of PTX text -----------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX has few lexical rules of its own: opcodes with their modifiers,
// registers, special registers and directives are all one word here
// ("ld.global.v4.f32",
// "%tid.x", ".reg"), since no dot or double colon ever stands alone.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_LEXER_H
#define NM_LIB_EMULATOR_LEXER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace nm {
namespace emulator {

struct Token {
  enum Kind { Word, Integer, Float, String, Punctuation, End, Error };

  Kind kind = End;
  std::string_view text;
  unsigned line = 0;
  /// The value of an Integer, or the bits of a Float.
  uint64_t bits = 0;
  /// A Float written as 32 bits (0f...) rather than 64 (0d..., decimal).
  bool isSingle = false;

  bool is(std::string_view word) const {
    return (kind == Word || kind == Punctuation) && text == word;
  }
  bool is(char punctuation) const {
    return kind == Punctuation && text[0] == punctuation;
  }
};

/// Reads one token after the other; comments and white space are skipped.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) { advance(); }

  const Token &peek() const { return current; }
  Token take() {
    Token token = current;
    advance();
    return token;
  }
  /// Offset in the text of the token that peek() shows.
  size_t offset() const { return start; }

private:
  void advance();
  void skipBlanks();
  void lexWord();
  void lexNumber();
  void lexString();
  char at(size_t ahead) const {
    return position + ahead < text.size() ? text[position + ahead] : '\0';
  }

  std::string_view text;
  size_t position = 0;
  size_t start = 0;
  unsigned line = 1;
  Token current;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_LEXER_H

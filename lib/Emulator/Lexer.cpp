//===- Lexer.cpp - Tokens of PTX text -------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers follow the PTX manual's section on constants: 0x, 0b, leading-zero
// octal, an optional U, and the exact forms 0f (8 digits) and 0d (16 digits).
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

using namespace nm::emulator;

static bool isWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

static bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '.';
}

static int digitValue(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

void Lexer::skipBlanks() {
  while (position < text.size()) {
    char c = text[position];
    if (c == '\n') {
      ++line;
      ++position;
    } else if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
      ++position;
    } else if (c == '/' && at(1) == '/') {
      while (position < text.size() && text[position] != '\n')
        ++position;
    } else if (c == '/' && at(1) == '*') {
      position += 2;
      while (position < text.size() && !(text[position] == '*' && at(1) == '/'))
        line += text[position++] == '\n';
      position = std::min(position + 2, text.size());
    } else {
      return;
    }
  }
}

void Lexer::lexWord() {
  ++position;
  while (position < text.size()) {
    if (isWordPart(text[position]))
      ++position;
    else if (text[position] == ':' && at(1) == ':' && isWordPart(at(2)))
      position += 2;
    else
      break;
  }
  current.kind = Token::Word;
}

void Lexer::lexNumber() {
  char prefix =
      at(0) == '0'
          ? static_cast<char>(std::tolower(static_cast<unsigned char>(at(1))))
          : '\0';
  if (prefix == 'f' || prefix == 'd') {
    size_t digits = prefix == 'f' ? 8 : 16;
    position += 2;
    for (size_t i = 0; i < digits; ++i, ++position) {
      if (digitValue(at(0)) > 15) {
        current.kind = Token::Error;
        return;
      }
      current.bits = current.bits * 16 + digitValue(at(0));
    }
    current.kind = Token::Float;
    current.isSingle = prefix == 'f';
    return;
  }
  int base = prefix == 'x' ? 16 : prefix == 'b' ? 2 : 10;
  if (base != 10)
    position += 2;
  else if (at(0) == '0' && std::isdigit(static_cast<unsigned char>(at(1))))
    base = 8;
  while (digitValue(at(0)) < base)
    current.bits = current.bits * base + digitValue(text[position++]);
  bool isDecimalFloat =
      base == 10 && (at(0) == '.' || at(0) == 'e' || at(0) == 'E');
  if (isDecimalFloat) {
    // The text is not 0-terminated: strtod reads a bounded copy.
    std::string copy(text.substr(start, 64));
    char *end = nullptr;
    double value = std::strtod(copy.c_str(), &end);
    std::memcpy(&current.bits, &value, sizeof(value));
    position = start + static_cast<size_t>(end - copy.c_str());
    current.kind = Token::Float;
    return;
  }
  if (at(0) == 'U')
    ++position;
  current.kind = Token::Integer;
}

void Lexer::lexString() {
  ++position;
  while (position < text.size() && text[position] != '"') {
    position += text[position] == '\\' ? 2 : 1;
  }
  position = std::min(position + 1, text.size());
  current.kind = Token::String;
}

void Lexer::advance() {
  skipBlanks();
  current = Token();
  current.line = line;
  start = position;
  if (position >= text.size())
    return;
  char c = text[position];
  if (isWordStart(c)) {
    lexWord();
  } else if (std::isdigit(static_cast<unsigned char>(c))) {
    lexNumber();
  } else if (c == '"') {
    lexString();
  } else {
    ++position;
    current.kind = Token::Punctuation;
  }
  current.text = text.substr(start, position - start);
}

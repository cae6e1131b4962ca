//===- ParseOperands.cpp - PTX text to syntax: operands -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name is, in this order, a register, a variable, a special register or a
// label: the last are looked up when the body ends, as they may come later.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace nm::emulator;

/// The most registers that a kernel may name: far above what compilers emit,
/// and low enough that a hostile text cannot ask for all memory.
static constexpr size_t maxRegisters = 1u << 20;

bool Parser::parseOperand(ParsedKernel &kernel, Operand &operand) {
  const Token &token = lexer.peek();
  if (token.is('{'))
    return parseList(kernel, operand);
  if (token.is('['))
    return parseAddress(kernel, operand);
  if (token.is('!')) {
    lexer.take();
    if (!parseName(kernel, operand))
      return false;
    operand.negated = true;
    return true;
  }
  if (token.kind != Token::Word)
    return parseNumber(operand);
  if (!parseName(kernel, operand))
    return false;
  if (lexer.peek().is('|')) {
    lexer.take();
    Operand second;
    if (!parseName(kernel, second))
      return false;
    Operand pair;
    pair.kind = Operand::Pair;
    pair.elements.push_back(std::move(operand));
    pair.elements.push_back(std::move(second));
    operand = std::move(pair);
  }
  return true;
}

bool Parser::parseList(ParsedKernel &kernel, Operand &operand) {
  lexer.take();
  operand.kind = Operand::Vector;
  do {
    if (operand.elements.size() == 8)
      return failHere("at most 8 elements");
    Operand element;
    if (lexer.peek().kind == Token::Word ? !parseName(kernel, element)
                                         : !parseNumber(element))
      return false;
    if (element.kind == Operand::Label)
      return failHere("registers and constants in a vector");
    operand.elements.push_back(std::move(element));
  } while (accept(","));
  return expect("}");
}

bool Parser::parseAddress(ParsedKernel &kernel, Operand &operand) {
  lexer.take();
  operand.kind = Operand::Address;
  Operand base;
  unsigned line = lexer.peek().line;
  if (lexer.peek().kind == Token::Word) {
    if (!parseName(kernel, base))
      return false;
    operand.offset = base.kind == Operand::Symbol ? base.offset : 0;
    if (!parseOffset(operand.offset))
      return false;
  } else if (!parseNumber(base)) {
    return false;
  }
  if (base.kind != Operand::Register && base.kind != Operand::Symbol &&
      base.kind != Operand::Integer)
    return fail(line, "expected a register, a variable or an integer as "
                      "address, got '" +
                          std::string(base.name) + "'");
  operand.elements.push_back(std::move(base));
  // Of a tensor map: [map, {coordinates}].
  if (accept(",")) {
    Operand coordinates;
    if (!lexer.peek().is('{'))
      return failHere("coordinates in braces");
    if (!parseList(kernel, coordinates))
      return false;
    operand.elements.push_back(std::move(coordinates));
  }
  return expect("]");
}

// [+|- integer], where "+-4" is how compilers print a negative offset.
bool Parser::parseOffset(int64_t &offset) {
  bool minus = false;
  if (accept("+"))
    minus = accept("-");
  else if (accept("-"))
    minus = true;
  else
    return true;
  uint64_t value;
  if (!expectInteger(value))
    return false;
  uint64_t sum = static_cast<uint64_t>(offset) + (minus ? 0 - value : value);
  offset = static_cast<int64_t>(sum);
  return true;
}

bool Parser::parseName(ParsedKernel &kernel, Operand &operand) {
  if (!expectWord(operand.name, "an operand"))
    return false;
  if (operand.name == "_") {
    operand.kind = Operand::Sink;
    return true;
  }
  if (findRegister(kernel, operand.name, operand.index)) {
    operand.kind = Operand::Register;
    return error.empty();
  }
  for (int from = scope; from >= 0; from = scopes[from].parent) {
    auto found = scopes[from].variables.find(operand.name);
    if (found == scopes[from].variables.end())
      continue;
    operand.kind = Operand::Symbol;
    operand.variable = found->second;
    return parseOffset(operand.offset);
  }
  operand.kind = operand.name[0] == '%' ? Operand::Special : Operand::Label;
  return error.empty();
}

bool Parser::parseNumber(Operand &operand) {
  bool minus = accept("-");
  Token token = lexer.peek();
  if (token.kind == Token::Integer) {
    operand.kind = Operand::Integer;
    operand.bits = minus ? 0 - token.bits : token.bits;
  } else if (token.kind == Token::Float) {
    operand.kind = Operand::Float;
    operand.isSingle = token.isSingle;
    operand.bits = token.bits;
    if (minus)
      operand.bits ^= token.isSingle ? 1ull << 31 : 1ull << 63;
  } else {
    return failHere("an operand");
  }
  lexer.take();
  operand.name = token.text;
  return true;
}

/// Splits "%r12" into "%r" and 12; false when the name does not end in a plain
/// decimal number.
static bool splitNumber(std::string_view name, std::string_view &prefix,
                        uint32_t &number) {
  size_t digits = 0;
  while (digits < name.size() && digits < 9 &&
         name[name.size() - 1 - digits] >= '0' &&
         name[name.size() - 1 - digits] <= '9')
    ++digits;
  if (digits == 0 || (digits > 1 && name[name.size() - digits] == '0'))
    return false;
  prefix = name.substr(0, name.size() - digits);
  number = 0;
  for (char c : name.substr(prefix.size()))
    number = number * 10 + static_cast<uint32_t>(c - '0');
  return true;
}

bool Parser::findRegister(ParsedKernel &kernel, std::string_view name,
                          uint32_t &number) {
  std::string_view prefix;
  uint32_t position = 0;
  bool hasNumber = splitNumber(name, prefix, position);
  RegisterRange *range = nullptr;
  for (int from = scope; from >= 0 && !range; from = scopes[from].parent) {
    auto &registers = scopes[from].registers;
    auto found = registers.find(name);
    if (found != registers.end() && found->second.count == 0) {
      range = &found->second;
      position = 0;
    } else if (hasNumber) {
      found = registers.find(prefix);
      if (found != registers.end() && position < found->second.count)
        range = &found->second;
    }
  }
  if (!range)
    return false;
  auto known = range->numbers.find(position);
  if (known != range->numbers.end()) {
    number = known->second;
    return true;
  }
  number = static_cast<uint32_t>(kernel.registerSizes.size());
  if (number == maxRegisters)
    fail(lexer.peek().line, "expected at most 1048576 registers in a kernel");
  kernel.registerSizes.push_back(static_cast<uint8_t>(range->size));
  range->numbers.emplace(position, number);
  return true;
}

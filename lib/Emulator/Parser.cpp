//===- Parser.cpp - PTX text to syntax: directives and bodies -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Directives that only describe debugging or performance are read over; every
// other directive that is not known is an error. Operands and declarations are
// in ParseOperands.cpp and ParseDeclarations.cpp.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include <algorithm>

using namespace nm::emulator;

const char *nm::emulator::spaceName(Space space) {
  switch (space) {
  case Space::Generic:
    return "generic";
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Local:
    return "local";
  case Space::Param:
    return "param";
  case Space::Const:
    return "const";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

bool Parser::fail(unsigned line, const std::string &message) {
  if (error.empty())
    error = "line " + std::to_string(line) + ": " + message;
  return false;
}

bool Parser::failHere(const std::string &expected) {
  const Token &token = lexer.peek();
  std::string got = token.kind == Token::End
                        ? "the end of the text"
                        : "'" + std::string(token.text.substr(0, 60)) + "'";
  return fail(token.line, "expected " + expected + ", got " + got);
}

bool Parser::accept(std::string_view text) {
  if (!lexer.peek().is(text))
    return false;
  lexer.take();
  return true;
}

bool Parser::expect(std::string_view text) {
  return accept(text) || failHere("'" + std::string(text) + "'");
}

bool Parser::expectWord(std::string_view &word, const char *what) {
  if (lexer.peek().kind != Token::Word)
    return failHere(what);
  word = lexer.take().text;
  return true;
}

bool Parser::expectInteger(uint64_t &value) {
  if (lexer.peek().kind != Token::Integer)
    return failHere("an integer");
  value = lexer.take().bits;
  return true;
}

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

bool Parser::parse(std::string &message) {
  scopes.emplace_back();
  scope = 0;
  while (lexer.peek().kind != Token::End) {
    if (!parseTopLevel()) {
      message = error;
      return false;
    }
  }
  return true;
}

bool Parser::parseTopLevel() {
  bool isExtern = false;
  for (;;) {
    Token token = lexer.peek();
    if (accept(".visible") || accept(".weak") || accept(".common"))
      continue;
    if (accept(".extern")) {
      isExtern = true;
      continue;
    }
    if (accept(".version")) {
      if (lexer.take().kind != Token::Float)
        return fail(token.line, "expected a version number after .version");
      return true;
    }
    if (accept(".target"))
      return parseTarget();
    if (accept(".address_size")) {
      uint64_t bits;
      if (!expectInteger(bits))
        return false;
      return bits == 64 || fail(token.line, "expected .address_size 64, got " +
                                                std::to_string(bits));
    }
    if (accept(".file"))
      return parseFile();
    if (accept(".section"))
      return lexer.take().kind == Token::Word ? skipBraces()
                                              : failHere("a section name");
    if (accept(".pragma"))
      return skipStatement();
    if (accept(".func"))
      return skipFunction();
    if (accept(".entry"))
      return parseEntry();
    if (accept(".global"))
      return parseVariables(Space::Global, isExtern, nullptr);
    if (accept(".const"))
      return parseVariables(Space::Const, isExtern, nullptr);
    if (accept(".shared"))
      return parseVariables(Space::Shared, isExtern, nullptr);
    return failHere("a directive of module scope");
  }
}

bool Parser::parseTarget() {
  std::string_view word;
  do {
    if (!expectWord(word, "a target"))
      return false;
  } while (accept(","));
  return true;
}

// .file 1 "name" [, timestamp, size]
bool Parser::parseFile() {
  uint64_t number;
  if (!expectInteger(number))
    return false;
  if (lexer.take().kind != Token::String)
    return failHere("a file name");
  while (accept(","))
    if (!expectInteger(number))
      return false;
  return true;
}

bool Parser::skipBraces() {
  if (!expect("{"))
    return false;
  for (unsigned depth = 1; depth;) {
    Token token = lexer.take();
    if (token.kind == Token::End)
      return fail(token.line, "expected '}', got the end of the text");
    depth += token.is('{');
    depth -= token.is('}');
  }
  return true;
}

bool Parser::skipStatement() {
  while (!lexer.peek().is(';')) {
    if (lexer.peek().kind == Token::End)
      return failHere("';'");
    lexer.take();
  }
  lexer.take();
  return true;
}

// A function can only be reached by `call`, which the decoder refuses: its body
// needs no reading.
bool Parser::skipFunction() {
  while (!lexer.peek().is('{')) {
    Token token = lexer.peek();
    if (token.kind == Token::End)
      return failHere("the body of a function or ';'");
    lexer.take();
    if (token.is(';'))
      return true;
  }
  return skipBraces();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

bool Parser::parseEntry() {
  ParsedKernel kernel;
  kernel.line = lexer.peek().line;
  if (!expectWord(kernel.name, "the name of a kernel"))
    return false;
  for (const ParsedKernel &other : module.kernels)
    if (other.name == kernel.name)
      return fail(kernel.line, "kernel '" + std::string(kernel.name) +
                                   "' is already defined in line " +
                                   std::to_string(other.line));
  scopes.resize(1);
  scopes.emplace_back();
  scopes.back().parent = 0;
  scope = 1;
  labelUses.clear();
  tableUses.clear();
  if (!parseParameters(kernel) || !parseEntryDirectives(kernel) ||
      !parseBody(kernel) || !resolveLabels(kernel))
    return false;
  scope = 0;
  module.kernels.push_back(std::move(kernel));
  return true;
}

bool Parser::parseEntryDirectives(ParsedKernel &kernel) {
  uint32_t ignored[3];
  for (;;) {
    if (lexer.peek().is('{'))
      return true;
    if (accept(".maxntid")) {
      if (!parseDimensions(kernel.maxBlock))
        return false;
    } else if (accept(".reqntid")) {
      if (!parseDimensions(kernel.requiredBlock))
        return false;
    } else if (accept(".minnctapersm") || accept(".maxnctapersm") ||
               accept(".maxnreg")) {
      if (!parseDimensions(ignored))
        return false;
    } else if (accept(".pragma")) {
      if (!skipStatement())
        return false;
    } else {
      return failHere("a performance directive or the body of the kernel");
    }
  }
}

bool Parser::parseDimensions(uint32_t (&dimensions)[3]) {
  for (uint32_t &dimension : dimensions)
    dimension = 1;
  for (unsigned i = 0;; ++i) {
    unsigned line = lexer.peek().line;
    uint64_t value;
    if (!expectInteger(value))
      return false;
    if (i >= 3 || value == 0 || value > 1u << 20)
      return fail(line, "expected up to 3 positive integers, got " +
                            std::to_string(value));
    dimensions[i] = static_cast<uint32_t>(value);
    if (!accept(","))
      return true;
  }
}

bool Parser::parseBody(ParsedKernel &kernel) {
  if (!expect("{"))
    return false;
  for (unsigned depth = 1;;) {
    if (lexer.peek().kind == Token::End)
      return failHere("'}'");
    if (accept("{")) {
      if (++depth > 64)
        return failHere("at most 64 nested scopes");
      scopes.emplace_back();
      scopes.back().parent = scope;
      scope = static_cast<int>(scopes.size()) - 1;
    } else if (accept("}")) {
      if (--depth == 0)
        return true;
      scope = scopes[scope].parent;
    } else if (!parseStatement(kernel)) {
      return false;
    }
  }
}

bool Parser::parseStatement(ParsedKernel &kernel) {
  const Token &token = lexer.peek();
  if (accept(";"))
    return true;
  if (token.kind == Token::Word && token.text[0] == '.')
    return parseBodyDirective(kernel);
  return parseInstruction(kernel);
}

bool Parser::parseBodyDirective(ParsedKernel &kernel) {
  unsigned line = lexer.peek().line;
  if (accept(".reg"))
    return parseRegisters();
  if (accept(".shared"))
    return parseVariables(Space::Shared, false, &kernel);
  if (accept(".local"))
    return parseVariables(Space::Local, false, &kernel);
  if (accept(".pragma"))
    return skipStatement();
  if (accept(".loc")) {
    while (lexer.peek().line == line && lexer.peek().kind != Token::End)
      lexer.take();
    return true;
  }
  return failHere("a directive of kernel scope");
}

bool Parser::parseLabel(ParsedKernel &kernel, std::string_view name,
                        unsigned line) {
  uint32_t index = static_cast<uint32_t>(kernel.instructions.size());
  if (!scopes[scope].labels.emplace(name, index).second)
    return fail(line, "label '" + std::string(name) + "' is already defined");
  if (accept(".branchtargets"))
    return parseBranchTargets(name);
  return true;
}

bool Parser::parseBranchTargets(std::string_view table) {
  do {
    TableUse use = {table, {}, scope, lexer.peek().line};
    if (!expectWord(use.label, "a label"))
      return false;
    tableUses.push_back(use);
  } while (accept(","));
  return expect(";");
}

bool Parser::parseInstruction(ParsedKernel &kernel) {
  ParsedInstruction instruction;
  instruction.line = lexer.peek().line;
  size_t begin = lexer.offset();
  if (accept("@")) {
    instruction.hasGuard = true;
    instruction.guardNegated = accept("!");
    std::string_view name;
    if (!expectWord(name, "a predicate"))
      return false;
    if (!findRegister(kernel, name, instruction.guard) ||
        kernel.registerSizes[instruction.guard] != 0)
      return fail(instruction.line, "expected a predicate register, got '" +
                                        std::string(name) + "'");
  }
  if (!expectWord(instruction.opcode, "an instruction"))
    return false;
  if (!instruction.hasGuard && accept(":"))
    return parseLabel(kernel, instruction.opcode, instruction.line);
  // The operands of calls have a syntax of their own; the decoder refuses them.
  if (instruction.opcode.substr(0, 4) == "call") {
    while (!lexer.peek().is(';') && lexer.peek().kind != Token::End)
      lexer.take();
  }
  while (!lexer.peek().is(';')) {
    Operand operand;
    if (!instruction.operands.empty() && !expect(","))
      return false;
    if (!parseOperand(kernel, operand))
      return false;
    if (operand.kind == Operand::Label)
      labelUses.push_back(
          {kernel.instructions.size(), instruction.operands.size(), scope});
    instruction.operands.push_back(std::move(operand));
  }
  instruction.text =
      std::string_view(module.text).substr(begin, lexer.offset() - begin);
  lexer.take();
  kernel.instructions.push_back(std::move(instruction));
  return true;
}

const uint32_t *Parser::findLabel(int from, std::string_view name) const {
  for (; from >= 0; from = scopes[from].parent) {
    auto found = scopes[from].labels.find(name);
    if (found != scopes[from].labels.end())
      return &found->second;
  }
  return nullptr;
}

bool Parser::resolveLabels(ParsedKernel &kernel) {
  for (const LabelUse &use : labelUses) {
    ParsedInstruction &instruction = kernel.instructions[use.instruction];
    Operand &operand = instruction.operands[use.operand];
    const uint32_t *label = findLabel(use.scope, operand.name);
    if (!label)
      return fail(instruction.line, "expected a declared name, got '" +
                                        std::string(operand.name) + "'");
    operand.index = *label;
  }
  for (const TableUse &use : tableUses) {
    const uint32_t *label = findLabel(use.scope, use.label);
    if (!label)
      return fail(use.line, "expected a label of the kernel, got '" +
                                std::string(use.label) + "'");
    kernel.branchTables[use.table].push_back(*label);
  }
  return true;
}

//===- ParseKernel.cpp - PTX text to syntax: kernels ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bodies with their nested scopes, labels and instructions.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace nm::emulator;

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
    } else if (accept(".reqnctapercluster")) {
      if (!parseDimensions(kernel.requiredCluster))
        return false;
    } else if (accept(".maxclusterrank")) {
      if (!parseDimensions(ignored))
        return false;
      kernel.maxCluster = ignored[0];
    } else if (accept(".explicitcluster")) {
      kernel.isExplicitCluster = true;
    } else if (lexer.peek().is(".minnctapersm") ||
               lexer.peek().is(".maxnreg")) {
      uint32_t &number =
          accept(".maxnreg") ? kernel.maxRegisters : kernel.minBlocks;
      if (&number == &kernel.minBlocks)
        accept(".minnctapersm");
      if (!parseDimensions(ignored))
        return false;
      number = ignored[0];
    } else if (accept(".maxnctapersm")) {
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

//===- ParseDeclarations.cpp - PTX text to syntax: declarations -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers, variables with their initialisers, and parameters.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include <cstring>

using namespace nm::emulator;

unsigned nm::emulator::typeSize(std::string_view type) {
  if (type == "pred")
    return 1;
  if (type.size() < 2)
    return 0;
  if (type == "bf16" || type == "f16")
    return 2;
  if (type == "bf16x2" || type == "f16x2" || type == "f32")
    return 4;
  if (type == "f64" || type == "f32x2")
    return 8;
  if (type[0] != 'b' && type[0] != 'u' && type[0] != 's')
    return 0;
  std::string_view bits = type.substr(1);
  if (bits == "8")
    return 1;
  if (bits == "16")
    return 2;
  if (bits == "32")
    return 4;
  if (bits == "64")
    return 8;
  return type == "b128" ? 16 : 0;
}

/// The largest variable: more than any GPU's memory would hold of it, and far
/// from overflow when offsets are added.
static constexpr uint64_t maxVariableBytes = 1ull << 40;

/// What ptxas takes of constants in a module and of parameters of a kernel.
static constexpr uint64_t maxConstBytes = uint64_t(64) * 1024;
static constexpr uint64_t maxParameterBytes = 32764;

// .reg .type name [<count>] {, name [<count>]} ;
bool Parser::parseRegisters() {
  std::string_view type;
  if (!expectWord(type, "a type"))
    return false;
  unsigned size = typeSize(type.substr(1));
  if (type[0] != '.' || size == 0 || (size == 1 && type != ".pred"))
    return fail(lexer.peek().line, "expected the type of a register, got '" +
                                       std::string(type) + "'");
  if (type == ".pred")
    size = 0;
  do {
    std::string_view name;
    uint64_t count = 0;
    unsigned line = lexer.peek().line;
    if (!expectWord(name, "the name of a register"))
      return false;
    if (accept("<")) {
      if (!expectInteger(count) || !expect(">"))
        return false;
      if (count == 0 || count > 1000000000)
        return fail(line, "expected 1 to 1000000000 registers, got " +
                              std::to_string(count));
    }
    RegisterRange range = {size, static_cast<uint32_t>(count), {}};
    if (!scopes[scope].registers.emplace(name, std::move(range)).second)
      return fail(line,
                  "register '" + std::string(name) + "' is already declared");
  } while (accept(","));
  return expect(";");
}

// [.align n] [.v2|.v4] .type declarator {, declarator} ;
bool Parser::parseVariables(Space space, bool isExtern, ParsedKernel *kernel) {
  uint64_t alignment = 0;
  unsigned lanes = 1;
  std::string_view type;
  for (;;) {
    unsigned line = lexer.peek().line;
    if (accept(".align")) {
      if (!expectInteger(alignment))
        return false;
      // Shared memory begins at byte 1024, allocations at multiples of 256.
      uint64_t most = space == Space::Shared ? 1024 : 256;
      if (alignment == 0 || (alignment & (alignment - 1)) || alignment > most)
        return fail(line,
                    "expected an alignment that is a power of two up to " +
                        std::to_string(most) + ", got " +
                        std::to_string(alignment));
      continue;
    }
    if (!expectWord(type, "a type"))
      return false;
    if (type != ".v2" && type != ".v4")
      break;
    lanes = type == ".v2" ? 2 : 4;
  }
  unsigned size = type[0] == '.' ? typeSize(type.substr(1)) : 0;
  if (size == 0 || type == ".pred")
    return fail(lexer.peek().line, "expected the type of a variable, got '" +
                                       std::string(type) + "'");
  bool isFloat = type[1] == 'f' && size >= 4;
  do {
    auto variable = std::make_unique<Variable>();
    variable->space = space;
    variable->alignment = alignment ? alignment : uint64_t(size) * lanes;
    variable->isExternShared = isExtern && space == Space::Shared;
    variable->line = lexer.peek().line;
    if (isExtern && space != Space::Shared)
      return failHere("a variable that is defined in this module");
    if (!parseVariable(*variable, size * lanes, isFloat) ||
        !placeVariable(*variable, kernel))
      return false;
    module.variables.push_back(std::move(variable));
  } while (accept(","));
  return expect(";");
}

bool Parser::parseVariable(Variable &variable, unsigned elementSize,
                           bool isFloat) {
  if (!expectWord(variable.name, "the name of a variable") ||
      !parseExtents(variable, elementSize))
    return false;
  if (accept("="))
    return parseInitialiser(variable, elementSize, isFloat);
  return true;
}

bool Parser::parseExtents(Variable &variable, unsigned elementSize) {
  unsigned line = lexer.peek().line;
  variable.size = elementSize;
  while (accept("[")) {
    uint64_t extent = 0;
    if (!lexer.peek().is(']') && !expectInteger(extent))
      return false;
    if (extent && variable.size > maxVariableBytes / extent)
      return fail(line, "expected a variable of at most 2^40 bytes");
    variable.size *= extent;
    if (!expect("]"))
      return false;
  }
  if (variable.size == 0 && variable.space != Space::Shared)
    return fail(line,
                "expected the size of '" + std::string(variable.name) + "'");
  // A shared array without a size is dynamic, whether or not it says .extern.
  if (variable.size == 0)
    variable.isExternShared = true;
  return true;
}

// = number or = { number, ... }, with inner braces for inner dimensions.
bool Parser::parseInitialiser(Variable &variable, unsigned elementSize,
                              bool isFloat) {
  if (variable.space != Space::Global && variable.space != Space::Const)
    return failHere("no initialiser of a " +
                    std::string(spaceName(variable.space)) + " variable");
  unsigned depth = 0;
  do {
    while (accept("{"))
      ++depth;
    Operand number;
    if (!parseNumber(number))
      return false;
    uint64_t bits = number.bits;
    if (number.kind == Operand::Float && !number.isSingle && elementSize == 4) {
      double wide;
      std::memcpy(&wide, &bits, sizeof(wide));
      float narrow = static_cast<float>(wide);
      bits = 0;
      std::memcpy(&bits, &narrow, sizeof(narrow));
    } else if (number.kind == Operand::Float && number.isSingle &&
               elementSize == 8) {
      float narrow;
      std::memcpy(&narrow, &bits, sizeof(narrow));
      double wide = narrow;
      std::memcpy(&bits, &wide, sizeof(wide));
    } else if (number.kind == Operand::Integer && isFloat) {
      return failHere("a floating-point constant before this");
    }
    if (variable.initialiser.size() + elementSize > variable.size)
      return failHere("at most " + std::to_string(variable.size) +
                      " bytes of initialiser");
    for (unsigned i = 0; i < elementSize; ++i)
      variable.initialiser.push_back(
          i < 8 ? static_cast<uint8_t>(bits >> (8 * i)) : 0);
    while (depth && accept("}"))
      --depth;
  } while (depth && expect(","));
  return depth == 0;
}

bool Parser::placeVariable(Variable &variable, ParsedKernel *kernel) {
  auto place = [&](uint64_t &end) {
    variable.offset =
        (end + variable.alignment - 1) & ~(variable.alignment - 1);
    end = variable.offset + variable.size;
    return end <= maxVariableBytes ||
           fail(variable.line, "expected variables of at most 2^40 bytes");
  };
  auto fits = [&](uint64_t bytes, uint64_t limit) {
    return bytes <= limit ||
           fail(variable.line, "expected at most " + std::to_string(limit) +
                                   " bytes of ." + spaceName(variable.space) +
                                   " variables, got " + std::to_string(bytes));
  };
  if (!scopes[scope].variables.emplace(variable.name, &variable).second)
    return fail(variable.line,
                "'" + std::string(variable.name) + "' is already declared");
  switch (variable.space) {
  case Space::Const:
    module.constBytes += variable.size;
    if (!fits(module.constBytes, maxConstBytes))
      return false;
    [[fallthrough]];
  case Space::Global:
    module.global.push_back(&variable);
    return place(module.globalBytes);
  case Space::Local:
    return place(kernel->localBytes);
  case Space::Param:
    kernel->parameters.push_back(&variable);
    return place(kernel->parameterBytes) &&
           fits(kernel->parameterBytes, maxParameterBytes);
  default:
    return true;
  }
}

bool Parser::parseParameters(ParsedKernel &kernel) {
  if (!accept("("))
    return true;
  if (accept(")"))
    return true;
  do {
    if (!parseParameter(kernel))
      return false;
  } while (accept(","));
  return expect(")");
}

// .param [.align n] .type [.ptr [.space] [.align n]] name [[size]]
bool Parser::parseParameter(ParsedKernel &kernel) {
  auto variable = std::make_unique<Variable>();
  variable->space = Space::Param;
  variable->line = lexer.peek().line;
  if (!expect(".param"))
    return false;
  uint64_t alignment = 0;
  bool isPointer = false;
  unsigned size = 0;
  while (lexer.peek().kind == Token::Word && lexer.peek().text[0] == '.') {
    std::string_view word = lexer.take().text;
    if (word == ".align") {
      uint64_t value;
      if (!expectInteger(value))
        return false;
      // After .ptr it is the alignment of what the pointer points to.
      if (!isPointer)
        alignment = value;
    } else if (word == ".ptr") {
      isPointer = true;
    } else if (word != ".global" && word != ".shared" && word != ".const" &&
               word != ".local") {
      size = typeSize(word.substr(1));
      if (size == 0 || word == ".pred")
        return fail(variable->line, "expected the type of a parameter, got '" +
                                        std::string(word) + "'");
    }
  }
  if (size == 0)
    return failHere("the type of a parameter");
  if (alignment & (alignment - 1) || alignment > 256)
    return fail(variable->line, "expected an alignment that is a power of two "
                                "up to 256, got " +
                                    std::to_string(alignment));
  variable->alignment = alignment ? alignment : size;
  if (!parseVariable(*variable, size, false) ||
      !placeVariable(*variable, &kernel))
    return false;
  if (kernel.parameterBytes > 32764)
    return fail(variable->line, "expected at most 32764 bytes of parameters, "
                                "got " +
                                    std::to_string(kernel.parameterBytes));
  module.variables.push_back(std::move(variable));
  return true;
}

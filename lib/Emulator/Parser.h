//===- Parser.h - PTX text to syntax ----------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads directives and instructions, resolves names through nested scopes, and
// lays out parameters, local and global variables.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_PARSER_H
#define NM_LIB_EMULATOR_PARSER_H

#include "Lexer.h"
#include "Syntax.h"

#include <unordered_map>

namespace nm {
namespace emulator {

class Parser {
public:
  /// `module.text` must be set and stays where it is.
  explicit Parser(ParsedModule &module) : module(module), lexer(module.text) {}

  /// Returns false, with "line N: ..." in `error`, on malformed text.
  bool parse(std::string &error);

private:
  /// Registers %r0 ... %r<count-1>, or one register when `count` is 0.
  struct RegisterRange {
    unsigned size;
    uint32_t count;
    std::unordered_map<uint32_t, uint32_t> numbers; ///< Those named so far.
  };
  struct Scope {
    int parent = -1;
    std::unordered_map<std::string_view, RegisterRange> registers;
    std::unordered_map<std::string_view, const Variable *> variables;
    std::unordered_map<std::string_view, uint32_t> labels;
  };
  /// A label that an instruction names, to be resolved when the body ends.
  struct LabelUse {
    size_t instruction, operand;
    int scope;
  };
  struct TableUse {
    std::string_view table, label;
    int scope;
    unsigned line;
  };

  // Module level.
  bool parseTopLevel();
  bool parseTarget();
  bool parseFile();
  bool skipBraces();
  bool skipStatement();
  bool skipFunction();

  // Kernels.
  bool parseEntry();
  bool parseParameters(ParsedKernel &kernel);
  bool parseParameter(ParsedKernel &kernel);
  bool parseEntryDirectives(ParsedKernel &kernel);
  bool parseDimensions(uint32_t (&dimensions)[3]);
  bool parseBody(ParsedKernel &kernel);
  bool parseStatement(ParsedKernel &kernel);
  bool parseBodyDirective(ParsedKernel &kernel);
  bool parseLabel(ParsedKernel &kernel, std::string_view name, unsigned line);
  bool parseBranchTargets(std::string_view table);
  bool parseInstruction(ParsedKernel &kernel);
  bool resolveLabels(ParsedKernel &kernel);
  const uint32_t *findLabel(int scope, std::string_view name) const;

  // Declarations.
  bool parseRegisters();
  bool parseVariables(Space space, bool isExtern, ParsedKernel *kernel);
  bool parseVariable(Variable &variable, unsigned elementSize, bool isFloat);
  bool parseExtents(Variable &variable, unsigned elementSize);
  bool parseInitialiser(Variable &variable, unsigned elementSize, bool isFloat);
  bool placeVariable(Variable &variable, ParsedKernel *kernel);

  // Operands.
  bool parseOperand(ParsedKernel &kernel, Operand &operand);
  bool parseList(ParsedKernel &kernel, Operand &operand);
  bool parseAddress(ParsedKernel &kernel, Operand &operand);
  bool parseName(ParsedKernel &kernel, Operand &operand);
  bool parseNumber(Operand &operand);
  bool parseOffset(int64_t &offset);
  bool findRegister(ParsedKernel &kernel, std::string_view name,
                    uint32_t &number);

  // Helpers.
  bool fail(unsigned line, const std::string &message);
  bool failHere(const std::string &expected);
  bool accept(std::string_view text);
  bool expect(std::string_view text);
  bool expectWord(std::string_view &word, const char *what);
  bool expectInteger(uint64_t &value);

  ParsedModule &module;
  Lexer lexer;
  std::string error;
  std::vector<Scope> scopes;
  int scope = -1; ///< Innermost open one.
  std::vector<LabelUse> labelUses;
  std::vector<TableUse> tableUses;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_PARSER_H

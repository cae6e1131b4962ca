//===- Parser.cpp - PTX text to syntax: modules ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Directives that only describe debugging or performance are read over; every
// other directive that is not known is an error.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace nm::emulator;

const char *nm::emulator::spaceName(Space space) {
  switch (space) {
  case Space::Generic:
    return "generic";
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::SharedCluster:
    return "shared::cluster";
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

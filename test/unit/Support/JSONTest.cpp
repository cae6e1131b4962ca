//===- JSONTest.cpp - JSON texts that are not to be trusted ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace nm;

namespace {

/// What is wrong with `text`; "" if nothing is.
std::string check(llvm::StringRef text) {
  auto parsed = parseJSON(text);
  return parsed ? "" : llvm::toString(parsed.takeError());
}

std::string nest(size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JSON, Depth) {
  EXPECT_EQ(check(nest(64)), "");
  EXPECT_EQ(check(nest(65)),
            "[1:65, byte=64]: expected brackets at most 64 deep");
  EXPECT_EQ(check("{\n  \"a\": " + nest(64) + "}"),
            "[2:71, byte=72]: expected brackets at most 64 deep");
  EXPECT_NE(check(std::string(1000000, '[')), "");
  // Brackets of a string, and those that follow one another.
  EXPECT_EQ(check('"' + std::string(100, '[') + '"'), "");
  std::string flat = "[";
  for (int i = 0; i < 100; ++i)
    flat += "[],";
  EXPECT_EQ(check(flat + "0]"), "");
}

TEST(JSON, Names) {
  EXPECT_EQ(check(R"({"a": {"a": 1}, "b": ["a", "a", {"a": "a"}]})"), "");
  EXPECT_EQ(check(R"({"a": 1, "b": 2, "a": 3})"),
            "[1:18, byte=17]: expected one member of the name `a`, got two");
  EXPECT_EQ(check(R"({"a\"": 1, "a\u0022": 3})"),
            "[1:12, byte=11]: expected one member of the name `a\"`, got two");
}

TEST(JSON, WhatIsNone) {
  for (llvm::StringRef text : {"", "{", "\"", "{\"a", "]", "}", "[}", "{\"a\\"})
    EXPECT_NE(check(text), "") << text.str();
}

} // namespace

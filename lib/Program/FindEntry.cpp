//===- FindEntry.cpp - Functions of a program by name ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Program/Program.h"

using namespace nm::program;

std::optional<uint32_t> nm::program::findEntry(const Program &program,
                                               std::string_view name,
                                               std::string &error) {
  std::string names;
  for (size_t i = 0; i < program.entries.size(); ++i) {
    const std::string &known = program.entries[i].name;
    if (name.empty() ? program.entries.size() == 1 : known == name)
      return static_cast<uint32_t>(i);
    names += (names.empty() ? "`" : ", `") + known + "`";
  }
  if (names.empty()) {
    error = "the program has no entry, so there is nothing to call";
    return std::nullopt;
  }
  error =
      "expected an entry among " + names +
      (name.empty() ? ", got no name" : ", got `" + std::string(name) + "`");
  return std::nullopt;
}

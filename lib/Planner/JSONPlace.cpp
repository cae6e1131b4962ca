//===- JSONPlace.cpp - Where a value stands in a JSON text ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JSONPlace.h"

using namespace nm;

namespace {
/// Goes through a text that is known to be valid.
class Scanner {
public:
  explicit Scanner(llvm::StringRef text) : rest(text.ltrim()) {}

  llvm::StringRef getRest() const { return rest; }

  /// Goes to the value that `step` names; false, and some way into the value
  /// that was to have it, if there is none.
  bool enter(const JSONStep &step) {
    char open = step.key.empty() ? '[' : '{';
    if (!rest.consume_front(llvm::StringRef(&open, 1)))
      return false;
    for (size_t index = 0; skipSpace(), !atEnd(); ++index) {
      bool found =
          step.key.empty() ? index == step.index : takeString() == step.key;
      if (!step.key.empty())
        skipColon();
      if (found)
        return true;
      skipValue();
      skipSpace();
      rest.consume_front(",");
    }
    return false;
  }

private:
  bool atEnd() const {
    return rest.empty() || rest[0] == ']' || rest[0] == '}';
  }

  void skipSpace() { rest = rest.ltrim(" \t\r\n"); }

  void skipColon() {
    skipSpace();
    rest.consume_front(":");
    skipSpace();
  }

  /// The string at the front as it is written, without its quotes.
  llvm::StringRef takeString() {
    size_t end = 1;
    while (end < rest.size() && rest[end] != '"')
      end += rest[end] == '\\' ? 2 : 1;
    llvm::StringRef text = rest.slice(1, end);
    rest = rest.drop_front(std::min(end + 1, rest.size()));
    return text;
  }

  void skipValue() {
    unsigned depth = 0;
    do {
      if (rest.starts_with("\"")) {
        takeString();
      } else if (rest.starts_with("[") || rest.starts_with("{")) {
        ++depth;
        rest = rest.drop_front();
      } else if (depth != 0) {
        depth -= atEnd() ? 1 : 0;
        rest = rest.drop_front();
      } else {
        rest = rest.drop_until(
            [](char c) { return c == ',' || c == ']' || c == '}'; });
      }
    } while (depth != 0 && !rest.empty());
  }

  llvm::StringRef rest;
};
} // namespace

JSONPlace nm::findJSONPlace(llvm::StringRef text,
                            llvm::ArrayRef<JSONStep> path) {
  Scanner scanner(text);
  llvm::StringRef place = scanner.getRest();
  for (const JSONStep &step : path) {
    if (!scanner.enter(step))
      break;
    place = scanner.getRest();
  }
  llvm::StringRef before = text.drop_back(place.size());
  size_t lines = before.count('\n');
  size_t start = lines == 0 ? 0 : before.rfind('\n') + 1;
  return {unsigned(lines + 1), unsigned(before.size() - start + 1)};
}

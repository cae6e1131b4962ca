//===- JSON.cpp - JSON texts that are not to be trusted -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/JSON.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

using namespace nm;
using llvm::StringRef;

/// Brackets within brackets: several times those of what nm writes itself, and
/// few enough for the stack of any thread.
static constexpr size_t kMostDepth = 64;

namespace {

/// Looks at brackets and names; what else may be wrong is llvm::json's to say.
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  llvm::Error run() {
    for (size_t at = 0; at < text.size(); ++at)
      if (llvm::Error error = visit(at))
        return error;
    return llvm::Error::success();
  }

private:
  /// A bracket that is open: of an object, the names so far.
  struct Level {
    bool isObject, isAtName;
    llvm::StringSet<> names;
  };

  /// Looks at the character `at`; of a string, leaves `at` at its end.
  llvm::Error visit(size_t &at) {
    switch (text[at]) {
    case '"':
      return visitString(at);
    case '[':
    case '{':
      if (levels.size() == kMostDepth)
        return fail(at, "expected brackets at most " + llvm::Twine(kMostDepth) +
                            " deep");
      levels.push_back({text[at] == '{', true, {}});
      break;
    case ']':
    case '}':
      if (!levels.empty())
        levels.pop_back();
      break;
    case ',':
    case ':':
      if (!levels.empty())
        levels.back().isAtName = text[at] == ',';
      break;
    default:
      break;
    }
    return llvm::Error::success();
  }

  llvm::Error visitString(size_t &at) {
    size_t begin = at++;
    while (at < text.size() && text[at] != '"')
      at += text[at] == '\\' ? 2 : 1;
    if (levels.empty() || !levels.back().isObject || !levels.back().isAtName)
      return llvm::Error::success();
    // Of a string that ends nowhere llvm::json says so.
    auto name = llvm::json::parse(text.slice(begin, at + 1));
    if (!name) {
      llvm::consumeError(name.takeError());
      return llvm::Error::success();
    }
    StringRef read = name->getAsString().value_or("");
    if (levels.back().names.insert(read).second)
      return llvm::Error::success();
    return fail(begin, "expected one member of the name `" +
                           llvm::Twine(read.take_front(100)) + "`, got two");
  }

  llvm::Error fail(size_t at, const llvm::Twine &message) const {
    StringRef before = text.take_front(at);
    size_t start = before.rfind('\n') + 1; // 0 where there is no line before
    return llvm::createStringError("[" + llvm::Twine(before.count('\n') + 1) +
                                   ":" + llvm::Twine(at - start + 1) +
                                   ", byte=" + llvm::Twine(at) +
                                   "]: " + message);
  }

  StringRef text;
  std::vector<Level> levels;
};

} // namespace

llvm::Expected<llvm::json::Value> nm::parseJSON(StringRef text) {
  if (llvm::Error error = Scanner(text).run())
    return error;
  return llvm::json::parse(text);
}

//===- LibraryHeader.cpp - The header of a library ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include "nm-c/Runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace nm;

/// `text` with everything that C allows in no name as an underscore.
static std::string toIdentifier(StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  return name.empty() || llvm::isDigit(name[0]) ? "_" + name : name;
}

llvm::Expected<LibraryNames> nm::getLibraryNames(ArrayRef<Signature> functions,
                                                 StringRef archive) {
  StringRef stem = llvm::sys::path::stem(archive);
  stem.consume_front("lib");
  if (stem.empty())
    return llvm::createStringError("expected a name before .a, got `" +
                                   archive + "`");
  LibraryNames names;
  names.prefix = toIdentifier(stem);
  llvm::StringMap<std::string> known;
  for (const Signature &function : functions) {
    std::string name =
        StringRef(names.prefix + "_" + toIdentifier(function.name)).upper();
    auto [other, isNew] = known.try_emplace(name, function.name);
    if (!isNew)
      return llvm::createStringError(
          "expected functions whose names differ in C, got `" + other->second +
          "` and `" + function.name + "`, which both are " + name);
    names.functions.push_back(std::move(name));
  }
  return names;
}

/// "f32, [?, 64]".
static std::string describe(const ValueType &type) {
  std::string text = toString(type.element);
  if (type.isScalar)
    return text + ", a number";
  text += ", [";
  for (auto [axis, extent] : llvm::enumerate(type.shape)) {
    text += axis ? ", " : "";
    text += extent < 0 ? "?" : std::to_string(extent);
  }
  return text + "]";
}

/// What a function takes and gives, as a comment.
static std::string describe(const Signature &function) {
  std::vector<std::string> lines;
  auto add = [&](StringRef what, ArrayRef<ValueType> types) {
    if (types.empty())
      lines.push_back(("no " + what + "s").str());
    for (auto [index, type] : llvm::enumerate(types))
      lines.push_back(
          llvm::formatv("{0} #{1}: {2}", what, index, describe(type)));
  };
  add("argument", function.arguments);
  add("result", function.results);
  return "/* " + llvm::join(lines, "\n   * ") + " */";
}

/// 0: prefix, 1: guard, 2: archive, 3: origin, 4: version, 5: enumerators, 6
/// and 7: symbols.
static constexpr char kHeader[] = R"(/* The program in {2}.
 *
 * {3}
 * Link it by a C++ compiler with -lNMVM -lNMRuntime -lNMProgram -lNMEmulator
 * -lNMLayout -lNMSparsity -lNMNumbers -ldl -lpthread, or by any with -lnm. */

#ifndef {1}
#define {1}

#include "nm-c/Program.h"

#if NMRT_API_VERSION != {4}
#error "made for version {4} of nm's runtime, whose headers are of another: compile the model again"
#endif

#ifdef __cplusplus
extern "C" {{
#endif

/* The numbers of the functions; ? is any extent. */
enum {{
{5}
};

extern const unsigned char {6}[];
extern const uint64_t {7};

/* Reads and checks the program, which nmProgramRelease releases. */
static inline nmrtStatus {0}_load(nmProgram **program) {{
  return nmProgramLoadBytes({6}, {7}, program);
}

#ifdef __cplusplus
}
#endif

#endif /* {1} */
)";

std::string nm::makeHeader(const LibraryNames &names,
                           ArrayRef<Signature> functions, StringRef archive,
                           StringRef origin) {
  std::vector<std::string> enumerators;
  for (auto [number, name] : llvm::enumerate(names.functions))
    enumerators.push_back(llvm::formatv(
        "  {0}\n  {1} = {2}", describe(functions[number]), name, number));
  return llvm::formatv(kHeader, names.prefix,
                       "NM_LIBRARY_" + StringRef(names.prefix).upper() + "_H",
                       llvm::sys::path::filename(archive), origin,
                       NMRT_API_VERSION, llvm::join(enumerators, ",\n"),
                       names.getProgram(), names.getProgramBytes());
}

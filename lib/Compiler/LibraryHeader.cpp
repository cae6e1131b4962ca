//===- LibraryHeader.cpp - The functions of a library in C ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include "nm-c/Runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace nm;

/// Ranks that nm-c/Array.h has.
static constexpr size_t kMaxRank = 8;

/// The C type of a number; empty where C has none.
static std::string toC(ElementType type) {
  return std::string(getNumericType(type).cType);
}

static std::string toCType(const ValueType &type) {
  return type.isScalar ? toC(type.element)
                       : "nmrtArray" + std::to_string(type.shape.size());
}

/// `text` with everything that C allows in no name as an underscore.
static std::string toIdentifier(StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  return name.empty() || llvm::isDigit(name[0]) ? "_" + name : name;
}

static llvm::Error checkTypes(const Signature &function, const char *what,
                              ArrayRef<ValueType> types) {
  for (auto [index, type] : llvm::enumerate(types)) {
    if (type.isScalar ? !toC(type.element).empty()
                      : type.shape.size() <= kMaxRank)
      continue;
    return llvm::createStringError(
        "expected numbers that C has, or arrays of at most " + Twine(kMaxRank) +
        " dimensions, as " + what + " #" + Twine(index) + " of `" +
        function.name + "`, got " + type.str());
  }
  return llvm::Error::success();
}

llvm::Expected<LibraryInterface> nm::getLibraryInterface(ModuleOp module,
                                                         StringRef archive) {
  StringRef stem = llvm::sys::path::stem(archive);
  stem.consume_front("lib");
  if (stem.empty())
    return llvm::createStringError("expected a name before .a, got `" +
                                   archive + "`");
  LibraryInterface interface;
  interface.prefix = toIdentifier(stem);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    FailureOr<Signature> signature = getSignature(function);
    if (failed(signature))
      return llvm::createStringError("cannot call `" + function.getName() +
                                     "`");
    if (toIdentifier(signature->name) != signature->name)
      return llvm::createStringError("expected functions with C names, got `" +
                                     signature->name + "`");
    if (llvm::Error error =
            checkTypes(*signature, "argument", signature->arguments))
      return error;
    if (llvm::Error error =
            checkTypes(*signature, "result", signature->results))
      return error;
    interface.functions.push_back(std::move(*signature));
  }
  if (interface.functions.empty())
    return llvm::createStringError(
        "expected a public function with a body, for a library");
  return interface;
}

namespace {
/// Writes what belongs to one function.
class FunctionPrinter {
public:
  FunctionPrinter(llvm::raw_ostream &os, const LibraryInterface &interface,
                  const Signature &function)
      : os(os), interface(interface), function(function) {}

  void print() {
    printComment();
    os << "nmrtStatus " << interface.symbolOf(function)
       << "(nmrtContext *context";
    for (auto [index, type] : llvm::enumerate(function.results))
      os << ",\n    " << toCType(type) << " *result" << index;
    for (auto [index, type] : llvm::enumerate(function.arguments))
      os << ",\n    " << toCType(type) << (type.isScalar ? " " : " *")
         << "argument" << index;
    os << ");\n\n";
    printChecked();
  }

private:
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

  void printComment() {
    os << "/* " << interface.nameOf(function) << "\n *\n";
    for (auto [index, type] : llvm::enumerate(function.arguments))
      os << " *   argument" << index << "  " << describe(type) << "\n";
    for (auto [index, type] : llvm::enumerate(function.results))
      os << " *   result" << index << "    " << describe(type) << "\n";
    os << R"( *
 * Arguments are row-major arrays in device memory (nmrtAlloc, nmrtUpload), ? is
 * any extent; they are not written to. Results are new arrays, in elements at
 * data[offset + sum of index * stride], to be freed by nmrtFree of `allocated`;
 * after an error there are none. Work is enqueued: nmrtDownload and
 * nmrtSynchronize wait for it, and may report what failed. Returns NMRT_OK or
 * why not; nmrtLastError says it in words. */
)";
  }

  void printChecked() {
    os << "static inline nmrtStatus " << interface.nameOf(function)
       << "(nmrtContext *context";
    for (auto [index, type] : llvm::enumerate(function.arguments))
      os << ",\n    "
         << (type.isScalar ? toCType(type) + " "
                           : "const " + toCType(type) + " *")
         << "argument" << index;
    for (auto [index, type] : llvm::enumerate(function.results))
      os << ",\n    " << toCType(type) << " *result" << index;
    os << ") {\n";
    for (auto [index, type] : llvm::enumerate(function.arguments))
      if (!type.isScalar)
        printPointerCheck("argument", index);
    for (size_t index = 0; index < function.results.size(); ++index)
      printPointerCheck("result", index);
    for (auto [index, type] : llvm::enumerate(function.arguments))
      if (!type.isScalar)
        printCheck(index, type);
    os << "  return " << interface.symbolOf(function) << "(context";
    for (size_t index = 0; index < function.results.size(); ++index)
      os << ", result" << index;
    for (auto [index, type] : llvm::enumerate(function.arguments))
      os << ", "
         << (type.isScalar ? std::string() : "(" + toCType(type) + " *)")
         << "argument" << index;
    os << ");\n}\n\n";
  }

  /// A context that is null is an error of this call, too.
  void printPointerCheck(StringRef what, size_t index) {
    os << "  if (!context || !" << what << index
       << ")\n    return nmrtCheckPointer(context, \"" << what << " #" << index
       << " of " << function.name << "\", " << what << index << ");\n";
  }

  void printCheck(size_t index, const ValueType &type) {
    std::string name = "argument" + std::to_string(index);
    size_t rank = type.shape.size();
    os << "  {\n";
    if (rank != 0) {
      os << "    static const int64_t expected[" << rank << "] = {";
      llvm::interleaveComma(type.shape, os, [&](int64_t extent) {
        os << (extent < 0 ? -1 : extent);
      });
      os << "};\n";
    }
    os << "    nmrtStatus status = nmrtCheckArray(\n        context, "
          "\"argument #"
       << index << " of " << function.name << "\", " << rank << ", " << name
       << "->data, " << name << "->offset,\n        "
       << (rank ? name + "->extents, " + name + "->strides, expected"
                : std::string("NULL, NULL, NULL"))
       << ");\n    if (status != NMRT_OK)\n      return status;\n  }\n";
  }

  llvm::raw_ostream &os;
  const LibraryInterface &interface;
  const Signature &function;
};
} // namespace

std::string nm::makeHeader(const LibraryInterface &interface, StringRef archive,
                           StringRef origin) {
  std::string text, guard = StringRef(interface.prefix).upper() + "_H";
  llvm::raw_string_ostream os(text);
  os << "/* The functions of " << llvm::sys::path::filename(archive)
     << ".\n *\n"
     << " * " << origin
     << "\n * Link it with -lNMRuntime -lNMEmulator -ldl -lpthread. "
        "*/\n\n#ifndef "
     << guard << "\n#define " << guard
     << "\n\n#include \"nm-c/Array.h\"\n\n#if NMRT_API_VERSION != "
     << NMRT_API_VERSION << "\n#error \"compiled for version "
     << NMRT_API_VERSION
     << " of nm's runtime, whose headers are of another: compile the model "
        "again\"\n#endif\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (const Signature &function : interface.functions)
    FunctionPrinter(os, interface, function).print();
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}

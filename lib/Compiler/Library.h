//===- Library.h - Programs as libraries ------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--emit=lib` writes an archive of one relocatable object, which holds the
// bytes of a program's file, and a C header that loads it from there and
// numbers its functions. What calls them is nm-c/Program.h, as for programs in
// files.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_LIBRARY_H
#define NM_LIB_COMPILER_LIBRARY_H

#include "nm/Entry/Signature.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace nm {

/// What a library's parts are called in C.
struct LibraryNames {
  /// The archive's name without `lib` and ending, as a C identifier.
  std::string prefix;
  /// Enumerators for the numbers of the functions, in their order.
  std::vector<std::string> functions;

  /// Symbols of the object: the program's bytes, and their number.
  std::string getProgram() const { return prefix + "_program"; }
  std::string getProgramBytes() const { return prefix + "_program_bytes"; }
};

/// The names of the library `archive`, made of `functions`. Fails where two of
/// these would be called the same.
llvm::Expected<LibraryNames>
getLibraryNames(llvm::ArrayRef<Signature> functions, llvm::StringRef archive);

/// A relocatable object for this machine's architecture, with `program`, the
/// bytes of a file.
llvm::Expected<std::string> makeObject(llvm::StringRef program,
                                       const LibraryNames &names);

/// An archive of one object, the same bytes for the same object.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
makeArchive(llvm::StringRef object, llvm::StringRef name);

/// The header's text. `origin` says what the library was made from.
std::string makeHeader(const LibraryNames &names,
                       llvm::ArrayRef<Signature> functions,
                       llvm::StringRef archive, llvm::StringRef origin);

} // namespace nm

#endif // NM_LIB_COMPILER_LIBRARY_H

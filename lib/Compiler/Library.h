//===- Library.h - Compiled modules as libraries ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--emit=lib` writes an archive of one relocatable object, which holds the
// host code, the weights and the PTX, and a C header that declares its
// functions. A program that links it needs nm's runtime and nothing of MLIR or
// LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_LIBRARY_H
#define NM_LIB_COMPILER_LIBRARY_H

#include "nm/Entry/Signature.h"

#include "llvm/Support/Error.h"

namespace nm {

/// What a library offers.
struct LibraryInterface {
  /// Before the name of every function: the archive's name without `lib` and
  /// ending, as a C identifier.
  std::string prefix;
  std::vector<Signature> functions;

  /// The C name of a function, and that of its symbol in the object, which the
  /// header calls after its checks.
  std::string nameOf(const Signature &function) const {
    return prefix + "_" + function.name;
  }
  std::string symbolOf(const Signature &function) const {
    return nameOf(function) + "_unchecked";
  }
};

/// The functions that a library of `module`, not yet lowered, will offer: those
/// that are public. Fails for types that C has no argument of.
llvm::Expected<LibraryInterface> getLibraryInterface(mlir::ModuleOp module,
                                                     llvm::StringRef archive);

/// Compiles `module`, whose host code is in the LLVM dialect, to a relocatable
/// object for this machine's architecture.
llvm::Expected<std::string> compileObject(mlir::ModuleOp module,
                                          const LibraryInterface &interface);

/// An archive of one object, the same bytes for the same object.
llvm::Expected<std::string> makeArchive(llvm::StringRef object,
                                        llvm::StringRef name);

/// The header's text. `origin` says what the library was made from.
std::string makeHeader(const LibraryInterface &interface,
                       llvm::StringRef archive, llvm::StringRef origin);

} // namespace nm

#endif // NM_LIB_COMPILER_LIBRARY_H

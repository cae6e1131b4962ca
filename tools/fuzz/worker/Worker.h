//===- Worker.h - What the fuzzer's worker does -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker reads requests from standard input and answers each. What a
// request crashes takes the worker along: the driver sees that, reads the stack
// from standard error, and starts another. Nothing is caught here.
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_WORKER_H
#define NM_FUZZ_WORKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"

#include <string>

namespace nm {
namespace fuzz {

struct Reply {
  bool isAccepted;
  /// What was made, or why nothing was: the diagnostics.
  std::string text;
};

/// The strings of a request, after its name.
using Parts = llvm::ArrayRef<std::string>;

/// Parts: a textual pass pipeline, a module. Parses, verifies and runs it;
/// the text of the reply is the module afterwards.
Reply runPasses(Parts parts);

/// Parts: a seed, a module. Changes its operations, not its text; refuses when
/// what comes out does not verify.
Reply mutateModule(Parts parts);

/// Parts: a seed, the bytes of a program's file. Changes what is in it; its
/// checksums are right again. Refuses what is no program.
Reply mutateProgram(Parts parts);

/// Parts: a seed, a PTX text. Parses it and launches each of its kernels.
Reply runPTX(Parts parts);

/// Parts: the bytes of a .npy file. Reads it; the reply is the array, written
/// as a .npy file anew.
Reply runNpy(Parts parts);

/// Parts: seconds, directory, file for all output, a number to fill fresh
/// memory with, name of a tool (opt, compile, run, reference), its arguments.
/// Runs the tool in a forked process; the reply is "exit N" or "signal N".
Reply runTool(Parts parts);

/// As nm-run, with its options, but lowered by MLIR's own passes.
int runReference(int argc, char **argv);

/// With --seeded-defects, does what the name of a function in `text` asks for:
/// crashes for seeded_crash, never returns for seeded_hang. So tests see the
/// driver find something.
void obeySeededDefects(llvm::StringRef text);

/// A function of its own, so that the stack names it.
LLVM_ATTRIBUTE_NOINLINE void crashAsSeeded();

/// Whether `text` holds `name` and --seeded-defects was given.
bool hasSeededDefect(llvm::StringRef text, llvm::StringRef name);

} // namespace fuzz
} // namespace nm

#endif // NM_FUZZ_WORKER_H

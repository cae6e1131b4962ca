//===- OptMain.h - The program nm-opt ---------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nm-opt as a function, for its own executable and for the multi-call binary.
//
//===----------------------------------------------------------------------===//

#ifndef NM_OPT_OPTMAIN_H
#define NM_OPT_OPTMAIN_H

namespace nm {

/// Parses a module, runs the passes named on the command line and prints it.
/// Returns 0; 1 after an error, which was printed.
int nmOptMain(int argc, char **argv);

} // namespace nm

#endif // NM_OPT_OPTMAIN_H

//===- Tool.h - What every tool has in common -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TOOL_TOOL_H
#define NM_TOOL_TOOL_H

namespace nm {

/// The versions of nm and LLVM, as --version and the report say them.
const char *getVersion();
const char *getLLVMVersion();

/// Lets --version say both, and what ends a process inside LLVM (no memory,
/// say) be one line on standard error and exit code 1. `name`, of the tool,
/// must outlive the process. Call it before the command line is parsed.
void startTool(const char *name);

/// Reads the command line of the tool that was started; answers --help and
/// --version, and ends the process for a malformed one. An option that is given
/// twice, though it has one value, is an error, where LLVM would take the last.
void parseCommandLine(int argc, char **argv, const char *overview);

} // namespace nm

#endif // NM_TOOL_TOOL_H

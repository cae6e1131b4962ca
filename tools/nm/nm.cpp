//===- nm.cpp - All tools of nm in one binary -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every tool needs most of LLVM, so the static build links it once and chooses
// the tool by the name it was called by (nm-opt, a symbolic link) or by the
// first argument (nm opt ...).
//
//===----------------------------------------------------------------------===//

#include "../nm-opt/OptMain.h"
#include "nm/Compiler/Compile.h"
#include "nm/Execution/Run.h"
#include <cstdio>
#include <cstring>
#include <string>

namespace {
struct Tool {
  /// What follows "nm-" in the tool's name.
  const char *name;
  int (*main)(int argc, char **argv);
};

constexpr Tool tools[] = {
    {"opt", nm::nmOptMain},
    {"compile", nm::nmCompileMain},
    {"run", nm::nmRunMain},
};

const Tool *findTool(const std::string &name) {
  for (const Tool &tool : tools)
    if (name == tool.name)
      return &tool;
  return nullptr;
}
} // namespace

int main(int argc, char **argv) {
  std::string called = argc > 0 ? argv[0] : "nm";
  called = called.substr(called.find_last_of('/') + 1);
  if (called.rfind("nm-", 0) == 0)
    if (const Tool *tool = findTool(called.substr(std::strlen("nm-"))))
      return tool->main(argc, argv);
  if (argc > 1)
    if (const Tool *tool = findTool(argv[1]))
      return tool->main(argc - 1, argv + 1);

  std::fprintf(stderr, "usage: nm TOOL ARGUMENTS...  (or call a link to this "
                       "binary that is named nm-TOOL)\ntools:");
  for (const Tool &tool : tools)
    std::fprintf(stderr, " %s", tool.name);
  std::fprintf(stderr, "\n");
  return 1;
}

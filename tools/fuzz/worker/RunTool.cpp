//===- RunTool.cpp - Runs a tool in a forked process ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To start a tool means to load LLVM's and MLIR's libraries, which takes longer
// than to compile a small module. A fork has them already, and is as alone with
// its crash as a process of its own.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "../../nm-opt/OptMain.h"
#include "nm/Compiler/Compile.h"
#include "nm/Execution/Run.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace nm::fuzz;

/// The hang limit. abort() prints the stack, which tells one hang from another.
static void endHang(int) {
  constexpr char text[] = "hang limit reached\n";
  if (write(STDERR_FILENO, text, sizeof(text) - 1) >= 0)
    std::abort();
}

static int callTool(llvm::StringRef name, std::vector<char *> &arguments) {
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  if (name == "opt")
    return nm::nmOptMain(count, arguments.data());
  if (name == "compile")
    return nm::nmCompileMain(count, arguments.data());
  if (name == "reference")
    return runReference(count, arguments.data());
  return nm::nmRunMain(count, arguments.data());
}

/// Sends all output to `path`.
static void redirectOutput(const std::string &path) {
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int nothing = open("/dev/null", O_RDONLY);
  if (file < 0 || nothing < 0 || dup2(file, STDOUT_FILENO) < 0 ||
      dup2(file, STDERR_FILENO) < 0 || dup2(nothing, STDIN_FILENO) < 0)
    _exit(3);
}

/// What the text of the module that the tool reads asks for.
static void obeyDefectsOfInput(const std::string &path) {
  if (auto buffer = llvm::MemoryBuffer::getFile(path))
    obeySeededDefects((*buffer)->getBuffer());
}

/// Adds to the last element of the first result, if the input asks for it and
/// ran in the emulator: what a wrong kernel would do.
static void falsifyResult(const std::vector<char *> &arguments) {
  bool isEmulated = false;
  std::string directory;
  for (llvm::StringRef argument :
       llvm::ArrayRef(arguments).drop_back()) { // The last one is null.
    isEmulated |= argument == "--device=emulator";
    if (argument.consume_front("--output-dir="))
      directory = argument.str();
  }
  auto buffer = llvm::MemoryBuffer::getFile(arguments[1]);
  if (!isEmulated || !buffer ||
      !hasSeededDefect((*buffer)->getBuffer(), "seeded_wrong"))
    return;
  if (FILE *file = std::fopen((directory + "/0.npy").c_str(), "r+b")) {
    std::fseek(file, -2, SEEK_END);
    std::fputc(0x42, file);
    std::fclose(file);
  }
}

[[noreturn]] static void runChild(Parts parts) {
  if (chdir(parts[1].c_str()) != 0)
    _exit(3);
  redirectOutput(parts[2]);
  unsigned seconds = 0;
  int fill = 0;
  if (llvm::StringRef(parts[0]).getAsInteger(10, seconds) ||
      llvm::StringRef(parts[3]).getAsInteger(10, fill))
    _exit(3);
  std::signal(SIGALRM, endHang);
  alarm(seconds);
  mallopt(M_PERTURB, fill);
  std::string name = "nm-" + parts[4];
  std::vector<char *> arguments = {name.data()};
  for (const std::string &part : parts.drop_front(5))
    arguments.push_back(const_cast<char *>(part.c_str()));
  if (arguments.size() > 1)
    obeyDefectsOfInput(arguments[1]);
  int code = callTool(parts[4], arguments);
  if (code == 0 && parts[4] == "run")
    falsifyResult(arguments);
  std::exit(code);
}

Reply nm::fuzz::runTool(Parts parts) {
  pid_t child = fork();
  if (child < 0)
    return {false, "cannot fork"};
  if (child == 0)
    runChild(parts);
  int status = 0;
  if (waitpid(child, &status, 0) != child)
    return {false, "cannot wait"};
  if (WIFSIGNALED(status))
    return {true, "signal " + llvm::utostr(WTERMSIG(status))};
  return {true, "exit " + llvm::utostr(WEXITSTATUS(status))};
}

//===- Main.cpp - The loop of the fuzzer's worker -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request is a line "NAME COUNT SIZE..." and the bytes of COUNT parts; a
// reply is a line "accepted SIZE" or "refused SIZE" and its bytes.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "nm/Pipelines/InitAll.h"
#include "nm/Tool/Tool.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace nm::fuzz;

static bool hasSeededDefects = false;
static bool isMemoryLimited = true;

bool nm::fuzz::hasSeededDefect(llvm::StringRef text, llvm::StringRef name) {
  return hasSeededDefects && text.contains(name);
}

void nm::fuzz::crashAsSeeded() {
  volatile int *nothing = nullptr;
  *nothing = 0;
}

void nm::fuzz::obeySeededDefects(llvm::StringRef text) {
  if (hasSeededDefect(text, "seeded_crash"))
    crashAsSeeded();
  while (hasSeededDefect(text, "seeded_hang"))
    pause();
}

namespace {

struct Handler {
  const char *name;
  Reply (*run)(Parts parts);
};

constexpr Handler handlers[] = {
    {"passes", runPasses}, {"mutate", mutateModule},
    {"ptx", runPTX},       {"npy", runNpy},
    {"tool", runTool},     {"mutate_program", mutateProgram},
};

} // namespace

/// Reads the bytes of a request's parts, whose sizes are the rest of its line.
static bool readParts(llvm::StringRef sizes, std::vector<std::string> &parts) {
  size_t count = 0, size = 0;
  if (sizes.consumeInteger(10, count))
    return false;
  while (parts.size() < count) {
    sizes = sizes.ltrim();
    if (sizes.consumeInteger(10, size))
      return false;
    parts.emplace_back(size, '\0');
  }
  for (std::string &part : parts)
    if (std::fread(part.data(), 1, part.size(), stdin) != part.size())
      return false;
  return true;
}

static const Handler *findHandler(llvm::StringRef name) {
  for (const Handler &handler : handlers)
    if (name == handler.name)
      return &handler;
  return nullptr;
}

/// Answers all requests on `replies`.
static int serve(FILE *replies) {
  char *line = nullptr;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, stdin)) > 0) {
    auto [name, sizes] =
        llvm::StringRef(line, static_cast<size_t>(length)).split(' ');
    const Handler *handler = findHandler(name);
    std::vector<std::string> parts;
    if (!handler || !readParts(sizes, parts))
      return 2;
    Reply reply = handler->run(parts);
    std::fprintf(replies, "%s %zu\n", reply.isAccepted ? "accepted" : "refused",
                 reply.text.size());
    std::fwrite(reply.text.data(), 1, reply.text.size(), replies);
    std::fflush(replies);
  }
  std::free(line);
  return 0;
}

/// An input may ask for any amount of memory, but shall not get that of others.
/// A sanitizer's shadow needs the address space, and has a limit of its own; a
/// driver of GPUs needs it too.
static void limitMemory() {
  rlimit limit = {6ull << 30, 6ull << 30};
  if (!LLVM_ADDRESS_SANITIZER_BUILD && isMemoryLimited)
    setrlimit(RLIMIT_AS, &limit);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    hasSeededDefects |= std::strcmp(argv[i], "--seeded-defects") == 0;
    isMemoryLimited &= std::strcmp(argv[i], "--no-memory-limit") != 0;
  }
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  // MLIR's parser says which op it is at.
  llvm::EnablePrettyStackTrace();
  nm::startTool("nm-fuzz-worker");
  nm::registerAllPasses();
  limitMemory();
  // What passes print must not mix with the replies.
  FILE *replies = fdopen(dup(STDOUT_FILENO), "w");
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return serve(replies);
}

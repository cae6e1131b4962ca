//===- Campaign.cpp - Many functions, in processes of their own -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Shrink.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"

#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace nm::folds;

/// Functions that one process checks.
static constexpr uint64_t kChunk = 500;
/// Seconds that one function may take. The limit is of the processor's time,
/// which is twice as long where another thread has the other half of the core:
/// two functions of known.mlir take more than five seconds then.
/// Without optimization the interpreter takes some twenty times as long, and
/// with sanitizers not much less: for a function and all its inputs, more than
/// a minute.
#if defined(__OPTIMIZE__) && !LLVM_ADDRESS_SANITIZER_BUILD
static constexpr unsigned kHangLimit = 30;
#else
static constexpr unsigned kHangLimit = 600;
#endif
/// Arguments that smaller functions are run with at least: what took the place
/// of ops may show the fault for few.
static constexpr unsigned kFewestInputs = 48;

struct Campaign::Shared {
  Counts counts;
  /// Where the process is.
  uint64_t index, mode;
};

Campaign::Campaign(std::vector<Mode> modes, Source source, unsigned inputs)
    : modes(std::move(modes)), source(std::move(source)), inputs(inputs),
      inputsOfSmaller(std::max(inputs, kFewestInputs)) {
  void *page = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    llvm::report_fatal_error("no memory to share");
  shared = new (page) Shared();
}

Campaign::~Campaign() { munmap(shared, sizeof(Shared)); }

const Counts &Campaign::getCounts() const { return shared->counts; }

static void limitTime() {
  itimerval limit = {};
  limit.it_value.tv_sec = kHangLimit;
  setitimer(ITIMER_PROF, &limit, nullptr);
}

/// Calls `body` in a forked process. Returns what it wrote, and its status as
/// `waitpid` gives it.
static std::string inProcess(llvm::function_ref<void(llvm::raw_ostream &)> body,
                             int &status) {
  int ends[2];
  if (pipe(ends) != 0)
    llvm::report_fatal_error("no pipe");
  pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("no process");
  if (child == 0) {
    close(ends[0]);
    // Crashes are expected: they leave no core, and no words.
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0)
      dup2(nowhere, STDERR_FILENO);
    {
      llvm::raw_fd_ostream os(ends[1], /*shouldClose=*/true);
      body(os);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof(buffer))) > 0;)
    text.append(buffer, size);
  close(ends[0]);
  waitpid(child, &status, 0);
  return text;
}

static Kind getEnd(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return Kind::Sound;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? Kind::Hang
                                                            : Kind::Crash;
}

void Campaign::checkOne(ModuleOp module, const Checker &checker,
                        const Mode &mode, llvm::raw_ostream &findings) {
  uint64_t index = shared->index;
  Outcome outcome = checker.check(mode);
  if (outcome.kind == Kind::Sound)
    return;
  auto stillFails = [&](ModuleOp candidate) {
    return Checker(candidate, index, inputsOfSmaller).check(mode).kind ==
           outcome.kind;
  };
  OwningOpRef<ModuleOp> smallest = shrink(module, stillFails);
  Outcome atLast = Checker(*smallest, index, inputsOfSmaller).check(mode);
  if (atLast.kind == outcome.kind)
    outcome = std::move(atLast);
  findings << describe(*smallest, index, mode, outcome).toJSON() << "\n";
  findings.flush();
}

void Campaign::runChunk(uint64_t first, uint64_t end,
                        llvm::raw_ostream &findings) {
  for (uint64_t index = first; index < end; ++index) {
    shared->index = index;
    ++shared->counts.functions;
    shared->mode = 0;
    limitTime();
    OwningOpRef<ModuleOp> module = source(index);
    Checker checker(*module, index, inputs, &shared->counts);
    for (; shared->mode < modes.size(); ++shared->mode) {
      limitTime();
      checkOne(*module, checker, modes[shared->mode], findings);
    }
  }
}

Kind Campaign::tryAlone(ModuleOp module, const Mode &mode) {
  int status;
  std::string kind = inProcess(
      [&](llvm::raw_ostream &os) {
        limitTime();
        os << static_cast<int>(
            Checker(module, 1, inputsOfSmaller).check(mode).kind);
      },
      status);
  Kind end = getEnd(status);
  return end == Kind::Sound ? static_cast<Kind>(std::stoi(kind)) : end;
}

/// The pattern in which canonicalizing the module ends the process, or none.
static std::string findLastPattern(ModuleOp module) {
  int status;
  std::string lines = inProcess(
      [&](llvm::raw_ostream &os) {
        limitTime();
        traceCanonicalize(module, &os);
      },
      status);
  llvm::StringRef last = llvm::StringRef(lines).rtrim("\n");
  bool isWithin = lines.size() == last.size() + 1;
  return isWithin ? shortenPattern(last.substr(last.rfind('\n') + 1)) : "";
}

Finding Campaign::describeEnd(uint64_t index, const Mode &mode, Kind kind) {
  OwningOpRef<ModuleOp> smallest = source(index);
  Outcome outcome;
  outcome.kind = tryAlone(*smallest, mode);
  // Where a smaller function ended the process, this one fails otherwise.
  if (outcome.kind == Kind::Sound)
    outcome.kind = kind;
  else
    smallest = shrink(*smallest, [&](ModuleOp candidate) {
      return tryAlone(candidate, mode) == outcome.kind;
    });
  Finding finding = describe(*smallest, index, mode, outcome);
  if (mode.name == "canonicalize")
    finding.blame = findLastPattern(*smallest);
  return finding;
}

void Campaign::run(uint64_t first, uint64_t count,
                   llvm::function_ref<void(const Finding &)> report) {
  uint64_t next = first, last = first + count;
  while (next < last) {
    uint64_t end = std::min(next + kChunk, last);
    int status;
    std::string lines = inProcess(
        [&](llvm::raw_ostream &os) { runChunk(next, end, os); }, status);
    llvm::SmallVector<llvm::StringRef> found;
    llvm::StringRef(lines).split(found, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : found)
      if (auto value = llvm::json::parse(line)) {
        report(Finding::fromJSON(*value->getAsObject()));
      } else {
        // The process ended within the line.
        llvm::consumeError(value.takeError());
      }
    Kind kind = getEnd(status);
    next = end;
    if (kind == Kind::Sound)
      continue;
    report(describeEnd(shared->index, modes[shared->mode], kind));
    next = shared->index + 1;
  }
}

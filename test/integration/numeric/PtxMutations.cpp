//===- PtxMutations.cpp - Errors planted in PTX text must be caught -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The suite can fail: each edit makes a correct kernel wrong in the way of a
// typical error of a lowering, and the check that it names must report it when
// it alone is on. tools/scripts/mutation does the same to the lowering's
// sources.
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "mlir/IR/MLIRContext.h"
#include "nm/Pipelines/Pipelines.h"

#include <cstdio>
#include <functional>
#include <optional>
#include <regex>
#include <sstream>

using namespace nm;
using namespace nm::numeric;
using reference::Layout;

namespace {
/// The lines of a PTX text.
using Lines = std::vector<std::string>;

/// An edit; returns false when it finds nothing to change.
using Edit = std::function<bool(Lines &)>;

struct Mutation {
  const char *name;
  /// The check that must fail with all others off; 0 is the comparison.
  uint32_t check;
  KernelCase kernelCase;
  Edit edit;
};
} // namespace

static Lines splitLines(const std::string &text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

static std::string joinLines(const Lines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

/// Whether the line's instruction starts with `opcode`.
static bool isInstruction(const std::string &line, const std::string &opcode) {
  size_t start = line.find_first_not_of(" \t");
  return start != std::string::npos &&
         line.compare(start, opcode.size(), opcode) == 0;
}

/// The index of the last line with `opcode` before line `end`, if any.
static std::optional<size_t>
findLast(const Lines &lines, const std::string &opcode, size_t end = SIZE_MAX) {
  for (size_t i = std::min(end, lines.size()); i-- > 0;)
    if (isInstruction(lines[i], opcode))
      return i;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

static Edit removeLast(const char *opcode) {
  return [=](Lines &lines) {
    auto line = findLast(lines, opcode);
    if (line)
      lines.erase(lines.begin() + *line);
    return line.has_value();
  };
}

/// Removes the arrival and the wait of barrier `which` of the cluster.
static Edit removeClusterBarrier(size_t which) {
  return [=](Lines &lines) {
    Lines kept;
    size_t count = 0;
    for (const std::string &line : lines)
      if (!isInstruction(line, "barrier.cluster") || count++ / 2 != which)
        kept.push_back(line);
    lines.swap(kept);
    return count == 4;
  };
}

/// Adds to the constant offset of the last line with `opcode`.
static Edit moveLast(const char *opcode, int64_t distance) {
  return [=](Lines &lines) {
    static const std::regex address(R"(\[(\w+|%\w+)(\+(\d+))?\])");
    auto line = findLast(lines, opcode);
    std::smatch match;
    if (!line || !std::regex_search(lines[*line], match, address))
      return false;
    int64_t offset = match[3].matched ? std::stoll(match[3].str()) : 0;
    lines[*line] = match.prefix().str() + "[" + match[1].str() + "+" +
                   std::to_string(offset + distance) + "]" +
                   match.suffix().str();
    return true;
  };
}

/// Replaces what `pattern` matches in the last line with `opcode`.
static Edit editLast(const char *opcode, const char *pattern,
                     const char *replacement) {
  return [=](Lines &lines) {
    auto line = findLast(lines, opcode);
    if (!line)
      return false;
    std::string edited =
        std::regex_replace(lines[*line], std::regex(pattern), replacement);
    bool changed = edited != lines[*line];
    lines[*line] = edited;
    return changed;
  };
}

/// Replaces what `pattern` matches in all lines with `opcode`.
static Edit editAll(const char *opcode, const char *pattern,
                    const char *replacement) {
  return [=](Lines &lines) {
    bool changed = false;
    for (std::string &line : lines)
      if (isInstruction(line, opcode)) {
        std::string edited =
            std::regex_replace(line, std::regex(pattern), replacement);
        changed |= edited != line;
        line = edited;
      }
    return changed;
  };
}

/// Drops the predicate of the last store to C: the setp before it no longer
/// decides anything.
static bool dropStorePredicate(Lines &lines) {
  auto store = findLast(lines, "st.global");
  auto branch = store ? findLast(lines, "@", *store) : std::nullopt;
  if (!branch)
    return false;
  lines.erase(lines.begin() + *branch);
  return true;
}

/// Lets only the first warp reach the first barrier.
static bool divergeBarrier(Lines &lines) {
  for (size_t i = 0; i < lines.size(); ++i)
    if (isInstruction(lines[i], "bar.sync")) {
      lines[i] = "\t.reg .pred %pm; .reg .b32 %rm; mov.u32 %rm, %tid.x; "
                 "setp.lt.u32 %pm, %rm, 32; @%pm bar.sync 0;";
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Kernels and their mutations
//===----------------------------------------------------------------------===//

/// VW32 with two warps, whole tiles, one buffer.
static KernelCase makePromoted() {
  KernelCase c;
  c.seed = 20261121;
  c.pattern = {8, 32, 1, 32};
  c.m = 32;
  c.n = 64;
  c.k = 128;
  c.doubleBuffer = false;
  c.layoutA = Layout::FeatureMajor;
  c.schedule = "#nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], "
               "thread = [4, 8]>, block = [32, 64, 32], stages = 2>";
  return c;
}

static KernelCase makeBuffered() {
  KernelCase c = makePromoted();
  c.doubleBuffer = true;
  return c;
}

/// A step loads the first operands of the next.
static KernelCase makePrefetched() {
  KernelCase c = makeBuffered();
  c.schedule.replace(c.schedule.rfind('>'), 1, ", prefetch = true>");
  return c;
}

/// Two blocks of a cluster share the steps.
static KernelCase makeSplit() {
  KernelCase c = makeBuffered();
  c.schedule.replace(c.schedule.rfind('>'), 1, ", split_k = 2>");
  return c;
}

/// On tensor cores.
static KernelCase makeMatrices() {
  KernelCase c = makeBuffered();
  c.types = {ElementType::F16, ElementType::F16, ElementType::F16};
  c.schedule =
      "#nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [32, 32]>, "
      "block = [32, 64, 64], stages = 2>";
  return c;
}

/// Tails in m, n and k, operands in global memory.
static KernelCase makeTails() {
  KernelCase c = makePromoted();
  c.m = 29;
  c.n = 61;
  c.k = 117;
  c.promote = false;
  return c;
}

/// The second step has a window of 32 rows and one of 5, so 3 of the 8 units of
/// that lie beyond k, where asynchronous copies fill zeros. Without, they read
/// behind A.
static KernelCase makeTailK() {
  KernelCase c = makeBuffered();
  c.n = 32;
  c.k = 101;
  c.schedule = "#nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], "
               "thread = [4, 8]>, block = [32, 64, 64], stages = 2>";
  return c;
}

static std::vector<Mutation> makeMutations() {
  return {
      {"barrier after the copies deleted", emulator::CheckRaces, makePromoted(),
       removeLast("bar.sync")},
      {"barrier of the ring deleted", emulator::CheckUninitialized,
       makeBuffered(), removeLast("bar.sync")},
      {"cp.async.wait_group waits for one group less", emulator::CheckRaces,
       makeBuffered(), editAll("cp.async.wait_group", "0;", "1;")},
      {"barrier before the next step's operands deleted",
       emulator::CheckUninitialized, makePrefetched(), removeLast("bar.sync")},
      {"wait before the next step's operands for one group less",
       emulator::CheckRaces, makePrefetched(),
       editAll("cp.async.wait_group", "0;", "1;")},
      {"barrier of the cluster before the reads deleted", emulator::CheckRaces,
       makeSplit(), removeClusterBarrier(0)},
      {"barrier of the cluster after the reads deleted", emulator::CheckBounds,
       makeSplit(), removeClusterBarrier(1)},
      {"sums of a block read twice", 0, makeSplit(),
       editLast("mapa.shared::cluster", ", 1;", ", 0;")},
      {"sums of a block not written", 0, makeSplit(), removeLast("st.shared")},
      {"barrier before ldmatrix deleted", emulator::CheckUninitialized,
       makeMatrices(), removeLast("bar.sync")},
      {"rows of ldmatrix off by 16 bytes", 0, makeMatrices(),
       moveLast("ldmatrix", 16)},
      {"rows of ldmatrix off by 2 bytes", emulator::CheckAlignment,
       makeMatrices(), moveLast("ldmatrix", 2)},
      {"barrier reached by one warp only", emulator::CheckBarriers,
       makePromoted(), divergeBarrier},
      {"shared store deleted", emulator::CheckUninitialized, makePromoted(),
       removeLast("st.shared")},
      {"offset of a shared load off by 4 bytes", emulator::CheckAlignment,
       makePromoted(), moveLast("ld.shared.v4", 4)},
      {"offset of a shared load past the buffers", emulator::CheckBounds,
       makePromoted(), moveLast("ld.shared.v4", 1048576)},
      {"offset of a shared load off by 16 bytes", 0, makePromoted(),
       moveLast("ld.shared.v4", 16)},
      {"predicate of a store dropped", emulator::CheckBounds, makeTails(),
       dropStorePredicate},
      {"zero fill of cp.async dropped", emulator::CheckBounds, makeTailK(),
       editAll("cp.async.cg", R"(, 16, %r\d+)", ", 16")},
      {"operand of an FMA swapped", 0, makePromoted(),
       editLast("fma.rn.f32", R"((%r\d+), (%r\d+), (%r\d+), (%r\d+))",
                "$1, $3, $3, $4")},
      {"store of a part of C deleted", 0, makePromoted(),
       removeLast("st.global")},
  };
}

static bool runMutation(mlir::MLIRContext &context, const Mutation &mutation) {
  const KernelCase &c = mutation.kernelCase;
  CaseData data = makeData(c);
  CaseResult original;
  auto kernel = compileCase(context, c, data, original.message);
  if (kernel)
    original = runKernel(*kernel, c, data, {c.seed});
  if (!kernel || !original.passed()) {
    std::printf("FAILED %s: the unedited kernel fails: %s\n", mutation.name,
                original.message.c_str());
    return false;
  }
  Lines lines = splitLines(kernel->ptx);
  if (!mutation.edit(lines)) {
    std::printf("FAILED %s: nothing to edit\n", mutation.name);
    return false;
  }
  kernel->ptx = joinLines(lines);
  CaseResult edited = runKernel(*kernel, c, data, {c.seed, mutation.check});
  const char *expected = nameOfCheck(mutation.check);
  bool caught = edited.failedCheck == expected;
  std::printf("%s %s: expected %s, got %s %s\n", caught ? "passed" : "FAILED",
              mutation.name, expected,
              edited.passed() ? "no failure" : edited.failedCheck.c_str(),
              edited.message.c_str());
  return caught;
}

int main() {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  unsigned passed = 0, failed = 0;
  for (const Mutation &mutation : makeMutations())
    ++(runMutation(*context, mutation) ? passed : failed);
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

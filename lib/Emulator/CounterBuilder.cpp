//===- CounterBuilder.cpp - Gathers the counts of a launch ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The implicit end of a kernel is left out: it is no instruction of the text.
//
//===----------------------------------------------------------------------===//

#include "CounterBuilder.h"

#include <algorithm>

using namespace nm::emulator;

CounterBuilder::CounterBuilder(const LaunchContext &context)
    : context(context), counts(context.kernel.code.size()),
      accesses(context.count ? context.kernel.code.size() : 0) {}

void CounterBuilder::add(const Interpreter &interpreter) {
  for (size_t i = 0; i < counts.size(); ++i) {
    counts[i].warps += interpreter.counts[i].warps;
    counts[i].lanes += interpreter.counts[i].lanes;
  }
  for (size_t i = 0; i < accesses.size(); ++i) {
    const AccessCount &from = interpreter.accessCounts[i];
    accesses[i].sharedRequests += from.sharedRequests;
    accesses[i].wavefronts += from.wavefronts;
    accesses[i].idealWavefronts += from.idealWavefronts;
    accesses[i].globalRequests += from.globalRequests;
    accesses[i].sectors += from.sectors;
  }
}

Counters CounterBuilder::finish(uint64_t blocks) const {
  const KernelImpl &kernel = context.kernel;
  Counters counters;
  counters.kernel = kernel.name;
  counters.blocks = blocks;
  counters.threadsPerBlock = context.threads;
  counters.sharedBytes = context.sharedBytes;
  for (size_t i = 0; i + 1 < counts.size(); ++i) {
    InstructionCounts row;
    row.line = kernel.lines[i];
    row.opcode = std::string(kernel.opcodes[i]);
    row.text = std::string(kernel.texts[i]);
    row.count = {counts[i].warps, counts[i].lanes};
    counters.total.warps += counts[i].warps;
    counters.total.lanes += counts[i].lanes;
    if (counts[i].warps) {
      ExecutionCount &sum = counters.byOpcode[row.opcode];
      sum.warps += counts[i].warps;
      sum.lanes += counts[i].lanes;
    }
    counters.instructions.push_back(std::move(row));
  }
  addAccesses(counters);
  addMainLoop(counters);
  return counters;
}

void CounterBuilder::addAccesses(Counters &counters) const {
  const KernelImpl &kernel = context.kernel;
  for (size_t i = 0; i < accesses.size(); ++i) {
    const AccessCount &count = accesses[i];
    const Instruction &instruction = kernel.code[i];
    bool isCopy = instruction.kind == Kind::AsyncCopy;
    if (!count.sharedRequests && !count.globalRequests)
      continue;
    unsigned bytes = isCopy ? kernel.asyncCopies[instruction.detail].bytes
                            : kernel.accesses[instruction.detail].bytes();
    bool isWrite = !isCopy && kernel.accesses[instruction.detail].isWrite;
    std::string opcode(kernel.opcodes[i]);
    if (count.sharedRequests) {
      SharedCounts row;
      row.line = kernel.lines[i];
      row.opcode = opcode;
      row.isWrite = isWrite || isCopy;
      row.bytesPerLane = bytes;
      row.requests = count.sharedRequests;
      row.wavefronts = count.wavefronts;
      row.idealWavefronts = count.idealWavefronts;
      counters.shared.push_back(std::move(row));
    }
    if (count.globalRequests) {
      GlobalCounts row;
      row.line = kernel.lines[i];
      row.opcode = opcode;
      row.isWrite = isWrite;
      row.bytesPerLane = bytes;
      row.requests = count.globalRequests;
      row.sectors = count.sectors;
      counters.global.push_back(std::move(row));
    }
  }
}

void CounterBuilder::addMainLoop(Counters &counters) const {
  const KernelImpl &kernel = context.kernel;
  auto executed = [&](const LoopInfo &loop) {
    uint64_t sum = 0;
    for (uint32_t pc : loop.instructions)
      sum += counts[pc].warps;
    return sum;
  };
  auto loop = std::max_element(kernel.loops.begin(), kernel.loops.end(),
                               [&](const LoopInfo &a, const LoopInfo &b) {
                                 return executed(a) < executed(b);
                               });
  if (loop == kernel.loops.end() || executed(*loop) == 0)
    return;
  LoopCounts &result = counters.mainLoop;
  result.iterations = counts[loop->header].warps;
  result.firstLine = kernel.lines[loop->header];
  for (uint32_t pc : loop->instructions) {
    result.firstLine = std::min(result.firstLine, kernel.lines[pc]);
    result.lastLine = std::max(result.lastLine, kernel.lines[pc]);
    std::string opcode(kernel.opcodes[pc]);
    ++result.staticCounts[opcode];
    ExecutionCount &sum = result.executed[opcode];
    sum.warps += counts[pc].warps;
    sum.lanes += counts[pc].lanes;
  }
}

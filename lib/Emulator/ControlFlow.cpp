//===- ControlFlow.cpp - Reconvergence points and loops of a kernel -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that part at a branch meet at its immediate post-dominator: the first
// instruction that every path from the branch to the end must pass. This is
// right for any control flow, structured or not. Dominators, computed the same
// way on the reversed graph, give the natural loops for the counters.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <algorithm>

using namespace nm::emulator;

namespace {

using Edges = std::vector<std::vector<uint32_t>>;
constexpr uint32_t none = 0xffffffffu;

/// Basic blocks; the last one is the exit, which holds no instruction.
struct Graph {
  std::vector<uint32_t> first; ///< First instruction of each block.
  std::vector<uint32_t> blockOf;
  Edges successors, predecessors;
  uint32_t exit() const { return uint32_t(first.size()) - 1; }
};

bool endsBlock(Kind kind) {
  return kind == Kind::Branch || kind == Kind::BranchTable ||
         kind == Kind::Exit || kind == Kind::Trap;
}

/// Calls `visit` with each instruction that may follow `pc`; with the number of
/// instructions for the end.
template <class Visit>
void forEachSuccessor(const KernelImpl &kernel, uint32_t pc, Visit visit) {
  const Instruction &instruction = kernel.code[pc];
  uint32_t end = uint32_t(kernel.code.size());
  bool fallsThrough =
      !endsBlock(instruction.kind) || instruction.guard != noRegister;
  if (fallsThrough)
    visit(pc + 1);
  if (instruction.kind == Kind::Branch)
    visit(instruction.target);
  else if (instruction.kind == Kind::BranchTable)
    for (uint32_t target : kernel.branchTables[instruction.detail])
      visit(target);
  else if (instruction.kind == Kind::Exit || instruction.kind == Kind::Trap)
    visit(end);
}

Graph buildGraph(const KernelImpl &kernel) {
  uint32_t size = uint32_t(kernel.code.size());
  std::vector<bool> leads(size + 1, false);
  leads[0] = leads[size] = true;
  for (uint32_t pc = 0; pc < size; ++pc) {
    if (!endsBlock(kernel.code[pc].kind))
      continue;
    leads[pc + 1] = true;
    forEachSuccessor(kernel, pc, [&](uint32_t next) { leads[next] = true; });
  }
  Graph graph;
  graph.blockOf.resize(size + 1);
  for (uint32_t pc = 0; pc <= size; ++pc) {
    if (leads[pc])
      graph.first.push_back(pc);
    graph.blockOf[pc] = uint32_t(graph.first.size()) - 1;
  }
  graph.successors.resize(graph.first.size());
  graph.predecessors.resize(graph.first.size());
  for (uint32_t block = 0; block < graph.exit(); ++block) {
    uint32_t last = graph.first[block + 1] - 1;
    forEachSuccessor(kernel, last, [&](uint32_t next) {
      graph.successors[block].push_back(graph.blockOf[next]);
      graph.predecessors[graph.blockOf[next]].push_back(block);
    });
  }
  return graph;
}

/// Blocks reachable from `root`, each after all that it leads to but for back
/// edges. Iterative, as a kernel may have many blocks in a row.
std::vector<uint32_t> postOrder(const Edges &edges, uint32_t root) {
  std::vector<uint32_t> order;
  std::vector<uint32_t> next(edges.size(), 0);
  std::vector<bool> seen(edges.size(), false);
  std::vector<uint32_t> stack = {root};
  seen[root] = true;
  while (!stack.empty()) {
    uint32_t block = stack.back();
    if (next[block] < edges[block].size()) {
      uint32_t to = edges[block][next[block]++];
      if (!seen[to]) {
        seen[to] = true;
        stack.push_back(to);
      }
    } else {
      order.push_back(block);
      stack.pop_back();
    }
  }
  return order;
}

/// Immediate dominators from `root`, by iteration to a fixed point (Cooper,
/// Harvey and Kennedy); `none` for blocks that are not reached.
std::vector<uint32_t> immediateDominators(const Edges &successors,
                                          const Edges &predecessors,
                                          uint32_t root) {
  std::vector<uint32_t> order = postOrder(successors, root);
  std::vector<uint32_t> number(successors.size(), none);
  for (uint32_t i = 0; i < order.size(); ++i)
    number[order[i]] = i;
  std::vector<uint32_t> dominator(successors.size(), none);
  dominator[root] = root;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (number[a] < number[b])
        a = dominator[a];
      while (number[b] < number[a])
        b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = order.rbegin() + 1; block != order.rend(); ++block) {
      uint32_t best = none;
      for (uint32_t from : predecessors[*block])
        if (dominator[from] != none)
          best = best == none ? from : meet(from, best);
      if (dominator[*block] != best) {
        dominator[*block] = best;
        changed = true;
      }
    }
  }
  return dominator;
}

bool dominates(const std::vector<uint32_t> &dominator, uint32_t a, uint32_t b) {
  while (b != a && dominator[b] != b && dominator[b] != none)
    b = dominator[b];
  return a == b;
}

struct Loop {
  uint32_t header;
  std::vector<bool> blocks;
};

/// Natural loops, those with one header merged.
std::vector<Loop> findLoops(const Graph &graph) {
  std::vector<uint32_t> dominator =
      immediateDominators(graph.successors, graph.predecessors, 0);
  std::vector<Loop> loops;
  for (uint32_t tail = 0; tail < graph.exit(); ++tail) {
    if (dominator[tail] == none)
      continue;
    for (uint32_t header : graph.successors[tail]) {
      if (!dominates(dominator, header, tail))
        continue;
      auto known = std::find_if(loops.begin(), loops.end(), [&](Loop &loop) {
        return loop.header == header;
      });
      if (known == loops.end()) {
        loops.push_back({header, std::vector<bool>(graph.first.size(), false)});
        known = loops.end() - 1;
        known->blocks[header] = true;
      }
      std::vector<uint32_t> work = {tail};
      while (!work.empty()) {
        uint32_t block = work.back();
        work.pop_back();
        if (known->blocks[block] || dominator[block] == none)
          continue;
        known->blocks[block] = true;
        for (uint32_t from : graph.predecessors[block])
          work.push_back(from);
      }
    }
  }
  return loops;
}

void recordInnermostLoops(KernelImpl &kernel, const Graph &graph) {
  std::vector<Loop> loops = findLoops(graph);
  for (const Loop &loop : loops) {
    bool hasInner = std::any_of(loops.begin(), loops.end(), [&](const Loop &o) {
      return o.header != loop.header && loop.blocks[o.header];
    });
    if (hasInner)
      continue;
    LoopInfo info;
    info.header = graph.first[loop.header];
    for (uint32_t block = 0; block < graph.exit(); ++block)
      if (loop.blocks[block])
        for (uint32_t pc = graph.first[block]; pc < graph.first[block + 1];
             ++pc)
          info.instructions.push_back(pc);
    kernel.loops.push_back(std::move(info));
  }
}

} // namespace

void nm::emulator::analyseControlFlow(KernelImpl &kernel) {
  Graph graph = buildGraph(kernel);
  std::vector<uint32_t> postDominator =
      immediateDominators(graph.predecessors, graph.successors, graph.exit());
  for (uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    Instruction &instruction = kernel.code[pc];
    if (instruction.kind != Kind::Branch &&
        instruction.kind != Kind::BranchTable)
      continue;
    uint32_t meeting = postDominator[graph.blockOf[pc]];
    // Paths that only meet at the end, or never end, stay apart.
    if (meeting != none && meeting != graph.exit())
      instruction.reconvergence = graph.first[meeting];
  }
  recordInnermostLoops(kernel, graph);
}

//===- WeightSource.cpp - From an operand back to its constants -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/WeightSource.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace nm;

unsigned WeightSource::append(const WeightSource &other) {
  unsigned firstLeaf = leaves.size(), firstNode = nodes.size();
  llvm::append_range(leaves, other.leaves);
  llvm::append_range(evaluated, other.evaluated);
  for (Node node : other.nodes) {
    if (node.leaf)
      *node.leaf += firstLeaf;
    for (unsigned &operand : node.operands)
      operand += firstNode;
    nodes.push_back(std::move(node));
  }
  return nodes.size() - 1;
}

void WeightSource::permute(ArrayRef<std::optional<unsigned>> from,
                           ArrayRef<int64_t> newShape) {
  for (Leaf &leaf : leaves)
    leaf.view.permute(from, newShape);
  setShape(newShape);
}

const WeightSource::Leaf &WeightSource::getMainLeaf() const {
  return *llvm::max_element(leaves, [](const Leaf &a, const Leaf &b) {
    return a.elements.getNumElements() < b.elements.getNumElements();
  });
}

SmallVector<StringRef> WeightSource::getOpNames() const {
  SmallVector<StringRef> names(evaluated.begin(), evaluated.end());
  for (const Node &node : nodes)
    if (node.op)
      names.push_back(node.op->getName().getStringRef());
  return names;
}

bool WeightSource::dropCastsFrom(Type type) {
  // A zero point of 0, as linalg.quantized_matmul has one, changes nothing.
  auto isNoShift = [&](const Node &node) {
    if (!isa_and_nonnull<arith::SubIOp>(node.op))
      return false;
    const Node &shift = nodes[node.operands[1]];
    return !shift.leaf && !shift.op && shift.literal.integer() == 0;
  };
  unsigned last = nodes.size() - 1;
  do {
    const Node &node = nodes[last];
    if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(node.op) &&
        !isNoShift(node))
      return false;
    last = node.operands[0];
  } while (nodes[last].type != type);
  // The nodes between serve nothing else.
  nodes.truncate(last + 1);
  return true;
}

bool WeightSource::isBroadcast(unsigned dim) const {
  return llvm::all_of(
      leaves, [&](const Leaf &leaf) { return leaf.view.isBroadcast(dim); });
}

bool WeightSource::hasNoBroadcast(unsigned dim) const {
  return llvm::any_of(
      leaves, [&](const Leaf &leaf) { return leaf.view.hasNoBroadcast(dim); });
}

bool WeightSource::isSplat() const {
  return llvm::all_of(leaves, [](const Leaf &leaf) {
    return isa<SplatElementsAttr>(leaf.elements);
  });
}

void WeightSource::setSize(unsigned dim, int64_t size) {
  for (Leaf &leaf : leaves)
    leaf.view.setBroadcastSize(dim, size);
  shape[dim] = size;
}

int64_t WeightSource::countChoices() const {
  int64_t count = 1;
  for (const Leaf &leaf : leaves) {
    int64_t own = leaf.view.countChoices();
    if (own == 1 || own == count)
      continue;
    if (count != 1)
      return 0;
    count = own;
  }
  return count;
}

void WeightSource::choose(int64_t index) {
  for (Leaf &leaf : leaves)
    leaf.view.choose(index);
}

void WeightSource::fix(unsigned dim, int64_t index) {
  for (Leaf &leaf : leaves)
    leaf.view.fix(dim, index);
  shape[dim] = 1;
}

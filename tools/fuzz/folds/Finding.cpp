//===- Finding.cpp - What went wrong, and whose fault it is ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finding.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nm::folds;

std::string Finding::getSignature() const {
  return mode + ": " + kind + ": " +
         (blame.empty() ? llvm::join(ops, ", ") : blame);
}

llvm::json::Value Finding::toJSON() const {
  return llvm::json::Object{{"seed", static_cast<int64_t>(seed)},
                            {"mode", mode},
                            {"kind", kind},
                            {"detail", llvm::json::fixUTF8(detail)},
                            {"before", before},
                            {"after", llvm::json::fixUTF8(after)},
                            {"blame", blame},
                            {"ops", llvm::join(ops, ",")}};
}

Finding Finding::fromJSON(const llvm::json::Object &object) {
  auto text = [&](llvm::StringRef name) {
    return object.getString(name).value_or("").str();
  };
  Finding finding;
  finding.seed = object.getInteger("seed").value_or(0);
  finding.mode = text("mode");
  finding.kind = text("kind");
  finding.detail = text("detail");
  finding.before = text("before");
  finding.after = text("after");
  finding.blame = text("blame");
  llvm::SmallVector<llvm::StringRef> names;
  std::string ops = text("ops");
  llvm::StringRef(ops).split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names)
    finding.ops.push_back(name.str());
  return finding;
}

static bool matches(const Fault &fault, const Finding &finding) {
  if (finding.mode == kNMMode)
    return false;
  if ((!fault.mode.empty() && fault.mode != finding.mode) ||
      !llvm::is_contained(fault.kinds, finding.kind))
    return false;
  std::string ops = llvm::join(finding.ops, ", ");
  if (llvm::any_of(fault.ops, [&](llvm::StringRef op) {
        return llvm::is_contained(finding.ops, op);
      }))
    return true;
  return llvm::any_of(fault.marks, [&](llvm::StringRef mark) {
    return ops == mark || llvm::StringRef(finding.blame).contains(mark) ||
           llvm::StringRef(finding.detail).contains(mark);
  });
}

const Fault *nm::folds::findKnownFault(const Finding &finding) {
  for (const Fault &fault : getKnownFaults())
    if (matches(fault, finding))
      return &fault;
  return nullptr;
}

std::string nm::folds::shortenPattern(llvm::StringRef pattern) {
  std::string name;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.substr(i).consume_front("(anonymous namespace)::"))
      i += 22;
    else if (pattern.substr(i).starts_with("mlir::"))
      i += 5;
    else
      name += pattern[i];
  }
  return name;
}

/// The patterns without one of which the function does not fail, or what is
/// folded.
static std::string findBlame(ModuleOp smallest, const Checker &checker) {
  Trace trace = traceCanonicalize(smallest);
  std::vector<std::string> needed;
  for (const std::string &pattern : trace.patterns) {
    Mode without = makeCanonicalizeWithout(smallest.getContext(), pattern);
    if (checker.check(without).kind == Kind::Sound)
      needed.push_back(shortenPattern(pattern));
  }
  if (!needed.empty())
    return llvm::join(needed, ", ");
  if (!trace.unnamed.empty())
    return llvm::join(trace.unnamed, ", ");
  if (!trace.folded.empty())
    return "fold of " + llvm::join(trace.folded, ", ");
  return "";
}

Finding nm::folds::describe(ModuleOp smallest, uint64_t seed, const Mode &mode,
                            const Outcome &outcome) {
  Finding finding;
  finding.seed = seed;
  finding.mode = mode.name.str();
  finding.kind = toString(outcome.kind).str();
  finding.detail = outcome.detail;
  finding.after = outcome.after;
  llvm::raw_string_ostream(finding.before) << smallest;
  Names ops;
  getFunction(smallest).getBody().walk([&](Operation *op) {
    if (!op->hasTrait<OpTrait::ConstantLike>() &&
        !op->hasTrait<OpTrait::IsTerminator>())
      ops.insert(op->getName().getStringRef().str());
  });
  finding.ops.assign(ops.begin(), ops.end());
  llvm::sort(finding.ops);
  // A crash would take along who asks.
  if (mode.name == "canonicalize" && outcome.kind != Kind::Crash &&
      outcome.kind != Kind::Hang)
    finding.blame =
        findBlame(smallest, Checker(smallest, /*seed=*/1, /*inputs=*/48));
  return finding;
}

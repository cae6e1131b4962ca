//===- Checker.cpp - Compares a function before and after passes ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Random.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace nm::folds;

/// Ops that a function may execute; one that was changed, some more.
static constexpr unsigned kMostOps = 3000;
static constexpr unsigned kMostOpsAfter = 100000;

llvm::StringRef nm::folds::toString(Kind kind) {
  switch (kind) {
  case Kind::Sound:
    return "sound";
  case Kind::Wrong:
    return "wrong";
  case Kind::Invalid:
    return "invalid";
  case Kind::InvalidUndefined:
    return "invalid, and undefined before";
  case Kind::Refused:
    return "refused";
  case Kind::Crash:
    return "crash";
  case Kind::Hang:
    return "hang";
  }
  llvm_unreachable("no kind");
}

func::FuncOp nm::folds::getFunction(ModuleOp module) {
  return *module.getOps<func::FuncOp>().begin();
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().useLocalScope().assumeVerified());
  return text;
}

static void count(Counts &counts, Status status) {
  ++counts.runs;
  counts.defined += status == Status::Defined;
  counts.undefined += status == Status::Undefined;
  counts.tooLong += status == Status::TooLong;
  counts.unknown += status == Status::Unknown;
}

Checker::Checker(ModuleOp module, uint64_t seed, unsigned inputs,
                 Counts *counts)
    : module(module), counts(counts) {
  func::FuncOp function = getFunction(module);
  Random random(seed);
  for (unsigned i = 0; i < inputs; ++i) {
    Run run;
    run.arguments = random.arguments(function.getArgumentTypes());
    Interpreter interpreter(kMostOps);
    run.results = interpreter.run(function, run.arguments);
    if (counts)
      count(*counts, interpreter.getStatus());
    if (interpreter.getStatus() == Status::Defined)
      runs.push_back(std::move(run));
  }
}

static std::string printAll(llvm::ArrayRef<Datum> data, TypeRange types) {
  std::string text;
  for (auto [datum, type] : llvm::zip_equal(data, types))
    text += (text.empty() ? "" : ", ") + nm::folds::toString(datum, type);
  return text;
}

Outcome Checker::compare(func::FuncOp changed) const {
  TypeRange types = changed.getResultTypes();
  for (const Run &run : runs) {
    Interpreter interpreter(kMostOpsAfter);
    Data results = interpreter.run(changed, run.arguments);
    if (interpreter.getStatus() == Status::Unknown) {
      if (counts)
        ++counts->unknown;
      continue;
    }
    bool isDefined = interpreter.getStatus() == Status::Defined;
    if (isDefined && llvm::all_of(llvm::zip_equal(run.results, results, types),
                                  [](auto three) {
                                    auto [expected, got, type] = three;
                                    return isRefinement(expected, got, type);
                                  }))
      continue;
    return {Kind::Wrong,
            "f(" + printAll(run.arguments, changed.getArgumentTypes()) +
                ") is " + printAll(run.results, types) + ", got " +
                (isDefined ? printAll(results, types)
                           : "none: " + interpreter.getReason()),
            ""};
  }
  return {};
}

Outcome Checker::applyTo(ModuleOp copy, const Mode &mode) const {
  Outcome outcome;
  ScopedDiagnosticHandler handler(copy.getContext(), [&](Diagnostic &error) {
    if (error.getSeverity() == DiagnosticSeverity::Error &&
        outcome.detail.empty())
      outcome.detail = error.str();
    return success();
  });
  mode.apply(copy);
  bool isRefused = !outcome.detail.empty();
  bool isInvalid = failed(verify(copy));
  // What has no meaning for any argument, such as a cast to other extents, may
  // well become what does not verify.
  if (!runs.empty() && (isInvalid || isRefused))
    outcome.kind = isInvalid ? Kind::Invalid : Kind::Refused;
  else if (isInvalid)
    outcome.kind = Kind::InvalidUndefined;
  return outcome;
}

Outcome Checker::check(const Mode &mode) const {
  OwningOpRef<ModuleOp> copy = ModuleOp(module).clone();
  Outcome outcome = applyTo(*copy, mode);
  if (counts && !OperationEquivalence::isEquivalentTo(
                    module, *copy, OperationEquivalence::IgnoreLocations))
    ++counts->changed;
  if (outcome.kind == Kind::Sound)
    outcome = compare(getFunction(*copy));
  if (outcome.kind == Kind::InvalidUndefined) {
    if (counts)
      ++counts->invalidUndefined;
    return {};
  }
  if (outcome.kind != Kind::Sound)
    outcome.after = print(*copy);
  return outcome;
}

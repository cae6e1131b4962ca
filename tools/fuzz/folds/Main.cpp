//===- Main.cpp - Looks for wrong folds of MLIR ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Generator.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

#include <map>

using namespace mlir;
using namespace nm::folds;
namespace cl = llvm::cl;

static cl::opt<std::string>
    input(cl::Positional, cl::desc("[a module, each function of which is "
                                   "checked instead of random ones]"));
static cl::opt<uint64_t> seed("seed", cl::init(1),
                              cl::desc("Number of the first function"));
static cl::opt<uint64_t> functions("count", cl::init(1000),
                                   cl::desc("Functions to try"));
static cl::list<std::string> modeNames(
    "mode", cl::CommaSeparated,
    cl::desc("Only these: canonicalize, cse, sccp, nm-canonicalize, ..."));
static cl::list<std::string>
    themeNames("only", cl::CommaSeparated,
               cl::desc("Only functions about these: integer, index, float, "
                        "control, tensor, slice, linalg"));
static cl::opt<unsigned>
    inputs("inputs", cl::init(12),
           cl::desc("Random arguments that each function is run with"));
static cl::list<std::string>
    forgotten("forget", cl::CommaSeparated,
              cl::desc("Known faults that are to count as new ones"));
static cl::opt<bool> show("show", cl::desc("Print the functions, and do not "
                                           "check them"));

[[noreturn]] static void fail(const llvm::Twine &text) {
  llvm::errs() << "nm-fuzz-folds: " << text << "\n";
  exit(2);
}

static std::vector<Mode> chooseModes(MLIRContext *context) {
  std::vector<Mode> all = makeModes(context);
  if (modeNames.empty())
    return all;
  std::vector<Mode> chosen;
  for (const std::string &name : modeNames) {
    auto mode =
        llvm::find_if(all, [&](const Mode &m) { return m.name == name; });
    if (mode == all.end())
      fail("no mode " + name);
    chosen.push_back(*mode);
  }
  return chosen;
}

static std::vector<Theme> chooseThemes() {
  std::vector<Theme> themes;
  for (auto [number, name] : llvm::enumerate(getThemeNames()))
    if (themeNames.empty() || llvm::is_contained(themeNames, name))
      themes.push_back(static_cast<Theme>(number));
  if (themes.empty() ||
      (!themeNames.empty() && themes.size() != themeNames.size()))
    fail("no such theme in --only");
  return themes;
}

/// A module with nothing but the function number `index` of another.
static OwningOpRef<ModuleOp> pickFunction(ModuleOp all, uint64_t index) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(all.getLoc());
  auto function = *std::next(all.getOps<func::FuncOp>().begin(), index);
  module->push_back(function->clone());
  return module;
}

namespace {

/// Findings that look like one fault.
struct Group {
  uint64_t count = 0, firstSeed = 0;
  Finding smallest;
};

/// What was found, by the id of a known fault or by signature.
class Report {
public:
  void add(const Finding &finding) {
    const Fault *fault = findKnownFault(finding);
    if (fault && llvm::is_contained(forgotten, fault->id))
      fault = nullptr;
    Group &group =
        fault ? known[fault->id.str()] : unknown[finding.getSignature()];
    if (group.count++ == 0)
      group.firstSeed = finding.seed;
    if (group.count == 1 ||
        finding.before.size() < group.smallest.before.size())
      group.smallest = finding;
  }

  void print() const {
    for (const auto &[id, group] : known)
      printGroup("known: " + id + " (" + getIssue(id) + ")", group);
    for (const auto &[signature, group] : unknown)
      printGroup("NEW: " + signature, group);
  }

  size_t countNew() const { return unknown.size(); }

private:
  static std::string getIssue(llvm::StringRef id) {
    for (const Fault &fault : getKnownFaults())
      if (fault.id == id)
        return fault.issue.str();
    return "";
  }

  static void printGroup(const llvm::Twine &title, const Group &group) {
    const Finding &finding = group.smallest;
    llvm::outs() << "=== " << title << "\n"
                 << group.count << " times, first with seed " << group.firstSeed
                 << "; smallest with seed " << finding.seed << ": "
                 << finding.mode << ", " << finding.kind
                 << (finding.blame.empty() ? "" : ", ") << finding.blame << "\n"
                 << finding.detail << "\n--- before\n"
                 << finding.before << "--- after\n"
                 << finding.after << "\n";
  }

  std::map<std::string, Group> known, unknown;
};

} // namespace

static OwningOpRef<ModuleOp> parseInput(MLIRContext *context) {
  auto module = parseSourceFile<ModuleOp>(input, ParserConfig(context));
  if (!module)
    fail("cannot read " + input);
  seed = 0;
  functions = std::distance(module->getOps<func::FuncOp>().begin(),
                            module->getOps<func::FuncOp>().end());
  return module;
}

static int showFunctions(const Source &source) {
  for (uint64_t index = seed; index < seed + functions; ++index) {
    OwningOpRef<ModuleOp> module = source(index);
    llvm::outs() << "// seed " << index << "\n" << *module << "\n";
    if (failed(verify(*module)))
      return 2;
  }
  return 0;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(
      argc, argv,
      "Looks for wrong folds of MLIR: interprets small functions before and "
      "after passes.\n\nExample: nm-fuzz-folds --seed=1 --count=10000 "
      "--only=index --mode=canonicalize\n");
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::vector<Theme> themes = chooseThemes();
  OwningOpRef<ModuleOp> given;
  if (!input.empty())
    given = parseInput(&context);
  auto source = [&](uint64_t index) {
    return given ? pickFunction(*given, index)
                 : Generator(&context, index).generate(themes);
  };
  if (show)
    return showFunctions(source);

  Campaign campaign(chooseModes(&context), source, inputs);
  Report report;
  campaign.run(seed, functions, [&](const Finding &f) { report.add(f); });
  report.print();
  const Counts &counts = campaign.getCounts();
  llvm::outs() << counts.functions << " functions, changed " << counts.changed
               << " times; " << counts.runs << " runs: " << counts.defined
               << " defined, " << counts.undefined << " undefined, "
               << counts.tooLong << " too long, " << counts.unknown
               << " unknown; " << counts.invalidUndefined
               << " invalid, but undefined before; " << report.countNew()
               << " new faults\n";
  return report.countNew() ? 1 : 0;
}

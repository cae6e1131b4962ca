//===- Syntax.h - Parsed PTX ------------------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser hands to the decoder: declarations with resolved sizes, and
// instructions whose registers are numbers but whose opcodes are still text.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_SYNTAX_H
#define NM_LIB_EMULATOR_SYNTAX_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nm {
namespace emulator {

enum class Space : uint8_t {
  Generic,
  Global,
  Shared,
  SharedCluster, ///< Shared memory of any block of the cluster.
  Local,
  Param,
  Const
};

/// "global", "shared", ...
const char *spaceName(Space space);

/// Size in bytes of a fundamental type named as in PTX without the dot ("u32",
/// "f16x2", "b128"); 0 when there is no such type. A predicate has 1.
unsigned typeSize(std::string_view type);

/// A variable, in any space.
struct Variable {
  std::string_view name;
  Space space = Space::Global;
  uint64_t alignment = 1;
  uint64_t size = 0;
  bool isExternShared = false; ///< `.extern .shared x[]`.
  /// Within its space; for `.shared` variables the decoder lays out those that
  /// a kernel names.
  uint64_t offset = 0;
  std::vector<uint8_t> initialiser; ///< Empty: zeros.
  unsigned line = 0;
};

struct Operand {
  enum Kind {
    Register, ///< `index`, perhaps `negated`
    Special,  ///< `name`, such as "%tid.x"
    Integer,  ///< `bits`
    Float,    ///< `bits`, `isSingle`
    Symbol,   ///< `variable`, plus `offset`
    Label,    ///< `index` of the instruction; a bare name that is no variable
    Address,  ///< elements[0] (Register, Symbol or Integer) plus `offset`;
              ///< elements[1], if there, are coordinates (Vector)
    Vector,   ///< `elements`
    Pair,     ///< `elements`, written a|b
    Sink      ///< `_`
  };

  Kind kind = Sink;
  bool negated = false; ///< Written with a `!`.
  bool isSingle = false;
  uint32_t index = 0;
  uint64_t bits = 0;
  int64_t offset = 0;
  const Variable *variable = nullptr;
  std::string_view name;
  std::vector<Operand> elements;
};

struct ParsedInstruction {
  unsigned line = 0;
  std::string_view text;   ///< From the guard to before the semicolon.
  std::string_view opcode; ///< With its modifiers.
  bool hasGuard = false;
  bool guardNegated = false;
  uint32_t guard = 0; ///< Register number.
  std::vector<Operand> operands;
};

struct ParsedKernel {
  std::string_view name;
  unsigned line = 0;
  std::vector<const Variable *> parameters; ///< `offset` within the space.
  uint64_t parameterBytes = 0;
  uint32_t maxBlock[3] = {0, 0, 0};        ///< .maxntid, 0: none.
  uint32_t requiredBlock[3] = {0, 0, 0};   ///< .reqntid, 0: none.
  uint32_t requiredCluster[3] = {0, 0, 0}; ///< .reqnctapercluster, 0: none.
  uint32_t maxCluster = 0;                 ///< .maxclusterrank, 0: none.
  bool isExplicitCluster = false;          ///< .explicitcluster
  uint32_t maxRegisters = 0;               ///< .maxnreg, 0: none.
  uint32_t minBlocks = 0;                  ///< .minnctapersm, 0: none.
  /// Size in bytes of each register that the body names, by number; 0 for a
  /// predicate.
  std::vector<uint8_t> registerSizes;
  std::vector<ParsedInstruction> instructions;
  uint64_t localBytes = 0;
  /// Targets of each `.branchtargets` list, by its label.
  std::map<std::string_view, std::vector<uint32_t>> branchTables;
};

struct ParsedModule {
  std::string text; ///< What all views refer to.
  std::vector<std::unique_ptr<Variable>> variables;
  std::vector<ParsedKernel> kernels;
  /// `.global` and `.const` variables; offsets within one block of memory.
  std::vector<const Variable *> global;
  uint64_t globalBytes = 0;
  uint64_t constBytes = 0; ///< Of `globalBytes`, without alignment.
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_SYNTAX_H

//===- Program.h - A compiled module that needs no compiler -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `nm-compile --emit=program` makes and the runtime loads: kernels as PTX
// and machine code, constants, and host code as instructions of a register
// machine. Nothing here depends on LLVM, a device, or the machine.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PROGRAM_PROGRAM_H
#define NM_PROGRAM_PROGRAM_H

#include "nm/Numbers/ValueType.h"
#include "nm/Program/WeightArgument.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nm {
namespace program {

/// In the order of Opcodes.def.
enum class Opcode : uint32_t {
#define NM_OPCODE(id, operands) id,
#include "nm/Program/Opcodes.def"
};

/// A row of Opcodes.def.
struct OpcodeInfo {
  std::string_view name;
  std::string_view operands;
  bool isTerminator;
};

/// Null for a number that is no opcode.
const OpcodeInfo *lookupOpcode(uint32_t opcode);

/// Host code. Its frame has two kinds of places, numbers and buffers. Numbers
/// begin with `constants`, then come those of the parameters; buffers begin
/// with the parameters.
struct Function {
  std::string name;
  std::vector<int64_t> constants;
  uint32_t numberParameters = 0;
  uint32_t bufferParameters = 0;
  uint32_t numberResults = 0;
  uint32_t bufferResults = 0;
  /// All places of the frame, constants and parameters included.
  uint32_t numbers = 0;
  uint32_t buffers = 0;
  std::vector<uint32_t> code;
};

/// What a kernel takes as a parameter.
struct Parameter {
  bool isBuffer = false;
  /// Bytes of a number: 1, 2, 4, 8 or, of two places, 16; of a tensor map, of
  /// sixteen places, 128.
  uint32_t bytes = 8;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  /// Blocks of a cluster along x, y and z; 0 for a kernel without.
  uint32_t cluster[3] = {0, 0, 0};
  /// It waits for the kernels before it itself, and may be launched early.
  bool isDependent = false;
};

enum class ImageKind : uint32_t { PTX, Cubin };

/// All kernels, for a chip: PTX runs on chips of at least its number, unless
/// the name ends in a letter; such PTX and machine code run on that chip (and
/// machine code on later ones of its generation).
struct Image {
  ImageKind kind = ImageKind::PTX;
  std::string chip;
  std::string bytes;
};

enum class ConstantKind : uint32_t {
  Constant, ///< What functions read.
  State,    ///< What functions write: these are its values after preparation.
  Initial   ///< What state of the caller begins with; no function sees it.
};

struct Constant {
  std::string name;
  ElementType element = ElementType::F32;
  std::vector<int64_t> extents;
  ConstantKind kind = ConstantKind::Constant;
  /// Row-major, little-endian. Belongs to someone else: the compiler's module,
  /// or the mapped file.
  std::string_view data;
};

/// Who provides the memory of a result.
enum class ResultPlace : uint32_t {
  Given,    ///< The caller, of the extents that the plan says.
  Allocated ///< The call, since the extents depend on data.
};

struct Result {
  ValueType type;
  ResultPlace place = ResultPlace::Given;
};

/// A public function. Its two functions take the numbers among the arguments
/// and the dynamic extents of arrays, in the order of the arguments; and as
/// buffers the arrays, in order.
struct Entry {
  std::string name;
  std::vector<ValueType> arguments;
  std::vector<Result> results;
  /// Names for people and for Python: as many as arguments and results, or
  /// none.
  std::vector<std::string> argumentNames, resultNames;
  /// As many leading arguments and results are state that the caller keeps: the
  /// constants that they begin with.
  std::vector<uint32_t> initialState;
  std::vector<WeightArgument> weights;
  /// Returns the dynamic extents of results that are `Given`, in order, numbers
  /// that only `run` understands, and the bytes of the workspace.
  uint32_t plan = 0;
  /// Takes, after the numbers among the arguments, what `plan` returned; after
  /// the arrays, those of results that are `Given`, in order, and the
  /// workspace. Returns the numbers among the results and, for each array that
  /// is `Allocated`, its buffer and its dynamic extents.
  uint32_t run = 0;
};

struct Program {
  /// Of the compiler: "0.1.0", and of its LLVM.
  std::string version, llvmVersion;
  /// What it was made from, and for which chip.
  std::string source, chip;
  /// What was done with each product and kernel, as JSON (docs/Report.md).
  std::string report;
  std::vector<Image> images;
  std::vector<Constant> constants;
  std::vector<Kernel> kernels;
  std::vector<std::string> texts;
  std::vector<Function> functions;
  std::vector<Entry> entries;
};

/// Checks that the code only names what there is: places within frames,
/// instructions, tables, and calls and launches with what their callee takes.
/// After that, running the code reads and writes nothing outside of its frame
/// and its buffers. Returns false and says what is wrong where.
bool verify(const Program &program, std::string &error);

/// The number of the entry `name`, or of the only one if it is empty; nothing,
/// and in `error` which there are, if there is none.
std::optional<uint32_t> findEntry(const Program &program, std::string_view name,
                                  std::string &error);

/// What the code of a function does besides computing and launching.
struct Uses {
  /// Reads numbers of the device, for which it waits.
  bool loads = false;
  bool allocates = false;
  /// The functions that it calls.
  std::vector<uint32_t> callees;
};

/// Of a function that was verified.
Uses findUses(const Function &function);

/// The code of a function as text, an instruction a line.
std::string disassemble(const Program &program, const Function &function);

} // namespace program
} // namespace nm

#endif // NM_PROGRAM_PROGRAM_H

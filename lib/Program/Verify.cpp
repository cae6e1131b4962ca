//===- Verify.cpp - Code that only names what there is --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"

#include <set>

using namespace nm;
using namespace nm::program;

/// More places than any model needs, and few enough that a frame of as many can
/// be had.
static constexpr uint32_t kMostPlaces = 1u << 24;

static std::string str(uint64_t value) { return std::to_string(value); }

bool nm::program::readInstruction(const std::vector<uint32_t> &code,
                                  size_t begin, Instruction &instruction) {
  if (begin >= code.size())
    return false;
  instruction.info = lookupOpcode(code[begin]);
  if (!instruction.info)
    return false;
  instruction.opcode = static_cast<Opcode>(code[begin]);
  instruction.begin = begin;
  instruction.operands.clear();
  instruction.counts.clear();
  size_t place = begin + 1;
  for (char kind : instruction.info->operands) {
    if (place >= code.size())
      return false;
    if (kind >= 'a') {
      instruction.operands.push_back({kind, code[place++]});
      continue;
    }
    uint32_t count = code[place++];
    if (count > code.size() - place)
      return false;
    instruction.counts.push_back(count);
    char member = static_cast<char>(kind - 'A' + 'a');
    for (uint32_t i = 0; i < count; ++i)
      instruction.operands.push_back({member, code[place++]});
  }
  instruction.end = place;
  return true;
}

namespace {

/// Checks one program; the first thing that is wrong ends it.
class Verifier {
public:
  explicit Verifier(const Program &program, std::string &error)
      : program(program), error(error) {}

  bool run();

private:
  bool fail(const std::string &message) {
    error = message;
    return false;
  }
  bool checkConstants();
  bool checkKernels();
  bool checkFunction(size_t index);
  bool checkCode(const Function &function, size_t index);
  bool checkOperand(const Function &function, size_t index,
                    const Operand &operand);
  bool checkNumbers(const Instruction &instruction);
  bool checkReturn(const Function &function, const Instruction &instruction);
  bool checkCall(const Instruction &instruction);
  bool checkLaunch(const Function &function, const Instruction &instruction);
  bool checkEntry(const Entry &entry);

  const Program &program;
  std::string &error;
  /// Of the function at hand.
  std::set<size_t> starts;
  std::vector<size_t> labels;
};

} // namespace

bool Verifier::checkConstants() {
  std::set<std::string_view> names;
  for (const Constant &constant : program.constants) {
    if (constant.name.empty() || constant.name.rfind("nm.", 0) == 0 ||
        constant.name == "__metadata__" || !names.insert(constant.name).second)
      return fail("expected constants with names of their own, none of which "
                  "begins with `nm.`, got `" +
                  constant.name + "`");
    std::optional<int64_t> bytes =
        countElements(constant.extents, sizeOf(constant.element));
    if (!bytes || uint64_t(*bytes) != constant.data.size())
      return fail("constant `" + constant.name + "`: expected " +
                  toString(constant.extents, constant.element) + ", got " +
                  str(constant.data.size()) + " bytes");
  }
  return true;
}

bool Verifier::checkKernels() {
  if (!program.kernels.empty() && program.images.empty())
    return fail("expected an image with the kernels, got none");
  for (const Image &image : program.images)
    if (image.chip.empty() || image.bytes.empty())
      return fail("expected images with a chip and a text, got an empty one");
  for (const Kernel &kernel : program.kernels) {
    for (const Parameter &parameter : kernel.parameters) {
      uint32_t bytes = parameter.bytes;
      bool known = parameter.isBuffer
                       ? bytes == 8
                       : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ||
                             bytes == 16;
      if (!known)
        return fail("kernel `" + kernel.name +
                    "`: expected parameters of 1, 2, 4, 8 or 16 bytes, got " +
                    str(bytes));
    }
    uint64_t blocks = 1;
    for (uint32_t extent : kernel.cluster)
      blocks *= extent;
    bool none = !kernel.cluster[0] && !kernel.cluster[1] && !kernel.cluster[2];
    for (uint32_t extent : kernel.cluster)
      if (!none && (extent == 0 || extent > 16))
        blocks = 0;
    if (!none && (blocks == 0 || blocks > 16))
      return fail("kernel `" + kernel.name +
                  "`: expected a cluster of 1 to 16 blocks");
  }
  return true;
}

bool Verifier::checkOperand(const Function &function, size_t index,
                            const Operand &operand) {
  auto within = [&](const char *what, uint64_t first, uint64_t end) {
    if (operand.word >= first && operand.word < end)
      return true;
    return fail(std::string("expected ") + what + " from " + str(first) +
                " to below " + str(end) + ", got " + str(operand.word));
  };
  switch (operand.kind) {
  case 'o': // constants stay what they are
    return within("a number to write", function.constants.size(),
                  function.numbers);
  case 'i':
    return within("a number", 0, function.numbers);
  case 'w':
  case 'b':
    return within("a buffer", 0, function.buffers);
  case 's':
    return within("a text", 0, program.texts.size());
  case 'k':
    return within("a kernel", 0, program.kernels.size());
  case 'c':
    return within("a constant", 0, program.constants.size());
  case 'f':
    return within("a function before this one", 0, index);
  case 'l':
    labels.push_back(operand.word);
    return true;
  default: // a plain number
    return true;
  }
}

/// The plain numbers, whose range depends on the instruction.
bool Verifier::checkNumbers(const Instruction &instruction) {
  uint32_t least = 0, most = 0;
  switch (instruction.opcode) {
  case Opcode::ZeroExtend:
  case Opcode::SignExtend:
    least = 1;
    most = 63;
    break;
  case Opcode::CmpF32:
  case Opcode::CmpF64:
    most = 15;
    break;
  case Opcode::Load:
    least = 1;
    most = 8;
    break;
  default:
    return true;
  }
  uint32_t value = instruction.operands.back().word;
  bool isPowerOf2 = (value & (value - 1)) == 0;
  if (value >= least && value <= most &&
      (isPowerOf2 || instruction.opcode != Opcode::Load))
    return true;
  return fail("expected a number from " + str(least) + " to " + str(most) +
              ", got " + str(value));
}

bool Verifier::checkReturn(const Function &function,
                           const Instruction &instruction) {
  if (instruction.counts[0] == function.numberResults &&
      instruction.counts[1] == function.bufferResults)
    return true;
  return fail("expected " + str(function.numberResults) + " numbers and " +
              str(function.bufferResults) + " buffers, got " +
              str(instruction.counts[0]) + " and " +
              str(instruction.counts[1]));
}

bool Verifier::checkCall(const Instruction &instruction) {
  const Function &callee = program.functions[instruction.operands.front().word];
  const std::vector<uint32_t> &counts = instruction.counts;
  if (counts[0] == callee.numberParameters &&
      counts[1] == callee.bufferParameters &&
      counts[2] == callee.numberResults && counts[3] == callee.bufferResults)
    return true;
  return fail("expected what `" + callee.name + "` takes and gives");
}

bool Verifier::checkLaunch(const Function &function,
                           const Instruction &instruction) {
  const Kernel &kernel = program.kernels[instruction.operands.front().word];
  size_t numbers = 0, buffers = 0;
  // Kernel, text, grid, block and shared bytes come first.
  constexpr size_t first = 9;
  for (const Parameter &parameter : kernel.parameters) {
    if (parameter.isBuffer) {
      ++buffers;
      continue;
    }
    if (parameter.bytes == 16 && numbers < instruction.counts[0] &&
        uint64_t(instruction.operands[first + numbers].word) + 1 >=
            function.numbers)
      return fail("expected two places for a parameter of 16 bytes");
    ++numbers;
  }
  if (numbers == instruction.counts[0] && buffers == instruction.counts[1])
    return true;
  return fail("expected what kernel `" + kernel.name + "` takes, " +
              str(numbers) + " numbers and " + str(buffers) + " buffers, got " +
              str(instruction.counts[0]) + " and " +
              str(instruction.counts[1]));
}

bool Verifier::checkCode(const Function &function, size_t index) {
  starts.clear();
  labels.clear();
  Instruction instruction;
  bool ends = false;
  for (size_t place = 0; place < function.code.size();
       place = instruction.end) {
    auto where = [&] { return "instruction at " + str(place) + ": "; };
    if (!readInstruction(function.code, place, instruction))
      return fail(where() + "expected an instruction, got " +
                  str(function.code[place]));
    starts.insert(place);
    ends = instruction.info->isTerminator;
    bool ok = true;
    for (const Operand &operand : instruction.operands)
      ok = ok && checkOperand(function, index, operand);
    ok = ok && checkNumbers(instruction);
    if (ok && instruction.opcode == Opcode::Return)
      ok = checkReturn(function, instruction);
    if (ok && instruction.opcode == Opcode::Call)
      ok = checkCall(instruction);
    if (ok && instruction.opcode == Opcode::Launch)
      ok = checkLaunch(function, instruction);
    if (!ok)
      return fail(where() + std::string(instruction.info->name) + ": " + error);
  }
  if (!ends)
    return fail("expected code that ends in a branch or a return");
  for (size_t label : labels)
    if (!starts.count(label))
      return fail("expected a label at an instruction, got " + str(label));
  return true;
}

bool Verifier::checkFunction(size_t index) {
  const Function &function = program.functions[index];
  if (function.numbers > kMostPlaces || function.buffers > kMostPlaces)
    return fail("expected at most " + str(kMostPlaces) + " places");
  if (function.constants.size() + uint64_t(function.numberParameters) >
          function.numbers ||
      function.bufferParameters > function.buffers)
    return fail("expected a frame that holds constants and parameters");
  return checkCode(function, index);
}

/// Places of a number of this type.
static uint64_t countPlaces(const ValueType &type) {
  return isComplex(type.element) ? 2 : 1;
}

static uint64_t countDynamic(const ValueType &type) {
  uint64_t count = 0;
  for (int64_t extent : type.shape)
    count += extent == -1;
  return count;
}

bool Verifier::checkEntry(const Entry &entry) {
  if (entry.run >= program.functions.size() ||
      entry.plan >= program.functions.size())
    return fail("expected functions of the program");
  if (!entry.argumentNames.empty() &&
      entry.argumentNames.size() != entry.arguments.size())
    return fail("expected as many names as arguments");
  if (!entry.resultNames.empty() &&
      entry.resultNames.size() != entry.results.size())
    return fail("expected as many names as results");
  if (entry.stateArguments > entry.arguments.size() ||
      entry.stateArguments > entry.results.size())
    return fail("expected state among arguments and results");
  uint64_t numbers = 0, buffers = 0;
  for (const ValueType &type : entry.arguments) {
    numbers += type.isScalar ? countPlaces(type) : countDynamic(type);
    buffers += !type.isScalar;
  }
  uint64_t given = 0, extents = 0, numberResults = 0, bufferResults = 0;
  for (const Result &result : entry.results) {
    if (result.type.isScalar) {
      numberResults += countPlaces(result.type);
    } else if (result.place == ResultPlace::Given) {
      ++given;
      extents += countDynamic(result.type);
    } else {
      ++bufferResults;
      numberResults += countDynamic(result.type);
    }
  }
  const Function &run = program.functions[entry.run];
  const Function &plan = program.functions[entry.plan];
  if (plan.numberParameters != numbers || plan.bufferParameters != buffers ||
      plan.numberResults < extents + 1 || plan.bufferResults != 0)
    return fail("expected `" + plan.name + "` to fit the signature");
  if (run.numberParameters != numbers + plan.numberResults ||
      run.bufferParameters != buffers + given + 1 ||
      run.numberResults != numberResults || run.bufferResults != bufferResults)
    return fail("expected `" + run.name + "` to fit the signature");
  return true;
}

bool Verifier::run() {
  if (!checkConstants() || !checkKernels())
    return false;
  for (size_t i = 0; i < program.functions.size(); ++i)
    if (!checkFunction(i))
      return fail("function `" + program.functions[i].name + "`: " + error);
  std::set<std::string_view> names;
  for (const Entry &entry : program.entries) {
    if (!names.insert(entry.name).second)
      return fail("expected entries with names of their own, got `" +
                  entry.name + "` twice");
    if (!checkEntry(entry))
      return fail("entry `" + entry.name + "`: " + error);
  }
  return true;
}

bool nm::program::verify(const Program &program, std::string &error) {
  return Verifier(program, error).run();
}

//===- Verify.cpp - Code that only names what there is --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"
#include "VerifyTables.h"
#include "nm/Base/TensorMapLimits.h"

#include <algorithm>
#include <set>

using namespace nm;
using namespace nm::program;

/// More places than any model needs, and few enough that a frame of as many can
/// be had.
static constexpr uint32_t kMostPlaces = 1u << 24;

/// Calls within calls: some hundred bytes of stack each, which every thread
/// has, and many more than functions that nm itself makes.
static constexpr uint32_t kMostCalls = 256;

static std::string str(uint64_t value) { return std::to_string(value); }

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
  bool checkFunction(size_t index);
  bool checkCode(const Function &function, size_t index);
  bool checkOperand(const Function &function, size_t index,
                    const Operand &operand);
  bool checkNumbers(const Instruction &instruction);
  bool checkReturn(const Function &function, const Instruction &instruction);
  bool checkCall(const Instruction &instruction);
  bool checkLaunch(const Function &function, const Instruction &instruction);
  bool checkTensorMap(const Instruction &instruction);

  const Program &program;
  std::string &error;
  /// Of the function at hand.
  std::set<size_t> starts;
  std::vector<size_t> labels;
  uint32_t calls = 0;
  /// Of each function: the calls within calls below it.
  std::vector<uint32_t> depths;
};

} // namespace

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
  case 't': {
    constexpr uint64_t kPlaces = kTensorMapBytes / sizeof(int64_t);
    uint64_t end =
        function.numbers - std::min<uint64_t>(function.numbers, kPlaces - 1);
    return within("the first of 16 numbers to write", function.constants.size(),
                  end);
  }
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
    return within("a constant", 0, program.constants.size()) &&
           (program.constants[operand.word].kind != ConstantKind::Initial ||
            fail("expected a constant of the program, got one that state of "
                 "the caller begins with"));
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
  calls = std::max(calls, depths[instruction.operands.front().word] + 1);
  if (calls > kMostCalls)
    return fail("expected calls at most " + str(kMostCalls) + " deep");
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
    uint64_t places = (parameter.bytes + 7) / 8;
    if (numbers < instruction.counts[0] &&
        instruction.operands[first + numbers].word + places > function.numbers)
      return fail("expected " + str(places) + " places for a parameter of " +
                  str(parameter.bytes) + " bytes");
    ++numbers;
  }
  if (numbers == instruction.counts[0] && buffers == instruction.counts[1])
    return true;
  return fail("expected what kernel `" + kernel.name + "` takes, " +
              str(numbers) + " numbers and " + str(buffers) + " buffers, got " +
              str(instruction.counts[0]) + " and " +
              str(instruction.counts[1]));
}

/// The counts of its lists agree; what a device has no map of, it refuses
/// itself.
bool Verifier::checkTensorMap(const Instruction &instruction) {
  uint32_t rank = instruction.counts[0];
  if (rank < 1 || rank > kMostTensorMapDimensions ||
      instruction.counts[1] != rank - 1 || instruction.counts[2] != rank)
    return fail("expected a tensor of 1 to " + str(kMostTensorMapDimensions) +
                " dimensions, with a stride for all but one and an extent of "
                "the box for each, got " +
                str(rank) + ", " + str(instruction.counts[1]) + " and " +
                str(instruction.counts[2]));
  uint32_t element = instruction.operands[3].word;
  uint32_t swizzle = instruction.operands[4].word;
  if (element >= kTensorMapElements || swizzle > kLongestTensorMapSwizzle)
    return fail("expected an element type below " + str(kTensorMapElements) +
                " and a swizzle of at most " + str(kLongestTensorMapSwizzle) +
                ", got " + str(element) + " and " + str(swizzle));
  return true;
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
    if (ok && instruction.opcode == Opcode::EncodeTensorMap)
      ok = checkTensorMap(instruction);
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

bool Verifier::run() {
  for (size_t i = 0; i < program.functions.size(); ++i) {
    calls = 0;
    if (!checkFunction(i))
      return fail("function `" + program.functions[i].name + "`: " + error);
    depths.push_back(calls);
  }
  return true;
}

bool nm::program::verify(const Program &program, std::string &error) {
  return verifyTables(program, error) && Verifier(program, error).run() &&
         verifyEntries(program, error);
}

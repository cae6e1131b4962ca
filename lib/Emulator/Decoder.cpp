//===- Decoder.cpp - Syntax to a decoded kernel: layout and dispatch ------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lays out registers, constants and shared memory, and hands each instruction
// to its family.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Stamp.h"
#include "UsedBytes.h"

#include <algorithm>

using namespace nm::emulator;

/// The most bytes of registers of one warp: a kernel that needs more would not
/// fit the host's memory with 32 warps in flight.
static constexpr uint64_t maxRegisterBytes = 128ull << 20;

Modifiers::Modifiers(std::string_view opcode) {
  while (!opcode.empty()) {
    size_t dot = opcode.find('.');
    parts.push_back(opcode.substr(0, dot));
    opcode = dot == std::string_view::npos ? std::string_view()
                                           : opcode.substr(dot + 1);
  }
  next = 1; // The family itself.
}

bool Modifiers::accept(std::string_view part) {
  if (peek() != part || atEnd())
    return false;
  ++next;
  return true;
}

std::string_view Modifiers::take() {
  return atEnd() ? std::string_view() : parts[next++];
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

bool Decoder::fail(const std::string &message) {
  if (error.empty())
    error = "line " + std::to_string(current ? current->line : syntax.line) +
            ": " + message +
            (current ? " in '" + std::string(current->text.substr(0, 200)) + "'"
                     : "");
  return false;
}

bool Decoder::unsupported() {
  return fail("expected an instruction that the emulator knows, got '" +
              std::string(current->opcode) + "'");
}

bool Decoder::unsupportedModifier(std::string_view modifier) {
  if (modifier.empty())
    return fail("expected another modifier of '" +
                std::string(current->opcode) + "', got none");
  return fail("expected a modifier that the emulator knows, got '." +
              std::string(modifier) + "' of '" + std::string(current->opcode) +
              "'");
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

Decoder::Decoder(const ParsedKernel &syntax)
    : syntax(syntax), kernel(std::make_unique<KernelImpl>()) {}

uint32_t Decoder::allocate(unsigned bytes) {
  uint64_t offset = registerEnd;
  registerEnd += uint64_t(bytes) * warpSize;
  if (registerEnd > maxRegisterBytes) {
    fail("expected at most 128 MiB of registers a warp");
    registerEnd = offset;
  }
  return static_cast<uint32_t>(offset);
}

// Predicates of the kernel, padded to a cache line, then all other registers.
// Constants and special registers are added behind while decoding.
void Decoder::layOutRegisters() {
  for (uint8_t bytes : syntax.registerSizes) {
    registerOffsets.push_back(predicateEnd);
    predicateEnd += bytes == 0 ? 4 : 0;
  }
  registerEnd = (uint64_t(predicateEnd) + 63) & ~63ull;
  for (size_t i = 0; i < registerOffsets.size(); ++i)
    if (syntax.registerSizes[i] != 0)
      registerOffsets[i] = allocate(syntax.registerSizes[i]);
}

static void forEachVariable(const Operand &operand,
                            std::vector<const Variable *> &variables) {
  if (operand.variable)
    variables.push_back(operand.variable);
  for (const Operand &element : operand.elements)
    forEachVariable(element, variables);
}

// The shared variables that the kernel names, in the text's order; then the
// dynamic ones, which all begin at the same place.
bool Decoder::layOutShared() {
  std::vector<const Variable *> variables;
  for (const ParsedInstruction &instruction : syntax.instructions)
    for (const Operand &operand : instruction.operands)
      forEachVariable(operand, variables);
  auto notShared = [](const Variable *variable) {
    return variable->space != Space::Shared;
  };
  variables.erase(std::remove_if(variables.begin(), variables.end(), notShared),
                  variables.end());
  auto earlier = [](const Variable *a, const Variable *b) {
    return a->line != b->line ? a->line < b->line
                              : a->name.data() < b->name.data();
  };
  std::sort(variables.begin(), variables.end(), earlier);
  variables.erase(std::unique(variables.begin(), variables.end()),
                  variables.end());
  uint64_t end = reservedSharedBytes, dynamicAlignment = 1;
  for (const Variable *variable : variables) {
    if (variable->isExternShared) {
      dynamicAlignment = std::max(dynamicAlignment, variable->alignment);
      continue;
    }
    end = (end + variable->alignment - 1) & ~(variable->alignment - 1);
    sharedOffsets[variable] = end;
    end += variable->size;
    if (end > reservedSharedBytes + maxSharedBytes)
      return fail("expected at most " + std::to_string(maxSharedBytes) +
                  " bytes of static shared memory, got " +
                  std::to_string(end - reservedSharedBytes));
  }
  uint64_t dynamic = (end + dynamicAlignment - 1) & ~(dynamicAlignment - 1);
  bool hasDynamic = false;
  for (const Variable *variable : variables)
    if (variable->isExternShared) {
      sharedOffsets[variable] = dynamic;
      hasDynamic = true;
    }
  kernel->staticSharedBytes =
      static_cast<uint32_t>((hasDynamic ? dynamic : end) - reservedSharedBytes);
  return true;
}

uint32_t Decoder::constant(uint64_t value, unsigned bytes, bool isGlobal) {
  auto &known = isGlobal ? globalConstants : constants;
  auto found = known.find({value, bytes});
  if (found != known.end())
    return found->second;
  uint32_t offset = allocate(bytes == 0 ? 1 : bytes);
  known[{value, bytes}] = offset;
  kernel->constants.push_back(
      {offset, static_cast<uint8_t>(bytes), value, isGlobal});
  return offset;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

Decoder::Method Decoder::findMethod(std::string_view family) {
  static const std::unordered_map<std::string_view, Method> methods = {
      {"mov", &Decoder::decodeMove},
      {"cvt", &Decoder::decodeConvert},
      {"cvta", &Decoder::decodeAddressConversion},
      {"isspacep", &Decoder::decodeIsSpace},
      {"setp", &Decoder::decodeSetPredicate},
      {"bra", &Decoder::decodeBranch},
      {"brx", &Decoder::decodeBranchTable},
      {"ret", &Decoder::decodeExit},
      {"exit", &Decoder::decodeExit},
      {"trap", &Decoder::decodeTrap},
      {"bar", &Decoder::decodeBarrier},
      {"barrier", &Decoder::decodeBarrier},
      {"shfl", &Decoder::decodeShuffle},
      {"vote", &Decoder::decodeVote},
      {"match", &Decoder::decodeMatch},
      {"redux", &Decoder::decodeRedux},
      {"activemask", &Decoder::decodeActiveMask},
      {"elect", &Decoder::decodeElect},
      {"ld", &Decoder::decodeLoad},
      {"ldu", &Decoder::decodeLoad},
      {"st", &Decoder::decodeStore},
      {"atom", &Decoder::decodeAtomic},
      {"red", &Decoder::decodeAtomic},
      {"cp", &Decoder::decodeAsync},
      {"mbarrier", &Decoder::decodeMbarrier},
      {"mapa", &Decoder::decodeMapBlock},
      {"getctarank", &Decoder::decodeBlockRank},
      {"setmaxnreg", &Decoder::decodeSetMaxRegisters},
      {"ldmatrix", &Decoder::decodeMatrixAccess},
      {"stmatrix", &Decoder::decodeMatrixAccess},
      {"mma", &Decoder::decodeMma},
      {"membar", &Decoder::decodeFence},
      {"fence", &Decoder::decodeFence},
      {"nanosleep", &Decoder::decodeSleep},
      {"prefetch", &Decoder::decodePrefetch},
      {"prefetchu", &Decoder::decodePrefetch},
      {"griddepcontrol", &Decoder::decodeGridDependency},
  };
  auto found = methods.find(family);
  return found == methods.end() ? &Decoder::decodeLane : found->second;
}

std::unique_ptr<KernelImpl> Decoder::decode(std::string &message) {
  kernel->name = std::string(syntax.name);
  for (const Variable *parameter : syntax.parameters)
    kernel->parameters.push_back({parameter->offset, parameter->size});
  kernel->parameterBytes = syntax.parameterBytes;
  kernel->localBytes = syntax.localBytes;
  std::copy(syntax.maxBlock, syntax.maxBlock + 3, kernel->maxBlock);
  std::copy(syntax.requiredBlock, syntax.requiredBlock + 3,
            kernel->requiredBlock);
  std::copy(syntax.requiredCluster, syntax.requiredCluster + 3,
            kernel->requiredCluster);
  kernel->maxCluster = syntax.maxCluster;
  kernel->isExplicitCluster = syntax.isExplicitCluster;
  layOutRegisters();
  if (syntax.instructions.size() >= Stamp::maxInstructions)
    fail("expected fewer than " + std::to_string(Stamp::maxInstructions) +
         " instructions");
  if (kernel->localBytes > maxLocalBytes)
    fail("expected at most " + std::to_string(maxLocalBytes) +
         " bytes of local memory a thread, got " +
         std::to_string(kernel->localBytes));
  if (!error.empty() || !layOutShared() || !decodeAll()) {
    message = error;
    return nullptr;
  }
  kernel->registerBytes = static_cast<uint32_t>(registerEnd);
  noteUsedBytes();
  analyseControlFlow(*kernel);
  return std::move(kernel);
}

bool Decoder::decodeAll() {
  for (const ParsedInstruction &instruction : syntax.instructions) {
    if (!decodeOne(instruction) || !error.empty())
      return false;
    kernel->code.push_back(result);
    kernel->lines.push_back(instruction.line);
    kernel->texts.push_back(instruction.text);
    kernel->opcodes.push_back(instruction.opcode);
  }
  // Running past the last instruction ends a thread.
  Instruction end;
  end.kind = Kind::Exit;
  kernel->code.push_back(end);
  kernel->lines.push_back(kernel->lines.empty() ? syntax.line
                                                : kernel->lines.back());
  kernel->texts.push_back("}");
  kernel->opcodes.push_back("ret");
  return true;
}

// After all else: what is used is known of whole kernels, and only of
// instructions that have the operands they need.
void Decoder::noteUsedBytes() {
  std::vector<uint8_t> usedBytes = findUsedBytes(syntax);
  for (size_t i = 0; i < syntax.instructions.size(); ++i) {
    if (kernel->code[i].kind != Kind::Load)
      continue;
    MemoryAccess &access = kernel->accesses[kernel->code[i].detail];
    const Operand &to = syntax.instructions[i].operands[0];
    bool isVector = to.kind == Operand::Vector;
    for (unsigned part = 0; part < access.count; ++part) {
      const Operand &element = isVector ? to.elements[part] : to;
      if (element.kind == Operand::Register)
        access.usedBytes |=
            usedMemoryBytes(access, part, usedBytes[element.index]);
    }
  }
}

bool Decoder::decodeOne(const ParsedInstruction &instruction) {
  current = &instruction;
  result = Instruction();
  if (instruction.hasGuard) {
    result.guard = registerOffsets[instruction.guard];
    result.guardNegated = instruction.guardNegated;
  }
  std::string_view family =
      instruction.opcode.substr(0, instruction.opcode.find('.'));
  return (this->*findMethod(family))();
}

bool Decoder::decodeLane() {
  const LaneOp *op = findLaneOp(current->opcode);
  if (!op)
    return unsupported();
  size_t sources = 0;
  while (sources < 4 && op->source[sources] != OperandType::None &&
         op->source[sources] != OperandType::Carry)
    ++sources;
  if (sources < 4 && op->source[sources] == OperandType::Carry)
    result.operands.source[sources] = result.operands.destination2 =
        carryFlag();
  if (!expectOperands(sources + 1, sources + 1))
    return false;
  result.kind = Kind::Lane;
  result.lane = op->function;
  if (!destination(current->operands[0], op->destination,
                   result.operands.destination))
    return false;
  for (size_t i = 0; i < sources; ++i) {
    const Operand &operand = current->operands[i + 1];
    bool known =
        op->source[i] == OperandType::Immediate
            ? immediate(operand, result.operands.immediate)
            : source(operand, op->source[i], result.operands.source[i]);
    if (!known)
      return false;
  }
  return true;
}

uint32_t Decoder::carryFlag() {
  if (carryOffset == noRegister)
    carryOffset = allocate(1);
  return carryOffset;
}

std::unique_ptr<KernelImpl>
nm::emulator::decodeKernel(const ParsedKernel &kernel, std::string &error) {
  return Decoder(kernel).decode(error);
}

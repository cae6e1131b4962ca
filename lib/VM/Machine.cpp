//===- Machine.cpp - Host code of programs, interpreted -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier has seen to it that every operand is within its table, so that
// nothing is checked here but what depends on values: bounds of buffers,
// divisors, and what the device says.
//
//===----------------------------------------------------------------------===//

#include "nm/VM/Machine.h"

#include "Arena.h"
#include "Floats.h"
#include "MachineFrame.h"

#include "nm/Numbers/Float16.h"

using namespace nm;
using namespace nm::vm;
using program::Opcode;

Status Machine::run(uint32_t index, const int64_t *numbers,
                    const Buffer *buffers, int64_t *numberResults,
                    Buffer *bufferResults) {
  const program::Function &function = program.functions[index];
  Arena::Block numberBlock(function.numbers * sizeof(int64_t));
  Arena::Block bufferBlock(function.buffers * sizeof(Buffer));
  Frame frame = {reinterpret_cast<int64_t *>(numberBlock.get()),
                 reinterpret_cast<Buffer *>(bufferBlock.get()), nullptr};
  int64_t *end = std::copy(function.constants.begin(), function.constants.end(),
                           frame.numbers);
  std::copy(numbers, numbers + function.numberParameters, end);
  std::copy(buffers, buffers + function.bufferParameters, frame.buffers);
  // What an earlier frame left there must not be taken for a buffer.
  std::fill(frame.buffers + function.bufferParameters,
            frame.buffers + function.buffers, Buffer());
  Status status = execute(function, frame);
  if (status.failed())
    return status;
  const uint32_t *place = frame.results;
  for (uint32_t i = 0, count = *place++; i < count; ++i)
    numberResults[i] = frame.numbers[*place++];
  for (uint32_t i = 0, count = *place++; i < count; ++i)
    bufferResults[i] = frame.buffers[*place++];
  return status;
}

Status Machine::call(Frame &frame, const uint32_t *operands) {
  uint32_t callee = *operands++;
  const uint32_t *lists[4];
  uint32_t counts[4];
  for (int i = 0; i < 4; ++i) {
    counts[i] = *operands++;
    lists[i] = operands;
    operands += counts[i];
  }
  Arena::Block numberBlock((counts[0] + counts[2]) * sizeof(int64_t));
  Arena::Block bufferBlock((counts[1] + counts[3]) * sizeof(Buffer));
  auto *numbers = reinterpret_cast<int64_t *>(numberBlock.get());
  auto *buffers = reinterpret_cast<Buffer *>(bufferBlock.get());
  for (uint32_t i = 0; i < counts[0]; ++i)
    numbers[i] = frame.numbers[lists[0][i]];
  for (uint32_t i = 0; i < counts[1]; ++i)
    buffers[i] = frame.buffers[lists[1][i]];
  Status status =
      run(callee, numbers, buffers, numbers + counts[0], buffers + counts[1]);
  if (status.failed())
    return status;
  for (uint32_t i = 0; i < counts[2]; ++i)
    frame.numbers[lists[2][i]] = numbers[counts[0] + i];
  for (uint32_t i = 0; i < counts[3]; ++i)
    frame.buffers[lists[3][i]] = buffers[counts[1] + i];
  return status;
}

/// The quotient or remainder; that of the least number by -1 wraps.
static Status divide(Opcode opcode, int64_t *numbers, const uint32_t *place) {
  int64_t x = numbers[place[1]], y = numbers[place[2]];
  int64_t &result = numbers[place[0]];
  if (y == 0)
    return invalid("host code divides by zero");
  switch (opcode) {
  case Opcode::DivUI:
    result = static_cast<int64_t>(uint64_t(x) / uint64_t(y));
    break;
  case Opcode::RemUI:
    result = static_cast<int64_t>(uint64_t(x) % uint64_t(y));
    break;
  case Opcode::DivSI:
    result = y == -1 ? static_cast<int64_t>(0 - uint64_t(x)) : x / y;
    break;
  default: // RemSI
    result = y == -1 ? 0 : x % y;
    break;
  }
  return Status();
}

static uint64_t multiplyHigh(int64_t x, int64_t y) {
  return static_cast<uint64_t>(
      (static_cast<unsigned __int128>(uint64_t(x)) * uint64_t(y)) >> 64);
}

/// Sizes in bytes: all ones where the product passes 64 bits.
static uint64_t multiplyBytes(int64_t x, int64_t y) {
  uint64_t product;
  return __builtin_mul_overflow(uint64_t(x), uint64_t(y), &product) ? UINT64_MAX
                                                                    : product;
}

// The instructions that compute: of the numbers `x`, `y` and `z` that they read
// and, in the second form, the plain number `n` after these.
#define NM_COMPUTE(id, count, expression)                                      \
  case Opcode::id: {                                                           \
    [[maybe_unused]] const int64_t x = numbers[place[1]];                      \
    [[maybe_unused]] const int64_t y = count > 1 ? numbers[place[2]] : 0;      \
    [[maybe_unused]] const int64_t z = count > 2 ? numbers[place[3]] : 0;      \
    numbers[place[0]] = static_cast<int64_t>(expression);                      \
    place += 1 + (count);                                                      \
    break;                                                                     \
  }
#define NM_COMPUTE_WITH(id, count, expression)                                 \
  case Opcode::id: {                                                           \
    const int64_t x = numbers[place[1]];                                       \
    [[maybe_unused]] const int64_t y = count > 1 ? numbers[place[2]] : 0;      \
    const uint32_t n = place[1 + (count)];                                     \
    numbers[place[0]] = static_cast<int64_t>(expression);                      \
    place += 2 + (count);                                                      \
    break;                                                                     \
  }
#define NM_FLOAT(id, type, count, expression)                                  \
  NM_COMPUTE(id, count, fromFloat<type>(expression))
#define NM_FLOATS(suffix, type)                                                \
  NM_FLOAT(Add##suffix, type, 2, toFloat<type>(x) + toFloat<type>(y))          \
  NM_FLOAT(Sub##suffix, type, 2, toFloat<type>(x) - toFloat<type>(y))          \
  NM_FLOAT(Mul##suffix, type, 2, toFloat<type>(x) * toFloat<type>(y))          \
  NM_FLOAT(Div##suffix, type, 2, toFloat<type>(x) / toFloat<type>(y))          \
  NM_FLOAT(Fma##suffix, type, 3,                                               \
           std::fma(toFloat<type>(x), toFloat<type>(y), toFloat<type>(z)))     \
  NM_FLOAT(Sqrt##suffix, type, 1, std::sqrt(toFloat<type>(x)))                 \
  NM_FLOAT(Floor##suffix, type, 1, std::floor(toFloat<type>(x)))               \
  NM_FLOAT(Ceil##suffix, type, 1, std::ceil(toFloat<type>(x)))                 \
  NM_FLOAT(Trunc##suffix, type, 1, std::trunc(toFloat<type>(x)))               \
  NM_FLOAT(Round##suffix, type, 1, std::round(toFloat<type>(x)))               \
  NM_FLOAT(RoundEven##suffix, type, 1, std::nearbyint(toFloat<type>(x)))       \
  NM_COMPUTE_WITH(Cmp##suffix, 2,                                              \
                  (compareFloats(toFloat<type>(x), toFloat<type>(y)) & n) !=   \
                      0)                                                       \
  NM_COMPUTE(From##suffix##ToSI, 1, toInteger<int64_t>(toFloat<type>(x)))      \
  NM_COMPUTE(From##suffix##ToUI, 1, toInteger<uint64_t>(toFloat<type>(x)))     \
  NM_FLOAT(FromSITo##suffix, type, 1, static_cast<type>(x))                    \
  NM_FLOAT(FromUITo##suffix, type, 1, static_cast<type>(uint64_t(x)))

Status Machine::execute(const program::Function &function, Frame &frame) {
  int64_t *numbers = frame.numbers;
  const uint32_t *code = function.code.data();
  const uint32_t *place = code;
  while (true) {
    Status status;
    switch (static_cast<Opcode>(*place++)) {
    case Opcode::Branch:
      place = code + place[0];
      break;
    case Opcode::BranchIf:
      place = code + (numbers[place[0]] != 0 ? place[1] : place[2]);
      break;
    case Opcode::Return:
      frame.results = place;
      return status;
    case Opcode::Call:
      status = call(frame, place);
      ++place;
      for (int i = 0; i < 4; ++i)
        place += 1 + *place;
      break;
    case Opcode::Assert:
      if (numbers[place[0]] == 0)
        return Status(NMRT_ASSERTION, program.texts[place[1]]);
      place += 2;
      break;
    case Opcode::MoveBuffer:
      frame.buffers[place[0]] = frame.buffers[place[1]];
      place += 2;
      break;
    case Opcode::Slice:
      status = slice(frame, place);
      place += 4;
      break;
    case Opcode::Allocate:
    case Opcode::Free:
    case Opcode::Constant:
    case Opcode::Load:
    case Opcode::Launch:
    case Opcode::EncodeTensorMap:
      status = useDevice(frame, place);
      break;
      NM_COMPUTE(Move, 1, x)
      NM_COMPUTE(AddI, 2, uint64_t(x) + uint64_t(y))
      NM_COMPUTE(SubI, 2, uint64_t(x) - uint64_t(y))
      NM_COMPUTE(MulI, 2, uint64_t(x) * uint64_t(y))
    case Opcode::DivSI:
    case Opcode::DivUI:
    case Opcode::RemSI:
    case Opcode::RemUI:
      status = divide(static_cast<Opcode>(place[-1]), numbers, place);
      place += 3;
      break;
      NM_COMPUTE(AndI, 2, x & y)
      NM_COMPUTE(OrI, 2, x | y)
      NM_COMPUTE(XOrI, 2, x ^ y)
      NM_COMPUTE(ShLI, 2, uint64_t(y) > 63 ? 0 : uint64_t(x) << y)
      NM_COMPUTE(ShRSI, 2, x >> std::min<uint64_t>(y, 63))
      NM_COMPUTE(ShRUI, 2, uint64_t(y) > 63 ? 0 : uint64_t(x) >> y)
      NM_COMPUTE(MinSI, 2, std::min(x, y))
      NM_COMPUTE(MaxSI, 2, std::max(x, y))
      NM_COMPUTE(MinUI, 2, std::min(uint64_t(x), uint64_t(y)))
      NM_COMPUTE(MaxUI, 2, std::max(uint64_t(x), uint64_t(y)))
      NM_COMPUTE(MulHighUI, 2, multiplyHigh(x, y))
      NM_COMPUTE(MulBytes, 2, multiplyBytes(x, y))
      NM_COMPUTE_WITH(ZeroExtend, 1, uint64_t(x) << (64 - n) >> (64 - n))
      NM_COMPUTE_WITH(SignExtend, 1,
                      static_cast<int64_t>(uint64_t(x) << (64 - n)) >> (64 - n))
      NM_COMPUTE(CmpEq, 2, x == y)
      NM_COMPUTE(CmpNe, 2, x != y)
      NM_COMPUTE(CmpSLT, 2, x < y)
      NM_COMPUTE(CmpSLE, 2, x <= y)
      NM_COMPUTE(CmpULT, 2, uint64_t(x) < uint64_t(y))
      NM_COMPUTE(CmpULE, 2, uint64_t(x) <= uint64_t(y))
      NM_COMPUTE(Select, 3, x != 0 ? y : z)
      NM_COMPUTE(CountLeadingZeros, 1, x == 0 ? 64 : __builtin_clzll(x))
      NM_COMPUTE(CountTrailingZeros, 1, x == 0 ? 64 : __builtin_ctzll(x))
      NM_COMPUTE(CountOnes, 1, __builtin_popcountll(x))
      NM_FLOATS(F32, float)
      NM_FLOATS(F64, double)
      NM_FLOAT(FromF32ToF64, double, 1, toFloat<float>(x))
      NM_FLOAT(FromF64ToF32, float, 1, static_cast<float>(toFloat<double>(x)))
      NM_FLOAT(FromF16ToF32, float, 1, halfToFloat(static_cast<uint16_t>(x)))
      NM_COMPUTE(FromF32ToF16, 1, floatToHalf(toFloat<float>(x)))
      NM_COMPUTE(FromF64ToF16, 1, doubleToHalf(toFloat<double>(x)))
      NM_COMPUTE(FromF32ToBF16, 1, floatToBFloat16(toFloat<float>(x)))
      NM_COMPUTE(FromF64ToBF16, 1, doubleToBFloat16(toFloat<double>(x)))
    }
    if (status.failed())
      return status;
  }
}

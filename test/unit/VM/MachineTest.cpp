//===- MachineTest.cpp - Host code of programs, interpreted ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/VM/Machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace nm;
using namespace nm::vm;
using program::Function;
using program::Opcode;

namespace {

void emit(Function &function, Opcode opcode, std::vector<uint32_t> words) {
  function.code.push_back(static_cast<uint32_t>(opcode));
  function.code.insert(function.code.end(), words.begin(), words.end());
}

/// Runs the last function of `program` without a device.
Status run(program::Program &program, const std::vector<int64_t> &arguments,
           std::vector<int64_t> &results) {
  std::string error;
  EXPECT_TRUE(program::verify(program, error)) << error;
  auto index = static_cast<uint32_t>(program.functions.size() - 1);
  results.resize(program.functions[index].numberResults);
  Machine machine(program, nullptr, nullptr);
  return machine.run(index, arguments.data(), nullptr, results.data(), nullptr);
}

/// What one instruction makes of its operands and, if there is one, a plain
/// number.
int64_t compute(Opcode opcode, const std::vector<int64_t> &operands,
                std::optional<uint32_t> plain = {}) {
  program::Program program;
  Function f;
  f.name = "f";
  f.numberParameters = static_cast<uint32_t>(operands.size());
  f.numberResults = 1;
  f.numbers = f.numberParameters + 1;
  std::vector<uint32_t> words = {f.numberParameters};
  for (uint32_t i = 0; i < f.numberParameters; ++i)
    words.push_back(i);
  if (plain)
    words.push_back(*plain);
  emit(f, opcode, words);
  emit(f, Opcode::Return, {1, f.numberParameters, 0});
  program.functions.push_back(f);
  std::vector<int64_t> results;
  Status status = run(program, operands, results);
  EXPECT_EQ(status.message, "");
  return results[0];
}

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(Machine, Integers) {
  struct Case {
    Opcode opcode;
    std::vector<int64_t> operands;
    int64_t result;
  };
  const Case cases[] = {
      {Opcode::Move, {7}, 7},
      {Opcode::AddI, {kMost, 1}, kLeast},
      {Opcode::SubI, {kLeast, 1}, kMost},
      {Opcode::MulI, {int64_t(1) << 33, int64_t(1) << 31}, 0},
      {Opcode::MulI, {-3, 5}, -15},
      {Opcode::DivSI, {-7, 2}, -3},
      {Opcode::DivSI, {kLeast, -1}, kLeast},
      {Opcode::RemSI, {-7, 2}, -1},
      {Opcode::RemSI, {kLeast, -1}, 0},
      {Opcode::DivUI, {-1, 2}, kMost},
      {Opcode::RemUI, {-1, 16}, 15},
      {Opcode::AndI, {12, 10}, 8},
      {Opcode::OrI, {12, 10}, 14},
      {Opcode::XOrI, {12, 10}, 6},
      {Opcode::ShLI, {1, 63}, kLeast},
      {Opcode::ShLI, {1, 64}, 0},
      {Opcode::ShRSI, {-8, 1}, -4},
      {Opcode::ShRSI, {-8, 200}, -1},
      {Opcode::ShRUI, {-1, 63}, 1},
      {Opcode::ShRUI, {-1, 64}, 0},
      {Opcode::MinSI, {-1, 1}, -1},
      {Opcode::MaxSI, {-1, 1}, 1},
      {Opcode::MinUI, {-1, 1}, 1},
      {Opcode::MaxUI, {-1, 1}, -1},
      {Opcode::MulHighUI, {-1, -1}, -2},
      {Opcode::MulBytes, {6, 7}, 42},
      {Opcode::MulBytes, {int64_t(1) << 33, int64_t(1) << 31}, -1},
      {Opcode::CmpEq, {3, 3}, 1},
      {Opcode::CmpNe, {3, 3}, 0},
      {Opcode::CmpSLT, {-1, 0}, 1},
      {Opcode::CmpSLE, {0, -1}, 0},
      {Opcode::CmpULT, {-1, 0}, 0},
      {Opcode::CmpULE, {0, -1}, 1},
      {Opcode::Select, {2, 5, 6}, 5},
      {Opcode::Select, {0, 5, 6}, 6},
      {Opcode::CountLeadingZeros, {0}, 64},
      {Opcode::CountLeadingZeros, {1}, 63},
      {Opcode::CountTrailingZeros, {0}, 64},
      {Opcode::CountTrailingZeros, {8}, 3},
      {Opcode::CountOnes, {-1}, 64}};
  for (const Case &row : cases)
    EXPECT_EQ(compute(row.opcode, row.operands), row.result)
        << program::lookupOpcode(static_cast<uint32_t>(row.opcode))->name
        << " of " << row.operands[0];
  EXPECT_EQ(compute(Opcode::ZeroExtend, {-1}, 8), 255);
  EXPECT_EQ(compute(Opcode::SignExtend, {0x80}, 8), -128);
  EXPECT_EQ(compute(Opcode::SignExtend, {0x7f}, 8), 127);
  EXPECT_EQ(compute(Opcode::SignExtend, {1}, 1), -1);
}

template <typename T> int64_t bitsOf(T value) {
  int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

/// Both types by the same rules; `first` is the f32 or f64 opcode of Add.
template <typename T> void checkFloats(Opcode first) {
  auto opcode = [&](int offset) {
    return static_cast<Opcode>(static_cast<uint32_t>(first) + offset);
  };
  auto expect = [&](int offset, std::vector<T> operands, T result) {
    std::vector<int64_t> numbers;
    for (T operand : operands)
      numbers.push_back(bitsOf(operand));
    EXPECT_EQ(compute(opcode(offset), numbers), bitsOf(result))
        << program::lookupOpcode(static_cast<uint32_t>(opcode(offset)))->name;
  };
  const T tiny = std::numeric_limits<T>::epsilon();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  int next = 0;
  expect(next++, {T(1.5), T(2.25)}, T(3.75)); // Add
  expect(next++, {T(1.5), T(2.25)}, T(-0.75));
  expect(next++, {T(1.5), T(2.5)}, T(3.75));
  expect(next++, {T(1), T(4)}, T(0.25));
  // One rounding: 1 + 2 tiny + tiny^2 - 1 - 2 tiny.
  expect(next++, {1 + tiny, 1 + tiny, -(1 + 2 * tiny)}, tiny * tiny);
  expect(next++, {T(2.25)}, T(1.5)); // Sqrt
  expect(next++, {T(-1.5)}, T(-2));
  expect(next++, {T(-1.5)}, T(-1));
  expect(next++, {T(-1.5)}, T(-1)); // Trunc
  expect(next++, {T(2.5)}, T(3));
  expect(next++, {T(2.5)}, T(2)); // RoundEven
  const std::pair<T, uint32_t> outcomes[] = {
      {T(0), 4}, {T(1), 2}, {T(2), 1}, {nan, 8}};
  for (auto [other, outcome] : outcomes)
    for (uint32_t mask : {1u, 2u, 4u, 8u, 6u})
      EXPECT_EQ(compute(opcode(next), {bitsOf(T(1)), bitsOf(other)}, mask),
                (mask & outcome) != 0);
  ++next;
  auto toInteger = [&](int offset, T value) {
    return compute(opcode(offset), {bitsOf(value)});
  };
  EXPECT_EQ(toInteger(next, T(-2.9)), -2);
  EXPECT_EQ(toInteger(next, T(1e30)), kMost);
  EXPECT_EQ(toInteger(next, T(-1e30)), kLeast);
  EXPECT_EQ(toInteger(next, nan), 0);
  ++next;
  EXPECT_EQ(toInteger(next, T(-2.9)), 0);
  EXPECT_EQ(toInteger(next, T(1e30)), -1);
  EXPECT_EQ(toInteger(next, std::ldexp(T(1), 63)), kLeast);
  ++next;
  EXPECT_EQ(compute(opcode(next++), {-3}), bitsOf(T(-3)));
  EXPECT_EQ(compute(opcode(next++), {-1}), bitsOf(std::ldexp(T(1), 64)));
}

TEST(Machine, Floats) {
  checkFloats<float>(Opcode::AddF32);
  checkFloats<double>(Opcode::AddF64);
}

TEST(Machine, FloatConversions) {
  EXPECT_EQ(compute(Opcode::FromF32ToF64, {bitsOf(1.5f)}), bitsOf(1.5));
  EXPECT_EQ(compute(Opcode::FromF64ToF32, {bitsOf(1.5)}), bitsOf(1.5f));
  EXPECT_EQ(compute(Opcode::FromF16ToF32, {0x3e00}), bitsOf(1.5f));
  EXPECT_EQ(compute(Opcode::FromF32ToF16, {bitsOf(1.5f)}), 0x3e00);
  EXPECT_EQ(compute(Opcode::FromF32ToBF16, {bitsOf(1.5f)}), 0x3fc0);
  // Just above the middle of two f16: two roundings would miss it.
  double middle = 1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  EXPECT_EQ(compute(Opcode::FromF64ToF16, {bitsOf(middle)}), 0x3c01);
  middle = 1 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  EXPECT_EQ(compute(Opcode::FromF64ToBF16, {bitsOf(middle)}), 0x3f81);
}

TEST(Machine, BranchesAndCalls) {
  // sum(n) = 1 + ... + n, by a loop, and twice(n) that calls it.
  program::Program program;
  Function sum;
  sum.name = "sum";
  sum.constants = {0, 1}; // places 0 and 1; the parameter is 2
  sum.numberParameters = 1;
  sum.numberResults = 1;
  sum.numbers = 4;
  emit(sum, Opcode::Move, {3, 0});
  emit(sum, Opcode::BranchIf, {2, 7, 18}); // at 3
  emit(sum, Opcode::AddI, {3, 3, 2});      // at 7
  emit(sum, Opcode::SubI, {2, 2, 1});      // at 11
  emit(sum, Opcode::Branch, {3});          // at 15
  emit(sum, Opcode::Move, {3, 3});         // at 17, never
  emit(sum, Opcode::Return, {1, 3, 0});    // at 20
  sum.code[6] = 20;
  program.functions.push_back(sum);
  std::vector<int64_t> results;
  EXPECT_FALSE(run(program, {100}, results).failed());
  EXPECT_EQ(results[0], 5050);

  Function twice;
  twice.name = "twice";
  twice.numberParameters = 1;
  twice.numberResults = 1;
  twice.numbers = 2;
  emit(twice, Opcode::Call, {0, 1, 0, 0, 1, 1, 0});
  emit(twice, Opcode::AddI, {1, 1, 1});
  emit(twice, Opcode::Return, {1, 1, 0});
  program.functions.push_back(twice);
  EXPECT_FALSE(run(program, {4}, results).failed());
  EXPECT_EQ(results[0], 20);
}

/// The error of a function of `opcode` alone, with a number that is zero, a
/// buffer of no bytes, a text and a constant.
std::string failingWith(Opcode opcode, std::vector<uint32_t> words) {
  program::Program program;
  program.texts = {"a text"};
  program.constants.push_back(
      {"c", ElementType::U8, {1}, program::ConstantKind::Constant, "x"});
  Function f;
  f.name = "f";
  f.constants = {0, 1};
  f.numbers = 3;
  f.buffers = 1;
  emit(f, opcode, std::move(words));
  emit(f, Opcode::Return, {0, 0});
  program.functions.push_back(f);
  std::vector<int64_t> results;
  Status status = run(program, {}, results);
  EXPECT_EQ(status.code,
            opcode == Opcode::Assert ? NMRT_ASSERTION : NMRT_INVALID_ARGUMENT);
  return status.message;
}

TEST(Machine, Failures) {
  EXPECT_EQ(failingWith(Opcode::Assert, {0, 0}), "a text");
  for (Opcode opcode :
       {Opcode::DivSI, Opcode::DivUI, Opcode::RemSI, Opcode::RemUI})
    EXPECT_EQ(failingWith(opcode, {2, 1, 0}), "host code divides by zero");
  EXPECT_EQ(failingWith(Opcode::Slice, {0, 0, 0, 1}),
            "host code takes a part that its buffer has not");
  EXPECT_EQ(failingWith(Opcode::Constant, {0, 0}),
            "host code uses a device before there is one");
}

} // namespace

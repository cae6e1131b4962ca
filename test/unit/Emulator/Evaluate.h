//===- Evaluate.h - One instruction on many operands ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a kernel around one instruction, in which %d is the destination and
// %a, %b and %c are the sources, and runs it on rows of operands, a thread
// each. The number of rows is mostly no multiple of 32, so partial warps are
// tried too.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_EMULATOR_EVALUATE_H
#define NM_TEST_UNIT_EMULATOR_EVALUATE_H

#include "TestSupport.h"

#include <cstring>

namespace nm {
namespace emulator {
namespace test {

/// Bits of the operands of one thread.
struct Row {
  uint64_t a = 0, b = 0, c = 0;
};

inline uint64_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}
inline uint64_t bits(double value) {
  uint64_t result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}
inline float toFloat(uint64_t value) {
  uint32_t narrow = static_cast<uint32_t>(value);
  float result;
  std::memcpy(&result, &narrow, sizeof(result));
  return result;
}
inline double toDouble(uint64_t value) {
  double result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

/// Widths in bits of %d, %a, %b and %c; 1 is a predicate, read as bit 0 and
/// written as 0 or 1.
struct Widths {
  unsigned d = 32, a = 32, b = 32, c = 32;
};

inline std::vector<uint64_t> evaluate(const std::string &instruction,
                                      const std::vector<Row> &rows,
                                      Widths widths = {}) {
  auto declare = [](unsigned width, const std::string &name) {
    return ".reg ." + (width == 1 ? "pred" : "b" + std::to_string(width)) +
           " " + name + ";\n";
  };
  std::string text = declare(widths.d, "%d") + declare(widths.a, "%a") +
                     declare(widths.b, "%b") + declare(widths.c, "%c") +
                     "mad.wide.u32 %rd4, %r1, 24, %rd1;\n"
                     "mad.wide.u32 %rd5, %r1, 8, %rd2;\n";
  const char *names[] = {"%a", "%b", "%c"};
  unsigned sources[] = {widths.a, widths.b, widths.c};
  for (unsigned i = 0; i < 3; ++i) {
    std::string address = "[%rd4+" + std::to_string(8 * i) + "];\n";
    if (sources[i] == 1)
      text += "ld.global.u32 %r9, " + address + "setp.ne.u32 " + names[i] +
              ", %r9, 0;\n";
    else
      text += "ld.global.b" + std::to_string(sources[i]) + " " + names[i] +
              ", " + address;
  }
  text += "st.global.u64 [%rd5], 0;\n" + instruction + "\n";
  if (widths.d == 1)
    text += "selp.u32 %r9, 1, 0, %d;\nst.global.u32 [%rd5], %r9;";
  else
    text += "st.global.b" + std::to_string(widths.d) + " [%rd5], %d;";
  Device device(kernelText(text));
  uint64_t in = device.upload(rows);
  uint64_t out = device.memory->allocate(8 * rows.size());
  EXPECT_TRUE(device.run("k", config(1, static_cast<uint32_t>(rows.size())), in,
                         out, uint64_t(0)))
      << device.fault.message;
  return device.download<uint64_t>(out, rows.size());
}

/// Operands at the edges of 32-bit integers, in all combinations of two.
inline std::vector<Row> edges32() {
  const uint32_t values[] = {0,          1,          2,          31,
                             32,         33,         0x7fffffff, 0x80000000,
                             0x80000001, 0xfffffffe, 0xffffffff, 0x12345678,
                             0xcafebabe};
  std::vector<Row> rows;
  for (uint32_t a : values)
    for (uint32_t b : values)
      rows.push_back({a, b, a ^ (b >> 3)});
  return rows;
}

/// The same in 64 bits.
inline std::vector<Row> edges64() {
  const uint64_t values[] = {0,
                             1,
                             63,
                             64,
                             0x7fffffff,
                             0xffffffff,
                             0x100000000,
                             0x7fffffffffffffff,
                             0x8000000000000000,
                             0xffffffffffffffff,
                             0x0123456789abcdef};
  std::vector<Row> rows;
  for (uint64_t a : values)
    for (uint64_t b : values)
      rows.push_back({a, b, a ^ (b >> 3)});
  return rows;
}

/// Single-precision operands: zeros, denormals, infinities, NaN, halfway cases.
inline std::vector<Row> edgesFloat() {
  const uint32_t values[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
      0x7fc00000, 0xffc01234, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
      0x7f7fffff, 0x34000000, 0x33800000, 0x3f800001, 0x40490fdb, 0xc2f6e979};
  std::vector<Row> rows;
  for (uint32_t a : values)
    for (uint32_t b : values)
      rows.push_back({a, b, values[(a + b) % 18]});
  return rows;
}

/// Random bits, the same in every run.
inline std::vector<Row> randomRows(size_t count) {
  std::mt19937_64 generator(inputSeed);
  std::vector<Row> rows(count);
  for (Row &row : rows)
    row = {generator(), generator(), generator()};
  return rows;
}

/// Expects `instruction` to compute `reference(row)` in every row.
template <class Reference>
void expectAll(const std::string &instruction, const std::vector<Row> &rows,
               Widths widths, Reference reference) {
  std::vector<uint64_t> results = evaluate(instruction, rows, widths);
  unsigned failures = 0;
  for (size_t i = 0; i < rows.size() && failures < 4; ++i) {
    uint64_t expected = reference(rows[i]);
    if (results[i] == expected)
      continue;
    ++failures;
    ADD_FAILURE() << instruction << std::hex << " of 0x" << rows[i].a << ", 0x"
                  << rows[i].b << ", 0x" << rows[i].c << ": expected 0x"
                  << expected << ", got 0x" << results[i] << std::dec
                  << " (seed " << inputSeed << ")";
  }
}

} // namespace test
} // namespace emulator
} // namespace nm

#endif // NM_TEST_UNIT_EMULATOR_EVALUATE_H

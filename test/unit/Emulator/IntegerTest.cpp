//===- IntegerTest.cpp - Integer and bit instructions ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against host arithmetic of more bits, or against the definitions of the PTX
// manual written out bit by bit.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <algorithm>

using namespace nm::emulator::test;

namespace {

const Widths w32 = {32, 32, 32, 32};
const Widths w64 = {64, 64, 64, 64};

int64_t s32(uint64_t value) { return int32_t(uint32_t(value)); }
uint64_t u32(uint64_t value) { return uint32_t(value); }

std::vector<Row> rows32() {
  std::vector<Row> rows = edges32(), random = randomRows(61);
  rows.insert(rows.end(), random.begin(), random.end());
  return rows;
}
std::vector<Row> rows64() {
  std::vector<Row> rows = edges64(), random = randomRows(61);
  rows.insert(rows.end(), random.begin(), random.end());
  return rows;
}

TEST(Integer, AddSubtractMultiply) {
  auto rows = rows32();
  expectAll("add.s32 %d, %a, %b;", rows, w32,
            [](Row r) { return u32(r.a + r.b); });
  expectAll("sub.u32 %d, %a, %b;", rows, w32,
            [](Row r) { return u32(r.a - r.b); });
  expectAll("mul.lo.s32 %d, %a, %b;", rows, w32,
            [](Row r) { return u32(r.a * r.b); });
  expectAll("mad.lo.s32 %d, %a, %b, %c;", rows, w32,
            [](Row r) { return u32(r.a * r.b + r.c); });
  expectAll("mul.hi.s32 %d, %a, %b;", rows, w32,
            [](Row r) { return u32(uint64_t(s32(r.a) * s32(r.b)) >> 32); });
  expectAll("mul.hi.u32 %d, %a, %b;", rows, w32,
            [](Row r) { return u32(r.a) * u32(r.b) >> 32; });
  expectAll("add.sat.s32 %d, %a, %b;", rows, w32, [](Row r) {
    return u32(std::clamp<int64_t>(s32(r.a) + s32(r.b), INT32_MIN, INT32_MAX));
  });
}

TEST(Integer, Wide) {
  Widths wide = {64, 32, 32, 64};
  expectAll("mul.wide.s32 %d, %a, %b;", rows32(), wide,
            [](Row r) { return uint64_t(s32(r.a) * s32(r.b)); });
  expectAll("mul.wide.u32 %d, %a, %b;", rows32(), wide,
            [](Row r) { return u32(r.a) * u32(r.b); });
  expectAll("mad.wide.s32 %d, %a, %b, %c;", rows32(), wide,
            [](Row r) { return uint64_t(s32(r.a) * s32(r.b)) + r.c; });
  Widths narrow = {32, 16, 16, 32};
  expectAll("mul.wide.u16 %d, %a, %b;", rows32(), narrow,
            [](Row r) { return u32(uint16_t(r.a) * uint32_t(uint16_t(r.b))); });
  expectAll("mul.wide.s16 %d, %a, %b;", rows32(), narrow,
            [](Row r) { return u32(int16_t(r.a) * int32_t(int16_t(r.b))); });
}

TEST(Integer, SixtyFourBits) {
  using Wide = unsigned __int128;
  auto rows = rows64();
  expectAll("add.s64 %d, %a, %b;", rows, w64, [](Row r) { return r.a + r.b; });
  expectAll("mul.lo.s64 %d, %a, %b;", rows, w64,
            [](Row r) { return r.a * r.b; });
  expectAll("mul.hi.u64 %d, %a, %b;", rows, w64,
            [](Row r) { return uint64_t(Wide(r.a) * r.b >> 64); });
  expectAll("mul.hi.s64 %d, %a, %b;", rows, w64, [](Row r) {
    return uint64_t(__int128(int64_t(r.a)) * int64_t(r.b) >> 64);
  });
  expectAll("mad.lo.s64 %d, %a, %b, %c;", rows, w64,
            [](Row r) { return r.a * r.b + r.c; });
}

TEST(Integer, DivisionByZeroAndOverflow) {
  expectAll("div.s32 %d, %a, %b;", rows32(), w32, [](Row r) {
    return u32(r.b) ? u32(uint64_t(s32(r.a) / s32(r.b))) : 0xffffffffu;
  });
  expectAll("div.u32 %d, %a, %b;", rows32(), w32,
            [](Row r) { return u32(r.b) ? u32(r.a) / u32(r.b) : 0xffffffffu; });
  expectAll("rem.s32 %d, %a, %b;", rows32(), w32, [](Row r) {
    return u32(r.b) ? u32(uint64_t(s32(r.a) % s32(r.b))) : u32(r.a);
  });
  expectAll("div.s64 %d, %a, %b;", rows64(), w64, [](Row r) {
    return !r.b           ? ~0ull
           : r.b == ~0ull ? 0 - r.a
                          : uint64_t(int64_t(r.a) / int64_t(r.b));
  });
  expectAll("rem.u64 %d, %a, %b;", rows64(), w64,
            [](Row r) { return r.b ? r.a % r.b : r.a; });
}

TEST(Integer, MinMaxAbsNeg) {
  expectAll("min.s32 %d, %a, %b;", rows32(), w32,
            [](Row r) { return u32(std::min(s32(r.a), s32(r.b))); });
  expectAll("max.u32 %d, %a, %b;", rows32(), w32,
            [](Row r) { return std::max(u32(r.a), u32(r.b)); });
  expectAll("abs.s32 %d, %a;", rows32(), w32,
            [](Row r) { return u32(s32(r.a) < 0 ? 0 - r.a : r.a); });
  expectAll("neg.s32 %d, %a;", rows32(), w32,
            [](Row r) { return u32(0 - r.a); });
  Widths w16 = {16, 16, 16, 16};
  expectAll("min.s16 %d, %a, %b;", rows32(), w16, [](Row r) {
    return uint64_t(uint16_t(std::min(int16_t(r.a), int16_t(r.b))));
  });
}

TEST(Integer, ShiftsOfTheWidthAndMore) {
  expectAll("shl.b32 %d, %a, %b;", rows32(), w32,
            [](Row r) { return u32(r.b) > 31 ? 0 : u32(r.a << u32(r.b)); });
  expectAll("shr.u32 %d, %a, %b;", rows32(), w32,
            [](Row r) { return u32(r.b) > 31 ? 0 : u32(r.a) >> u32(r.b); });
  expectAll("shr.s32 %d, %a, %b;", rows32(), w32, [](Row r) {
    return u32(uint64_t(s32(r.a) >> std::min<uint64_t>(u32(r.b), 31)));
  });
  Widths shift64 = {64, 64, 32, 64};
  expectAll("shl.b64 %d, %a, %b;", rows64(), shift64,
            [](Row r) { return u32(r.b) > 63 ? 0 : r.a << u32(r.b); });
  expectAll("shr.s64 %d, %a, %b;", rows64(), shift64, [](Row r) {
    return uint64_t(int64_t(r.a) >> std::min<uint64_t>(u32(r.b), 63));
  });
  expectAll("shf.l.wrap.b32 %d, %a, %b, %c;", rows32(), w32, [](Row r) {
    return u32((u32(r.b) << 32 | u32(r.a)) << (r.c & 31) >> 32);
  });
  expectAll("shf.r.clamp.b32 %d, %a, %b, %c;", rows32(), w32, [](Row r) {
    return u32((u32(r.b) << 32 | u32(r.a)) >> std::min<uint64_t>(u32(r.c), 32));
  });
}

TEST(Integer, BitsAndFields) {
  auto rows = rows32();
  expectAll("popc.b32 %d, %a;", rows, w32,
            [](Row r) { return uint64_t(__builtin_popcount(uint32_t(r.a))); });
  expectAll("clz.b32 %d, %a;", rows, w32, [](Row r) {
    uint64_t count = 0;
    while (count < 32 && !(r.a >> (31 - count) & 1))
      ++count;
    return count;
  });
  expectAll("brev.b32 %d, %a;", rows, w32, [](Row r) {
    uint64_t result = 0;
    for (unsigned i = 0; i < 32; ++i)
      result |= (r.a >> i & 1) << (31 - i);
    return result;
  });
  expectAll("lop3.b32 %d, %a, %b, %c, 0xe2;", rows, w32, [](Row r) {
    uint64_t result = 0;
    for (unsigned i = 0; i < 32; ++i) {
      unsigned row = (r.a >> i & 1) * 4 + (r.b >> i & 1) * 2 + (r.c >> i & 1);
      result |= uint64_t(0xe2 >> row & 1) << i;
    }
    return result;
  });
  expectAll("prmt.b32 %d, %a, %b, %c;", rows, w32, [](Row r) {
    uint64_t both = u32(r.b) << 32 | u32(r.a), result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned selector = r.c >> (4 * i) & 15;
      uint64_t byte = both >> (selector % 8 * 8) & 255;
      result |= (selector & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * i);
    }
    return result;
  });
  // Position and length may pass the register's end.
  for (Row &row : rows) {
    row.b %= 40;
    row.c %= 40;
  }
  auto field = [](Row r, bool isSigned) {
    uint64_t position = r.b, length = r.c, result = 0;
    uint64_t top = std::min<uint64_t>(position + length - 1, 31);
    uint64_t sign = isSigned && length ? r.a >> top & 1 : 0;
    for (unsigned i = 0; i < 32; ++i)
      result |=
          (i < length && position + i <= 31 ? r.a >> (position + i) & 1 : sign)
          << i;
    return result;
  };
  expectAll("bfe.u32 %d, %a, %b, %c;", rows, w32,
            [&](Row r) { return field(r, false); });
  expectAll("bfe.s32 %d, %a, %b, %c;", rows, w32,
            [&](Row r) { return field(r, true); });
  expectAll("bfi.b32 %d, %a, 0x5a5a5a5a, %b, %c;", rows, w32, [](Row r) {
    uint64_t result = 0x5a5a5a5a;
    for (unsigned i = 0; i < r.c && r.b + i <= 31; ++i) {
      uint64_t bit = 1ull << (r.b + i);
      result = (result & ~bit) | (r.a >> i & 1) << (r.b + i);
    }
    return result;
  });
}

TEST(Integer, Comparisons) {
  Widths compare = {1, 32, 32, 1};
  expectAll("setp.lt.s32 %d, %a, %b;", rows32(), compare,
            [](Row r) { return uint64_t(s32(r.a) < s32(r.b)); });
  expectAll("setp.ge.u32 %d, %a, %b;", rows32(), compare,
            [](Row r) { return uint64_t(u32(r.a) >= u32(r.b)); });
  expectAll("setp.hi.u32 %d, %a, %b;", rows32(), compare,
            [](Row r) { return uint64_t(u32(r.a) > u32(r.b)); });
  expectAll("setp.ne.and.s32 %d, %a, %b, !%c;", rows32(), compare, [](Row r) {
    return uint64_t(u32(r.a) != u32(r.b) && u32(r.c) == 0);
  });
  expectAll("setp.eq.xor.b32 %d, %a, %b, %c;", rows32(), compare, [](Row r) {
    return uint64_t((u32(r.a) == u32(r.b)) != (u32(r.c) != 0));
  });
  expectAll("selp.b32 %d, %a, %b, %c;", rows32(), {32, 32, 32, 1},
            [](Row r) { return u32(u32(r.c) ? r.a : r.b); });
  expectAll("@!%c mov.b32 %d, %a;\n@%c mov.b32 %d, %b;", rows32(),
            {32, 32, 32, 1}, [](Row r) { return u32(u32(r.c) ? r.b : r.a); });
}

TEST(Integer, CarriesMakeWiderSums) {
  // {a, b} + {c, a} and {a, b} - {c, a} in two halves of 32 bits.
  std::string parts = "{\n.reg .b32 low, high;\n";
  std::string join = "mov.b64 %d, {low, high};\n}";
  Widths w = {64, 32, 32, 32};
  expectAll(parts + "add.cc.u32 low, %a, %c;\naddc.u32 high, %b, %a;\n" + join,
            rows32(), w, [](Row r) {
              return (u32(r.b) << 32 | u32(r.a)) + (u32(r.a) << 32 | u32(r.c));
            });
  expectAll(parts + "sub.cc.u32 low, %a, %c;\nsubc.u32 high, %b, %a;\n" + join,
            rows32(), w, [](Row r) {
              return (u32(r.b) << 32 | u32(r.a)) - (u32(r.a) << 32 | u32(r.c));
            });
}

TEST(Integer, PackAndUnpack) {
  expectAll("mov.b64 %d, {%a, %b};", rows32(), {64, 32, 32, 32},
            [](Row r) { return u32(r.b) << 32 | u32(r.a); });
  expectAll("{\n.reg .b32 low, high;\nmov.b64 {low, high}, %a;\n"
            "mov.b64 %d, {high, low};\n}",
            rows64(), w64, [](Row r) { return r.a << 32 | r.a >> 32; });
  expectAll("{\n.reg .b16 high;\nmov.b32 {_, high}, %a;\n"
            "mov.b32 %d, {high, high};\n}",
            rows32(), w32,
            [](Row r) { return u32(r.a) >> 16 | (u32(r.a) & 0xffff0000); });
}

} // namespace

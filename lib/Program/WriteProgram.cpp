//===- WriteProgram.cpp - Programs to bytes -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

#include <type_traits>

using namespace nm;
using namespace nm::program;

namespace {

/// Little-endian numbers, and lengths of 64 bits before lists and texts.
class Writer {
public:
  template <typename T> void number(T value) {
    using Bits = std::make_unsigned_t<T>;
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes += static_cast<char>(static_cast<Bits>(value) >> (8 * i));
  }
  void flag(bool value) { bytes += static_cast<char>(value); }
  template <typename T> void choice(T value, T) {
    number(static_cast<uint32_t>(value));
  }
  void text(std::string_view value) {
    number(uint64_t(value.size()));
    bytes += value;
  }
  void element(ElementType value) { text(getNumericType(value).name); }
  void order(layout::RowOrder value) { text(toString(value)); }
  template <typename T, typename Visit>
  void list(const std::vector<T> &values, Visit visit) {
    number(uint64_t(values.size()));
    for (const T &value : values)
      visit(value);
  }
  void constant(const std::vector<ConstantFields> &fields, size_t index) {
    number(fields[index].bytes);
    for (uint8_t byte : fields[index].checksum)
      number(byte);
  }

  std::string bytes;
};

} // namespace

std::string
nm::program::writeProgram(const Program &program,
                          const std::vector<ConstantFields> &fields) {
  Writer body;
  transferProgram(body, program, fields);
  uint64_t size = kHeaderBytes + body.bytes.size();
  size = (size + kAlignment - 1) / kAlignment * kAlignment;
  body.bytes.resize(size - kHeaderBytes, '\0');

  Writer header;
  header.bytes.append(kMagic, sizeof(kMagic));
  header.number(kFormatVersion);
  header.number(uint32_t(0));
  header.number(size);
  for (uint8_t byte : computeChecksum(body.bytes))
    header.number(byte);
  return header.bytes + body.bytes;
}

//===- ReadProgram.cpp - Bytes to programs --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes are untrusted even where their checksum is right.
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

#include <cstring>
#include <type_traits>

using namespace nm;
using namespace nm::program;

namespace {

/// Reads what Writer wrote. After the first thing that does not fit, everything
/// is 0 and empty.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes(bytes) {}

  template <typename T> void number(T &value) {
    std::make_unsigned_t<T> bits = 0;
    if (has(sizeof(T)))
      for (size_t i = 0; i < sizeof(T); ++i)
        bits |= static_cast<decltype(bits)>(
            static_cast<decltype(bits)>(static_cast<uint8_t>(bytes[place++]))
            << (8 * i));
    value = static_cast<T>(bits);
  }
  void flag(bool &value) {
    uint8_t byte = 0;
    number(byte);
    expect(byte <= 1, "a flag of 0 or 1");
    value = byte == 1;
  }
  template <typename T> void choice(T &value, T last) {
    uint32_t bits = 0;
    number(bits);
    expect(bits <= static_cast<uint32_t>(last), "a known choice");
    value = error.empty() ? static_cast<T>(bits) : T();
  }
  void text(std::string &value) { value = std::string(take()); }
  void element(ElementType &value) {
    std::string_view name = take();
    for (const NumericType &row : getNumericTypes())
      if (row.name == name) {
        value = row.id;
        return;
      }
    expect(false, "a type of numbers");
  }
  void order(layout::RowOrder &value) {
    auto known = layout::lookupRowOrder(std::string(take()));
    expect(known.has_value(), "an order of rows");
    value = known.value_or(layout::RowOrder::Ascending);
  }
  template <typename T, typename Visit>
  void list(std::vector<T> &values, Visit visit) {
    uint64_t count = 0;
    number(count);
    // Each takes a byte or more.
    if (!expect(count <= bytes.size() - place, "a list within the file"))
      return;
    for (uint64_t i = 0; i < count && error.empty(); ++i)
      visit(values.emplace_back());
  }
  void constant(std::vector<ConstantFields> &fields, size_t) {
    ConstantFields &field = fields.emplace_back();
    number(field.bytes);
    for (uint8_t &byte : field.checksum)
      number(byte);
  }

  bool expect(bool condition, const char *what) {
    if (!condition && error.empty())
      error = "expected " + std::string(what) + " at byte " +
              std::to_string(place) + " of nm.program";
    return error.empty();
  }

  std::string_view bytes;
  size_t place = 0;
  std::string error;

private:
  bool has(uint64_t count) {
    return expect(count <= bytes.size() - place, "more bytes");
  }
  std::string_view take() {
    uint64_t size = 0;
    number(size);
    if (!has(size))
      return {};
    std::string_view text = bytes.substr(place, size);
    place += size;
    return text;
  }
};

} // namespace

/// Reads and checks what comes before the fields.
static bool readHeader(std::string_view bytes, uint64_t &size,
                       std::string &error) {
  if (bytes.size() < kHeaderBytes ||
      std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0) {
    error = "expected a program of nm, which has a tensor `nm.program` first";
    return false;
  }
  Reader header(bytes.substr(sizeof(kMagic), kHeaderBytes - sizeof(kMagic)));
  uint32_t version = 0, zero = 0;
  header.number(version);
  header.number(zero);
  header.number(size);
  Checksum expected;
  for (uint8_t &byte : expected)
    header.number(byte);
  if (version != kFormatVersion || zero != 0) {
    error = "expected format version " + std::to_string(kFormatVersion) +
            ", got " + std::to_string(version) +
            ": compile the model with this version of nm, or load the program "
            "with the one that made it";
    return false;
  }
  if (size < kHeaderBytes || size % kAlignment != 0 || size > bytes.size()) {
    error = "expected nm.program to have " + std::to_string(size) +
            " bytes, got " + std::to_string(bytes.size()) +
            ": the file is damaged or not whole";
    return false;
  }
  if (computeChecksum(bytes.substr(kHeaderBytes, size - kHeaderBytes)) !=
      expected) {
    error = "the checksum of nm.program is wrong: the file is damaged";
    return false;
  }
  return true;
}

static bool areExtents(const std::vector<int64_t> &extents, int64_t least) {
  for (int64_t extent : extents)
    if (extent < least)
      return false;
  return true;
}

/// What types must be before anything is computed of them.
static bool checkTypes(const Program &program) {
  bool ok = true;
  auto check = [&](const ValueType &type) {
    ok &= areExtents(type.shape, -1) && (!type.isScalar || type.shape.empty());
  };
  for (const Entry &entry : program.entries) {
    for (const ValueType &type : entry.arguments)
      check(type);
    for (const Result &result : entry.results)
      check(result.type);
  }
  for (const Constant &constant : program.constants)
    ok &= areExtents(constant.extents, 0);
  return ok;
}

bool nm::program::readProgram(std::string_view bytes, Program &program,
                              std::vector<ConstantFields> &fields,
                              uint64_t &size, std::string &error) {
  if (!readHeader(bytes, size, error))
    return false;
  Reader reader(bytes.substr(0, size));
  reader.place = kHeaderBytes;
  transferProgram(reader, program, fields);
  for (size_t i = reader.place; i < reader.bytes.size(); ++i)
    reader.expect(reader.bytes[i] == '\0', "zeros after the fields");
  reader.expect(reader.bytes.size() - reader.place < kAlignment,
                "fields up to the end");
  reader.expect(checkTypes(program), "extents of arrays");
  error = reader.error;
  return error.empty();
}

//===- FileTest.cpp - Programs in files -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExampleProgram.h"

#include "nm/Program/File.h"

#include <gtest/gtest.h>

#include <random>

using namespace nm;
using namespace nm::program;

namespace {

const std::string kWeights("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c");

std::string write(const Program &program) {
  std::string bytes;
  EXPECT_TRUE(writeFile(program, [&](std::string_view piece) {
    bytes += piece;
    return true;
  }));
  return bytes;
}

/// The error of reading `bytes`; "" if there is none.
std::string readError(std::string_view bytes) {
  std::string error;
  bool isRead = File::read(bytes, error) != nullptr;
  EXPECT_EQ(isRead, error.empty());
  return error;
}

/// Where `nm.program` begins.
size_t findProgram(const std::string &bytes) { return bytes.find("\x89nmprg"); }

/// Mends the checksum of `nm.program` after a change, so that what comes after
/// it is seen.
void mendChecksum(std::string &bytes) {
  size_t begin = findProgram(bytes);
  uint64_t size = 0;
  for (int i = 0; i < 8; ++i)
    size |= uint64_t(static_cast<uint8_t>(bytes[begin + 16 + i])) << (8 * i);
  if (size < 40 || size > bytes.size() - begin)
    return;
  Checksum sum =
      computeChecksum(std::string_view(bytes).substr(begin + 40, size - 40));
  for (size_t i = 0; i < sum.size(); ++i)
    bytes[begin + 24 + i] = static_cast<char>(sum[i]);
}

TEST(File, ReadsWhatItWrote) {
  Program program = makeExample(kWeights);
  std::string bytes = write(program), error;
  auto file = File::read(bytes, error);
  ASSERT_TRUE(file) << error;
  const Program &read = file->getProgram();
  EXPECT_EQ(read.version, program.version);
  EXPECT_EQ(read.source, "example.mlir");
  ASSERT_EQ(read.images.size(), 1u);
  EXPECT_EQ(read.images[0].bytes, "// PTX\n");
  ASSERT_EQ(read.constants.size(), 1u);
  EXPECT_EQ(read.constants[0].name, "weight");
  EXPECT_EQ(read.constants[0].extents, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(read.constants[0].data, kWeights);
  EXPECT_TRUE(file->checkConstant(0, error));
  ASSERT_EQ(read.kernels.size(), 1u);
  EXPECT_EQ(read.kernels[0].parameters.size(), 4u);
  ASSERT_EQ(read.functions.size(), 2u);
  EXPECT_EQ(read.functions[1].code, program.functions[1].code);
  EXPECT_EQ(read.functions[1].constants, program.functions[1].constants);
  ASSERT_EQ(read.entries.size(), 1u);
  EXPECT_EQ(read.entries[0].arguments[0].str(), "?x4xf32");
  EXPECT_EQ(read.entries[0].argumentNames[0], "x");
  // Writing what was read gives the same bytes.
  EXPECT_EQ(write(read), bytes);
}

TEST(File, KeepsTensorMaps) {
  Program program = makeExample(kWeights);
  addTensorMap(program);
  std::string bytes = write(program), error;
  auto file = File::read(bytes, error);
  ASSERT_TRUE(file) << error;
  const Program &read = file->getProgram();
  EXPECT_EQ(read.kernels[1].parameters[0].bytes, 128u);
  EXPECT_EQ(read.functions[2].code, program.functions[2].code);
  EXPECT_EQ(write(read), bytes);
}

TEST(File, IsSafetensors) {
  std::string bytes = write(makeExample(kWeights));
  uint64_t length =
      static_cast<uint8_t>(bytes[0]) + 256 * static_cast<uint8_t>(bytes[1]);
  std::string header = bytes.substr(8, length);
  EXPECT_EQ((8 + length) % 256, 0u);
  EXPECT_EQ(header.find("{\"__metadata__\":{\"format\":\"nm\","), 0u);
  EXPECT_NE(header.find("\"nm.program\":{\"dtype\":\"U8\",\"shape\":["),
            std::string::npos);
  EXPECT_NE(header.find("\"weight\":{\"dtype\":\"F16\",\"shape\":[2,3],"
                        "\"data_offsets\":["),
            std::string::npos);
  EXPECT_EQ(header.find_last_not_of(' '), header.rfind('}'));
}

TEST(File, QuotesNames) {
  Program program = makeExample(kWeights);
  program.constants[0].name = "a\"b\\c\n\xff";
  std::string bytes = write(program);
  EXPECT_NE(bytes.find("\"a\\\"b\\\\c\\u000a\\u00ff\":"), std::string::npos);
  EXPECT_EQ(readError(bytes), "");
}

TEST(File, HasPartsOfTypesThatSafetensorsLacks) {
  Program program = makeExample(std::string_view("0123456789abcdef"));
  program.constants[0].element = ElementType::C128;
  program.constants[0].extents = {1};
  std::string bytes = write(program);
  EXPECT_NE(bytes.find("\"weight\":{\"dtype\":\"F64\",\"shape\":[1,2],"),
            std::string::npos);
  EXPECT_EQ(readError(bytes), "");
}

TEST(File, RefusesWhatIsNoProgram) {
  EXPECT_EQ(readError(""), "expected a program of nm, a safetensors file with "
                           "a tensor `nm.program` first, got 0 bytes of "
                           "something else, or not all of one");
  std::string other = std::string("\x02\0\0\0\0\0\0\0{}", 10);
  EXPECT_EQ(readError(other), "expected a program of nm, which has a tensor "
                              "`nm.program` first");
}

TEST(File, RefusesAnotherVersion) {
  std::string bytes = write(makeExample(kWeights));
  bytes[findProgram(bytes) + 8] = 7;
  EXPECT_EQ(readError(bytes),
            "expected format version 4, got 7: compile the model with this "
            "version of nm, or load the program with the one that made it");
}

TEST(File, RefusesEveryTruncation) {
  std::string bytes = write(makeExample(kWeights));
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(readError(std::string_view(bytes).substr(0, size)), "") << size;
  EXPECT_EQ(readError(bytes + "x"), "expected the file to end after its "
                                    "constants, got 1 more bytes");
}

TEST(File, NoticesEveryChangedByte) {
  const std::string bytes = write(makeExample(kWeights));
  for (size_t place = 0; place < bytes.size(); ++place) {
    std::string changed = bytes;
    changed[place] ^= 0x10;
    std::string error;
    auto file = File::read(changed, error);
    // Constants are checked when they are used.
    ASSERT_TRUE(!file || !file->checkConstant(0, error)) << place;
    ASSERT_EQ(!file, place < bytes.size() - kWeights.size()) << place;
  }
}

TEST(File, SurvivesHostileBytes) {
  Program program = makeExample(kWeights);
  addTensorMap(program);
  const std::string bytes = write(program);
  const size_t begin = findProgram(bytes) + 40;
  constexpr unsigned seed = 20261122;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string changed = bytes;
    for (uint64_t i = 0, e = 1 + random() % 3; i < e; ++i)
      changed[begin + random() % (bytes.size() - begin)] =
          static_cast<char>(random() % 4 ? random() % 8 : random());
    mendChecksum(changed);
    refused += !readError(changed).empty();
  }
  // Most of it is text, zeros and numbers that may be anything.
  EXPECT_GT(refused, 2000);
}

TEST(File, SaysWhyAFileCannotBeOpened) {
  std::string error;
  EXPECT_EQ(File::open("/no/such/file.nm", error), nullptr);
  EXPECT_EQ(error, "cannot read `/no/such/file.nm`: No such file or directory");
  EXPECT_EQ(File::open("/dev/null", error), nullptr);
  EXPECT_EQ(error, "cannot read `/dev/null`: not a regular file");
}

TEST(File, StopsWritingAtAnError) {
  int pieces = 0;
  EXPECT_FALSE(writeFile(makeExample(kWeights),
                         [&](std::string_view) { return ++pieces < 2; }));
  EXPECT_EQ(pieces, 2);
}

} // namespace

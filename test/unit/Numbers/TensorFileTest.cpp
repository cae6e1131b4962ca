//===- TensorFileTest.cpp - .npy and raw files ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Numbers/TensorFile.h"

#include "gtest/gtest.h"

#include <cstdio>

using namespace nm;

/// A .npy file as numpy writes it, of this version.
static std::string npy(int version, const std::string &header,
                       const std::string &data) {
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}

static std::string parseError(const std::string &bytes) {
  std::string error;
  EXPECT_FALSE(parseNpy(bytes, error));
  return error;
}

TEST(TensorFileTest, ReadsAllVersions) {
  for (int version : {1, 2, 3}) {
    std::string error;
    auto tensor = parseNpy(
        npy(version,
            "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }",
            std::string("\1\2\3\4\5\6")),
        error);
    ASSERT_TRUE(tensor) << error;
    EXPECT_EQ(tensor->type, ElementType::I8);
    EXPECT_EQ(tensor->shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(tensor->at(4), 5);
  }
}

TEST(TensorFileTest, ConvertsFortranOrder) {
  std::string error;
  auto tensor = parseNpy(
      npy(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }",
          std::string("\1\4\2\5\3\6")),
      error);
  ASSERT_TRUE(tensor) << error;
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(tensor->at(i), i + 1);
}

TEST(TensorFileTest, RoundTrips) {
  for (ElementType type :
       {ElementType::F16, ElementType::F32, ElementType::F64, ElementType::I8,
        ElementType::I16, ElementType::I32, ElementType::I64, ElementType::U8,
        ElementType::Bool, ElementType::C64, ElementType::C128}) {
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {5}, {2, 0, 3}, {2, 3, 4}}) {
      Tensor tensor = makeTensor(type, shape);
      fillRandom(tensor, 1);
      std::string bytes = formatNpy(tensor), error;
      EXPECT_EQ((bytes.size() - tensor.data.size()) % 64, 0u);
      auto back = parseNpy(bytes, error);
      ASSERT_TRUE(back) << error;
      EXPECT_EQ(back->type, type);
      EXPECT_EQ(back->shape, shape);
      EXPECT_EQ(back->data, tensor.data);
    }
  }
  // numpy has no bf16.
  Tensor tensor = makeTensor(ElementType::BF16, {3});
  tensor.set(1, 1.5);
  std::string error;
  auto back = parseNpy(formatNpy(tensor), error);
  ASSERT_TRUE(back) << error;
  EXPECT_EQ(back->type, ElementType::F32);
  EXPECT_EQ(back->at(1), 1.5);
}

TEST(TensorFileTest, RefusesMalformedFiles) {
  EXPECT_EQ(parseError(""),
            "expected a .npy file, got one without its magic bytes");
  EXPECT_EQ(parseError("some text, no array"),
            "expected a .npy file, got one without its magic bytes");
  EXPECT_EQ(parseError(npy(9, "{}", "")),
            "expected version 1.0, 2.0 or 3.0 of the .npy format, got 9.0");
  std::string laterMinor = npy(1, "{}", "");
  laterMinor[7] = 90;
  EXPECT_EQ(parseError(laterMinor),
            "expected version 1.0, 2.0 or 3.0 of the .npy format, got 1.90");
  std::string good =
      npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
          std::string(8, 'a'));
  // Every truncation is an error and none crashes.
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(parseError(good.substr(0, size)), "") << size;
  EXPECT_EQ(parseError(good + "x"),
            "expected 8 bytes of data for 2xf32, got 9");
  auto headerError = [](const std::string &header) {
    return parseError(npy(1, header, ""));
  };
  EXPECT_EQ(
      headerError("{'descr': '>f4', 'fortran_order': False, 'shape': ()}"),
      "expected little-endian " + listNpyTypes() + ", got `>f4`");
  EXPECT_EQ(headerError("{'descr': [('a', '<f4')], 'shape': ()}"),
            "expected a simple element type, got a structured one");
  EXPECT_EQ(headerError("{'descr': '<f4', 'shape': ()}"),
            "malformed .npy header: expected descr, fortran_order and shape");
  for (const char *key :
       {"'descr': '<f4'", "'fortran_order': False", "'shape': (2,)"})
    EXPECT_NE(headerError("{'descr': '<f4', 'fortran_order': False, 'shape': "
                          "(2,), " +
                          std::string(key) + "}")
                  .find("once"),
              std::string::npos)
        << key;
  for (const char *rest : {"x", "}", " {'shape': ()}"})
    EXPECT_EQ(
        headerError("{'descr': '<f4', 'fortran_order': False, 'shape': ()}\n" +
                    std::string(rest))
            .find("malformed .npy header: expected nothing after `}`, "
                  "got `"),
        0u)
        << rest;
  EXPECT_NE(headerError(
                std::string("{'descr': '<f4', 'fortran_order': False, 'shape': "
                            "()}\0\0",
                            55)),
            "");
  for (const char *shape :
       {"(-1,)", "(2", "(2 3)", "2", "(99999999999999999999,)", "(a,)"})
    EXPECT_NE(headerError("{'descr': '<f4', 'fortran_order': False, 'shape': " +
                          std::string(shape) + "}"),
              "");
  EXPECT_EQ(
      headerError("{'descr': '<f4', 'fortran_order': False, 'shape': "
                  "(4611686018427387904, 4)}"),
      "expected more than 2^63 bytes of data for 4611686018427387904x4xf32, "
      "got 0");
}

TEST(TensorFileTest, ReadsBFloat16OfMLDtypes) {
  // numpy writes opaque bytes without an order, ml_dtypes with one.
  for (const char *descr : {"<V2", "|V2"}) {
    std::string error;
    auto tensor = parseNpy(npy(1,
                               "{'descr': '" + std::string(descr) +
                                   "', 'fortran_order': False, 'shape': (2,)}",
                               std::string("\x80\x3f\x40\xc0", 4)),
                           error);
    ASSERT_TRUE(tensor) << error;
    EXPECT_EQ(tensor->type, ElementType::BF16);
    EXPECT_EQ(tensor->at(0), 1);
    EXPECT_EQ(tensor->at(1), -3);
  }
  EXPECT_NE(
      parseError(npy(1, "{'descr': '<V4', 'fortran_order': False, 'shape': ()}",
                     std::string(4, 'a'))),
      "");
}

TEST(TensorFileTest, SurvivesDamagedHeaders) {
  const std::string good =
      npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
          std::string(24, 'a'));
  int accepted = 0;
  for (size_t place = 0; place < good.size() - 24; ++place) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = good, error;
      damaged[place] = static_cast<char>(value);
      std::optional<Tensor> tensor = parseNpy(damaged, error);
      EXPECT_NE(bool(tensor), !error.empty());
      if (tensor) {
        ++accepted;
        EXPECT_EQ(int64_t(tensor->data.size()),
                  *countElements(tensor->shape, sizeOf(tensor->type)));
      }
    }
  }
  // At least the undamaged ones and those of other spaces.
  EXPECT_GT(accepted, 80);
}

TEST(TensorFileTest, Files) {
  std::string path = testing::TempDir() + "nm-tensor-file-test";
  Tensor tensor = makeTensor(ElementType::F32, {4, 3});
  fillRandom(tensor, 3);
  std::string error;
  ASSERT_TRUE(writeNpy(path, tensor, error)) << error;
  auto back = readNpy(path, error);
  ASSERT_TRUE(back) << error;
  EXPECT_EQ(back->data, tensor.data);

  ASSERT_TRUE(writeRaw(path, tensor, error)) << error;
  EXPECT_FALSE(readNpy(path, error));
  back = readRaw(path, ElementType::F32, {-1, 3}, error);
  ASSERT_TRUE(back) << error;
  EXPECT_EQ(back->shape, tensor.shape);
  EXPECT_EQ(back->data, tensor.data);
  EXPECT_FALSE(readRaw(path, ElementType::F32, {-1, 5}, error));
  EXPECT_EQ(error, "`" + path + "`: expected the bytes of ?x5xf32, got 48");
  EXPECT_FALSE(readRaw(path, ElementType::F32, {4, 4}, error));
  EXPECT_EQ(error,
            "`" + path + "`: expected the bytes of 4x4xf32 (64), got 48");
  EXPECT_FALSE(readRaw(path, ElementType::F32, {-1, -1}, error));
  std::remove(path.c_str());

  EXPECT_FALSE(readNpy(path, error));
  EXPECT_EQ(error, "cannot open `" + path + "`: No such file or directory");
  EXPECT_FALSE(writeNpy("/nonexistent/a.npy", tensor, error));
  EXPECT_FALSE(readNpy("/", error));
}

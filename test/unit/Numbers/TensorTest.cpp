//===- TensorTest.cpp - Arrays: conversion, random values, norms ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Numbers/Tensor.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace nm;

static Tensor vectorOf(std::vector<double> values,
                       ElementType type = ElementType::F32) {
  Tensor tensor = makeTensor(type, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.set(i, values[i]);
  return tensor;
}

TEST(TensorTest, SetAndGetEveryType) {
  for (ElementType type :
       {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64,
        ElementType::I8, ElementType::I16, ElementType::I32,
        ElementType::I64}) {
    Tensor tensor = vectorOf({-3, 100}, type);
    EXPECT_EQ(tensor.size(), 2) << toString(type);
    EXPECT_EQ(tensor.at(0), -3) << toString(type);
    EXPECT_EQ(tensor.at(1), 100) << toString(type);
  }
  EXPECT_EQ(vectorOf({200}, ElementType::U8).at(0), 200);
  EXPECT_EQ(vectorOf({7}, ElementType::Bool).at(0), 1);
}

TEST(TensorTest, ConvertsFloatsOnly) {
  std::string error;
  auto half = convert(vectorOf({1.0 + 0x1p-11, 3}), ElementType::F16, error);
  ASSERT_TRUE(half);
  EXPECT_EQ(half->at(0), 1);
  EXPECT_EQ(half->data.size(), 4u);
  EXPECT_FALSE(convert(vectorOf({1}), ElementType::I32, error));
  EXPECT_EQ(error, "expected elements of type i32, got f32");
}

TEST(TensorTest, BytesHaveNoSign) {
  std::string error;
  auto bytes =
      convert(vectorOf({200}, ElementType::U8), ElementType::I8, error);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->at(0), -56);
  EXPECT_FALSE(convert(*bytes, ElementType::U8, error));
  EXPECT_EQ(error, "expected elements of type u8, got i8");
  EXPECT_FALSE(convert(*bytes, ElementType::Bool, error));
}

TEST(TensorTest, ComplexNumbersHaveTwoParts) {
  Tensor tensor = makeTensor(ElementType::C64, {2});
  EXPECT_EQ(tensor.size(), 2);
  EXPECT_EQ(tensor.countParts(), 4);
  EXPECT_EQ(tensor.data.size(), 16u);
  for (int i = 0; i < 4; ++i)
    tensor.set(i, i + 0.1);
  EXPECT_EQ(tensor.at(3), double(3.1f));
  std::string error;
  auto wide = convert(tensor, ElementType::C128, error);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->size(), 2);
  EXPECT_EQ(wide->at(2), double(2.1f));
  EXPECT_EQ(compare(tensor, *wide).maxAbsolute, 0);
  wide->set(3, 4.0);
  EXPECT_NEAR(compare(tensor, *wide).maxAbsolute, 0.9, 1e-6);
  EXPECT_FALSE(convert(tensor, ElementType::F32, error));
  EXPECT_EQ(error, "expected elements of type f32, got complex<f32>");
  fillRandom(tensor, 3);
  EXPECT_NE(tensor.at(0), tensor.at(1));
}

TEST(TensorTest, CountsWithOverflowCheck) {
  EXPECT_EQ(countElements({2, 3}), 6);
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({0, 5}, 4), 0);
  EXPECT_FALSE(countElements({-1, 5}));
  int64_t big = int64_t(1) << 40;
  EXPECT_FALSE(countElements({big, big}));
  EXPECT_FALSE(countElements({0, big, big}));
  EXPECT_FALSE(countElements({big, int64_t(1) << 21}, 4));
}

TEST(TensorTest, RandomValuesDependOnTheSeedOnly) {
  Tensor first = makeTensor(ElementType::F32, {1000}), second = first;
  fillRandom(first, 7);
  fillRandom(second, 7);
  EXPECT_EQ(first.data, second.data);
  fillRandom(second, 8);
  EXPECT_NE(first.data, second.data);
  double sum = 0, most = 0;
  for (int64_t i = 0; i < first.size(); ++i) {
    sum += first.at(i);
    most = std::max(most, std::abs(first.at(i)));
  }
  EXPECT_LT(std::abs(sum / 1000), 0.1);
  EXPECT_LE(most, 1);
  EXPECT_GT(most, 0.9);
}

TEST(TensorTest, Norms) {
  double inf = std::numeric_limits<double>::infinity();
  ErrorNorms norms = compare(vectorOf({3, 4.5}), vectorOf({3, 4}));
  EXPECT_DOUBLE_EQ(norms.relativeFrobenius, 0.1);
  EXPECT_DOUBLE_EQ(norms.maxAbsolute, 0.5);
  EXPECT_EQ(norms.invalid, 0);
  EXPECT_EQ(compare(vectorOf({0}), vectorOf({0})).relativeFrobenius, 0);
  EXPECT_EQ(compare(vectorOf({1}), vectorOf({0})).relativeFrobenius, inf);
  EXPECT_EQ(compare(vectorOf({inf}), vectorOf({inf})).relativeFrobenius, 0);
}

TEST(TensorTest, IntegersAreComparedAsSuch) {
  auto integers = [](int64_t first, int64_t second) {
    Tensor tensor = makeTensor(ElementType::I64, {2});
    const int64_t values[] = {first, second};
    std::memcpy(tensor.data.data(), values, sizeof(values));
    return tensor;
  };
  // The same number as a double.
  int64_t large = (int64_t(1) << 53) + 1;
  EXPECT_EQ(compare(integers(large, 1), integers(large, 1)).maxAbsolute, 0);
  ErrorNorms norms = compare(integers(large, 1), integers(large - 1, 1));
  EXPECT_EQ(norms.maxAbsolute, 1);
  EXPECT_GT(norms.relativeFrobenius, 0);
  // The whole range.
  norms = compare(integers(INT64_MIN, 0), integers(INT64_MAX, 0));
  EXPECT_EQ(norms.maxAbsolute, 0x1p64);
  Tensor narrow = vectorOf({-128, 127}, ElementType::I8);
  EXPECT_EQ(narrow.integerAt(0), -128);
  EXPECT_EQ(vectorOf({255}, ElementType::U8).integerAt(0), 255);
}

TEST(TensorTest, LoneNaNAndLoneInfinityAreFailures) {
  double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  EXPECT_EQ(compare(vectorOf({1, nan}), vectorOf({1, 2})).relativeFrobenius,
            inf);
  EXPECT_EQ(compare(vectorOf({nan, 1}), vectorOf({nan, 1})).relativeFrobenius,
            0);
  EXPECT_EQ(compare(vectorOf({nan}), vectorOf({inf})).invalid, 1);
  EXPECT_EQ(compare(vectorOf({inf}), vectorOf({-inf})).invalid, 1);
  EXPECT_EQ(compare(vectorOf({1}), vectorOf({inf})).maxAbsolute, inf);
}

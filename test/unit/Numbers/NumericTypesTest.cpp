//===- NumericTypesTest.cpp - The table of types of numbers ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Numbers/NumericTypes.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace nm;

static double roundTrip(ElementType type, double value) {
  alignas(8) char place[8];
  getNumericType(type).write(place, value);
  return getNumericType(type).read(place);
}

TEST(NumericTypesTest, RoundoffIsTheLargestErrorOfARounding) {
  for (ElementType type : {ElementType::F16, ElementType::BF16,
                           ElementType::F32, ElementType::F64}) {
    double half = getNumericType(type).unitRoundoff();
    // The middle between 1 and the next number goes to the even one of the two,
    // and what lies beyond it to the next.
    EXPECT_EQ(roundTrip(type, 1 + half), 1);
    EXPECT_EQ(roundTrip(type, 1 + 3 * half), 1 + 4 * half);
    EXPECT_EQ(roundTrip(type, 1 + 2 * half), 1 + 2 * half);
  }
  EXPECT_EQ(getNumericType(ElementType::I8).unitRoundoff(), 0);
}

TEST(NumericTypesTest, ReadsWhatItWrites) {
  for (int id = 0; id <= int(ElementType::Bool); ++id) {
    auto type = static_cast<ElementType>(id);
    EXPECT_EQ(getNumericType(type).id, type);
    EXPECT_EQ(roundTrip(type, 1), 1);
    EXPECT_EQ(roundTrip(type, 0), 0);
  }
  EXPECT_EQ(roundTrip(ElementType::I8, -128), -128);
  EXPECT_EQ(roundTrip(ElementType::Bool, 7), 1);
  EXPECT_TRUE(std::signbit(roundTrip(ElementType::BF16, -0.0)));
  EXPECT_TRUE(std::isnan(roundTrip(ElementType::BF16, std::nan(""))));
}

TEST(NumericTypesTest, NpyNames) {
  EXPECT_EQ(lookupNpyType("<f2")->id, ElementType::F16);
  EXPECT_EQ(lookupNpyType("<V2")->id, ElementType::BF16);
  EXPECT_EQ(lookupNpyType("|V2")->id, ElementType::BF16);
  EXPECT_EQ(lookupNpyType("|b1")->id, ElementType::Bool);
  EXPECT_EQ(lookupNpyType("<c8")->id, ElementType::C64);
  EXPECT_EQ(lookupNpyType("<c16")->id, ElementType::C128);
  EXPECT_EQ(lookupNpyType("<V4"), nullptr);
  EXPECT_EQ(lookupNpyType(""), nullptr);
  // Opaque bytes are of the type that is asked for, if it has as many.
  EXPECT_EQ(lookupNpyType("|V2", ElementType::BF16)->id, ElementType::BF16);
  EXPECT_EQ(lookupNpyType("|V2", ElementType::F32)->id, ElementType::BF16);
  EXPECT_EQ(lookupNpyType("<f4", ElementType::BF16)->id, ElementType::F32);
}

TEST(NumericTypesTest, ListsForMessages) {
  EXPECT_EQ(joinWithOr({}), "");
  EXPECT_EQ(joinWithOr({"a"}), "a");
  EXPECT_EQ(joinWithOr({"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(listProductResults(ElementType::I32), "i32");
  EXPECT_EQ(listProductResults(ElementType::F64), "f64");
  EXPECT_EQ(listNpyTypes(),
            "f2, V2 (bf16), f4, f8, i1, i2, i4, i8, u1, b1, c8 or c16");
  EXPECT_EQ(listTolerances(), "0.003 for f16, 0.02 for bf16, 1e-05 for f32 and "
                              "f64, 0 for integers");
}

TEST(NumericTypesTest, ProductsOfTheTable) {
  using T = ElementType;
  const T floats[] = {T::F16, T::BF16, T::F32};
  for (T a : floats) {
    for (T weight : floats)
      EXPECT_EQ(getAccumulator(a, weight), T::F32);
    EXPECT_EQ(getAccumulator(a, T::I8), T::F32);
    EXPECT_EQ(getAccumulator(T::I8, a), std::nullopt);
    EXPECT_TRUE(isProductResult(T::F32, a));
    EXPECT_FALSE(isProductResult(T::I32, a));
  }
  EXPECT_EQ(getAccumulator(T::I8, T::I8), T::I32);
  EXPECT_EQ(getAccumulator(T::F64, T::F64), T::F64);
  // A weight of f64 is not rounded to sums of f32.
  for (T a : floats) {
    EXPECT_EQ(getAccumulator(T::F64, a), T::F64);
    EXPECT_EQ(getAccumulator(a, T::F64), std::nullopt);
    EXPECT_FALSE(isProductResult(T::F64, a));
  }
  EXPECT_EQ(getAccumulator(T::F64, T::I8), T::F64);
  EXPECT_TRUE(isProductResult(T::F64, T::F64));
  EXPECT_FALSE(isProductResult(T::F32, T::F64));
  for (T other : {T::I16, T::I32, T::I64, T::U8, T::Bool}) {
    EXPECT_EQ(getAccumulator(other, other), std::nullopt);
    EXPECT_EQ(getAccumulator(T::F32, other), std::nullopt);
    EXPECT_EQ(getAccumulator(other, T::F32), std::nullopt);
    EXPECT_FALSE(isProductResult(T::F32, other));
  }
  EXPECT_TRUE(isProductResult(T::I32, T::I32));
  EXPECT_FALSE(isProductResult(T::I32, T::I8));
  EXPECT_FALSE(isProductResult(T::I32, T::I64));
  EXPECT_TRUE(isAccumulator(T::F32) && isAccumulator(T::F64) &&
              isAccumulator(T::I32));
  EXPECT_FALSE(isAccumulator(T::F16) || isAccumulator(T::I8));
  EXPECT_EQ(listOperandTypes(), "f16, bf16, f32, f64 or i8");
}

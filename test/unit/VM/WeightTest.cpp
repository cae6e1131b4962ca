//===- WeightTest.cpp - Weights among the arguments of programs -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

#include "nm-c/Pattern.h"
#include "nm/Layout/PanelLayout.h"

#include <functional>
#include <numeric>

using namespace nm;
using namespace nm::program;

namespace {

constexpr int64_t kRows = 64, kColumns = 32;

/// 2:4, unit 1x16, of i8: once as it is stored, and twice packed, of which one
/// has another order of the rows.
WeightArgument makeWeight() {
  WeightArgument weight;
  weight.element = ElementType::I8;
  weight.weight = {kRows, kColumns, {2, 4, 1, 16}};
  weight.layouts.resize(3);
  for (int i = 1; i < 3; ++i)
    weight.layouts[i].layout.packing = {/*blockN=*/16, /*stepK=*/32};
  weight.layouts[2].layout.order = layout::RowOrder::Banks;
  weight.layouts[2].layout.orderedRows = 16;
  return weight;
}

/// A program that takes the arrays of a weight and does nothing.
Program makeProgram(const WeightArgument &weight) {
  Program program;
  program.version = "0.1.0";
  program.chip = "sm_90";
  Entry entry;
  entry.name = "main";
  auto add = [&](ElementType element, std::vector<int64_t> shape) {
    entry.arguments.push_back({element, std::move(shape), false});
    return uint32_t(entry.arguments.size() - 1);
  };
  entry.weights = {weight};
  for (WeightArrays &arrays : entry.weights[0].layouts) {
    bool isPacked = arrays.layout.isPacked();
    arrays.values = isPacked ? add(ElementType::I8, {2, 32, 16})
                             : add(ElementType::I8, {32, kColumns});
    arrays.indices = isPacked ? add(ElementType::I32, {4, 1, 16})
                              : add(ElementType::U8, {32, 2});
  }
  for (const char *name : {"plan", "run"}) {
    Function function;
    bool isPlan = program.functions.empty();
    function.name = name;
    function.constants = {0};
    function.bufferParameters = entry.arguments.size() + !isPlan;
    function.numberParameters = !isPlan;
    function.numberResults = isPlan;
    function.numbers = 2;
    function.buffers = function.bufferParameters;
    emit(function, Opcode::Return,
         isPlan ? std::vector<uint32_t>{1, 0, 0} : std::vector<uint32_t>{0, 0});
    program.functions.push_back(function);
  }
  entry.run = 1;
  program.entries.push_back(entry);
  return program;
}

/// The condensed form: values that differ from their neighbours, and positions
/// that do from window to window.
struct Data {
  Data() {
    std::iota(values.begin(), values.end(), 1);
    for (int64_t row = 0; row < 32; ++row)
      for (int64_t column = 0; column < 2; ++column)
        positions[row * 2 + column] =
            uint8_t(row % 2 == 0 ? (row / 2 + column) % 3 : 3);
  }
  std::vector<int8_t> values = std::vector<int8_t>(32 * kColumns);
  std::vector<uint8_t> positions = std::vector<uint8_t>(32 * 2);
};

class WeightTest : public ProgramFixture {
protected:
  void load(const WeightArgument &weight = makeWeight()) {
    prepare(toBytes(makeProgram(weight)));
  }
};

TEST_F(WeightTest, SaysWhatAFunctionTakes) {
  load();
  nmFunctionInfo function;
  ASSERT_EQ(nmProgramGetFunction(program, 0, &function), 0);
  EXPECT_EQ(function.weights, 1u);
  nmWeightInfo weight;
  ASSERT_EQ(nmProgramGetWeight(program, 0, 0, &weight), 0);
  EXPECT_STREQ(weight.element, "i8");
  EXPECT_EQ(weight.k, kRows);
  EXPECT_EQ(weight.n, kColumns);
  EXPECT_EQ(weight.keep, 2);
  EXPECT_EQ(weight.window, 4);
  EXPECT_EQ(weight.unitK, 1);
  EXPECT_EQ(weight.unitN, 16);
  ASSERT_EQ(weight.layouts, 3u);
  nmWeightLayout layouts[3];
  for (uint32_t i = 0; i < 3; ++i) {
    ASSERT_EQ(nmProgramGetWeightLayout(program, 0, 0, i, &layouts[i]), 0);
    EXPECT_EQ(layouts[i].values, 2 * i);
    EXPECT_EQ(layouts[i].indices, 2 * i + 1);
  }
  // An order concerns both arrays.
  EXPECT_STRNE(layouts[1].valuesKey, layouts[2].valuesKey);
  EXPECT_STRNE(layouts[1].indicesKey, layouts[2].indicesKey);
  EXPECT_STREQ(layouts[0].valuesKey,
               "nm1 i8 64x32 2:4, unit 1x16 condensed values");
}

TEST_F(WeightTest, RefusesNumbersThatAreNone) {
  load();
  nmWeightInfo weight;
  EXPECT_EQ(nmProgramGetWeight(program, 0, 1, &weight), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "expected one of 1 weights, got number 1");
  nmWeightLayout layout;
  EXPECT_EQ(nmProgramGetWeightLayout(program, 0, 0, 3, &layout),
            NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "expected one of 3 layouts, got number 3");
  EXPECT_EQ(
      nmProgramPackWeight(program, 0, 0, 0, nullptr, nullptr, nullptr, nullptr),
      NMRT_INVALID_ARGUMENT);
}

/// Packing and unpacking is the condensed form again.
TEST_F(WeightTest, Packs) {
  load();
  Data data;
  WeightArgument weight = makeWeight();
  for (uint32_t i = 1; i < 3; ++i) {
    std::vector<int8_t> values(2 * 32 * 16);
    std::vector<int32_t> indices(4 * 16);
    ASSERT_EQ(nmProgramPackWeight(program, 0, 0, i, data.values.data(),
                                  data.positions.data(), values.data(),
                                  indices.data()),
              0)
        << nmrtLastError();
    std::string error;
    auto panels = layout::PanelLayout::get(
        weight.weight, weight.layouts[i].layout.packing, 1, error);
    ASSERT_TRUE(panels) << error;
    auto again =
        panels->unpack({reinterpret_cast<const char *>(values.data()),
                        reinterpret_cast<const char *>(indices.data())},
                       error, sparsity::loopOnce);
    ASSERT_TRUE(again) << error;
    EXPECT_TRUE(std::equal(data.values.begin(), data.values.end(),
                           again->values.begin(), again->values.end()));
    EXPECT_TRUE(std::equal(data.positions.begin(), data.positions.end(),
                           again->indices.begin(), again->indices.end()));
  }
  // As it is stored.
  std::vector<int8_t> values(data.values.size());
  std::vector<uint8_t> positions(data.positions.size());
  ASSERT_EQ(nmProgramPackWeight(program, 0, 0, 0, data.values.data(),
                                data.positions.data(), values.data(),
                                positions.data()),
            0);
  EXPECT_EQ(values, data.values);
  EXPECT_EQ(positions, data.positions);
}

/// By the order, rows of the condensed form go where packing puts them.
TEST_F(WeightTest, TellsTheOrder) {
  load();
  Data data;
  for (uint32_t i = 0; i < 3; ++i) {
    nmWeightLayout layout;
    ASSERT_EQ(nmProgramGetWeightLayout(program, 0, 0, i, &layout), 0);
    EXPECT_EQ(layout.isOrdered, i == 2);
    EXPECT_EQ(layout.rows, 32);
    EXPECT_EQ(layout.columns, 32);
    EXPECT_EQ(layout.laneRows, 1);
    EXPECT_FALSE(layout.isFragments);
    int64_t runs = layout.columns / layout.orderColumns;
    std::vector<int32_t> order(layout.rows * runs, -1);
    ASSERT_EQ(nmProgramOrderWeight(program, 0, 0, i, data.positions.data(),
                                   order.data()),
              0)
        << nmrtLastError();
    std::vector<int8_t> values(data.values.size());
    ASSERT_EQ(nmProgramPackWeight(program, 0, 0, i, data.values.data(),
                                  data.positions.data(), values.data(),
                                  nullptr),
              0);
    for (int64_t row = 0; row < layout.rows; ++row)
      for (int64_t column = 0; column < layout.columns; ++column) {
        int64_t panel = column / layout.panelColumns;
        int64_t place = (panel * layout.rows + row) * layout.panelColumns +
                        column % layout.panelColumns;
        int64_t from = order[row * runs + column / layout.orderColumns];
        EXPECT_EQ(values[place], data.values[from * layout.columns + column]);
      }
  }
  EXPECT_EQ(nmProgramOrderWeight(program, 0, 0, 1, data.positions.data(),
                                 /*order=*/nullptr),
            NMRT_INVALID_ARGUMENT);
  std::vector<int32_t> order(32 * 2);
  data.positions[2 * 5 + 1] = 4;
  EXPECT_EQ(nmProgramOrderWeight(program, 0, 0, 1, data.positions.data(),
                                 order.data()),
            NMRT_INVALID_ARGUMENT);
}

TEST_F(WeightTest, ChecksPositions) {
  load();
  Data data;
  std::vector<int32_t> indices(4 * 16);
  auto pack = [&] {
    return nmProgramPackWeight(program, 0, 0, 1, nullptr, data.positions.data(),
                               nullptr, indices.data());
  };
  EXPECT_EQ(pack(), 0) << nmrtLastError();
  data.positions[2 * 5 + 1] = 4;
  EXPECT_EQ(pack(), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(),
               "the positions of the weight are not valid: expected positions "
               "below 4 that ascend in their window, got 4 at row 5, column 1");
  data.positions[2 * 5 + 1] = data.positions[2 * 4 + 1];
  EXPECT_EQ(pack(), NMRT_INVALID_ARGUMENT);
}

/// What a reader says of the program of a weight after `change`.
std::string readChanged(const std::function<void(Entry &)> &change) {
  Program program = makeProgram(makeWeight());
  change(program.entries[0]);
  std::string bytes = toBytes(program);
  nmProgram *read = nullptr;
  if (nmProgramLoadBytes(bytes.data(), bytes.size(), &read) == 0) {
    nmProgramRelease(read);
    return "";
  }
  return nmrtLastError();
}

TEST_F(WeightTest, FilesAreVerified) {
  EXPECT_EQ(readChanged([](Entry &) {}), "");
  EXPECT_NE(readChanged([](Entry &entry) { entry.weights[0].weight.k = 0; }),
            "");
  EXPECT_NE(readChanged(
                [](Entry &entry) { entry.weights[0].weight.pattern.keep = 5; }),
            "");
  EXPECT_NE(readChanged([](Entry &entry) {
              entry.weights[0].element = ElementType::C128;
            }),
            "");
  EXPECT_NE(readChanged(
                [](Entry &entry) { entry.weights[0].layouts[0].values = 77; }),
            "");
  EXPECT_NE(readChanged(
                [](Entry &entry) { entry.weights[0].layouts[1].indices = 0; }),
            "");
  EXPECT_NE(readChanged([](Entry &entry) {
              entry.weights[0].layouts[1].layout.packing.stepK = 3;
            }),
            "");
  EXPECT_NE(readChanged([](Entry &entry) {
              entry.weights[0].layouts[2].layout.orderedRows = 12;
            }),
            "");
  EXPECT_NE(readChanged([](Entry &entry) {
              entry.weights[0].layouts[2].layout.orderedRows = -16;
            }),
            "");
}

TEST(PatternTest, FindsAndSelects) {
  // 1:4, unit 1x2, of 70 rows and 4 columns: row 4 w + w % 4 of window w.
  constexpr int64_t k = 70, n = 4;
  std::vector<uint64_t> bits(2 * n);
  for (int64_t window = 0; window < 18; ++window) {
    int64_t row = std::min(k - 1, 4 * window + window % 4);
    for (int64_t column = 0; column < n; ++column)
      bits[column * 2 + row / 64] |= uint64_t(1) << (row % 64);
  }
  // What is beyond k is none of the weight's.
  bits[1] |= uint64_t(1) << 63;
  nmPattern pattern;
  bool found = false;
  ASSERT_EQ(nmPatternFind(bits.data(), k, n, .5, .75, &pattern, &found), 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(pattern.keep, 1);
  EXPECT_EQ(pattern.window, 4);
  EXPECT_EQ(pattern.unitK, 1);
  EXPECT_EQ(pattern.unitN, 4);
  std::vector<uint8_t> positions(18);
  ASSERT_EQ(nmPatternSelect(bits.data(), k, n, &pattern, positions.data()), 0)
      << nmrtLastError();
  for (int64_t window = 0; window < 17; ++window)
    EXPECT_EQ(positions[window], window % 4);
  // A window that keeps more is named.
  bits[0] |= 3;
  EXPECT_EQ(nmPatternSelect(bits.data(), k, n, &pattern, positions.data()),
            NMRT_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nmrtLastError()).find("window"), std::string::npos)
      << nmrtLastError();
  EXPECT_EQ(nmPatternFind(bits.data(), 0, n, .5, .75, &pattern, &found),
            NMRT_INVALID_ARGUMENT);
}

} // namespace

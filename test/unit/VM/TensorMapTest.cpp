//===- TensorMapTest.cpp - Calls that make tensor maps --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Emulator/TensorMap.h"
#include "ProgramFixture.h"

#include <algorithm>

using namespace nm;
using emulator::TensorMap;
using program::Opcode;

namespace {

/// Stores the map that it was given, by 16 threads.
const char kPTX[] = R"(
.version 8.0
.target sm_90a
.address_size 64
.visible .entry dump(.param .align 64 .b8 map[128], .param .u64 y)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<8>;
  mov.b64 %rd1, map;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 8;
  cvta.param.u64 %rd3, %rd1;
  add.s64 %rd3, %rd3, %rd2;
  ld.u64 %rd4, [%rd3];
  ld.param.u64 %rd5, [y];
  add.s64 %rd5, %rd5, %rd2;
  st.global.u64 [%rd5], %rd4;
  ret;
}
)";

/// What the map is made of besides x, ?x64xf16.
struct Description {
  int64_t first = 0;    ///< Byte.
  int64_t more = 0;     ///< Rows beyond those of x.
  int64_t stride = 128; ///< Bytes.
  uint32_t columns = 64;
};

/// `main(x: ?x64xf16) -> 16xi64`: a map of x, in boxes of 8 x 64.
std::string makeProgram(const Description &description) {
  program::Program program;
  program.version = "0.1.0";
  program.chip = "sm_90a";
  program.images.push_back({program::ImageKind::PTX, "sm_90a", kPTX});
  program.kernels.push_back({"dump", {{false, 128}, {true, 8}}, {0, 0, 0}});
  program.texts = {"dump"};

  program::Function plan;
  plan.name = "main.plan";
  plan.constants = {0};
  plan.numberParameters = 1;
  plan.bufferParameters = 1;
  plan.numberResults = 1;
  plan.numbers = 2;
  plan.buffers = 1;
  emit(plan, Opcode::Return, {1, 0, 0});
  program.functions.push_back(plan);

  program::Function run;
  run.name = "main";
  run.constants = {
      0, 1, 16, description.first, description.more, 64, description.stride};
  run.numberParameters = 2; // 7 rows, 8 the workspace's bytes
  run.bufferParameters = 3; // x, y, workspace
  run.numbers = 10 + 16;
  run.buffers = 3;
  emit(run, Opcode::AddI, {9, 7, 4});
  emit(run, Opcode::EncodeTensorMap,
       {10, 0, 3, 6, 3, 2, 5, 9, 1, 6, 2, description.columns, 8});
  emit(run, Opcode::Launch, {0, 0, 1, 1, 1, 2, 1, 1, 0, 1, 10, 1, 1});
  emit(run, Opcode::Return, {0, 0});
  program.functions.push_back(run);

  program::Entry entry;
  entry.name = "main";
  entry.arguments.push_back({ElementType::F16, {-1, 64}, false});
  entry.results.push_back(
      {{ElementType::I64, {16}, false}, program::ResultPlace::Given});
  entry.plan = 0;
  entry.run = 1;
  program.entries.push_back(entry);
  return toBytes(program);
}

class TensorMapTest : public ProgramFixture {
protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    ASSERT_EQ(nmrtAlloc(context, sizeof(encoded), &result), 0);
  }
  void prepare(const Description &description) {
    ProgramFixture::prepare(makeProgram(description));
  }
  void *allocate(int64_t rows) {
    void *x = nullptr;
    EXPECT_EQ(nmrtAlloc(context, rows * 128, &x), 0);
    return x;
  }
  /// Calls the program with `rows` rows at `data`; the error, or "" and the map
  /// in `encoded`.
  std::string call(void *data, int64_t rows) {
    int64_t extents[] = {rows, 64}, resultExtent = 16;
    nmArray x = {data, {2, 16, 1}, 2, extents, nullptr};
    nmArray y = {result, {0, 64, 1}, 1, &resultExtent, nullptr};
    nmCall call = {};
    call.arguments = &x;
    call.results = &y;
    if (nmPreparedRun(prepared, &call) != NMRT_OK)
      return nmrtLastError();
    EXPECT_EQ(nmrtDownload(context, encoded, result, sizeof(encoded)), 0)
        << nmrtLastError();
    return "";
  }

  void *result = nullptr;
  uint64_t encoded[16];
};

// One prepared program, called with several arrays: each call has its own map.
TEST_F(TensorMapTest, IsMadeByEachCall) {
  prepare({});
  for (int64_t rows : {5, 70, 1}) {
    void *x = allocate(rows);
    ASSERT_EQ(call(x, rows), "");
    TensorMap map;
    ASSERT_TRUE(emulator::decodeTensorMap(encoded, map));
    EXPECT_EQ(map.address, reinterpret_cast<uintptr_t>(x));
    EXPECT_EQ(map.rank, 2u);
    EXPECT_EQ(map.extents[0], 64u);
    EXPECT_EQ(map.extents[1], uint64_t(rows));
    EXPECT_EQ(map.strides[0], 128u);
    EXPECT_EQ(map.box[0], 64u);
    EXPECT_EQ(map.box[1], 8u);
    EXPECT_EQ(map.elementType, 6);
    EXPECT_EQ(map.swizzle, 3);
    nmrtCounters counters;
    ASSERT_EQ(nmrtGetCounters(context, &counters), 0);
    EXPECT_EQ(counters.uploads, 0u);
  }
}

TEST_F(TensorMapTest, BeginsWithinItsBuffer) {
  prepare({/*first=*/128, /*more=*/-1});
  void *x = allocate(3);
  ASSERT_EQ(call(x, 3), "");
  TensorMap map;
  ASSERT_TRUE(emulator::decodeTensorMap(encoded, map));
  EXPECT_EQ(map.address, reinterpret_cast<uintptr_t>(x) + 128);
  EXPECT_EQ(map.extents[1], 2u);
}

TEST_F(TensorMapTest, OfNoElementsIsZeros) {
  prepare({/*first=*/128, /*more=*/-1});
  ASSERT_EQ(call(allocate(1), 1), "");
  EXPECT_TRUE(std::all_of(std::begin(encoded), std::end(encoded),
                          [](uint64_t word) { return word == 0; }));
}

TEST_F(TensorMapTest, IsRefusedBeyondItsBuffer) {
  void *x = allocate(4);
  const Description beyond[] = {{128, 0},    {-16, 0},
                                {0, 1},      {0, -5},
                                {0, 0, 144}, {0, 0, int64_t(1) << 62}};
  for (const Description &description : beyond) {
    prepare(description);
    EXPECT_EQ(call(x, 4), "host code makes a tensor map of what its buffer has "
                          "not");
  }
}

TEST_F(TensorMapTest, IsRefusedAtOtherAddresses) {
  prepare({/*first=*/2, /*more=*/-1});
  void *x = allocate(4);
  EXPECT_EQ(call(x, 4), "tensor map: expected a tensor at an address that is a "
                        "multiple of 16, got one 2 bytes behind it");
  // An argument at such an address does not get so far.
  EXPECT_EQ(call(static_cast<char *>(x) + 8, 3),
            "argument #0 of main: expected an address that is a multiple of "
            "16, got one 8 bytes behind it; copy the array first (.clone() in "
            "PyTorch)");
}

// What the device refuses, it says.
TEST_F(TensorMapTest, IsRefusedByTheDevice) {
  prepare({0, 0, 128, /*columns=*/128});
  EXPECT_EQ(call(allocate(4), 4), "tensor map: expected rows of the box of the "
                                  "128 bytes of the swizzle, got 256");
}

} // namespace

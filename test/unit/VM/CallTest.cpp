//===- CallTest.cpp - Programs loaded, prepared and called ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

using namespace nm;
using program::Opcode;

namespace {

/// y[i] = x[i] * w[i % 4] for n numbers, one block of n threads.
const char kPTX[] = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 w, .param .u64 y)
{
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [w];
  ld.param.u64 %rd3, [y];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 3;
  mul.wide.u32 %rd4, %r1, 4;
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd1, %rd1, %rd4;
  add.s64 %rd2, %rd2, %rd5;
  add.s64 %rd3, %rd3, %rd4;
  ld.global.f32 %f1, [%rd1];
  ld.global.f32 %f2, [%rd2];
  mul.f32 %f3, %f1, %f2;
  st.global.f32 [%rd3], %f3;
  ret;
}
)";

const float kWeights[4] = {1, 2, 3, 4};

/// `main(x: ?xf32) -> ?xf32`, through a temporary array: y = x * w * w.
std::string makeProgram() {
  program::Program program;
  program.version = "0.1.0";
  program.chip = "sm_80";
  program.images.push_back({program::ImageKind::PTX, "sm_80", kPTX});
  program.constants.push_back(
      {"w",
       ElementType::F32,
       {4},
       program::ConstantKind::Constant,
       {reinterpret_cast<const char *>(kWeights), sizeof(kWeights)}});
  program.kernels.push_back(
      {"scale", {{true, 8}, {true, 8}, {true, 8}}, {0, 0, 0}});
  program.texts = {"first", "second", "too long"};

  program::Function plan;
  plan.name = "main.plan";
  plan.constants = {4, 1024}; // the parameter is 2
  plan.numberParameters = 1;
  plan.bufferParameters = 1;
  plan.numberResults = 2;
  plan.numbers = 5;
  plan.buffers = 1;
  emit(plan, Opcode::CmpULE, {3, 2, 1});
  emit(plan, Opcode::Assert, {3, 2});
  emit(plan, Opcode::MulBytes, {4, 2, 0});
  emit(plan, Opcode::Return, {2, 2, 4, 0});
  program.functions.push_back(plan);

  program::Function run;
  run.name = "main";
  run.constants = {0, 1}; // parameters: 2 extent, 3 result's, 4 workspace's
  run.numberParameters = 3;
  run.bufferParameters = 3; // x, y, workspace
  run.numbers = 5;
  run.buffers = 5;
  emit(run, Opcode::Constant, {3, 0});
  emit(run, Opcode::Slice, {4, 2, 0, 4});
  emit(run, Opcode::Launch, {0, 0, 1, 1, 1, 2, 1, 1, 0, 0, 3, 0, 3, 4});
  emit(run, Opcode::Launch, {0, 1, 1, 1, 1, 2, 1, 1, 0, 0, 3, 4, 3, 1});
  emit(run, Opcode::Return, {0, 0});
  program.functions.push_back(run);

  program::Entry entry;
  entry.name = "main";
  entry.arguments.push_back({ElementType::F32, {-1}, false});
  entry.results.push_back(
      {{ElementType::F32, {-1}, false}, program::ResultPlace::Given});
  entry.argumentNames = {"x"};
  entry.plan = 0;
  entry.run = 1;
  program.entries.push_back(entry);
  return toBytes(program);
}

class CallTest : public ProgramFixture {
protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    prepare(makeProgram());
  }
};

/// The arrays of one call with `count` numbers.
struct Arrays {
  Arrays(nmrtContext *context, int64_t count)
      : context(context), extent(count), values(count) {
    std::iota(values.begin(), values.end(), 1.0f);
    uint64_t bytes = count * sizeof(float);
    EXPECT_EQ(nmrtAlloc(context, bytes, &x.data), 0);
    EXPECT_EQ(nmrtAlloc(context, bytes, &y.data), 0);
    EXPECT_EQ(nmrtAlloc(context, bytes, &workspace), 0);
    EXPECT_EQ(nmrtUpload(context, x.data, values.data(), bytes), 0);
    x.extents = &extent;
    y.extents = &resultExtent;
    call.arguments = &x;
    call.results = &y;
    call.workspace = workspace;
    call.workspaceBytes = bytes;
  }
  ~Arrays() {
    for (void *memory : {xMemory ? xMemory : x.data, y.data, workspace})
      (void)nmrtFree(context, memory);
  }
  /// Whether the result is what it should be.
  bool isRight() {
    std::vector<float> result(values.size());
    if (nmrtDownload(context, result.data(), y.data,
                     result.size() * sizeof(float)) != NMRT_OK)
      return false;
    for (size_t i = 0; i < result.size(); ++i) {
      float w = kWeights[i % 4];
      if (result[i] != values[i] * w * w)
        return false;
    }
    return true;
  }

  nmrtContext *context;
  int64_t extent, resultExtent = -1;
  std::vector<float> values;
  nmArray x = {nullptr, {2, 32, 1}, 1, nullptr, nullptr};
  nmArray y = {nullptr, {2, 32, 1}, 1, nullptr, nullptr};
  void *xMemory = nullptr;
  void *workspace = nullptr;
  nmCall call = {};
};

TEST_F(CallTest, Describes) {
  nmProgramInfo info;
  ASSERT_EQ(nmProgramGetInfo(program, &info), 0);
  EXPECT_STREQ(info.version, "0.1.0");
  EXPECT_STREQ(info.chip, "sm_80");
  EXPECT_EQ(info.functions, 1u);
  EXPECT_EQ(info.kernels, 1u);
  EXPECT_EQ(info.constants, 1u);
  EXPECT_EQ(info.constantBytes, 16u);
  nmFunctionInfo function;
  ASSERT_EQ(nmProgramGetFunction(program, 0, &function), 0);
  EXPECT_STREQ(function.name, "main");
  EXPECT_EQ(function.arguments, 1u);
  EXPECT_EQ(function.results, 1u);
  EXPECT_FALSE(function.waits);
  EXPECT_FALSE(function.allocates);
  nmValueInfo value;
  ASSERT_EQ(nmProgramGetArgument(program, 0, 0, &value), 0);
  EXPECT_STREQ(value.name, "x");
  EXPECT_STREQ(value.element, "f32");
  EXPECT_EQ(value.type.code, 2);
  EXPECT_EQ(value.type.bits, 32);
  EXPECT_EQ(value.rank, 1);
  EXPECT_EQ(value.extents[0], -1);
  EXPECT_FALSE(value.isNumber);
  ASSERT_EQ(nmProgramGetResult(program, 0, 0, &value), 0);
  EXPECT_STREQ(value.name, "");
  EXPECT_FALSE(value.isAllocated);
  uint32_t index = 7;
  EXPECT_EQ(nmProgramFindFunction(program, nullptr, &index), 0);
  EXPECT_EQ(index, 0u);
  EXPECT_EQ(nmProgramFindFunction(program, "other", &index),
            NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "expected an entry among `main`, got `other`");
  EXPECT_EQ(nmProgramGetFunction(program, 1, &function), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "expected one of 1 functions, got number 1");
  EXPECT_EQ(nmProgramGetArgument(program, 0, 1, &value), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "expected one of 1 arguments, got number 1");
  const void *data = nullptr;
  uint64_t bytes = 0;
  EXPECT_EQ(nmProgramGetInitialState(program, 0, 0, &data, &bytes),
            NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(),
               "expected one of 0 arguments that are state, got number 0");
}

TEST_F(CallTest, RunsWithTheSizesOfTheCall) {
  for (int64_t count : {1, 5, 300, 0}) {
    Arrays arrays(context, count);
    uint64_t workspace = 1;
    ASSERT_EQ(nmProgramPlan(program, 0, &arrays.x, &arrays.y, &workspace), 0);
    EXPECT_EQ(arrays.resultExtent, count);
    EXPECT_EQ(workspace, count * sizeof(float));
    // A block of no threads is an error, of which the grid knows nothing.
    if (count == 0)
      continue;
    ASSERT_EQ(nmPreparedRun(prepared, &arrays.call), 0) << nmrtLastError();
    EXPECT_TRUE(arrays.isRight());
  }
}

TEST_F(CallTest, PreparedCallsOnlyLaunch) {
  Arrays arrays(context, 8);
  arrays.resultExtent = 8;
  nmrtCounters before, after;
  ASSERT_EQ(nmrtGetCounters(context, &before), 0);
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(nmPreparedRun(prepared, &arrays.call), 0) << nmrtLastError();
  ASSERT_EQ(nmrtGetCounters(context, &after), 0);
  EXPECT_EQ(after.launches, before.launches + 20);
  before.launches = after.launches;
  EXPECT_EQ(std::memcmp(&before, &after, sizeof(before)), 0);
}

TEST_F(CallTest, RefusesWhatDoesNotFit) {
  auto refuse = [&](const std::function<void(Arrays &)> &change) {
    Arrays arrays(context, 8);
    arrays.resultExtent = 8;
    change(arrays);
    nmrtStatus status = nmPreparedRun(prepared, &arrays.call);
    return status == NMRT_OK ? std::string("accepted")
                             : std::string(nmrtLastError());
  };
  EXPECT_EQ(refuse([](Arrays &) {}), "accepted");
  EXPECT_EQ(refuse([](Arrays &a) { a.x.element.bits = 16; }),
            "argument #0 of main (x): expected elements of type f32, got f16");
  EXPECT_EQ(refuse([](Arrays &a) { a.x.element = {9, 3, 2}; }),
            "argument #0 of main (x): expected elements of type f32, got "
            "DLPack's type of code 9, 3 bits and 2 lanes");
  EXPECT_EQ(refuse([](Arrays &a) { a.x.rank = 2; }),
            "argument #0 of main (x): expected 1 dimensions, got 2");
  EXPECT_EQ(refuse([](Arrays &a) { a.extent = -1; }),
            "argument #0 of main (x): expected extents [?], got [-1]");
  int64_t stride = 2;
  EXPECT_EQ(refuse([&](Arrays &a) { a.x.strides = &stride; }),
            "argument #0 of main (x): expected a row-major array without "
            "gaps, got strides [2] of extents [8]; copy it first "
            "(.contiguous() in PyTorch)");
  EXPECT_EQ(refuse([](Arrays &a) {
              a.xMemory = a.x.data;
              a.x.data = static_cast<char *>(a.x.data) + 4;
            }),
            "argument #0 of main (x): expected an address that is a multiple "
            "of 16, got one 4 bytes behind it; copy the array first (.clone() "
            "in PyTorch)");
  EXPECT_EQ(refuse([](Arrays &a) {
              a.xMemory = a.x.data;
              a.x.data = nullptr;
            }),
            "argument #0 of main (x): expected memory, got null");
  alignas(16) static float foreign[8];
  EXPECT_EQ(refuse([](Arrays &a) {
              a.xMemory = a.x.data;
              a.x.data = foreign;
            }).find("argument #0 of main (x): expected memory of this device"),
            0u);
  EXPECT_EQ(refuse([](Arrays &a) { a.resultExtent = 7; }),
            "result #0 of main: expected the extents of nmProgramPlan, got "
            "[7]");
  EXPECT_EQ(refuse([](Arrays &a) { a.call.workspaceBytes = 31; }),
            "the workspace of main: expected 32 bytes, got 31");
  EXPECT_EQ(refuse([](Arrays &a) { a.call.workspace = nullptr; }),
            "the workspace of main: expected memory at a multiple of 16 bytes");
  // An assertion about the arguments, before anything runs.
  EXPECT_EQ(refuse([](Arrays &a) { a.extent = 2000; }), "too long");
}

TEST_F(CallTest, RefusesResultsThatOverlap) {
  Arrays arrays(context, 8);
  arrays.resultExtent = 8;
  nmArray y = arrays.y;
  y.data = arrays.x.data;
  arrays.call.results = &y;
  EXPECT_EQ(nmPreparedRun(prepared, &arrays.call), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "result #0 of main: expected memory of its "
                                "own, got some of argument #0 of main (x)");
}

TEST_F(CallTest, RunsInSeveralThreads) {
  auto work = [&](int64_t first) {
    for (int64_t count = first; count < first + 40; ++count) {
      Arrays arrays(context, count);
      arrays.resultExtent = count;
      ASSERT_EQ(nmPreparedRun(prepared, &arrays.call), 0) << nmrtLastError();
      ASSERT_TRUE(arrays.isRight());
    }
  };
  std::thread other(work, 50);
  work(1);
  other.join();
}

TEST_F(CallTest, SharesConstants) {
  nmProgram *again = nullptr;
  nmPrepared *second = nullptr;
  uint64_t before, after, peak;
  ASSERT_EQ(nmrtMemoryUsage(context, &before, &peak), 0);
  ASSERT_EQ(nmProgramLoadBytes(bytes.data(), bytes.size(), &again), 0);
  ASSERT_EQ(nmProgramPrepare(again, context, &second), 0);
  ASSERT_EQ(nmrtMemoryUsage(context, &after, &peak), 0);
  EXPECT_EQ(after, before);
  nmPreparedRelease(prepared);
  prepared = nullptr;
  // The other one still has them.
  Arrays arrays(context, 8);
  arrays.resultExtent = 8;
  EXPECT_EQ(nmPreparedRun(second, &arrays.call), 0) << nmrtLastError();
  EXPECT_TRUE(arrays.isRight());
  nmPreparedRelease(second);
  nmProgramRelease(again);
}

TEST_F(CallTest, SharesConstantsOfSeveralThreads) {
  nmPreparedRelease(prepared);
  prepared = nullptr;
  nmrtCounters before, after;
  ASSERT_EQ(nmrtGetCounters(context, &before), 0);
  std::vector<nmPrepared *> all(8);
  std::vector<std::thread> threads;
  for (nmPrepared *&own : all)
    threads.emplace_back([&] {
      EXPECT_EQ(nmProgramPrepare(program, context, &own), 0) << nmrtLastError();
    });
  for (std::thread &thread : threads)
    thread.join();
  ASSERT_EQ(nmrtGetCounters(context, &after), 0);
  EXPECT_EQ(after.uploads, before.uploads + 1);
  for (nmPrepared *own : all)
    nmPreparedRelease(own);
}

TEST_F(CallTest, NoticesDamagedConstants) {
  std::string damaged = bytes;
  damaged.back() ^= 1;
  nmProgram *other = nullptr;
  nmPrepared *never = nullptr;
  ASSERT_EQ(nmProgramLoadBytes(damaged.data(), damaged.size(), &other), 0);
  EXPECT_EQ(nmProgramPrepare(other, context, &never), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "the checksum of constant `w` is wrong: the "
                                "file is damaged, compile the model again");
  EXPECT_EQ(never, nullptr);
  nmProgramRelease(other);
}

TEST(Program, RefusesNull) {
  EXPECT_EQ(nmProgramLoad(nullptr, nullptr), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "expected a path, got null");
  EXPECT_EQ(nmProgramLoad("x.nm", nullptr), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "expected a place for the program, got null");
  EXPECT_EQ(nmProgramGetInfo(nullptr, nullptr), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmPreparedRun(nullptr, nullptr), NMRT_INVALID_ARGUMENT);
  nmProgram *program = nullptr;
  EXPECT_EQ(nmProgramLoad("/no/such.nm", &program), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(),
               "cannot read `/no/such.nm`: No such file or directory");
}

} // namespace

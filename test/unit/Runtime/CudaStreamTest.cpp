//===- CudaStreamTest.cpp - Streams, memory and launches of a caller -----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The streams are two that CUDA always has. What the driver was told is seen on
// the fake one only.
//
//===----------------------------------------------------------------------===//

#include "CountNew.h"
#include "FakeCudaDriver.h"
#include "RuntimeFixture.h"
#include "nm/Runtime/Context.h"
#include "nm/Runtime/Handles.h"

#include <cstring>
#include <dlfcn.h>

using nm::runtime::Context;
using nm::runtime::unwrap;

/// CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
static void *const kLegacy = reinterpret_cast<void *>(1);
static void *const kPerThread = reinterpret_cast<void *>(2);

namespace {

/// A caller's allocator that takes its memory from another context.
struct Lender {
  nmrtContext *context = nullptr;
  void *allocatedOn = nullptr, *releasedOn = nullptr;
  int live = 0;
  /// What the next allocation does wrong.
  bool isExhausted = false, givesNull = false, givesUnaligned = false;

  static nmrtStatus allocate(void *user, uint64_t bytes, void *stream,
                             void **pointer) {
    auto *self = static_cast<Lender *>(user);
    self->allocatedOn = stream;
    if (self->isExhausted)
      return NMRT_OUT_OF_MEMORY;
    if (self->givesNull)
      return NMRT_OK;
    nmrtStatus status = nmrtAlloc(self->context, bytes, pointer);
    self->live += status == NMRT_OK;
    if (self->givesUnaligned)
      *pointer = static_cast<char *>(*pointer) + 16;
    return status;
  }
  static void release(void *user, void *pointer, void *stream) {
    auto *self = static_cast<Lender *>(user);
    self->releasedOn = stream;
    if (self->givesUnaligned)
      pointer = static_cast<char *>(pointer) - 16;
    self->live -= nmrtFree(self->context, pointer) == NMRT_OK;
  }
};

class CudaStreamTest : public RuntimeFixture {
protected:
  CudaStreamTest() : RuntimeFixture(NMRT_DEVICE_CUDA) {
    options.recordKernels = false;
  }

  void *find(const char *symbol) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return library ? dlsym(library, symbol) : nullptr;
  }
  /// Null on a GPU.
  FakeCuda *findFake() {
    void *symbol = find("nmFakeCuda");
    return symbol ? reinterpret_cast<FakeCuda *(*)()>(symbol)() : nullptr;
  }
};

} // namespace

TEST_F(CudaStreamTest, LaunchesAndCopiesOnTheStreamGiven) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  ASSERT_NE(nmrtContextStream(context), nullptr);
  for (void *stream : {static_cast<void *>(nullptr), kLegacy, kPerThread}) {
    const float input[] = {1, 2};
    float output[2] = {};
    void *x = nullptr, *y = nullptr;
    ASSERT_EQ(nmrtAllocOn(context, stream, 8, "x", &x), NMRT_OK) << lastError();
    ASSERT_EQ(nmrtAllocOn(context, stream, 8, nullptr, &y), NMRT_OK);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(x) % 256, 0u);
    ASSERT_EQ(nmrtUploadOn(context, stream, x, input, 8), NMRT_OK);
    ScaleLaunch launch(y, x, 5, 2);
    launch.config.stream = stream;
    ASSERT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK)
        << lastError();
    ASSERT_EQ(nmrtCopyOn(context, stream, x, y, 8), NMRT_OK) << lastError();
    ASSERT_EQ(nmrtDownloadOn(context, stream, output, x, 8), NMRT_OK);
    EXPECT_EQ(output[0], 5);
    EXPECT_EQ(output[1], 10);
    EXPECT_EQ(nmrtFree(context, x), NMRT_OK) << lastError();
    EXPECT_EQ(nmrtFree(context, y), NMRT_OK) << lastError();
    EXPECT_EQ(nmrtSynchronizeOn(context, stream), NMRT_OK) << lastError();
    if (FakeCuda *fake = findFake()) {
      EXPECT_EQ(fake->launchStream,
                stream ? stream : nmrtContextStream(context));
    }
  }
}

TEST_F(CudaStreamTest, MemoryBelongsToItsStream) {
  FakeCuda *fake = findFake();
  bool inOrder = find("cuMemAllocAsync");
  uint64_t before = fake ? fake->freesOnStream : 0;
  void *memory = nullptr, *left = nullptr, *none = nullptr;
  ASSERT_EQ(nmrtAllocOn(context, kLegacy, 1000, "", &memory), NMRT_OK);
  ASSERT_EQ(nmrtAllocOn(context, kPerThread, 24, "", &left), NMRT_OK);
  ASSERT_EQ(nmrtAllocOn(context, kLegacy, 0, "", &none), NMRT_OK);
  EXPECT_NE(none, nullptr);
  if (fake && inOrder) {
    EXPECT_EQ(fake->allocationStream, kLegacy);
  }
  nmrtMemoryStatistics statistics = {};
  ASSERT_EQ(nmrtGetMemoryStatistics(context, &statistics), NMRT_OK);
  EXPECT_EQ(statistics.current, 1024u);
  EXPECT_GE(statistics.peakReserved, 1024u);
  EXPECT_EQ(nmrtFree(context, memory), NMRT_OK) << lastError();
  EXPECT_EQ(nmrtFree(context, none), NMRT_OK) << lastError();
  EXPECT_EQ(nmrtFree(context, none), NMRT_INVALID_ARGUMENT);
  if (fake && inOrder) {
    EXPECT_EQ(fake->freesOnStream, before + 2);
  }
  EXPECT_EQ(counters().driverAllocations, 3u);
  void *huge = nullptr;
  EXPECT_EQ(nmrtAllocOn(context, kLegacy, uint64_t(1) << 50, "a test", &huge),
            NMRT_OUT_OF_MEMORY);
  EXPECT_EQ(lastError().find("cannot allocate 1125899906842624 bytes for a "
                             "test: cuMemAlloc"),
            0u)
      << lastError();
  // `left` goes with the context.
}

TEST_F(CudaStreamTest, TakesMemoryFromTheCaller) {
  Lender lender;
  lender.context = context;
  nmrtContextOptions lent = options;
  lent.allocator = {&lender, Lender::allocate, Lender::release};
  nmrtContext *user = nullptr;
  ASSERT_EQ(nmrtContextCreate(&lent, &user, nullptr, 0), NMRT_OK);
  void *mine = nullptr, *legacy = nullptr, *failed = nullptr;
  ASSERT_EQ(nmrtAlloc(user, 0, &mine), NMRT_OK) << lastError();
  EXPECT_EQ(lender.allocatedOn, nmrtContextStream(user));
  ASSERT_EQ(nmrtAllocOn(user, kLegacy, 4, "", &legacy), NMRT_OK);
  EXPECT_EQ(lender.allocatedOn, kLegacy);
  EXPECT_EQ(lender.live, 2);
  EXPECT_EQ(nmrtFree(user, legacy), NMRT_OK) << lastError();
  EXPECT_EQ(lender.releasedOn, kLegacy);
  EXPECT_EQ(lender.live, 1);

  lender.isExhausted = true;
  EXPECT_EQ(nmrtAlloc(user, 4, &failed), NMRT_OUT_OF_MEMORY);
  EXPECT_EQ(lastError(), "cannot allocate 4 bytes: the caller's allocator has "
                         "no memory for 4 bytes; 0 bytes are in use, 0 of them "
                         "constants");
  lender.isExhausted = false;
  lender.givesNull = true;
  EXPECT_EQ(nmrtAlloc(user, 4, &failed), NMRT_OUT_OF_MEMORY);
  lender.givesNull = false;
  lender.givesUnaligned = true;
  EXPECT_EQ(nmrtAlloc(user, 4, &failed), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError().find("expected memory aligned to 256 bytes of the "
                             "caller's allocator, got address "),
            0u)
      << lastError();
  EXPECT_EQ(lender.live, 1);
  lender.givesUnaligned = false;
  // What the program left goes back with the context.
  nmrtContextDestroy(user);
  EXPECT_EQ(lender.live, 0);
}

TEST_F(CudaStreamTest, TellsTheDriverOfClustersAndDependents) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  void *x = upload({7}), *out = allocate(4);
  ScaleLaunch launch(out, x, 2, 1);
  launch.config.grid[0] = 4;
  FakeCuda *fake = findFake();
  if (!fake && nmrtDeviceCapability(context) < 90)
    return; // no clusters
  for (uint32_t flags : {0, int(NMRT_LAUNCH_DEPENDENT)}) {
    for (uint32_t cluster : {0, 2}) {
      launch.config.flags = flags;
      launch.config.cluster[0] = cluster;
      launch.config.cluster[1] = launch.config.cluster[2] = cluster ? 1 : 0;
      ASSERT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK)
          << lastError();
      EXPECT_EQ(download(out, 1), std::vector<float>{14});
      if (!fake)
        continue;
      EXPECT_EQ(fake->cluster[0], cluster);
      EXPECT_EQ(fake->cluster[2], cluster ? 1u : 0u);
      EXPECT_EQ(fake->dependent, flags != 0);
    }
  }
}

namespace {
/// Whose launches are timed.
class TimedCudaTest : public CudaStreamTest {
protected:
  TimedCudaTest() { options.recordKernels = true; }
};
} // namespace

TEST_F(TimedCudaTest, TellsTheDriverOfNoDependents) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  void *x = upload({7}), *out = allocate(4);
  ScaleLaunch launch(out, x, 2, 1);
  launch.config.flags = NMRT_LAUNCH_DEPENDENT;
  ASSERT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK)
      << lastError();
  EXPECT_EQ(download(out, 1), std::vector<float>{14});
  if (FakeCuda *fake = findFake()) {
    EXPECT_FALSE(fake->dependent);
  }
}

TEST_F(CudaStreamTest, ALaunchAsksForNothing) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  ScaleLaunch launch(nullptr, nullptr, 2, 0);
  launch.config.cluster[0] = launch.config.cluster[1] = 1;
  launch.config.cluster[2] = 1;
  launch.config.sharedBytes = 60000;
  launch.config.stream = kLegacy;
  launch.config.what = "a name that is too long for a string on the stack";
  FakeCuda *fake = findFake();
  if (!fake)
    return;
  fake->skipLaunches = true;
  uint64_t raises = fake->limitRaises;
  // The first raises the limit of shared memory.
  ASSERT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK);
  EXPECT_EQ(fake->limitRaises, raises + 1);
  FakeCuda before = *fake;
  uint64_t newBefore = newCalls;
  nmrtCounters countsBefore = counters();
  for (int i = 0; i < 100; ++i) {
    launch.config.sharedBytes = i % 2 ? 60000 : 50000;
    ASSERT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK);
  }
  EXPECT_EQ(newCalls, newBefore);
  EXPECT_EQ(fake->attributeQueries, before.attributeQueries);
  EXPECT_EQ(fake->functionLookups, before.functionLookups);
  EXPECT_EQ(fake->limitRaises, before.limitRaises);
  EXPECT_EQ(fake->contextPushes, before.contextPushes + 100);
  nmrtCounters counts = counters();
  EXPECT_EQ(counts.launches, countsBefore.launches + 100);
  counts.launches = countsBefore.launches;
  EXPECT_EQ(std::memcmp(&counts, &countsBefore, sizeof(counts)), 0);
  fake->skipLaunches = false;
}

TEST_F(CudaStreamTest, AllProcessorsTranslateWhereTheDriverKnowsThat) {
  load(kScalePtx);
  FakeCuda *fake = findFake();
  if (!fake)
    return;
  EXPECT_TRUE(fake->splitCompile);
  fake->version = 12090;
  load(kScalePtx);
  fake->version = 0;
  EXPECT_FALSE(fake->splitCompile);
}

TEST_F(CudaStreamTest, AScopeMakesTheContextCurrentOnce) {
  FakeCuda *fake = findFake();
  uint64_t before = fake ? fake->contextPushes : 0;
  {
    Context::Scope scope(*unwrap(context));
    ASSERT_FALSE(scope.getStatus().failed()) << scope.getStatus().message;
    Context::Scope inner(*unwrap(context));
    void *memory = upload({1});
    EXPECT_EQ(download(memory, 1), std::vector<float>{1});
    EXPECT_EQ(nmrtFree(context, memory), NMRT_OK);
  }
  if (fake) {
    EXPECT_EQ(fake->contextPushes, before + 1);
  }
  EXPECT_EQ(download(upload({2}), 1), std::vector<float>{2});
}

TEST_F(CudaStreamTest, ComparesParametersWhereTheDriverTellsThem) {
  nmrtKernel *kernel = getKernel(load(kScalePtx), "scale");
  ScaleLaunch launch(nullptr, nullptr, 3, 0);
  launch.parameters[3].bytes = 8;
  bool known = find("cuFuncGetParamInfo");
  EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config),
            known ? NMRT_LAUNCH_FAILED : NMRT_OK);
  if (known) {
    EXPECT_EQ(lastError(),
              "kernel `scale`: parameter #3: expected 4 bytes, got 8");
  }
  std::vector<nmrtParameter> many(5000, launch.parameters[0]);
  launch.config.parameters = many.data();
  launch.config.parameterCount = many.size();
  EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_LAUNCH_FAILED);
  EXPECT_EQ(lastError(), known ? "kernel `scale`: expected 4 parameters, got "
                                 "5000"
                               : "kernel `scale`: expected at most 4096 "
                                 "parameters, got 5000");
}

// A list of parameters with a comment, or none, is left to the driver.
TEST_F(CudaStreamTest, CountsParametersInTheText) {
  std::string commented = kScalePtx;
  commented.insert(commented.find(".param"), "/* two (2) */ ");
  nmrtKernel *kernel = getKernel(load(commented), "scale");
  ScaleLaunch launch(nullptr, nullptr, 3, 0);
  launch.parameters[3].bytes = 0;
  EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK)
      << lastError();
  kernel = getKernel(load(".version 7.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry none()\n{\n  ret;\n}\n"),
                     "none");
  EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config),
            find("cuFuncGetParamInfo") ? NMRT_LAUNCH_FAILED : NMRT_OK);
  launch.config.parameterCount = 0;
  EXPECT_EQ(nmrtLaunch(context, kernel, &launch.config), NMRT_OK)
      << lastError();
}

TEST_F(CudaStreamTest, EncodesTensorMaps) {
  nmrtTensorMap map = {};
  nmrtTensorMapConfig config = {};
  config.address = allocate(64 * 64 * 2);
  config.elementType = 6; // f16
  config.rank = 2;
  config.extents[0] = config.extents[1] = 64;
  config.strides[0] = 128;
  config.box[0] = config.box[1] = 32;
  config.elementStrides[0] = config.elementStrides[1] = 1;
  config.swizzle = 2;
  nmrtStatus status = nmrtTensorMapEncode(context, &config, &map);
  if (!find("cuTensorMapEncodeTiled")) {
    EXPECT_EQ(status, NMRT_NO_DEVICE);
    EXPECT_EQ(lastError(), "expected cuTensorMapEncodeTiled in libcuda.so.1: "
                           "the driver is too old");
    return;
  }
  ASSERT_EQ(status, NMRT_OK) << lastError();
  if (!findFake())
    return;
  EXPECT_EQ(map.opaque[0], reinterpret_cast<uintptr_t>(config.address));
  EXPECT_EQ(map.opaque[1], 602u);
  EXPECT_EQ(map.opaque[2], 64u + 128u + 32u);
  EXPECT_EQ(map.opaque[3], 2u);
}

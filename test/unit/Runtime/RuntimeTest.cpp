//===- RuntimeTest.cpp - The C ABI, apart from kernels --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"
#include "nm/Numbers/Float16.h"
#include "nm/Runtime/HostSymbols.h"

#include <cstdlib>
#include <cstring>
#include <set>

namespace {

class RuntimeTest : public RuntimeFixture {
protected:
  RuntimeTest() : RuntimeFixture(NMRT_DEVICE_EMULATOR) {}
};

std::string creationError(nmrtContextOptions options, nmrtStatus expected) {
  nmrtContext *context = nullptr;
  char error[256];
  EXPECT_EQ(nmrtContextCreate(&options, &context, error, sizeof(error)),
            expected);
  EXPECT_EQ(context, nullptr);
  return error;
}

} // namespace

TEST(RuntimeCreateTest, RefusesBadOptions) {
  nmrtContextOptions options = optionsFor(NMRT_DEVICE_EMULATOR);
  options.apiVersion = 99;
  EXPECT_EQ(creationError(options, NMRT_INVALID_ARGUMENT),
            "expected API version " + std::to_string(NMRT_API_VERSION) +
                ", got 99");
  options = optionsFor(7);
  // In between stand the other rows of Devices.def.
  std::string error = creationError(options, NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(error.find("expected a device kind, one of 0 (cuda), "), 0u)
      << error;
  EXPECT_NE(error.find(", got 7"), std::string::npos) << error;
  options = optionsFor(NMRT_DEVICE_EMULATOR);
  options.emulatorChecks = 64;
  EXPECT_EQ(creationError(options, NMRT_INVALID_ARGUMENT),
            "expected emulator checks within 31, got 64");
  options = optionsFor(NMRT_DEVICE_EMULATOR);
  options.allocator.release = [](void *, void *, void *) {};
  EXPECT_EQ(creationError(options, NMRT_INVALID_ARGUMENT),
            "expected both functions of an allocator or none, got one");
  options.allocator.allocate = [](void *, uint64_t, void *, void **) {
    return nmrtStatus(NMRT_OUT_OF_MEMORY);
  };
  EXPECT_EQ(creationError(options, NMRT_INVALID_ARGUMENT),
            "unsupported: an allocator for the emulator, whose memory is its "
            "own; expected none");
  EXPECT_EQ(nmrtContextCreate(nullptr, nullptr, nullptr, 0),
            NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtApiVersion(), uint32_t(NMRT_API_VERSION));
}

TEST(RuntimeCreateTest, TruncatesTheErrorText) {
  nmrtContextOptions options = optionsFor(7);
  nmrtContext *context = nullptr;
  char error[9];
  std::memset(error, 'x', sizeof(error));
  EXPECT_EQ(nmrtContextCreate(&options, &context, error, 8),
            NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(error, "expecte");
  EXPECT_EQ(error[8], 'x');
}

TEST(RuntimeCreateTest, NullContextIsRefused) {
  void *pointer = nullptr;
  EXPECT_EQ(nmrtAlloc(nullptr, 1, &pointer), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtSynchronize(nullptr), NMRT_INVALID_ARGUMENT);
  EXPECT_STREQ(nmrtLastError(), "expected a context, got null");
  nmrtContextDestroy(nullptr);
}

TEST(RuntimeHostTest, Memory) {
  void *pointer = nullptr;
  ASSERT_EQ(nmrtHostAlloc(nullptr, 0, nullptr, &pointer), NMRT_OK);
  EXPECT_NE(pointer, nullptr);
  std::free(pointer);
  ASSERT_EQ(nmrtHostAlloc(nullptr, 1000, nullptr, &pointer), NMRT_OK);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 64, 0u);
  std::memset(pointer, 1, 1000);
  std::free(pointer);
  for (uint64_t bytes : {uint64_t(1) << 46, ~uint64_t(0) - 63}) {
    EXPECT_EQ(nmrtHostAlloc(nullptr, bytes, "a test", &pointer),
              NMRT_OUT_OF_MEMORY);
    EXPECT_EQ(pointer, nullptr);
    EXPECT_NE(std::string(nmrtLastError())
                  .find("cannot allocate " + std::to_string(bytes) +
                        " bytes for a test: this machine has "),
              std::string::npos);
  }
  EXPECT_EQ(nmrtHostAlloc(nullptr, ~uint64_t(0), nullptr, &pointer),
            NMRT_OUT_OF_MEMORY);
  EXPECT_EQ(std::string(nmrtLastError())
                .find("cannot allocate 2^64 bytes or more: this machine has "),
            0u);
  EXPECT_EQ(nmrtHostAlloc(nullptr, 1, nullptr, nullptr), NMRT_INVALID_ARGUMENT);
}

TEST(RuntimeHostTest, AssertionsKeepTheirText) {
  EXPECT_EQ(nmrtAssertionFailed(nullptr, "too small"), NMRT_ASSERTION);
  EXPECT_STREQ(nmrtLastError(), "too small");
}

TEST_F(RuntimeTest, MemoryOfAnotherContextIsRefused) {
  nmrtContextOptions options = {};
  options.apiVersion = NMRT_API_VERSION;
  options.device = NMRT_DEVICE_EMULATOR;
  nmrtContext *other = nullptr;
  ASSERT_EQ(nmrtContextCreate(&options, &other, nullptr, 0), NMRT_OK);
  void *mine = allocate(64), *foreign = nullptr;
  ASSERT_EQ(nmrtAlloc(other, 64, &foreign), NMRT_OK);
  EXPECT_NE(mine, foreign);
  char bytes[64] = {};
  EXPECT_EQ(nmrtUpload(context, foreign, bytes, 64), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtDownload(context, bytes, foreign, 64), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtCopy(context, mine, foreign, 64), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtCopy(context, foreign, mine, 64), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtFree(context, foreign), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtFree(other, foreign), NMRT_OK);
  nmrtContextDestroy(other);
}

TEST_F(RuntimeTest, Identity) {
  EXPECT_STREQ(nmrtDeviceName(context), "PTX emulator");
  EXPECT_EQ(nmrtDeviceCapability(context), 0);
  EXPECT_EQ(nmrtDeviceGetKind(context), NMRT_DEVICE_EMULATOR);
  EXPECT_EQ(nmrtContextStream(context), nullptr);
}

TEST_F(RuntimeTest, MemoryIsCounted) {
  void *a = allocate(1000), *b = allocate(24), *empty = allocate(0);
  EXPECT_NE(empty, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 256, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(b) % 256, 0u);
  uint64_t current = 0, peak = 0;
  EXPECT_EQ(nmrtFree(context, a), NMRT_OK);
  ASSERT_EQ(nmrtMemoryUsage(context, &current, &peak), NMRT_OK);
  EXPECT_EQ(current, 24u);
  EXPECT_EQ(peak, 1024u);
  EXPECT_EQ(nmrtFree(context, empty), NMRT_OK);
  EXPECT_EQ(nmrtFree(context, nullptr), NMRT_OK);
  EXPECT_EQ(nmrtFree(context, a), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError().find("expected a pointer that nmrtAlloc gave"), 0u);
  void *huge = a;
  EXPECT_EQ(nmrtAlloc(context, ~uint64_t(0), &huge), NMRT_OUT_OF_MEMORY);
  EXPECT_EQ(huge, nullptr);
  EXPECT_EQ(nmrtAllocFor(context, ~uint64_t(0), "a test", &huge),
            NMRT_OUT_OF_MEMORY);
  EXPECT_EQ(lastError(), "cannot allocate 2^64 bytes or more for a test: the "
                         "emulator has no memory for 2^64 bytes or more; 24 "
                         "bytes are in use, 0 of them constants");
  EXPECT_EQ(nmrtMemoryUsage(context, &current, nullptr), NMRT_INVALID_ARGUMENT);
}

TEST_F(RuntimeTest, Copies) {
  void *a = upload({1, 2, 3}), *b = allocate(12);
  EXPECT_EQ(nmrtCopy(context, b, a, 12), NMRT_OK);
  EXPECT_EQ(download(b, 3), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(nmrtCopy(context, b, a, 0), NMRT_OK);
  EXPECT_EQ(nmrtCopy(context, nullptr, a, 4), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtUpload(context, a, nullptr, 4), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(nmrtDownload(context, nullptr, a, 4), NMRT_INVALID_ARGUMENT);
  // Past the end of the allocation.
  EXPECT_EQ(nmrtCopy(context, b, a, 4096), NMRT_INVALID_ARGUMENT);
  EXPECT_EQ(lastError().find("expected the source of a copy within one "
                             "allocation, got 4096 bytes"),
            0u);
}

TEST_F(RuntimeTest, Assertions) {
  EXPECT_EQ(nmrtAssertionFailed(context, "m > 0"), NMRT_ASSERTION);
  EXPECT_EQ(lastError(), "m > 0");
}

TEST(HostSymbolsTest, NamesAreUniqueAndBound) {
  size_t count = 0;
  const nm::runtime::HostSymbol *symbols = nm::runtime::hostSymbols(count);
  std::set<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(names.insert(symbols[i].name).second) << symbols[i].name;
    EXPECT_NE(symbols[i].address, nullptr) << symbols[i].name;
  }
  for (const char *name :
       {"nmrtHostAlloc", "nmrtAssertionFailed", "__truncsfbf2"})
    EXPECT_EQ(names.count(name), 1u) << name;
}

TEST(HostSymbolsTest, BFloat16Conversions) {
  size_t count = 0;
  const nm::runtime::HostSymbol *symbols = nm::runtime::hostSymbols(count);
  for (size_t i = 0; i < count; ++i) {
    std::string name = symbols[i].name;
    if (name == "__truncsfbf2") {
      auto convert = reinterpret_cast<float (*)(float)>(symbols[i].address);
      EXPECT_EQ(nm::floatToBits(convert(1.0f + 0x1p-8f + 0x1p-20f)) & 0xffff,
                0x3f81u);
    } else if (name == "__truncdfbf2") {
      auto convert = reinterpret_cast<float (*)(double)>(symbols[i].address);
      EXPECT_EQ(nm::floatToBits(convert(1.0 + 0x1p-8 + 0x1p-40)) & 0xffff,
                0x3f81u);
    }
  }
}

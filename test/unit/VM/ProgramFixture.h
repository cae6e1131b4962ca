//===- ProgramFixture.h - A program on the emulator -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_VM_PROGRAMFIXTURE_H
#define NM_TEST_UNIT_VM_PROGRAMFIXTURE_H

#include "nm-c/Program.h"
#include "nm/Program/File.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nm {

/// Appends an instruction to the code of `function`.
inline void emit(program::Function &function, program::Opcode opcode,
                 const std::vector<uint32_t> &words) {
  function.code.push_back(static_cast<uint32_t>(opcode));
  function.code.insert(function.code.end(), words.begin(), words.end());
}

/// The bytes of a file of `program`.
inline std::string toBytes(const program::Program &program) {
  std::string bytes;
  EXPECT_TRUE(program::writeFile(program, [&](std::string_view piece) {
    bytes += piece;
    return true;
  }));
  return bytes;
}

/// An emulator with all checks, and a program that is prepared for it.
class ProgramFixture : public testing::Test {
protected:
  void SetUp() override {
    nmrtContextOptions options = {};
    options.apiVersion = NMRT_API_VERSION;
    options.device = NMRT_DEVICE_EMULATOR;
    options.emulatorChecks = NMRT_CHECK_ALL;
    char error[256];
    ASSERT_EQ(nmrtContextCreate(&options, &context, error, sizeof(error)), 0)
        << error;
  }
  void TearDown() override {
    release();
    nmrtContextDestroy(context);
  }

  /// Prepares the program of `file` in the place of the one before.
  void prepare(std::string file) {
    release();
    bytes = std::move(file);
    ASSERT_EQ(nmProgramLoadBytes(bytes.data(), bytes.size(), &program), 0)
        << nmrtLastError();
    ASSERT_EQ(nmProgramPrepare(program, context, &prepared), 0)
        << nmrtLastError();
  }

  nmrtContext *context = nullptr;
  std::string bytes;
  nmProgram *program = nullptr;
  nmPrepared *prepared = nullptr;

private:
  void release() {
    nmPreparedRelease(prepared);
    nmProgramRelease(program);
    prepared = nullptr;
    program = nullptr;
  }
};

} // namespace nm

#endif // NM_TEST_UNIT_VM_PROGRAMFIXTURE_H

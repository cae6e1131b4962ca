//===- VerifyTest.cpp - Code that only names what there is ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExampleProgram.h"

#include <gtest/gtest.h>

#include <functional>

using namespace nm;
using namespace nm::program;

namespace {

const std::string kWeights(12, 'w');

/// What the verifier says of the example after `change`.
std::string verifyChanged(const std::function<void(Program &)> &change) {
  Program program = makeExample(kWeights);
  change(program);
  std::string error;
  bool isGood = verify(program, error);
  EXPECT_EQ(isGood, error.empty());
  return error;
}

/// What it says of a function without parameters and with this code; the
/// function has one constant, three numbers and one buffer.
std::string verifyCode(const std::function<void(Function &)> &emitCode) {
  return verifyChanged([&](Program &program) {
    Function function;
    function.name = "f";
    function.constants = {7};
    function.numbers = 3;
    function.buffers = 1;
    emitCode(function);
    program.functions.push_back(function);
  });
}

TEST(Verify, TakesTheExample) {
  EXPECT_EQ(verifyChanged([](Program &) {}), "");
}

TEST(Verify, Instructions) {
  EXPECT_EQ(verifyCode([](Function &f) { f.code = {9999}; }),
            "function `f`: instruction at 0: expected an instruction, got "
            "9999");
  EXPECT_EQ(verifyCode([](Function &f) { emit(f, Opcode::AddI, {1, 2}); }),
            "function `f`: instruction at 0: expected an instruction, got " +
                std::to_string(static_cast<uint32_t>(Opcode::AddI)));
  // A list longer than the code.
  EXPECT_NE(verifyCode([](Function &f) { emit(f, Opcode::Return, {9, 0}); }),
            "");
  EXPECT_EQ(verifyCode([](Function &) {}),
            "function `f`: expected code that ends in a branch or a return");
  EXPECT_EQ(verifyCode([](Function &f) { emit(f, Opcode::Move, {1, 0}); }),
            "function `f`: expected code that ends in a branch or a return");
}

TEST(Verify, Operands) {
  auto end = [](Function &f) { emit(f, Opcode::Return, {0, 0}); };
  EXPECT_EQ(verifyCode([&](Function &f) {
              emit(f, Opcode::Move, {0, 1});
              end(f);
            }),
            "function `f`: instruction at 0: Move: expected a number to write "
            "from 1 to below 3, got 0");
  EXPECT_EQ(verifyCode([&](Function &f) {
              emit(f, Opcode::Move, {1, 3});
              end(f);
            }),
            "function `f`: instruction at 0: Move: expected a number from 0 to "
            "below 3, got 3");
  EXPECT_EQ(verifyCode([&](Function &f) {
              emit(f, Opcode::Free, {1});
              end(f);
            }),
            "function `f`: instruction at 0: Free: expected a buffer from 0 to "
            "below 1, got 1");
  EXPECT_EQ(verifyCode([&](Function &f) {
              emit(f, Opcode::Assert, {1, 1});
              end(f);
            }),
            "function `f`: instruction at 0: Assert: expected a text from 0 to "
            "below 1, got 1");
  EXPECT_EQ(verifyCode([&](Function &f) {
              emit(f, Opcode::Constant, {0, 1});
              end(f);
            }),
            "function `f`: instruction at 0: Constant: expected a constant "
            "from 0 to below 1, got 1");
  EXPECT_EQ(verifyCode([&](Function &f) {
              emit(f, Opcode::ZeroExtend, {1, 0, 64});
              end(f);
            }),
            "function `f`: instruction at 0: ZeroExtend: expected a number "
            "from 1 to 63, got 64");
  EXPECT_EQ(verifyCode([&](Function &f) {
              emit(f, Opcode::CmpF64, {1, 0, 0, 16});
              end(f);
            }),
            "function `f`: instruction at 0: CmpF64: expected a number from 0 "
            "to 15, got 16");
  EXPECT_EQ(verifyCode([&](Function &f) {
              emit(f, Opcode::Load, {1, 0, 0, 3});
              end(f);
            }),
            "function `f`: instruction at 0: Load: expected a number from 1 to "
            "8, got 3");
}

TEST(Verify, Labels) {
  EXPECT_EQ(verifyCode([](Function &f) { emit(f, Opcode::Branch, {1}); }),
            "function `f`: expected a label at an instruction, got 1");
  EXPECT_EQ(verifyCode([](Function &f) { emit(f, Opcode::Branch, {0}); }), "");
}

TEST(Verify, CallsWithinCalls) {
  for (uint32_t count : {256, 257}) {
    std::string error = verifyChanged([&](Program &program) {
      uint32_t first = program.functions.size();
      for (uint32_t i = 0; i <= count; ++i) {
        Function function;
        function.name = "f" + std::to_string(i);
        if (i != 0)
          emit(function, Opcode::Call, {first + i - 1, 0, 0, 0, 0});
        emit(function, Opcode::Return, {0, 0});
        program.functions.push_back(function);
      }
    });
    EXPECT_EQ(error, count == 256
                         ? ""
                         : "function `f257`: instruction at 0: Call: expected "
                           "calls at most 256 deep");
  }
}

TEST(Verify, Calls) {
  EXPECT_EQ(verifyCode([](Function &f) {
              emit(f, Opcode::Call, {2, 0, 0, 0, 0});
              emit(f, Opcode::Return, {0, 0});
            }),
            "function `f`: instruction at 0: Call: expected a function before "
            "this one from 0 to below 2, got 2");
  EXPECT_EQ(verifyCode([](Function &f) {
              emit(f, Opcode::Call, {0, 0, 0, 0, 0});
              emit(f, Opcode::Return, {0, 0});
            }),
            "function `f`: instruction at 0: Call: expected what `main.plan` "
            "takes and gives");
  EXPECT_EQ(verifyCode([](Function &f) { emit(f, Opcode::Return, {1, 0, 0}); }),
            "function `f`: instruction at 0: Return: expected 0 numbers and 0 "
            "buffers, got 1 and 0");
}

TEST(Verify, Launches) {
  EXPECT_EQ(verifyCode([](Function &f) {
              emit(f, Opcode::Launch, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
              emit(f, Opcode::Return, {0, 0});
            }),
            "function `f`: instruction at 0: Launch: expected what kernel "
            "`kernel` takes, 1 numbers and 3 buffers, got 0 and 1");
  // A number of 16 bytes takes the next place too.
  auto launchWide = [](uint32_t place) {
    return verifyChanged([&](Program &program) {
      program.kernels.push_back({"wide", {{false, 16}}, {0, 0, 0}});
      Function f;
      f.name = "f";
      f.numbers = 3;
      emit(f, Opcode::Launch, {1, 0, 0, 0, 0, 0, 0, 0, 0, 1, place, 0});
      emit(f, Opcode::Return, {0, 0});
      program.functions.push_back(f);
    });
  };
  EXPECT_EQ(launchWide(1), "");
  EXPECT_EQ(launchWide(2), "function `f`: instruction at 0: Launch: expected "
                           "2 places for a parameter of 16 bytes");
}

TEST(Verify, TensorMaps) {
  auto verifyMap = [](const std::vector<uint32_t> &words) {
    return verifyChanged(
        [&](Program &program) { addTensorMap(program, words); });
  };
  const std::string where =
      "function `map`: instruction at 0: EncodeTensorMap: expected ";
  const std::string types =
      where + "an element type below 10 and a swizzle of at most 3, got ";
  EXPECT_EQ(verifyMap({10, 3, 2, 0, 0, 1, 1, 2, 64, 32}), types + "10 and 3");
  EXPECT_EQ(verifyMap({6, 4, 2, 0, 0, 1, 1, 2, 64, 32}), types + "6 and 4");
  const std::string lists =
      where +
      "a tensor of 1 to 5 dimensions, with a stride for all but one and "
      "an extent of the box for each, got ";
  EXPECT_EQ(verifyMap({6, 3, 0, 0, 0}), lists + "0, 0 and 0");
  EXPECT_EQ(verifyMap({6, 3, 2, 0, 0, 2, 1, 1, 2, 64, 32}),
            lists + "2, 2 and 2");
  EXPECT_EQ(verifyMap({6, 3, 2, 0, 0, 1, 1, 1, 64}), lists + "2, 1 and 1");
  EXPECT_EQ(verifyMap({6, 3, 6, 0, 0, 0, 0, 0, 0, 5, 1,
                       1, 1, 1, 1, 6, 1, 1, 1, 1, 1, 1}),
            lists + "6, 5 and 6");
  // A list longer than the code.
  EXPECT_NE(verifyMap({6, 3, 2, 0, 0, 1, 1, 99}), "");
}

// A map takes 16 places, and is read from as many.
TEST(Verify, PlacesOfTensorMaps) {
  auto verifyFunction = [](const std::function<void(Function &)> &change) {
    return verifyChanged(
        [&](Program &program) { change(addTensorMap(program)); });
  };
  EXPECT_EQ(verifyFunction([](Function &) {}), "");
  for (uint32_t numbers : {18u, 5u})
    EXPECT_EQ(verifyFunction([&](Function &f) { f.numbers = numbers; }),
              "function `map`: instruction at 0: EncodeTensorMap: expected the "
              "first of 16 numbers to write from 3 to below " +
                  std::to_string(numbers == 18 ? 3 : 0) + ", got 3");
  EXPECT_EQ(verifyFunction([](Function &f) { f.code[1] = 2; }),
            "function `map`: instruction at 0: EncodeTensorMap: expected the "
            "first of 16 numbers to write from 3 to below 4, got 2");
  EXPECT_EQ(verifyFunction([](Function &f) { f.code[14 + 11] = 4; }),
            "function `map`: instruction at 14: Launch: expected 16 places for "
            "a parameter of 128 bytes");
}

TEST(Verify, Frames) {
  EXPECT_EQ(
      verifyChanged([](Program &program) { program.functions[0].numbers = 1; }),
      "function `main.plan`: expected a frame that holds constants and "
      "parameters");
  EXPECT_EQ(verifyChanged([](Program &program) {
              program.functions[0].buffers = 1u << 25;
            }),
            "function `main.plan`: expected at most 16777216 places");
}

TEST(Verify, Constants) {
  EXPECT_EQ(verifyChanged([](Program &program) {
              program.constants[0].extents = {2, 4};
            }),
            "constant `weight`: expected 2x4xf16, got 12 bytes");
  EXPECT_EQ(verifyChanged([](Program &program) {
              program.constants[0].extents = {int64_t(1) << 62, 4};
            }),
            "constant `weight`: expected 4611686018427387904x4xf16, got 12 "
            "bytes");
  for (const char *name : {"", "nm.program", "__metadata__"})
    EXPECT_EQ(verifyChanged(
                  [&](Program &program) { program.constants[0].name = name; }),
              "expected constants with names of their own, none of which "
              "begins with `nm.`, got `" +
                  std::string(name) + "`");
  EXPECT_NE(verifyChanged([](Program &program) {
              program.constants.push_back(program.constants[0]);
            }),
            "");
}

TEST(Verify, Kernels) {
  EXPECT_EQ(verifyChanged([](Program &program) { program.images.clear(); }),
            "expected an image with the kernels, got none");
  EXPECT_EQ(
      verifyChanged([](Program &program) { program.images[0].bytes.clear(); }),
      "expected images with a chip and a text, got an empty one");
  EXPECT_EQ(verifyChanged([](Program &program) {
              program.kernels[0].parameters[1].bytes = 3;
            }),
            "kernel `kernel`: expected parameters of 1, 2, 4, 8, 16 or 128 "
            "bytes, got 3");
  for (uint32_t blocks : {0u, 17u})
    EXPECT_EQ(verifyChanged([&](Program &program) {
                program.kernels[0].cluster[0] = 2;
                program.kernels[0].cluster[1] = blocks;
                program.kernels[0].cluster[2] = 1;
              }),
              "kernel `kernel`: expected a cluster of 1 to 16 blocks");
}

/// The example, whose argument is `type` and state that begins with a constant.
static std::string verifyState(ValueType type, ConstantKind kind) {
  return verifyChanged([&](Program &program) {
    static const char kZeros[64] = {};
    program.constants.push_back(
        {"x", ElementType::F32, {2, 4}, kind, {kZeros, 32}});
    Entry &entry = program.entries[0];
    entry.initialState = {1};
    entry.arguments[0] = entry.results[0].type = std::move(type);
  });
}

TEST(Verify, State) {
  std::string wrong = "entry `main`: expected state #0 of type 2x4xf32, got ";
  EXPECT_EQ(verifyState({ElementType::F32, {-1, 4}}, ConstantKind::Initial),
            wrong + "?x4xf32 and ?x4xf32");
  EXPECT_EQ(verifyState({ElementType::F64, {2, 4}}, ConstantKind::Initial),
            wrong + "2x4xf64 and 2x4xf64");
  EXPECT_EQ(verifyState({ElementType::F32, {2, 4}}, ConstantKind::Constant),
            "entry `main`: expected a constant that state begins with, got "
            "number 1");
  // The rest of the example is made for a dynamic extent.
  EXPECT_EQ(verifyState({ElementType::F32, {2, 4}}, ConstantKind::Initial),
            "entry `main`: expected `main.plan` to fit the signature");
  // Code does not see what the caller keeps.
  EXPECT_NE(
      verifyChanged([](Program &program) {
        program.constants[0].kind = ConstantKind::Initial;
      })
          .find("expected a constant of the program, got one that state of "
                "the caller begins with"),
      std::string::npos);
}

TEST(Verify, Entries) {
  auto verifyEntry = [](const std::function<void(Entry &)> &change) {
    return verifyChanged([&](Program &program) { change(program.entries[0]); });
  };
  EXPECT_EQ(verifyEntry([](Entry &entry) { entry.run = 2; }),
            "entry `main`: expected functions of the program");
  EXPECT_EQ(verifyEntry([](Entry &entry) { entry.run = 0; }),
            "entry `main`: expected `main.plan` to fit the signature");
  EXPECT_EQ(verifyEntry([](Entry &entry) { entry.plan = 1; }),
            "entry `main`: expected `main` to fit the signature");
  EXPECT_EQ(verifyEntry([](Entry &entry) { entry.argumentNames.clear(); }), "");
  EXPECT_EQ(
      verifyEntry([](Entry &entry) { entry.argumentNames.push_back("z"); }),
      "entry `main`: expected as many names as arguments");
  EXPECT_EQ(verifyEntry([](Entry &entry) { entry.resultNames = {"a", "b"}; }),
            "entry `main`: expected as many names as results");
  EXPECT_EQ(verifyEntry([](Entry &entry) { entry.initialState = {1, 1}; }),
            "entry `main`: expected state among arguments and results");
  EXPECT_EQ(verifyEntry([](Entry &entry) {
              entry.results[0].place = ResultPlace::Allocated;
            }),
            "entry `main`: expected `main` to fit the signature");
  EXPECT_EQ(verifyChanged([](Program &program) {
              program.entries.push_back(program.entries[0]);
            }),
            "expected entries with names of their own, got `main` twice");
}

TEST(Disassemble, NamesWhatIsUsed) {
  Program program = makeExample(kWeights);
  EXPECT_EQ(disassemble(program, program.functions[1]),
            "main:\n"
            "L0: Constant &3, weight\n"
            "L3: Launch kernel, \"a launch\", %3, #1, #1, #32, #1, #1, #0, "
            "%3, &0, &3, &1\n"
            "L19: Return\n");
  addTensorMap(program);
  EXPECT_EQ(disassemble(program, program.functions[2]),
            "map:\n"
            "L0: EncodeTensorMap %3, &0, #0, 6, 3, #64, #64, #128, 64, 32\n"
            "L14: Launch mapped, \"a launch\", #64, #64, #64, #64, #64, #64, "
            "#0, %3\n"
            "L27: Return\n");
}

} // namespace

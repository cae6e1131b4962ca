//===- ExampleProgram.h - A program to test with ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_PROGRAM_EXAMPLEPROGRAM_H
#define NM_TEST_UNIT_PROGRAM_EXAMPLEPROGRAM_H

#include "nm/Program/Program.h"

namespace nm {
namespace program {

/// Appends an instruction.
inline void emit(Function &function, Opcode opcode,
                 const std::vector<uint32_t> &words) {
  function.code.push_back(static_cast<uint32_t>(opcode));
  function.code.insert(function.code.end(), words.begin(), words.end());
}

/// One entry `main(?x4xf32) -> ?x4xf32` that launches one kernel with its
/// argument, a constant and its result. The program points to `weights`.
inline Program makeExample(std::string_view weights) {
  Program program;
  program.version = "0.1.0";
  program.llvmVersion = "22.1.8";
  program.source = "example.mlir";
  program.chip = "sm_90";
  program.report = "{}";
  program.images.push_back({ImageKind::PTX, "sm_90", "// PTX\n"});
  program.constants.push_back(
      {"weight", ElementType::F16, {2, 3}, ConstantKind::Constant, weights});
  Kernel kernel;
  kernel.name = "kernel";
  kernel.parameters = {{true, 8}, {false, 4}, {true, 8}, {true, 8}};
  program.kernels.push_back(kernel);
  program.texts = {"a launch"};

  Function plan;
  plan.name = "main.plan";
  plan.constants = {0};
  plan.numberParameters = 1;
  plan.bufferParameters = 1;
  plan.numberResults = 2;
  plan.numbers = 2;
  plan.buffers = 1;
  emit(plan, Opcode::Return, {2, 1, 0, 0});
  program.functions.push_back(plan);

  Function run;
  run.name = "main";
  run.constants = {0, 1, 32};
  run.numberParameters = 3; // from place 3 on
  run.bufferParameters = 3;
  run.numbers = 6;
  run.buffers = 4;
  emit(run, Opcode::Constant, {3, 0});
  emit(run, Opcode::Launch,
       {0, 0, 3, 1, 1, 2, 1, 1, 0, /*numbers=*/1, 3, /*buffers=*/3, 0, 3, 1});
  emit(run, Opcode::Return, {0, 0});
  program.functions.push_back(run);

  Entry entry;
  entry.name = "main";
  entry.arguments.push_back({ElementType::F32, {-1, 4}, false});
  entry.results.push_back(
      {{ElementType::F32, {-1, 4}, false}, ResultPlace::Given});
  entry.argumentNames = {"x"};
  entry.resultNames = {"y"};
  entry.plan = 0;
  entry.run = 1;
  program.entries.push_back(entry);
  return program;
}

/// Appends a function `map` that makes a tensor map of its buffer, and launches
/// a kernel with it: 64x64 f16 in boxes of 32x64, 128-byte swizzled. `words`
/// are those of the instruction after the first byte.
inline Function &addTensorMap(Program &program,
                              const std::vector<uint32_t> &words = {
                                  6, 3, 2, 0, 0, 1, 1, 2, 64, 32}) {
  program.kernels.push_back({"mapped", {{false, 128}}, {0, 0, 0}});
  Function map;
  map.name = "map";
  map.constants = {64, 128, 0};
  map.numbers = 3 + 16;
  map.buffers = 1;
  std::vector<uint32_t> all = {3, 0, 2};
  all.insert(all.end(), words.begin(), words.end());
  emit(map, Opcode::EncodeTensorMap, all);
  emit(map, Opcode::Launch, {1, 0, 0, 0, 0, 0, 0, 0, 2, 1, 3, 0});
  emit(map, Opcode::Return, {0, 0});
  program.functions.push_back(map);
  return program.functions.back();
}

} // namespace program
} // namespace nm

#endif // NM_TEST_UNIT_PROGRAM_EXAMPLEPROGRAM_H

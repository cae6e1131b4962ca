//===- DecodeMatrix.cpp - Syntax to a decoded kernel: matrices ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ldmatrix, stmatrix and the shapes of mma.sync.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

using namespace nm::emulator;

// {ld,st}matrix.sync.aligned.m8n8.x{1,2,4}{.trans}.shared.b16
bool Decoder::decodeMatrixAccess() {
  Modifiers modifiers(current->opcode);
  MemoryAccess access;
  access.isWrite = current->opcode[0] == 's';
  access.space = Space::Shared;
  if (!modifiers.accept("sync") || !modifiers.accept("aligned") ||
      !modifiers.accept("m8n8"))
    return unsupportedModifier(modifiers.peek());
  std::string_view count = modifiers.take();
  if (count != "x1" && count != "x2" && count != "x4")
    return unsupportedModifier(count);
  access.count = static_cast<uint8_t>(count[1] - '0');
  access.transposed = modifiers.accept("trans");
  if (!modifiers.accept("shared") && !modifiers.accept("shared::cta"))
    return unsupportedModifier(modifiers.peek());
  if (!modifiers.accept("b16") || !modifiers.atEnd())
    return unsupportedModifier(modifiers.peek());
  if (!expectOperands(2, 2))
    return false;
  const Operand &list = current->operands[access.isWrite ? 1 : 0];
  access.elementBytes = 4;
  Operand single;
  single.kind = Operand::Vector;
  single.elements.push_back(list);
  if (!registers(list.kind == Operand::Vector ? list : single, access.count,
                 /*isWritten=*/!access.isWrite, access.registers) ||
      !address(current->operands[access.isWrite ? 0 : 1], access.space,
               access.address))
    return false;
  result.kind = access.isWrite ? Kind::StoreMatrix : Kind::LoadMatrix;
  result.detail = static_cast<uint32_t>(kernel->accesses.size());
  kernel->accesses.push_back(access);
  return true;
}

// mma.sync.aligned.m16n8k{8,16}.row.col.{f32,f16}.{f16,bf16,tf32}...
bool Decoder::decodeMma() {
  struct Shape {
    std::string_view opcode;
    uint8_t k;
    MmaInfo::Input input;
    bool half;
    uint8_t a, b, c;
  };
  static const Shape shapes[] = {
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, MmaInfo::F16,
       false, 4, 2, 4},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 16, MmaInfo::F16,
       true, 4, 2, 2},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, MmaInfo::BF16,
       false, 4, 2, 4},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 8, MmaInfo::F16,
       false, 2, 1, 4},
      {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 8, MmaInfo::BF16,
       false, 2, 1, 4},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, MmaInfo::TF32,
       false, 4, 2, 4},
      {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 4, MmaInfo::TF32,
       false, 2, 1, 4},
  };
  for (const Shape &shape : shapes) {
    if (shape.opcode != current->opcode)
      continue;
    MmaInfo info;
    info.k = shape.k;
    info.input = shape.input;
    info.halfAccumulator = shape.half;
    Operand single;
    single.kind = Operand::Vector;
    if (!expectOperands(4, 4))
      return false;
    single.elements.push_back(current->operands[2]);
    const Operand &b = current->operands[2].kind == Operand::Vector
                           ? current->operands[2]
                           : single;
    if (!registers(current->operands[0], shape.c, /*isWritten=*/true, info.d) ||
        !registers(current->operands[1], shape.a, false, info.a) ||
        !registers(b, shape.b, false, info.b) ||
        !registers(current->operands[3], shape.c, false, info.c))
      return false;
    result.kind = Kind::Mma;
    result.detail = static_cast<uint32_t>(kernel->mmas.size());
    kernel->mmas.push_back(info);
    return true;
  }
  return unsupported();
}

//===- CodeBuilder.cpp - Instructions of one function ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeBuilder.h"

#include "nm/Base/Assert.h"

using namespace nm;
using program::Opcode;

Number CodeBuilder::addNumberParameter() {
  NM_ASSERT(numberParameters == numbers, "parameters come first");
  ++numberParameters;
  return addNumber();
}

Buffer CodeBuilder::addBufferParameter() {
  NM_ASSERT(bufferParameters == buffers, "parameters come first");
  ++bufferParameters;
  return addBuffer();
}

Number CodeBuilder::constant(int64_t value) {
  auto [entry, isNew] =
      constantPlaces.try_emplace(value, kConstantBit | constants.size());
  if (isNew)
    constants.push_back(value);
  return entry->second;
}

std::optional<int64_t> CodeBuilder::getConstant(Number number) const {
  if (!(number & kConstantBit))
    return std::nullopt;
  return constants[number & ~kConstantBit];
}

Label CodeBuilder::addLabel() {
  labels.push_back(0);
  return labels.size() - 1;
}

void CodeBuilder::place(Label label) { labels[label] = code.size(); }

void CodeBuilder::emit(Opcode opcode, llvm::ArrayRef<uint32_t> words) {
  code.push_back(static_cast<uint32_t>(opcode));
  code.insert(code.end(), words.begin(), words.end());
}

Number CodeBuilder::compute(Opcode opcode, llvm::ArrayRef<uint32_t> words) {
  Number result = addNumber();
  llvm::SmallVector<uint32_t> all = {result};
  all.append(words.begin(), words.end());
  emit(opcode, all);
  return result;
}

uint32_t CodeBuilder::resolve(char kind, uint32_t word) const {
  switch (kind) {
  case 'i':
  case 'o':
  case 't':
    return word & kConstantBit ? word & ~kConstantBit
                               : word + static_cast<uint32_t>(constants.size());
  case 'l':
    return labels[word];
  default:
    return word;
  }
}

program::Function CodeBuilder::finish(llvm::StringRef name,
                                      uint32_t numberResults,
                                      uint32_t bufferResults) {
  for (size_t place = 0; place < code.size();) {
    const program::OpcodeInfo *info = program::lookupOpcode(code[place++]);
    for (char kind : info->operands) {
      bool isList = kind >= 'A' && kind <= 'Z';
      uint32_t count = isList ? code[place++] : 1;
      char member = isList ? static_cast<char>(kind - 'A' + 'a') : kind;
      for (uint32_t i = 0; i < count; ++i, ++place)
        code[place] = resolve(member, code[place]);
    }
  }
  program::Function function;
  function.name = name.str();
  function.constants = std::move(constants);
  function.numberParameters = numberParameters;
  function.bufferParameters = bufferParameters;
  function.numberResults = numberResults;
  function.bufferResults = bufferResults;
  function.numbers = numbers + static_cast<uint32_t>(function.constants.size());
  function.buffers = buffers;
  function.code = std::move(code);
  return function;
}

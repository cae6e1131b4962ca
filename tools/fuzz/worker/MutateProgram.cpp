//===- MutateProgram.cpp - Changes a program, and mends its checksums -----===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a hostile file is like: its checksums are right, so that the tables, the
// verifier and the machine that runs host code see what is wrong. Fields are
// changed one by one, or bytes of the encoded program.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "nm/Program/File.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <limits>
#include <random>

using namespace nm;
using namespace nm::fuzz;
using namespace nm::program;

namespace {

/// Of docs/Program.md: where nm.program has its size and its checksum, and
/// where what that is of begins.
constexpr size_t kSizePlace = 16, kChecksumPlace = 24, kFieldsPlace = 40;

class Mutator {
public:
  explicit Mutator(uint64_t seed) : random(seed) {}

  void mutate(Program &program);
  /// Changes a byte or two behind the header of nm.program in the file `bytes`.
  void mutateBytes(std::string &bytes);

  /// A number below `count`.
  size_t choose(size_t count) { return random() % count; }

private:
  /// A number that is near `value`, or at an edge, or anything.
  int64_t change(int64_t value);
  template <typename T> void changeNumber(T &value) {
    value = static_cast<T>(change(static_cast<int64_t>(value)));
  }
  /// Removes, repeats or exchanges an element; false where there is none.
  template <typename T> bool changeList(std::vector<T> &list);

  void mutateCode(Function &function);
  void mutateFunction(Function &function);
  void mutateType(ValueType &type);
  void mutateEntry(Entry &entry);
  void mutateKernel(Kernel &kernel);
  void mutateConstant(Constant &constant);
  void mutateImage(Image &image);
  void mutateText(std::string &text);

  std::mt19937_64 random;
};

} // namespace

int64_t Mutator::change(int64_t value) {
  constexpr int64_t edges[] = {0,
                               1,
                               -1,
                               2,
                               8,
                               255,
                               1 << 16,
                               std::numeric_limits<int32_t>::max(),
                               std::numeric_limits<int32_t>::min(),
                               int64_t(1) << 40,
                               std::numeric_limits<int64_t>::max(),
                               std::numeric_limits<int64_t>::min()};
  switch (choose(4)) {
  case 0:
    return edges[choose(std::size(edges))];
  case 1:
    return static_cast<int64_t>(random());
  default:
    return static_cast<int64_t>(static_cast<uint64_t>(value) + choose(5) - 2);
  }
}

template <typename T> bool Mutator::changeList(std::vector<T> &list) {
  if (list.empty())
    return false;
  size_t place = choose(list.size()), other = choose(list.size());
  switch (choose(3)) {
  case 0:
    list.erase(list.begin() + static_cast<ptrdiff_t>(place));
    break;
  case 1: {
    T copy = list[other];
    list.insert(list.begin() + static_cast<ptrdiff_t>(place), std::move(copy));
    break;
  }
  default:
    std::swap(list[place], list[other]);
  }
  return true;
}

void Mutator::mutateCode(Function &function) {
  std::vector<uint32_t> &code = function.code;
  if (code.empty() || choose(6) == 0) {
    changeList(code);
    return;
  }
  uint32_t &word = code[choose(code.size())];
  switch (choose(3)) {
  case 0: // Another operand or opcode of the function.
    word = code[choose(code.size())];
    break;
  case 1: // A place of the frame, a table's row or an instruction.
    word = static_cast<uint32_t>(choose(
        std::max<size_t>({function.numbers, function.buffers, code.size()})));
    break;
  default:
    changeNumber(word);
  }
}

void Mutator::mutateFunction(Function &function) {
  switch (choose(10)) {
  case 0:
    return changeNumber(function.numberParameters);
  case 1:
    return changeNumber(function.bufferParameters);
  case 2:
    return changeNumber(function.numberResults);
  case 3:
    return changeNumber(function.bufferResults);
  case 4:
    return changeNumber(choose(2) ? function.numbers : function.buffers);
  case 5:
  case 6:
    if (function.constants.empty() || choose(4) == 0)
      changeList(function.constants);
    else
      changeNumber(function.constants[choose(function.constants.size())]);
    return;
  default:
    return mutateCode(function);
  }
}

void Mutator::mutateType(ValueType &type) {
  switch (choose(4)) {
  case 0:
    type.element = static_cast<ElementType>(choose(kNumericTypes));
    return;
  case 1:
    type.isScalar = !type.isScalar;
    return;
  case 2:
    if (changeList(type.shape))
      return;
    [[fallthrough]];
  default:
    if (type.shape.empty())
      type.shape.push_back(4);
    changeNumber(type.shape[choose(type.shape.size())]);
  }
}

void Mutator::mutateEntry(Entry &entry) {
  switch (choose(8)) {
  case 0:
    return std::swap(entry.run, entry.plan);
  case 1:
    return changeNumber(choose(2) ? entry.run : entry.plan);
  case 2:
    if (!entry.results.empty()) {
      ResultPlace &place = entry.results[choose(entry.results.size())].place;
      place = place == ResultPlace::Given ? ResultPlace::Allocated
                                          : ResultPlace::Given;
    }
    return;
  case 3:
    entry.initialState.push_back(static_cast<uint32_t>(change(0)));
    return;
  case 4:
    changeList(choose(2) ? entry.argumentNames : entry.resultNames);
    return;
  case 5:
    if (choose(2))
      changeList(entry.arguments);
    else
      changeList(entry.results);
    return;
  default:
    if (!entry.results.empty() && (entry.arguments.empty() || choose(2)))
      mutateType(entry.results[choose(entry.results.size())].type);
    else if (!entry.arguments.empty())
      mutateType(entry.arguments[choose(entry.arguments.size())]);
  }
}

void Mutator::mutateKernel(Kernel &kernel) {
  switch (choose(6)) {
  case 0:
    kernel.isDependent = !kernel.isDependent;
    return;
  case 1:
    return changeNumber(kernel.cluster[choose(3)]);
  case 2:
    return mutateText(kernel.name);
  case 3:
    changeList(kernel.parameters);
    return;
  default:
    if (kernel.parameters.empty())
      return;
    Parameter &parameter = kernel.parameters[choose(kernel.parameters.size())];
    constexpr uint32_t sizes[] = {0, 1, 2, 3, 4, 8, 16, 128, 4096};
    if (choose(2))
      parameter.isBuffer = !parameter.isBuffer;
    else
      parameter.bytes = sizes[choose(std::size(sizes))];
  }
}

void Mutator::mutateConstant(Constant &constant) {
  switch (choose(6)) {
  case 0:
    constant.element = static_cast<ElementType>(choose(kNumericTypes));
    return;
  case 1:
    constant.kind = static_cast<ConstantKind>(choose(3));
    return;
  case 2:
    return mutateText(constant.name);
  case 3:
    constant.data = constant.data.substr(0, choose(constant.data.size() + 1));
    return;
  case 4:
    changeList(constant.extents);
    return;
  default:
    if (!constant.extents.empty())
      changeNumber(constant.extents[choose(constant.extents.size())]);
  }
}

void Mutator::mutateText(std::string &text) {
  if (text.empty() || choose(4) == 0) {
    text += choose(2) ? std::string(choose(300), 'x') : std::string(1, '\0');
    return;
  }
  size_t place = choose(text.size());
  switch (choose(3)) {
  case 0:
    text[place] = static_cast<char>(random());
    return;
  case 1:
    text.erase(place, 1 + choose(8));
    return;
  default:
    text.resize(place);
  }
}

void Mutator::mutateImage(Image &image) {
  switch (choose(5)) {
  case 0:
    image.kind =
        image.kind == ImageKind::PTX ? ImageKind::Cubin : ImageKind::PTX;
    return;
  case 1:
    return mutateText(image.chip);
  default:
    return mutateText(image.bytes);
  }
}

void Mutator::mutate(Program &program) {
  auto visit = [&](auto &list, auto mutateOne) {
    if (list.empty() || choose(12) == 0)
      changeList(list);
    else
      (this->*mutateOne)(list[choose(list.size())]);
  };
  switch (choose(12)) {
  case 0:
    return visit(program.images, &Mutator::mutateImage);
  case 1:
    return visit(program.constants, &Mutator::mutateConstant);
  case 2:
    return visit(program.kernels, &Mutator::mutateKernel);
  case 3:
    return visit(program.texts, &Mutator::mutateText);
  case 4:
  case 5:
    return visit(program.entries, &Mutator::mutateEntry);
  case 6: {
    std::string *texts[] = {&program.version, &program.source, &program.chip,
                            &program.report};
    return mutateText(*texts[choose(std::size(texts))]);
  }
  default:
    return visit(program.functions, &Mutator::mutateFunction);
  }
}

void Mutator::mutateBytes(std::string &bytes) {
  size_t begin = 8 + llvm::support::endian::read64le(bytes.data());
  size_t size =
      llvm::support::endian::read64le(bytes.data() + begin + kSizePlace);
  for (size_t count = 1 + choose(2); count > 0; --count)
    bytes[begin + kFieldsPlace + choose(size - kFieldsPlace)] =
        static_cast<char>(choose(3) ? choose(4) : random());
  Checksum sum = computeChecksum(std::string_view(bytes).substr(
      begin + kFieldsPlace, size - kFieldsPlace));
  llvm::copy(sum,
             bytes.begin() + static_cast<ptrdiff_t>(begin + kChecksumPlace));
}

Reply nm::fuzz::mutateProgram(Parts parts) {
  std::string error;
  auto file = File::read(parts[1], error);
  if (!file)
    return {false, error};
  Mutator mutator(std::stoull(parts[0]));
  std::string bytes;
  Program changed = file->getProgram();
  bool isOfBytes = mutator.choose(4) == 0;
  if (!isOfBytes)
    for (size_t count = 1 + mutator.choose(3); count > 0; --count)
      mutator.mutate(changed);
  writeFile(changed, [&](std::string_view piece) {
    bytes += piece;
    return true;
  });
  if (isOfBytes)
    mutator.mutateBytes(bytes);
  return {true, bytes};
}

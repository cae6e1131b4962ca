//===- VerifyTables.cpp - What a program holds besides its code -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTables.h"
#include "nm/Base/TensorMapLimits.h"

#include <set>

using namespace nm;
using namespace nm::program;

static std::string str(uint64_t value) { return std::to_string(value); }

namespace {

class TableVerifier {
public:
  explicit TableVerifier(const Program &program, std::string &error)
      : program(program), error(error) {}

  bool checkConstants();
  bool checkKernels();
  bool checkEntries();

private:
  bool fail(const std::string &message) {
    error = message;
    return false;
  }
  bool checkEntry(const Entry &entry);
  bool checkNames(const Entry &entry);
  bool checkState(const Entry &entry);
  bool checkFunctions(const Entry &entry);

  const Program &program;
  std::string &error;
};

} // namespace

bool TableVerifier::checkConstants() {
  std::set<std::string_view> names;
  for (const Constant &constant : program.constants) {
    if (constant.name.empty() || constant.name.rfind("nm.", 0) == 0 ||
        constant.name == "__metadata__" || !names.insert(constant.name).second)
      return fail("expected constants with names of their own, none of which "
                  "begins with `nm.`, got `" +
                  constant.name + "`");
    std::optional<int64_t> bytes =
        countElements(constant.extents, sizeOf(constant.element));
    if (!bytes || uint64_t(*bytes) != constant.data.size())
      return fail("constant `" + constant.name + "`: expected " +
                  toString(constant.extents, constant.element) + ", got " +
                  str(constant.data.size()) + " bytes");
  }
  return true;
}

bool TableVerifier::checkKernels() {
  if (!program.kernels.empty() && program.images.empty())
    return fail("expected an image with the kernels, got none");
  for (const Image &image : program.images)
    if (image.chip.empty() || image.bytes.empty())
      return fail("expected images with a chip and a text, got an empty one");
  for (const Kernel &kernel : program.kernels) {
    for (const Parameter &parameter : kernel.parameters) {
      uint32_t bytes = parameter.bytes;
      bool known = parameter.isBuffer
                       ? bytes == 8
                       : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ||
                             bytes == 16 || bytes == kTensorMapBytes;
      if (!known)
        return fail("kernel `" + kernel.name +
                    "`: expected parameters of 1, 2, 4, 8, 16 or 128 bytes, "
                    "got " +
                    str(bytes));
    }
    uint64_t blocks = 1;
    for (uint32_t extent : kernel.cluster)
      blocks *= extent;
    bool none = !kernel.cluster[0] && !kernel.cluster[1] && !kernel.cluster[2];
    for (uint32_t extent : kernel.cluster)
      if (!none && (extent == 0 || extent > 16))
        blocks = 0;
    if (!none && (blocks == 0 || blocks > 16))
      return fail("kernel `" + kernel.name +
                  "`: expected a cluster of 1 to 16 blocks");
  }
  return true;
}

/// Places of a number of this type.
static uint64_t countPlaces(const ValueType &type) {
  return isComplex(type.element) ? 2 : 1;
}

static uint64_t countDynamic(const ValueType &type) {
  uint64_t count = 0;
  for (int64_t extent : type.shape)
    count += extent == -1;
  return count;
}

bool TableVerifier::checkNames(const Entry &entry) {
  if (!entry.argumentNames.empty() &&
      entry.argumentNames.size() != entry.arguments.size())
    return fail("expected as many names as arguments");
  if (!entry.resultNames.empty() &&
      entry.resultNames.size() != entry.results.size())
    return fail("expected as many names as results");
  return true;
}

/// The state that a call gives is that which the next one takes.
bool TableVerifier::checkState(const Entry &entry) {
  if (entry.initialState.size() > entry.arguments.size() ||
      entry.initialState.size() > entry.results.size())
    return fail("expected state among arguments and results");
  for (size_t i = 0; i < entry.initialState.size(); ++i) {
    uint32_t index = entry.initialState[i];
    if (index >= program.constants.size() ||
        program.constants[index].kind != ConstantKind::Initial)
      return fail("expected a constant that state begins with, got number " +
                  str(index));
    const Constant &initial = program.constants[index];
    ValueType type{initial.element, initial.extents, /*isScalar=*/false};
    if (type != entry.arguments[i] || type != entry.results[i].type)
      return fail("expected state #" + str(i) + " of type " + type.str() +
                  ", got " + entry.arguments[i].str() + " and " +
                  entry.results[i].type.str());
  }
  return true;
}

bool TableVerifier::checkEntry(const Entry &entry) {
  return checkNames(entry) && checkState(entry) &&
         verifyWeights(entry, error) && checkFunctions(entry);
}

/// The two functions take and give what the signature says.
bool TableVerifier::checkFunctions(const Entry &entry) {
  if (entry.run >= program.functions.size() ||
      entry.plan >= program.functions.size())
    return fail("expected functions of the program");
  uint64_t numbers = 0, buffers = 0;
  for (const ValueType &type : entry.arguments) {
    numbers += type.isScalar ? countPlaces(type) : countDynamic(type);
    buffers += !type.isScalar;
  }
  uint64_t given = 0, extents = 0, numberResults = 0, bufferResults = 0;
  for (const Result &result : entry.results) {
    if (result.type.isScalar) {
      numberResults += countPlaces(result.type);
    } else if (result.place == ResultPlace::Given) {
      ++given;
      extents += countDynamic(result.type);
    } else {
      ++bufferResults;
      numberResults += countDynamic(result.type);
    }
  }
  const Function &run = program.functions[entry.run];
  const Function &plan = program.functions[entry.plan];
  if (plan.numberParameters != numbers || plan.bufferParameters != buffers ||
      plan.numberResults < extents + 1 || plan.bufferResults != 0)
    return fail("expected `" + plan.name + "` to fit the signature");
  if (run.numberParameters != numbers + plan.numberResults ||
      run.bufferParameters != buffers + given + 1 ||
      run.numberResults != numberResults || run.bufferResults != bufferResults)
    return fail("expected `" + run.name + "` to fit the signature");
  return true;
}

bool TableVerifier::checkEntries() {
  std::set<std::string_view> names;
  for (const Entry &entry : program.entries) {
    if (!names.insert(entry.name).second)
      return fail("expected entries with names of their own, got `" +
                  entry.name + "` twice");
    if (!checkEntry(entry))
      return fail("entry `" + entry.name + "`: " + error);
  }
  return true;
}

bool nm::program::verifyTables(const Program &program, std::string &error) {
  TableVerifier verifier(program, error);
  return verifier.checkConstants() && verifier.checkKernels();
}

bool nm::program::verifyEntries(const Program &program, std::string &error) {
  return TableVerifier(program, error).checkEntries();
}

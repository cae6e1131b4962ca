//===- EntryCall.cpp - One call of a public function ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/VM/EntryCall.h"

#include "Arena.h"
#include "CheckCall.h"
#include "nm/VM/Machine.h"

#include <cstring>

using namespace nm;
using namespace nm::vm;
using program::Entry;
using program::Result;
using program::ResultPlace;

nmElementType nm::vm::getElementType(ElementType element) {
  const NumericType &row = getNumericType(element);
  return {static_cast<uint8_t>(row.dlpack), static_cast<uint8_t>(8 * row.bytes),
          1};
}

namespace {

/// The numbers and buffers of a call, in memory of the thread's arena.
class Values {
public:
  Values(size_t numbers, size_t buffers)
      : numberBlock(numbers * sizeof(int64_t)),
        bufferBlock(buffers * sizeof(Buffer)),
        numbers(reinterpret_cast<int64_t *>(numberBlock.get())),
        buffers(reinterpret_cast<Buffer *>(bufferBlock.get())) {}

  void addNumber(int64_t value) { numbers[numberCount++] = value; }
  void addBuffer(Buffer value) { buffers[bufferCount++] = value; }
  /// The extents that the type leaves open.
  void addExtents(const ValueType &type, const nmArray &array) {
    for (size_t axis = 0; axis < type.shape.size(); ++axis)
      if (type.shape[axis] == -1)
        addNumber(array.extents[axis]);
  }
  void addArray(const ValueType &type, const nmArray &array);

private:
  Arena::Block numberBlock, bufferBlock;

public:
  int64_t *const numbers;
  Buffer *const buffers;
  size_t numberCount = 0, bufferCount = 0;
};

} // namespace

void Values::addArray(const ValueType &type, const nmArray &array) {
  if (!type.isScalar) {
    addBuffer({array.data, countBytes(type, array)});
    addExtents(type, array);
    return;
  }
  const NumericType &row = getNumericType(type.element);
  size_t parts = row.isComplex() ? 2 : 1;
  for (size_t part = 0; part < parts; ++part) {
    int64_t bits = 0;
    std::memcpy(&bits,
                static_cast<const char *>(array.data) +
                    part * (row.bytes / parts),
                row.bytes / parts);
    // Any byte but 0 is true.
    addNumber(type.element == ElementType::Bool ? bits != 0 : bits);
  }
}

/// Runs the plan of `entry`; its results go to the numbers behind those of the
/// arguments, where the function itself wants them.
static Status runPlan(const program::Program &program, const Entry &entry,
                      Values &values) {
  const program::Function &function = program.functions[entry.plan];
  Machine machine(program, nullptr, nullptr);
  Status status = machine.run(entry.plan, values.numbers, values.buffers,
                              values.numbers + values.numberCount, nullptr);
  values.numberCount += function.numberResults;
  return status;
}

Status nm::vm::plan(const program::Program &program, const Entry &entry,
                    const nmArray *arguments, nmArray *results,
                    uint64_t &workspaceBytes) {
  Status status = checkArguments(entry, arguments, nullptr);
  if (status.failed())
    return status;
  const program::Function &run = program.functions[entry.run];
  Values values(run.numberParameters, run.bufferParameters);
  for (size_t i = 0; i < entry.arguments.size(); ++i)
    values.addArray(entry.arguments[i], arguments[i]);
  const int64_t *planned = values.numbers + values.numberCount;
  status = runPlan(program, entry, values);
  if (status.failed())
    return status;
  for (size_t i = 0; i < entry.results.size(); ++i) {
    const Result &result = entry.results[i];
    status = checkRank(entry, i, results[i]);
    if (status.failed())
      return status;
    for (size_t axis = 0; axis < result.type.shape.size(); ++axis) {
      int64_t extent = result.type.shape[axis];
      if (extent == -1)
        extent = result.place == ResultPlace::Given ? *planned++ : -1;
      results[i].extents[axis] = extent;
    }
  }
  workspaceBytes =
      static_cast<uint64_t>(values.numbers[values.numberCount - 1]);
  return status;
}

/// Writes the numbers among the results, and what the call allocated.
static void takeResults(const Entry &entry, Machine &machine,
                        const int64_t *numbers, const Buffer *buffers,
                        nmArray *results) {
  for (size_t i = 0; i < entry.results.size(); ++i) {
    const ValueType &type = entry.results[i].type;
    const NumericType &row = getNumericType(type.element);
    if (type.isScalar) {
      size_t parts = row.isComplex() ? 2 : 1;
      for (size_t part = 0; part < parts; ++part)
        std::memcpy(static_cast<char *>(results[i].data) +
                        part * (row.bytes / parts),
                    numbers++, row.bytes / parts);
    } else if (entry.results[i].place == ResultPlace::Allocated) {
      machine.release(buffers->address);
      results[i].data = buffers++->address;
      for (size_t axis = 0; axis < type.shape.size(); ++axis)
        results[i].extents[axis] =
            type.shape[axis] == -1 ? *numbers++ : type.shape[axis];
    }
  }
}

Status nm::vm::run(PreparedProgram &prepared, const Entry &entry,
                   const nmCall &call) {
  const program::Program &program = prepared.getProgram();
  runtime::Context &context = prepared.getContext();
  Status status = checkArguments(entry, call.arguments, &context.getDevice());
  if (status.failed())
    return status;
  const program::Function &function = program.functions[entry.run];
  Values values(function.numberParameters, function.bufferParameters);
  for (size_t i = 0; i < entry.arguments.size(); ++i)
    values.addArray(entry.arguments[i], call.arguments[i]);
  const int64_t *planned = values.numbers + values.numberCount;
  status = runPlan(program, entry, values);
  if (!status.failed())
    status = checkResults(entry, call, planned, context.getDevice());
  auto workspaceBytes =
      static_cast<uint64_t>(values.numbers[values.numberCount - 1]);
  if (!status.failed())
    status = checkWorkspace(entry, call, workspaceBytes, context.getDevice());
  if (status.failed())
    return status;
  for (size_t i = 0; i < entry.results.size(); ++i) {
    const Result &result = entry.results[i];
    if (!result.type.isScalar && result.place == ResultPlace::Given)
      values.addBuffer(
          {call.results[i].data, countBytes(result.type, call.results[i])});
  }
  values.addBuffer({call.workspace, workspaceBytes});

  // What failed in an earlier call is known without waiting.
  status = context.checkAssertions();
  if (status.failed())
    return status;
  runtime::Context::Scope scope(context);
  if (scope.getStatus().failed())
    return scope.getStatus();
  Values results(function.numberResults, function.bufferResults);
  Machine machine(program, &prepared, call.stream);
  status = machine.run(entry.run, values.numbers, values.buffers,
                       results.numbers, results.buffers);
  if (!status.failed())
    takeResults(entry, machine, results.numbers, results.buffers, call.results);
  return status;
}

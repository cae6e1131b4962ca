//===- CheckCall.cpp - Whether arrays fit a function ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckCall.h"

#include "nm/VM/EntryCall.h"

using namespace nm;
using namespace nm::vm;
using program::Entry;
using program::ResultPlace;

namespace {

/// One array of a call, and how errors name it.
struct Place {
  const Entry &entry;
  bool isResult;
  size_t index;

  const ValueType &getType() const {
    return isResult ? entry.results[index].type : entry.arguments[index];
  }
  std::string describe() const {
    const std::vector<std::string> &names =
        isResult ? entry.resultNames : entry.argumentNames;
    std::string text = (isResult ? "result #" : "argument #") +
                       std::to_string(index) + " of " + entry.name;
    return names.empty() || names[index].empty()
               ? text
               : text + " (" + names[index] + ")";
  }
  Status refuse(const std::string &message) const {
    return Status(NMRT_INVALID_ARGUMENT, describe() + ": " + message);
  }
};

} // namespace

static std::string listNumbers(const int64_t *numbers, size_t count,
                               bool isType = false) {
  std::string text = "[";
  for (size_t i = 0; i < count; ++i) {
    text += i ? ", " : "";
    text += isType && numbers[i] == -1 ? "?" : std::to_string(numbers[i]);
  }
  return text + "]";
}

/// The type in words: the name of the row, or DLPack's numbers.
static std::string describeType(nmElementType type) {
  for (const NumericType &row : getNumericTypes()) {
    nmElementType known = getElementType(row.id);
    if (type.code == known.code && type.bits == known.bits && type.lanes == 1)
      return std::string(row.name);
  }
  return "DLPack's type of code " + std::to_string(type.code) + ", " +
         std::to_string(type.bits) + " bits and " + std::to_string(type.lanes) +
         " lanes";
}

static Status checkType(const Place &place, const nmArray &array) {
  const ValueType &type = place.getType();
  nmElementType expected = getElementType(type.element);
  if (array.element.code == expected.code &&
      array.element.bits == expected.bits &&
      array.element.lanes == expected.lanes)
    return Status();
  return place.refuse("expected elements of type " + toString(type.element) +
                      ", got " + describeType(array.element));
}

/// Whether `array` has the extents `expected`, -1 for any, and says them
/// without gaps. `bytes` receives its size.
static Status checkShape(const Place &place, const nmArray &array,
                         const int64_t *expected, uint64_t &bytes) {
  const ValueType &type = place.getType();
  auto rank = static_cast<int32_t>(type.shape.size());
  if (array.rank != rank)
    return place.refuse("expected " + std::to_string(rank) +
                        " dimensions, got " + std::to_string(array.rank));
  if (rank != 0 && !array.extents)
    return place.refuse("expected extents, got null");
  bytes = getNumericType(type.element).bytes;
  bool fits = true, isEmpty = false, overflows = false;
  for (int32_t axis = 0; axis < rank; ++axis) {
    int64_t extent = array.extents[axis];
    fits &= extent >= 0 && (expected[axis] == -1 || extent == expected[axis]);
    isEmpty |= extent == 0;
    overflows |=
        __builtin_mul_overflow(bytes, static_cast<uint64_t>(extent), &bytes);
  }
  if (!fits)
    return place.refuse(
        "expected extents " + listNumbers(expected, type.shape.size(), true) +
        ", got " + listNumbers(array.extents, type.shape.size()));
  if (isEmpty)
    bytes = 0;
  else if (overflows || bytes > INT64_MAX)
    return place.refuse("expected an array of less than 2^63 bytes, got " +
                        listNumbers(array.extents, type.shape.size()));
  int64_t stride = 1;
  for (int32_t axis = rank - 1; axis >= 0 && array.strides && bytes != 0;
       --axis) {
    if (array.extents[axis] != 1 && array.strides[axis] != stride)
      return place.refuse("expected a row-major array without gaps, got "
                          "strides " +
                          listNumbers(array.strides, type.shape.size()) +
                          " of extents " +
                          listNumbers(array.extents, type.shape.size()) +
                          "; copy it first (.contiguous() in PyTorch)");
    stride *= array.extents[axis];
  }
  return Status();
}

static Status checkMemory(const Place &place, const void *data, uint64_t bytes,
                          const runtime::Device &device) {
  auto address = reinterpret_cast<uintptr_t>(data);
  if (bytes == 0)
    return Status();
  if (!data)
    return place.refuse("expected memory, got null");
  if (address % NM_ARRAY_ALIGNMENT != 0)
    return place.refuse(
        "expected an address that is a multiple of " +
        std::to_string(NM_ARRAY_ALIGNMENT) + ", got one " +
        std::to_string(address % NM_ARRAY_ALIGNMENT) +
        " bytes behind it; copy the array first (.clone() in PyTorch)");
  if (device.isForeign(data))
    return place.refuse("expected memory of this device, got address " +
                        std::to_string(address));
  return Status();
}

static Status checkNumber(const Place &place, const nmArray &array) {
  return array.data ? Status() : place.refuse("expected a number, got null");
}

Status nm::vm::checkArguments(const Entry &entry, const nmArray *arguments,
                              const runtime::Device *device) {
  if (!arguments && !entry.arguments.empty())
    return Status(NMRT_INVALID_ARGUMENT, "expected arguments, got null");
  for (size_t i = 0; i < entry.arguments.size(); ++i) {
    Place place = {entry, /*isResult=*/false, i};
    const nmArray &array = arguments[i];
    Status status = checkType(place, array);
    uint64_t bytes = 0;
    if (status.failed())
      return status;
    if (place.getType().isScalar) {
      status = checkNumber(place, array);
    } else {
      status = checkShape(place, array, place.getType().shape.data(), bytes);
      if (!status.failed() && device)
        status = checkMemory(place, array.data, bytes, *device);
    }
    if (status.failed())
      return status;
  }
  return Status();
}

Status nm::vm::checkRank(const Entry &entry, size_t index,
                         const nmArray &result) {
  Place place = {entry, /*isResult=*/true, index};
  auto rank = static_cast<int32_t>(place.getType().shape.size());
  if (result.rank != rank)
    return place.refuse("expected " + std::to_string(rank) +
                        " dimensions, got " + std::to_string(result.rank));
  if (rank != 0 && !result.extents)
    return place.refuse("expected a place for the extents, got null");
  return Status();
}

/// Whether two ranges have a byte in common.
static bool overlap(const void *a, uint64_t aBytes, const void *b,
                    uint64_t bBytes) {
  auto aBegin = reinterpret_cast<uintptr_t>(a);
  auto bBegin = reinterpret_cast<uintptr_t>(b);
  return aBytes != 0 && bBytes != 0 && aBegin < bBegin + bBytes &&
         bBegin < aBegin + aBytes;
}

uint64_t nm::vm::countBytes(const ValueType &type, const nmArray &array) {
  uint64_t bytes = type.isScalar ? 0 : getNumericType(type.element).bytes;
  for (int32_t axis = 0; axis < array.rank; ++axis)
    bytes *= static_cast<uint64_t>(array.extents[axis]);
  return bytes;
}

/// Kernels were compiled for results that are memory of their own.
static Status checkDistinct(const Place &place, const nmCall &call,
                            uint64_t bytes) {
  const Entry &entry = place.entry;
  const void *data = call.results[place.index].data;
  for (size_t i = 0; i < entry.arguments.size(); ++i)
    if (overlap(data, bytes, call.arguments[i].data,
                countBytes(entry.arguments[i], call.arguments[i])))
      return place.refuse("expected memory of its own, got some of " +
                          Place{entry, false, i}.describe());
  for (size_t i = 0; i < place.index; ++i)
    if (entry.results[i].place == ResultPlace::Given &&
        overlap(data, bytes, call.results[i].data,
                countBytes(entry.results[i].type, call.results[i])))
      return place.refuse("expected memory of its own, got some of " +
                          Place{entry, true, i}.describe());
  return Status();
}

Status nm::vm::checkResults(const Entry &entry, const nmCall &call,
                            const int64_t *planned,
                            const runtime::Device &device) {
  if (!call.results && !entry.results.empty())
    return Status(NMRT_INVALID_ARGUMENT, "expected results, got null");
  for (size_t i = 0; i < entry.results.size(); ++i) {
    Place place = {entry, /*isResult=*/true, i};
    const nmArray &array = call.results[i];
    const ValueType &type = place.getType();
    Status status = checkType(place, array);
    uint64_t bytes = 0;
    if (!status.failed() && type.isScalar)
      status = checkNumber(place, array);
    else if (!status.failed() &&
             entry.results[i].place == ResultPlace::Allocated)
      status = checkRank(entry, i, array);
    if (status.failed())
      return status;
    if (type.isScalar || entry.results[i].place == ResultPlace::Allocated)
      continue;
    status = checkShape(place, array, type.shape.data(), bytes);
    for (size_t axis = 0; axis < type.shape.size() && !status.failed(); ++axis)
      if (type.shape[axis] == -1 && array.extents[axis] != *planned++)
        status = place.refuse("expected the extents of nmProgramPlan, got " +
                              listNumbers(array.extents, type.shape.size()));
    if (!status.failed())
      status = checkMemory(place, array.data, bytes, device);
    if (!status.failed())
      status = checkDistinct(place, call, bytes);
    if (status.failed())
      return status;
  }
  return Status();
}

Status nm::vm::checkWorkspace(const Entry &entry, const nmCall &call,
                              uint64_t bytes, const runtime::Device &device) {
  auto refuse = [&](const std::string &message) {
    return Status(NMRT_INVALID_ARGUMENT,
                  "the workspace of " + entry.name + ": " + message);
  };
  if (call.workspaceBytes < bytes)
    return refuse("expected " + runtime::describeBytes(bytes) + ", got " +
                  std::to_string(call.workspaceBytes));
  if (bytes == 0)
    return Status();
  if (!call.workspace ||
      reinterpret_cast<uintptr_t>(call.workspace) % NM_ARRAY_ALIGNMENT != 0)
    return refuse("expected memory at a multiple of " +
                  std::to_string(NM_ARRAY_ALIGNMENT) + " bytes");
  if (device.isForeign(call.workspace))
    return refuse("expected memory of this device");
  return Status();
}

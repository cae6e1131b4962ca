//===- MachineDevice.cpp - What host code does with a device --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineFrame.h"

#include "Arena.h"

using namespace nm;
using namespace nm::vm;
using program::Opcode;

Machine::~Machine() {
  for (void *allocation : allocations)
    (void)prepared->getContext().free(allocation);
}

void Machine::release(void *allocation) {
  for (auto &entry : allocations)
    if (entry == allocation) {
      entry = allocations.back();
      allocations.pop_back();
      return;
    }
}

Status Machine::allocate(Frame &frame, const uint32_t *operands) {
  Buffer buffer{nullptr, static_cast<uint64_t>(frame.numbers[operands[1]])};
  Status status = prepared->getContext().allocate(
      buffer.bytes, &buffer.address, program.texts[operands[2]].c_str(),
      stream);
  if (status.failed())
    return status;
  allocations.push_back(buffer.address);
  frame.buffers[operands[0]] = buffer;
  return status;
}

Status Machine::free(Buffer &buffer) {
  void *address = buffer.address;
  buffer = Buffer();
  size_t before = allocations.size();
  release(address);
  if (allocations.size() == before)
    return invalid("host code frees what it has not allocated");
  return prepared->getContext().free(address);
}

Status Machine::slice(Frame &frame, const uint32_t *operands) {
  const Buffer &buffer = frame.buffers[operands[1]];
  auto first = static_cast<uint64_t>(frame.numbers[operands[2]]);
  auto bytes = static_cast<uint64_t>(frame.numbers[operands[3]]);
  if (!isWithin(buffer, first, bytes))
    return invalid("host code takes a part that its buffer has not");
  frame.buffers[operands[0]] = {addressOf(buffer, first), bytes};
  return Status();
}

Status Machine::load(Frame &frame, const uint32_t *operands) {
  const Buffer &buffer = frame.buffers[operands[1]];
  auto first = static_cast<uint64_t>(frame.numbers[operands[2]]);
  if (!isWithin(buffer, first, operands[3]))
    return invalid("host code reads what its buffer has not");
  int64_t value = 0;
  Status status = prepared->getContext().download(
      &value, addressOf(buffer, first), operands[3], stream);
  frame.numbers[operands[0]] = value;
  return status;
}

Status Machine::launch(Frame &frame, const uint32_t *operands) {
  const program::Kernel &kernel = program.kernels[operands[0]];
  runtime::Launch launch;
  launch.kernel = &prepared->getKernel(operands[0]);
  launch.what = program.texts[operands[1]].c_str();
  for (int axis = 0; axis < 3; ++axis) {
    launch.grid[axis] =
        static_cast<uint64_t>(frame.numbers[operands[2 + axis]]);
    launch.block[axis] =
        static_cast<uint32_t>(frame.numbers[operands[5 + axis]]);
    launch.cluster[axis] = kernel.cluster[axis];
  }
  launch.sharedBytes = static_cast<uint32_t>(frame.numbers[operands[8]]);
  launch.dependent = kernel.isDependent;
  launch.stream = stream;
  size_t count = kernel.parameters.size();
  Arena::Block block(count * sizeof(nmrtParameter));
  auto *parameters = reinterpret_cast<nmrtParameter *>(block.get());
  // A number's low bytes come first, so it can be passed where it lies.
  const uint32_t *number = operands + 10;
  const uint32_t *buffer = number + operands[9] + 1;
  for (size_t i = 0; i < count; ++i) {
    const program::Parameter &parameter = kernel.parameters[i];
    if (parameter.isBuffer)
      parameters[i] = {
          static_cast<const void *>(&frame.buffers[*buffer++].address),
          sizeof(void *)};
    else
      parameters[i] = {&frame.numbers[*number++], parameter.bytes};
  }
  launch.parameters = parameters;
  launch.parameterCount = static_cast<uint32_t>(count);
  return prepared->getContext().launch(launch);
}

/// What needs a device; `place` moves behind the operands.
Status Machine::useDevice(Frame &frame, const uint32_t *&place) {
  auto opcode = static_cast<Opcode>(place[-1]);
  if (!prepared)
    return invalid("host code uses a device before there is one");
  const uint32_t *operands = place;
  switch (opcode) {
  case Opcode::Allocate:
    place += 3;
    return allocate(frame, operands);
  case Opcode::Free:
    place += 1;
    return free(frame.buffers[operands[0]]);
  case Opcode::Constant:
    place += 2;
    frame.buffers[operands[0]] = prepared->getConstant(operands[1]);
    return Status();
  case Opcode::Load:
    place += 4;
    return load(frame, operands);
  case Opcode::EncodeTensorMap:
    place += 5;
    for (int list = 0; list < 3; ++list)
      place += 1 + *place;
    return encodeTensorMap(frame, operands);
  default: // Launch
    place += 10 + operands[9];
    place += 1 + *place;
    return launch(frame, operands);
  }
}

//===- MachineTensorMaps.cpp - Tensor maps in host code -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A map holds the address of its tensor, so that every call makes its own: that
// is a computation of the host, which neither waits nor asks the device.
//
//===----------------------------------------------------------------------===//

#include "MachineFrame.h"

#include "nm/Base/TensorMapLimits.h"

#include <algorithm>
#include <cstring>

using namespace nm;
using namespace nm::vm;

/// CU_TENSOR_MAP_L2_PROMOTION_L2_128B: what is fetched is read before long, by
/// this block or the one beside it.
static constexpr int32_t kL2Promotion = 2;

static bool hasElements(const nmrtTensorMapConfig &config) {
  return !std::count(config.extents, config.extents + config.rank, 0u);
}

/// Bytes from the first element to behind the last one; all ones where they
/// pass 64 bits.
static uint64_t countBytes(const nmrtTensorMapConfig &config) {
  uint64_t bytes = kTensorMapElementBytes[config.elementType];
  bool overflows = __builtin_mul_overflow(config.extents[0], bytes, &bytes);
  for (uint32_t i = 1; i < config.rank; ++i) {
    uint64_t distance;
    overflows |= __builtin_mul_overflow(config.extents[i] - 1,
                                        config.strides[i - 1], &distance);
    overflows |= __builtin_add_overflow(bytes, distance, &bytes);
  }
  return overflows ? UINT64_MAX : bytes;
}

Status Machine::encodeTensorMap(Frame &frame, const uint32_t *operands) {
  const uint32_t *extents = operands + 5;
  const uint32_t *strides = extents + 1 + *extents;
  const uint32_t *box = strides + 1 + *strides;
  nmrtTensorMapConfig config = {};
  config.rank = *extents++;
  config.elementType = static_cast<int32_t>(operands[3]);
  config.swizzle = static_cast<int32_t>(operands[4]);
  config.l2Promotion = kL2Promotion;
  for (uint32_t i = 0; i < config.rank; ++i) {
    config.extents[i] = static_cast<uint64_t>(frame.numbers[extents[i]]);
    config.box[i] = box[i + 1];
    config.elementStrides[i] = 1;
    if (i > 0)
      config.strides[i - 1] = static_cast<uint64_t>(frame.numbers[strides[i]]);
  }
  // No map has an extent of 0, and nothing is copied by it.
  nmrtTensorMap map = {};
  if (hasElements(config)) {
    const Buffer &buffer = frame.buffers[operands[1]];
    auto first = static_cast<uint64_t>(frame.numbers[operands[2]]);
    if (!isWithin(buffer, first, countBytes(config)))
      return invalid("host code makes a tensor map of what its buffer has not");
    config.address = addressOf(buffer, first);
    Status status = prepared->getContext().encodeTensorMap(&config, &map);
    if (status.failed())
      return Status(status.code, "tensor map: " + status.message);
  }
  std::memcpy(&frame.numbers[operands[0]], &map, sizeof(map));
  return Status();
}

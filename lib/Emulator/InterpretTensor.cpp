//===- InterpretTensor.cpp - Execution of tensor copies -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor copy is a bulk copy of many pieces. In shared memory the box lies
// row by row, without gaps; a swizzle exchanges the 16-byte parts of each 128
// bytes, by the bits of the address. What lies outside of the tensor is read as
// zeros, counts among the bytes all the same, and is not written.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "nm/Emulator/TensorMap.h"

#include <algorithm>

using namespace nm::emulator;

namespace {

/// Collects the pieces of a box whose first byte is at `shared`.
class Pieces {
public:
  Pieces(const TensorMap &map, uint32_t shared,
         std::vector<BulkCopy::Piece> &pieces)
      : swizzle(map.swizzle), shared(shared), pieces(pieces) {}

  /// The next `bytes` bytes; `other` is null for zeros.
  void add(uint32_t bytes, uint8_t *other) {
    while (bytes) {
      uint32_t part =
          swizzle ? std::min(bytes, 16 - (shared + offset) % 16) : bytes;
      pieces.push_back({swizzled(shared + offset) - shared, part, other});
      other = other ? other + part : nullptr;
      offset += part;
      bytes -= part;
    }
  }

private:
  /// 32, 64 and 128 bytes: bits 4 to 6 are changed by bits 7 to 9, the lowest
  /// one, two or three of them.
  uint32_t swizzled(uint32_t address) const {
    uint32_t mask = (1u << swizzle) - 1;
    return address ^ ((address >> 7 & mask) << 4);
  }

  int32_t swizzle;
  uint32_t shared, offset = 0;
  std::vector<BulkCopy::Piece> &pieces;
};

} // namespace

/// Reads the map of one lane; false after a fault.
bool Interpreter::readTensorMap(Warp &warp, unsigned lane, const BulkInfo &info,
                                TensorMap &map) {
  uint64_t addresses[warpSize];
  readAddresses(warp, info.tensorMap, addresses);
  // In two halves, which have the alignment that a map must have.
  uint8_t bytes[TensorMap::bytes];
  for (unsigned half = 0; half < TensorMap::bytes; half += 64) {
    Target target;
    addresses[lane] += half;
    if (!resolve(warp, info.mapSpace, addresses, 1u << lane, 64, false, target))
      return false;
    std::copy_n(target.pointers[lane], 64, bytes + half);
  }
  if (!decodeTensorMap(bytes, map))
    return fail(warp, lane, 0,
                "expected a tensor map that was made for the emulator "
                "(nmrtTensorMapEncode)");
  if (map.rank != info.rank)
    return fail(warp, lane, 0,
                "expected a tensor map of " + std::to_string(info.rank) +
                    " dimensions, got one of " + std::to_string(map.rank));
  return true;
}

bool Interpreter::locateTensor(Warp &warp, unsigned lane, const BulkInfo &info,
                               BulkCopy &copy) {
  TensorMap map;
  if (!readTensorMap(warp, lane, info, map))
    return false;
  uint64_t bytes = map.boxBytes();
  if (bytes > launch.sharedBytes)
    return fail(warp, lane, CheckBounds,
                "expected a box within the block's " +
                    std::to_string(launch.sharedBytes) +
                    " bytes of shared memory, got one of " +
                    std::to_string(bytes));
  copy.bytes = static_cast<uint32_t>(bytes);
  if (!resolveBulkShared(warp, lane, info.shared, info.sharedSpace, copy.bytes,
                         !info.toGlobal, copy.shared) ||
      !checkBulkAlignment(warp, lane, copy.shared % sharedStride, 128,
                          "shared side") ||
      (!info.toGlobal &&
       !resolveBulkShared(warp, lane, info.mbarrier, info.sharedSpace, 8, true,
                          copy.mbarrier)))
    return false;
  int64_t first[5] = {0, 0, 0, 0, 0};
  for (unsigned i = 0; i < map.rank; ++i)
    first[i] =
        static_cast<int32_t>(lanes<uint32_t>(warp, info.coordinates[i])[lane]);
  return addTensorRows(warp, lane, map, first, copy);
}

/// Adds the rows of the box at `first`, the second dimension fastest.
bool Interpreter::addTensorRows(Warp &warp, unsigned lane, const TensorMap &map,
                                const int64_t *first, BulkCopy &copy) {
  Pieces pieces(map, copy.shared % sharedStride, copy.pieces);
  unsigned size = map.elementBytes();
  uint32_t rowBytes = map.box[0] * size;
  // The elements of each row that lie in the tensor.
  int64_t extent = static_cast<int64_t>(map.extents[0]), box = map.box[0];
  int64_t begin = std::clamp<int64_t>(-first[0], 0, box);
  int64_t end = std::clamp<int64_t>(extent - first[0], begin, box);
  for (uint32_t row = 0; row < copy.bytes / rowBytes; ++row) {
    uint64_t address =
        map.address + static_cast<uint64_t>((first[0] + begin) * size);
    bool isInside = begin < end;
    uint32_t rest = row;
    for (unsigned i = 1; i < map.rank; ++i) {
      int64_t index = first[i] + rest % map.box[i];
      rest /= map.box[i];
      isInside = isInside && index >= 0 &&
                 static_cast<uint64_t>(index) < map.extents[i];
      address += static_cast<uint64_t>(index) * map.strides[i - 1];
    }
    if (!isInside) {
      pieces.add(rowBytes, nullptr);
      continue;
    }
    auto bytes = static_cast<uint32_t>((end - begin) * size);
    uint8_t *host = launch.memory.hostPointer(address, bytes);
    if (!host)
      return fail(warp, lane, CheckBounds,
                  "out-of-bounds tensor copy of " + std::to_string(bytes) +
                      " bytes of global memory at " + describeGlobal(address) +
                      ": expected the tensor of its map to lie within an "
                      "allocation");
    if (!checkGlobalAccess(warp, lane, address, bytes, copy.toGlobal, nullptr))
      return false;
    pieces.add(static_cast<uint32_t>(begin * size), nullptr);
    pieces.add(bytes, host);
    pieces.add(static_cast<uint32_t>((box - end) * size), nullptr);
  }
  return true;
}

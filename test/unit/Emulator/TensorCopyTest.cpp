//===- TensorCopyTest.cpp - Copies by tensor maps -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes of tensors of all ranks, element sizes and swizzles, inside and across
// the edges of the tensor, against a loop over their elements on the host.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include "nm/Emulator/TensorMap.h"

#include <cstring>

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

/// A box of a tensor, and where it begins.
struct Box {
  TensorMap map;
  int32_t first[5] = {0, 0, 0, 0, 0};
};

/// Types of 1, 2, 4 and 8 bytes, as cuda.h numbers them.
const int32_t types[] = {0, 1, 2, 4};

/// The number of a swizzle is that of the bits which change the address.
std::vector<uint8_t> reference(const Box &box,
                               const std::vector<uint8_t> &tensor) {
  const TensorMap &map = box.map;
  std::vector<uint8_t> result(map.boxBytes(), 0);
  unsigned size = map.elementBytes();
  for (uint32_t i = 0; i < result.size() / size; ++i) {
    uint64_t rest = i, at = 0;
    bool isInside = true;
    for (unsigned axis = 0; axis < map.rank; ++axis) {
      int64_t index = box.first[axis] + int64_t(rest % map.box[axis]);
      rest /= map.box[axis];
      isInside = isInside && index >= 0 && index < int64_t(map.extents[axis]);
      at += isInside ? uint64_t(index) * (axis ? map.strides[axis - 1] : size)
                     : 0;
    }
    if (!isInside)
      continue;
    uint32_t to = i * size, bits = (1u << map.swizzle) - 1;
    to ^= (to / 128 & bits) * 16; // The tile begins at a multiple of 1024.
    std::copy_n(tensor.begin() + std::ptrdiff_t(at), size, result.begin() + to);
  }
  return result;
}

class TensorCopy : public KernelTest {
protected:
  TensorCopy() {
    variables = ".shared .align 8 .b64 bars[8];\n"
                ".shared .align 1024 .b8 tile[8192];";
    tensor.resize(1 << 16);
    for (size_t i = 0; i < tensor.size(); ++i)
      tensor[i] = uint8_t(i * 167 >> 3 ^ i >> 8);
    prepare = [this](Device &device, uint64_t, uint64_t) {
      box.map.address = tensorAddress = device.upload(tensor);
      std::vector<uint8_t> encoded(TensorMap::bytes);
      std::string error;
      EXPECT_TRUE(encodeTensorMap(box.map, encoded.data(), error)) << error;
      if (breakMap)
        encoded[0] ^= 1;
      return device.upload(encoded);
    };
  }
  /// A tensor of `rank` dimensions with `type`, of 128 bytes a row of its box.
  void setBox(uint32_t rank, int32_t type, int32_t swizzle, unsigned seed) {
    std::mt19937 random(seed);
    box = Box();
    box.map.rank = rank;
    box.map.elementType = type;
    box.map.swizzle = swizzle;
    unsigned size = box.map.elementBytes();
    uint64_t stride = size;
    for (unsigned i = 0; i < rank; ++i) {
      box.map.box[i] = i == 0 ? (swizzle ? 16u << swizzle : 128) / size
                              : 1 + random() % (rank > 3 ? 3 : 8);
      box.map.extents[i] = i == 0 ? 8 + random() % (400 / size)
                                  : 1 + random() % (rank > 3 ? 4 : 10);
      box.first[i] = int32_t(random() % (box.map.extents[i] + 6)) - 3;
      stride = (stride * box.map.extents[i] + 15) / 16 * 16;
      if (i + 1 < rank)
        box.map.strides[i] = stride;
    }
    ASSERT_LE(stride, tensor.size());
    ASSERT_LE(box.map.boxBytes(), 8192u);
  }
  /// "{%r30, %r31}" and the moves that fill it.
  std::string coordinates(std::string &moves) const {
    std::string list;
    for (unsigned i = 0; i < box.map.rank; ++i) {
      std::string name = "%r" + std::to_string(30 + i);
      moves += "mov.s32 " + name + ", " + std::to_string(box.first[i]) + ";\n";
      list += (i ? ", " : "{") + name;
    }
    return list + "}";
  }
  std::string rank() const { return std::to_string(box.map.rank) + "d"; }
  std::string bytes() const { return std::to_string(box.map.boxBytes()); }

  /// Loads the box and copies it to the output.
  std::string load() const {
    std::string moves, list = coordinates(moves);
    return moves +
           "mov.u32 %r10, bars;\nmov.u32 %r9, tile;\n"
           "setp.eq.u32 %p1, %r1, 0;\n@!%p1 bra ready;\n"
           "prefetch.tensormap [%rd3];\n"
           "mbarrier.init.shared::cta.b64 [%r10], 1;\n"
           "fence.mbarrier_init.release.cluster;\n"
           "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], " +
           bytes() + ";\ncp.async.bulk.tensor." + rank() +
           ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r9], "
           "[%rd3, " +
           list +
           "], [%r10];\nready:\nbar.sync 0;\nspin:\n"
           "mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r10], 0;\n"
           "@!%p3 bra spin;\nshl.b32 %r13, %r1, 2;\nread:\n"
           "setp.ge.u32 %p2, %r13, " +
           bytes() +
           ";\n@%p2 bra end;\nadd.u32 %r11, %r9, %r13;\n"
           "ld.shared.u32 %r20, [%r11];\ncvt.u64.u32 %rd6, %r13;\n"
           "add.u64 %rd5, %rd2, %rd6;\nst.global.u32 [%rd5], %r20;\n"
           "add.u32 %r13, %r13, 512;\nbra.uni read;\nend:";
  }
  /// The tensor once a tile whose byte i is 77*i was stored as the box.
  std::vector<uint8_t> afterStore() const {
    // A load of a tensor that holds the numbers of its bytes says where each
    // byte of the tile comes from.
    std::vector<uint8_t> result = tensor, low(tensor.size()),
                         high(tensor.size());
    for (size_t i = 0; i < tensor.size(); ++i) {
      low[i] = uint8_t(i);
      high[i] = uint8_t(i >> 8);
    }
    std::vector<uint8_t> marked(tensor.size(), 1);
    std::vector<uint8_t> lows = reference(box, low);
    std::vector<uint8_t> highs = reference(box, high);
    std::vector<uint8_t> isInside = reference(box, marked);
    for (size_t i = 0; i < lows.size(); ++i)
      if (isInside[i])
        result[lows[i] | highs[i] << 8] = uint8_t(77 * i);
    return result;
  }
  void expectLoaded() {
    ASSERT_TRUE(run(load(), box.map.boxBytes())) << fault.message;
    std::vector<uint8_t> expected = reference(box, tensor);
    std::vector<uint8_t> got(box.map.boxBytes());
    std::memcpy(got.data(), output.data(), got.size());
    EXPECT_EQ(got, expected);
  }

  Box box;
  std::vector<uint8_t> tensor;
  uint64_t tensorAddress = 0;
  bool breakMap = false;
};

using Shape = std::tuple<uint32_t, int, int32_t>; ///< Rank, type, swizzle.
class TensorBoxes : public TensorCopy,
                    public testing::WithParamInterface<Shape> {};

TEST_P(TensorBoxes, Load) {
  auto [rank, type, swizzle] = GetParam();
  for (unsigned i = 0; i < 6; ++i) {
    setBox(rank, types[type], swizzle, inputSeed + i);
    expectLoaded();
  }
}

INSTANTIATE_TEST_SUITE_P(All, TensorBoxes,
                         testing::Combine(testing::Range(1u, 6u),
                                          testing::Range(0, 4),
                                          testing::Range(0, 4)));

TEST_F(TensorCopy, OutsideAltogether) {
  for (int32_t first : {-200, -1000000000, 100, 2147483647}) {
    setBox(2, 2, 3, 1);
    box.first[1] = first;
    expectLoaded();
    box.first[1] = 0;
    box.first[0] = first;
    expectLoaded();
  }
}

// The map as a parameter of the kernel, as nvcc has it.
TEST_F(TensorCopy, MapIsAParameter) {
  setBox(2, 2, 0, 2);
  std::string text = kernelText(load(), variables);
  text.replace(text.find(".param .u64 p2"), 14, ".param .align 64 .b8 p2[128]");
  size_t at = text.find("ld.param.u64 %rd3, [p2];");
  text.replace(at, 24,
               "mov.b64 %rd4, p2;\ncvta.param.u64 %rd3, %rd4;\n"
               "prefetch.param.tensormap [p2];");
  Device device(text);
  box.map.address = device.upload(tensor);
  struct alignas(64) {
    uint8_t bytes[TensorMap::bytes];
  } map;
  std::string error;
  ASSERT_TRUE(encodeTensorMap(box.map, &map, error)) << error;
  uint64_t to = device.upload(Words(2048, 0));
  ASSERT_TRUE(device.run("k", config(1, 128), uint64_t(0), to, map))
      << device.fault.message;
  std::vector<uint8_t> got = device.download<uint8_t>(to, box.map.boxBytes());
  EXPECT_EQ(got, reference(box, tensor));
}

TEST_F(TensorCopy, Multicast) {
  setBox(2, 2, 3, 3);
  launch = config(2, 128);
  launch.cluster[0] = 2;
  launch.cluster[1] = launch.cluster[2] = 1;
  // Both mbarriers are ready before the first block copies to both.
  std::string text = load();
  size_t at = text.find("cp.async");
  text.insert(at, "ready:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                  "mov.u64 %rd8, 0;\nmov.u16 %h1, 3;\n"
                  "mov.u32 %r21, %cluster_ctarank;\n"
                  "add.u32 %r21, %r21, %r1;\nsetp.ne.u32 %p4, %r21, 0;\n"
                  "@%p4 bra sync;\n");
  text = replaced(text, "[%r10];\nready:\n", "[%r10], %h1, %rd8;\nsync:\n");
  text = replaced(text, "bytes [%r9]",
                  "bytes.multicast::cluster.L2::cache_hint [%r9]");
  // Each block writes the same.
  ASSERT_TRUE(run(text, 5)) << fault.message;
  std::vector<uint8_t> got(box.map.boxBytes());
  std::memcpy(got.data(), output.data(), got.size());
  EXPECT_EQ(got, reference(box, tensor));
}

TEST_F(TensorCopy, Faults) {
  setBox(2, 2, 3, 4);
  box.first[0] = box.first[1] = 0;
  expectLoaded();
  std::string text = load();
  // The bytes of the whole box count, also where it lies outside.
  box.first[1] = -1;
  expectRuns(load());
  expectFault(replaced(load(), "[%r10], " + bytes(), "[%r10], 128"),
              CheckBarriers, {"128 more bytes, with " + bytes()});
  expectFault(replaced(text, "tile.mbarrier::complete_tx::bytes [%r9]",
                       "mbarrier::complete_tx::bytes [%r9+64]"),
              CheckAlignment, {"expected a multiple of 128"});
  expectFault("add.u64 %rd3, %rd3, 16;\n" + text, CheckAlignment,
              {"expected a multiple of 64"});
  expectFault(replaced(text, "[%rd3, {", "[%rd2, {"), 0,
              {"a tensor map that was made for the emulator"});
  expectFault("add.u64 %rd3, %rd3, 64;\n" + text, CheckBounds,
              {"read of 64 bytes"});
  expectFault(replaced(text, "fence.mbarrier_init.release.cluster;\n", ""),
              CheckRaces, {"expected fence.mbarrier_init"});
  expectFault(without(text, "@!%p3 bra spin;\n"), CheckRaces,
              {"has not arrived", "race: "});
  expectFault(replaced(replaced(text, "2d.", "1d."), ", %r31}", "}"), 0,
              {"a tensor map of 1 dimensions, got one of 2"});
  breakMap = true;
  expectFault(text, 0, {"a tensor map that was made for the emulator"});
  breakMap = false;
  // A tensor that is larger than its memory.
  box.map.extents[1] = 1 << 20;
  box.first[1] = 1 << 18;
  expectFault(load(), CheckBounds, {"out-of-bounds tensor copy"});
}

TEST_F(TensorCopy, Stores) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    setBox(1 + seed % 5, types[seed % 4], int32_t(seed % 4), seed);
    std::string moves, list = coordinates(moves), size = bytes();
    std::string body =
        moves +
        "mov.u32 %r9, tile;\nmov.u32 %r13, %r1;\nfill:\n"
        "setp.ge.u32 %p2, %r13, " +
        size +
        ";\n@%p2 bra filled;\nadd.u32 %r11, %r9, %r13;\n"
        "mul.lo.u32 %r20, %r13, 77;\nst.shared.u8 [%r11], %r20;\n"
        "add.u32 %r13, %r13, 128;\nbra.uni fill;\nfilled:\n"
        "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
        "setp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\n"
        "cp.async.bulk.tensor." +
        rank() + ".global.shared::cta.bulk_group [%rd3, " + list +
        "], [%r9];\ncp.async.bulk.commit_group;\n"
        "cp.async.bulk.wait_group 0;\n";
    std::vector<uint8_t> stored;
    finish = [&](Device &device) {
      stored = device.download<uint8_t>(tensorAddress, tensor.size());
    };
    ASSERT_TRUE(run(body, seed)) << fault.message;
    EXPECT_EQ(stored, afterStore());
    finish = nullptr;
    expectFault(without(body, "fence.proxy.async.shared::cta;\n"), CheckRaces,
                {"expected fence.proxy.async"});
    expectFault(without(body, "cp.async.bulk.wait_group 0;\n"), CheckRaces,
                {"the block ended before"});
  }
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

TEST_F(TensorCopy, WhatNoMapCanBe) {
  auto refused = [](void (*change)(TensorMap &), const std::string &part) {
    TensorMap map;
    map.rank = 2;
    map.elementType = 7;
    map.extents[0] = map.extents[1] = 100;
    map.strides[0] = 400;
    map.box[0] = 32;
    map.box[1] = 8;
    map.swizzle = 3;
    uint8_t encoded[TensorMap::bytes];
    std::string error;
    EXPECT_TRUE(encodeTensorMap(map, encoded, error)) << error;
    TensorMap decoded;
    EXPECT_TRUE(decodeTensorMap(encoded, decoded));
    EXPECT_EQ(decoded.strides[0], 400u);
    change(map);
    EXPECT_FALSE(encodeTensorMap(map, encoded, error));
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  refused([](TensorMap &map) { map.rank = 0; }, "a rank of 1 to 5, got 0");
  refused([](TensorMap &map) { map.rank = 6; }, "a rank of 1 to 5, got 6");
  refused([](TensorMap &map) { map.elementType = 11; }, "element type");
  refused([](TensorMap &map) { map.elementType = -1; }, "element type");
  refused([](TensorMap &map) { map.interleave = 1; }, "no interleave");
  refused([](TensorMap &map) { map.outOfBounds = 1; }, "zeros out of bounds");
  refused([](TensorMap &map) { map.swizzle = 4; }, "a swizzle of 0 to 3");
  refused([](TensorMap &map) { map.address = 8; }, "a multiple of 16");
  refused([](TensorMap &map) { map.extents[1] = 0; }, "in dimension 1, got 0");
  refused([](TensorMap &map) { map.box[1] = 257; }, "1 to 256 elements");
  refused([](TensorMap &map) { map.elementStrides[0] = 2; }, "element stride");
  refused([](TensorMap &map) { map.strides[0] = 404; }, "a multiple of 16,");
  refused([](TensorMap &map) { map.strides[0] = 0; }, "at least the 100");
  refused([](TensorMap &map) { map.box[0] = 3; }, "a multiple of 16 bytes");
  refused([](TensorMap &map) { map.box[0] = 16; }, "128 bytes of the swizzle");
}

} // namespace

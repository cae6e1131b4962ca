//===- Arena.h - Memory of frames -------------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frames end in the reverse of the order in which they begin, and calls repeat:
// each thread keeps the memory of the deepest call so far, so that later ones
// ask the system for none.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_VM_ARENA_H
#define NM_LIB_VM_ARENA_H

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace nm {
namespace vm {

class Arena {
public:
  /// That of this thread.
  static Arena &get() {
    thread_local Arena arena;
    return arena;
  }

  /// Memory until it ends, aligned to 16 bytes; its contents are unspecified,
  /// but always those of an earlier frame or zeros.
  class Block {
  public:
    explicit Block(size_t bytes)
        : arena(Arena::get()), chunk(arena.chunk), used(arena.used),
          memory(arena.take((bytes + 15) / 16 * 16)) {}
    Block(const Block &) = delete;
    ~Block() {
      arena.chunk = chunk;
      arena.used = used;
    }
    std::byte *get() const { return memory; }

  private:
    Arena &arena;
    size_t chunk, used;
    std::byte *memory;
  };

private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    size_t bytes;
  };

  std::byte *take(size_t bytes) {
    while (chunk < chunks.size() && used + bytes > chunks[chunk].bytes) {
      ++chunk;
      used = 0;
    }
    if (chunk == chunks.size()) {
      size_t size = std::max<size_t>(bytes, 1 << 16);
      chunks.push_back({std::make_unique<std::byte[]>(size), size});
      used = 0;
    }
    std::byte *memory = chunks[chunk].memory.get() + used;
    used += bytes;
    return memory;
  }

  std::vector<Chunk> chunks;
  size_t chunk = 0, used = 0;
};

} // namespace vm
} // namespace nm

#endif // NM_LIB_VM_ARENA_H

//===- File.h - Programs in files -------------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .nm file is a safetensors file: its first tensor, `nm.program`, has all of
// the program but the data of its constants, which are the others. Any reader
// of safetensors sees them by name. docs/Program.md says what each byte is.
//
// Files are untrusted: every size is checked before it is used, checksums
// before anything else. Reading does not touch the constants' data, so that a
// large program loads at once; `checkConstant` does.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PROGRAM_FILE_H
#define NM_PROGRAM_FILE_H

#include "nm/Program/Program.h"

#include <array>
#include <functional>
#include <memory>

namespace nm {
namespace program {

/// Raised whenever the bytes mean something else.
inline constexpr uint32_t kFormatVersion = 4;

/// 128 bits of XXH3, in its canonical order.
using Checksum = std::array<uint8_t, 16>;

Checksum computeChecksum(std::string_view bytes);

/// A program that was read, and the memory that its constants point to.
class File {
public:
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File();

  /// Maps the file at `path`. Returns null and says in `error` what is wrong.
  static std::shared_ptr<const File> open(const std::string &path,
                                          std::string &error);
  /// Reads a file's bytes, which outlive the result.
  static std::shared_ptr<const File> read(std::string_view bytes,
                                          std::string &error);

  /// A program that is in no file. `owner` keeps what its constants point to.
  static std::shared_ptr<const File>
  hold(Program program, std::shared_ptr<const void> owner, std::string &error);

  const Program &getProgram() const { return program; }
  /// Of the data of constant `index`, as the file says it.
  const Checksum &getChecksum(size_t index) const { return checksums[index]; }
  /// Whether the data of constant `index` has its checksum; says it in `error`
  /// if not. Reads all of the data.
  bool checkConstant(size_t index, std::string &error) const;

private:
  File() = default;
  bool parse(std::string_view bytes, std::string &error);

  Program program;
  std::vector<Checksum> checksums;
  std::shared_ptr<const void> owner;
  void *mapping = nullptr;
  size_t mappedBytes = 0;
};

/// Hands the bytes of the file of `program` to `write`, in order, in pieces of
/// any size; stops when it returns false.
bool writeFile(const Program &program,
               const std::function<bool(std::string_view)> &write);

} // namespace program
} // namespace nm

#endif // NM_PROGRAM_FILE_H

//===- File.cpp - Programs in files ---------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Program/File.h"

#include "Sections.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace nm;
using namespace nm::program;

File::~File() {
  if (mapping)
    (void)::munmap(mapping, mappedBytes);
}

/// The bytes of safetensors' header, without the length before it; nothing if
/// they are not all there.
static std::optional<uint64_t> readHeaderLength(std::string_view bytes) {
  if (bytes.size() < 8)
    return std::nullopt;
  uint64_t length = 0;
  for (int i = 0; i < 8; ++i)
    length |= uint64_t(static_cast<uint8_t>(bytes[i])) << (8 * i);
  if (length > bytes.size() - 8)
    return std::nullopt;
  return length;
}

bool File::parse(std::string_view bytes, std::string &error) {
  std::optional<uint64_t> length = readHeaderLength(bytes);
  if (!length) {
    error = "expected a program of nm, a safetensors file with a tensor "
            "`nm.program` first, got " +
            std::to_string(bytes.size()) +
            " bytes of something else, or not "
            "all of one";
    return false;
  }
  std::string_view header = bytes.substr(0, 8 + *length);
  std::string_view rest = bytes.substr(header.size());
  std::vector<ConstantFields> fields;
  uint64_t place = 0;
  if (!readProgram(rest, program, fields, place, error))
    return false;
  uint64_t programBytes = place;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].bytes > rest.size() - place) {
      error = "the file is not whole: expected " +
              std::to_string(fields[i].bytes) + " bytes of constant `" +
              program.constants[i].name + "`, got " +
              std::to_string(rest.size() - place);
      return false;
    }
    program.constants[i].data = rest.substr(place, fields[i].bytes);
    checksums.push_back(fields[i].checksum);
    place += fields[i].bytes;
  }
  if (place != rest.size()) {
    error = "expected the file to end after its constants, got " +
            std::to_string(rest.size() - place) + " more bytes";
    return false;
  }
  if (!verify(program, error))
    return false;
  if (makeSafetensorsHeader(program, programBytes) != header) {
    error = "expected safetensors' header to fit nm.program: the file is "
            "damaged, or something else rewrote it";
    return false;
  }
  return true;
}

std::shared_ptr<const File> File::read(std::string_view bytes,
                                       std::string &error) {
  std::shared_ptr<File> file(new File());
  return file->parse(bytes, error) ? file : nullptr;
}

std::shared_ptr<const File> File::hold(Program program,
                                       std::shared_ptr<const void> owner,
                                       std::string &error) {
  if (!verify(program, error))
    return nullptr;
  std::shared_ptr<File> file(new File());
  for (const Constant &constant : program.constants)
    file->checksums.push_back(computeChecksum(constant.data));
  file->program = std::move(program);
  file->owner = std::move(owner);
  return file;
}

std::shared_ptr<const File> File::open(const std::string &path,
                                       std::string &error) {
  auto fail = [&](const std::string &reason) {
    error = "cannot read `" + path + "`: " + reason;
    return nullptr;
  };
  // Opening a pipe that nobody writes to would wait; a file does not.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return fail(std::strerror(errno));
  struct stat status;
  std::shared_ptr<File> file(new File());
  std::string reason;
  if (::fstat(descriptor, &status) != 0)
    reason = std::strerror(errno);
  else if (!S_ISREG(status.st_mode))
    reason = "not a regular file";
  else if (status.st_size == 0)
    reason = "the file is empty";
  if (reason.empty()) {
    file->mappedBytes = static_cast<size_t>(status.st_size);
    void *mapping = ::mmap(nullptr, file->mappedBytes, PROT_READ, MAP_PRIVATE,
                           descriptor, 0);
    if (mapping == MAP_FAILED)
      reason = std::strerror(errno);
    else
      file->mapping = mapping;
  }
  (void)::close(descriptor);
  if (!reason.empty())
    return fail(reason);
  if (!file->parse(
          {static_cast<const char *>(file->mapping), file->mappedBytes},
          reason))
    return fail(reason);
  return file;
}

bool File::checkConstant(size_t index, std::string &error) const {
  const Constant &constant = program.constants[index];
  if (computeChecksum(constant.data) == checksums[index])
    return true;
  error = "the checksum of constant `" + constant.name +
          "` is wrong: the file is damaged, compile the model again";
  return false;
}

bool nm::program::writeFile(
    const Program &program,
    const std::function<bool(std::string_view)> &write) {
  std::vector<ConstantFields> fields;
  for (const Constant &constant : program.constants)
    fields.push_back({constant.data.size(), computeChecksum(constant.data)});
  std::string bytes = writeProgram(program, fields);
  if (!write(makeSafetensorsHeader(program, bytes.size())) || !write(bytes))
    return false;
  for (const Constant &constant : program.constants)
    if (!write(constant.data))
      return false;
  return true;
}

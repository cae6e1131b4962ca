//===- TensorFile.cpp - Arrays in .npy and raw files ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Numbers/TensorFile.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <sys/stat.h>

using namespace nm;

static constexpr std::string_view kMagic("\x93NUMPY", 6);

namespace {

/// What the header of a .npy file says.
struct NpyHeader {
  ElementType type = ElementType::F32;
  bool hasType = false;
  bool isFortran = false;
  bool hasOrder = false;
  std::vector<int64_t> shape;
  bool hasShape = false;
};

/// Reads the header's text, which is a Python dictionary literal of three
/// entries. Functions return false, with a text in `error`, when it is not.
class HeaderParser {
public:
  HeaderParser(std::string_view text, std::string &error,
               std::optional<ElementType> opaque)
      : text(text), error(error), opaque(opaque) {}

  bool parse(NpyHeader &header);

private:
  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }
  void skipSpaces() {
    // A 0 is no space: strchr would find it.
    while (!text.empty() && text.front() != '\0' &&
           std::strchr(" \t\r\n", text.front()))
      text.remove_prefix(1);
  }
  /// Takes `token` if it comes next.
  bool take(std::string_view token) {
    skipSpaces();
    if (text.substr(0, token.size()) != token)
      return false;
    text.remove_prefix(token.size());
    return true;
  }
  bool expect(std::string_view token) {
    return take(token) ||
           fail("malformed .npy header: expected `" + std::string(token) +
                "` before `" + std::string(text.substr(0, 20)) + "`");
  }
  bool parseString(std::string_view &value);
  bool parseType(NpyHeader &header);
  bool parseOrder(NpyHeader &header);
  bool parseShape(NpyHeader &header);

  std::string_view text;
  std::string &error;
  std::optional<ElementType> opaque;
};

} // namespace

bool HeaderParser::parseString(std::string_view &value) {
  skipSpaces();
  char quote = text.empty() ? '\0' : text.front();
  if (quote != '\'' && quote != '"')
    return fail("malformed .npy header: expected a string before `" +
                std::string(text.substr(0, 20)) + "`");
  size_t end = text.find(quote, 1);
  if (end == std::string_view::npos)
    return fail("malformed .npy header: expected the end of a string");
  value = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return true;
}

bool HeaderParser::parseType(NpyHeader &header) {
  std::string_view name;
  if (take("["))
    return fail("expected a simple element type, got a structured one");
  if (!parseString(name))
    return false;
  if (const NumericType *type = lookupNpyType(name, opaque)) {
    header.type = type->id;
    header.hasType = true;
    return true;
  }
  return fail("expected little-endian " + listNpyTypes() + ", got `" +
              std::string(name) + "`");
}

bool HeaderParser::parseOrder(NpyHeader &header) {
  header.hasOrder = true;
  if (take("True")) {
    header.isFortran = true;
    return true;
  }
  return expect("False");
}

bool HeaderParser::parseShape(NpyHeader &header) {
  header.hasShape = true;
  if (!expect("("))
    return false;
  while (!take(")")) {
    skipSpaces();
    int64_t extent = 0;
    auto parsed =
        std::from_chars(text.data(), text.data() + text.size(), extent);
    if (parsed.ec != std::errc() || extent < 0)
      return fail("malformed .npy header: expected an extent before `" +
                  std::string(text.substr(0, 20)) + "`");
    text.remove_prefix(parsed.ptr - text.data());
    header.shape.push_back(extent);
    if (!take(",") && !text.empty() && text.front() != ')')
      return fail("malformed .npy header: expected `,` or `)` in the shape");
  }
  return true;
}

bool HeaderParser::parse(NpyHeader &header) {
  if (!expect("{"))
    return false;
  while (!take("}")) {
    std::string_view key;
    if (!parseString(key) || !expect(":"))
      return false;
    if ((key == "descr" && header.hasType) ||
        (key == "fortran_order" && header.hasOrder) ||
        (key == "shape" && header.hasShape))
      return fail("malformed .npy header: expected `" + std::string(key) +
                  "` once");
    bool parsed = key == "descr"           ? parseType(header)
                  : key == "fortran_order" ? parseOrder(header)
                  : key == "shape"
                      ? parseShape(header)
                      : fail("malformed .npy header: unexpected key `" +
                             std::string(key) + "`");
    if (!parsed)
      return false;
    if (!take(",") && !text.empty() && text.front() != '}')
      return fail("malformed .npy header: expected `,` or `}`");
  }
  if (!header.hasType || !header.hasOrder || !header.hasShape)
    return fail(
        "malformed .npy header: expected descr, fortran_order and shape");
  skipSpaces();
  return text.empty() ||
         fail("malformed .npy header: expected nothing after `}`, got `" +
              std::string(text.substr(0, 20)) + "`");
}

/// The row-major order of `data`, whose first index runs fastest.
static std::vector<uint8_t> toRowMajor(std::string_view data,
                                       const std::vector<int64_t> &shape,
                                       int64_t elementBytes) {
  std::vector<uint8_t> result(data.size());
  std::vector<int64_t> index(shape.size(), 0);
  int64_t count = static_cast<int64_t>(data.size()) / elementBytes;
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = 0;
    for (size_t axis = shape.size(); axis-- > 0;)
      source = source * shape[axis] + index[axis];
    std::memcpy(result.data() + i * elementBytes,
                data.data() + source * elementBytes, elementBytes);
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis])
        break;
      index[axis] = 0;
    }
  }
  return result;
}

bool nm::isNpyPath(std::string_view path) {
  return path.size() >= 4 && path.substr(path.size() - 4) == ".npy";
}

/// Reads the header of the .npy file that begins with `bytes`; the data begin
/// at `start`.
static bool parseHeader(std::string_view bytes, NpyHeader &header,
                        size_t &start, std::string &error,
                        std::optional<ElementType> opaque = std::nullopt) {
  if (bytes.substr(0, kMagic.size()) != kMagic || bytes.size() < 10) {
    error = "expected a .npy file, got one without its magic bytes";
    return false;
  }
  int major = static_cast<uint8_t>(bytes[6]);
  int minor = static_cast<uint8_t>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    error = "expected version 1.0, 2.0 or 3.0 of the .npy format, got " +
            std::to_string(major) + "." + std::to_string(minor);
    return false;
  }
  size_t lengthBytes = major == 1 ? 2 : 4, length = 0;
  start = 8 + lengthBytes;
  for (size_t i = start; i-- > 8 && start <= bytes.size();)
    length = length << 8 | static_cast<uint8_t>(bytes[i]);
  if (start > bytes.size() || length > bytes.size() - start) {
    error = "truncated .npy file: expected a header of " +
            std::to_string(length) + " bytes, got " +
            std::to_string(bytes.size() - std::min(start, bytes.size()));
    return false;
  }
  std::string_view text = bytes.substr(start, length);
  start += length;
  return HeaderParser(text, error, opaque).parse(header);
}

std::optional<Tensor> nm::parseNpy(std::string_view bytes, std::string &error,
                                   std::optional<ElementType> opaque) {
  NpyHeader header;
  size_t start = 0;
  if (!parseHeader(bytes, header, start, error, opaque))
    return std::nullopt;
  std::optional<int64_t> expected =
      countElements(header.shape, sizeOf(header.type));
  std::string_view data = bytes.substr(start);
  if (!expected || static_cast<uint64_t>(*expected) != data.size()) {
    error = "expected " +
            (expected ? std::to_string(*expected) : "more than 2^63") +
            " bytes of data for " + toString(header.shape, header.type) +
            ", got " + std::to_string(data.size());
    return std::nullopt;
  }
  Tensor tensor;
  tensor.type = header.type;
  tensor.shape = std::move(header.shape);
  if (header.isFortran)
    tensor.data = toRowMajor(data, tensor.shape, sizeOf(tensor.type));
  else
    tensor.data.assign(data.begin(), data.end());
  return tensor;
}

std::string nm::formatNpy(const Tensor &tensor) {
  if (getNumericType(tensor.type).isOpaque()) {
    std::string error;
    return formatNpy(*convert(tensor, ElementType::F32, error));
  }
  std::string header = "{'descr': '" +
                       std::string(getNumericType(tensor.type).npy) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : tensor.shape)
    header += std::to_string(extent) + ", ";
  header += "), }";
  // The data begin at a multiple of 64; the header ends in a newline.
  size_t prefix = kMagic.size() + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string result(kMagic);
  result += '\x01';
  result += '\0';
  result += static_cast<char>(header.size() & 0xff);
  result += static_cast<char>(header.size() >> 8);
  result += header;
  result.append(tensor.data.begin(), tensor.data.end());
  return result;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

static std::string describe(const std::string &path, const char *what) {
  return "cannot " + std::string(what) + " `" + path +
         "`: " + std::strerror(errno);
}

/// The size of what begins with these bytes.
using Size = std::function<uint64_t(std::string_view begin)>;

static bool isRegular(FILE *file) {
  struct stat status;
  return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
}

/// Of a pipe, which may have no end, reads little more than `size`.

static bool readBytes(const std::string &path, std::string &bytes,
                      std::string &error, const Size &size) {
  File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) {
    error = describe(path, "open");
    return false;
  }
  std::vector<char> buffer(1 << 20);
  while (size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    bytes.append(buffer.data(), got);
    if (!isRegular(file.get()) && bytes.size() > size(bytes))
      break;
  }
  if (std::ferror(file.get())) {
    error = describe(path, "read");
    return false;
  }
  return true;
}

/// The size of a .npy file; no bytes where it cannot be one.
static uint64_t getNpySize(std::string_view begin) {
  NpyHeader header;
  size_t start = 0;
  std::string error;
  if (!parseHeader(begin, header, start, error))
    return error.rfind("truncated", 0) == 0 ? UINT64_MAX : 0;
  std::optional<int64_t> data =
      countElements(header.shape, sizeOf(header.type));
  return data ? start + static_cast<uint64_t>(*data) : 0;
}

static bool writeBytes(const std::string &path, const void *bytes, size_t size,
                       std::string &error) {
  File file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file) {
    error = describe(path, "create");
    return false;
  }
  bool written = std::fwrite(bytes, 1, size, file.get()) == size;
  // Closing flushes, which may fail as well.
  if (std::fclose(file.release()) != 0 || !written) {
    error = describe(path, "write");
    return false;
  }
  return true;
}

std::optional<Tensor> nm::readNpy(const std::string &path, std::string &error,
                                  std::optional<ElementType> opaque) {
  std::string bytes;
  if (!readBytes(path, bytes, error, getNpySize))
    return std::nullopt;
  std::optional<Tensor> tensor = parseNpy(bytes, error, opaque);
  if (!tensor)
    error = "`" + path + "`: " + error;
  return tensor;
}

bool nm::writeNpy(const std::string &path, const Tensor &tensor,
                  std::string &error) {
  std::string bytes = formatNpy(tensor);
  return writeBytes(path, bytes.data(), bytes.size(), error);
}

/// Replaces the one extent of -1 so that the array has `bytes` bytes.
static bool inferExtent(std::vector<int64_t> &shape, int64_t elementBytes,
                        uint64_t bytes) {
  auto dynamic = std::find(shape.begin(), shape.end(), -1);
  if (dynamic == shape.end())
    return true;
  if (std::find(dynamic + 1, shape.end(), -1) != shape.end())
    return false;
  *dynamic = 1;
  std::optional<int64_t> rest = countElements(shape, elementBytes);
  if (!rest || *rest == 0 || bytes % *rest != 0)
    return false;
  *dynamic = static_cast<int64_t>(bytes / *rest);
  return true;
}

std::optional<Tensor> nm::readRaw(const std::string &path, ElementType type,
                                  std::vector<int64_t> shape,
                                  std::string &error) {
  std::string bytes;
  std::optional<int64_t> wantedBytes = countElements(shape, sizeOf(type));
  auto size = [&](std::string_view) {
    return wantedBytes ? static_cast<uint64_t>(*wantedBytes) : UINT64_MAX;
  };
  if (!readBytes(path, bytes, error, size))
    return std::nullopt;
  std::string wanted = toString(shape, type);
  if (std::count(shape.begin(), shape.end(), -1) > 1) {
    error = "`" + path + "`: expected at most one dynamic extent for a raw " +
            "file, got " + wanted + "; use a .npy file";
    return std::nullopt;
  }
  bool inferred = inferExtent(shape, sizeOf(type), bytes.size());
  std::optional<int64_t> expected = countElements(shape, sizeOf(type));
  if (!inferred || !expected ||
      static_cast<uint64_t>(*expected) != bytes.size()) {
    error = "`" + path + "`: expected the bytes of " + wanted;
    if (inferred && expected)
      error += " (" + std::to_string(*expected) + ")";
    error += ", got " + std::to_string(bytes.size());
    return std::nullopt;
  }
  Tensor tensor;
  tensor.type = type;
  tensor.shape = std::move(shape);
  tensor.data.assign(bytes.begin(), bytes.end());
  return tensor;
}

bool nm::writeRaw(const std::string &path, const Tensor &tensor,
                  std::string &error) {
  return writeBytes(path, tensor.data.data(), tensor.data.size(), error);
}

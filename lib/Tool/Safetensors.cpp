//===- Safetensors.cpp - Tensors by name in a file ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Safetensors.h"

#include "nm/Support/JSON.h"
#include "llvm/Support/Endian.h"

using namespace nm;
using llvm::StringRef;

/// Where a tensor's data are, from the end of the header on.
static std::optional<std::pair<uint64_t, uint64_t>>
readOffsets(const llvm::json::Object &tensor) {
  const llvm::json::Array *offsets = tensor.getArray("data_offsets");
  if (!offsets || offsets->size() != 2)
    return std::nullopt;
  auto begin = (*offsets)[0].getAsUINT64(), end = (*offsets)[1].getAsUINT64();
  if (!begin || !end)
    return std::nullopt;
  return std::make_pair(*begin, *end);
}

static std::optional<std::vector<int64_t>>
readShape(const llvm::json::Object &tensor) {
  const llvm::json::Array *extents = tensor.getArray("shape");
  if (!extents)
    return std::nullopt;
  std::vector<int64_t> shape;
  for (const llvm::json::Value &extent : *extents) {
    std::optional<int64_t> number = extent.getAsInteger();
    if (!number || *number < 0)
      return std::nullopt;
    shape.push_back(*number);
  }
  return shape;
}

static llvm::Expected<StoredTensor>
readTensor(StringRef name, const llvm::json::Value &entry, StringRef data) {
  const llvm::json::Object *tensor = entry.getAsObject();
  auto type = tensor ? tensor->getString("dtype") : std::nullopt;
  auto offsets = tensor ? readOffsets(*tensor) : std::nullopt;
  auto shape = tensor ? readShape(*tensor) : std::nullopt;
  if (!type || !shape || !offsets)
    return llvm::createStringError(
        "expected `dtype`, `shape` and `data_offsets` of tensor `" + name +
        "`");
  auto [begin, end] = *offsets;
  if (begin > end || end > data.size())
    return llvm::createStringError(
        "expected the data of tensor `" + name + "` within the " +
        llvm::Twine(data.size()) + " bytes of the file's data, got bytes " +
        llvm::Twine(begin) + " to " + llvm::Twine(end));
  StringRef bytes = data.slice(begin, end);
  return StoredTensor{type->str(), std::move(*shape),
                      llvm::ArrayRef(bytes.data(), bytes.size())};
}

llvm::Expected<llvm::StringMap<StoredTensor>>
nm::readSafetensors(StringRef bytes) {
  uint64_t length =
      bytes.size() < 8 ? 0 : llvm::support::endian::read64le(bytes.data());
  if (bytes.size() < 8 || length > bytes.size() - 8)
    return llvm::createStringError("expected a safetensors file, got " +
                                   llvm::Twine(bytes.size()) +
                                   " bytes of something else, or not all of "
                                   "one");
  auto header = parseJSON(bytes.substr(8, length));
  if (!header)
    return llvm::createStringError("expected a header in JSON: " +
                                   llvm::toString(header.takeError()));
  const llvm::json::Object *entries = header->getAsObject();
  if (!entries)
    return llvm::createStringError("expected tensors by name in the header");
  llvm::StringMap<StoredTensor> tensors;
  for (const auto &[key, entry] : *entries) {
    StringRef name = key;
    if (name == "__metadata__")
      continue;
    auto tensor = readTensor(name, entry, bytes.substr(8 + length));
    if (!tensor)
      return tensor.takeError();
    tensors[name] = std::move(*tensor);
  }
  return tensors;
}

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

/// The format lets no byte belong to two tensors, or to none: in such a file
/// something else than its writer decided what a tensor holds.
static llvm::Error checkCoverage(const llvm::StringMap<StoredTensor> &tensors,
                                 StringRef data) {
  std::vector<const llvm::StringMapEntry<StoredTensor> *> inOrder;
  for (const auto &tensor : tensors)
    inOrder.push_back(&tensor);
  llvm::sort(inOrder, [](const auto *a, const auto *b) {
    llvm::ArrayRef<char> first = a->second.data, second = b->second.data;
    return std::make_pair(first.begin(), first.end()) <
           std::make_pair(second.begin(), second.end());
  });
  const char *end = data.begin();
  for (const auto *tensor : inOrder) {
    llvm::ArrayRef<char> bytes = tensor->second.data;
    if (bytes.begin() != end)
      return llvm::createStringError(
          "expected the data of tensor `" + tensor->first() +
          "` behind that of the tensor before, from byte " +
          llvm::Twine(end - data.begin()) + " on, got byte " +
          llvm::Twine(bytes.begin() - data.begin()));
    end = bytes.end();
  }
  if (end == data.end())
    return llvm::Error::success();
  return llvm::createStringError("expected the file to end after its tensors, "
                                 "got " +
                                 llvm::Twine(data.end() - end) + " more bytes");
}

/// What a writer says about the file: texts by name.
static bool isMetadata(const llvm::json::Value &value) {
  const llvm::json::Object *texts = value.getAsObject();
  return texts && llvm::all_of(*texts, [](const auto &member) {
           return member.second.getAsString().has_value();
         });
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
    if (name == "__metadata__") {
      if (!isMetadata(entry))
        return llvm::createStringError("expected texts by name in "
                                       "`__metadata__`");
      continue;
    }
    auto tensor = readTensor(name, entry, bytes.substr(8 + length));
    if (!tensor)
      return tensor.takeError();
    tensors[name] = std::move(*tensor);
  }
  if (llvm::Error error = checkCoverage(tensors, bytes.substr(8 + length)))
    return std::move(error);
  return tensors;
}

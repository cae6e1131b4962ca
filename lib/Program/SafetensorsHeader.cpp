//===- SafetensorsHeader.cpp - What other readers see of a program --------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sections.h"

using namespace nm;
using namespace nm::program;

/// `text` as a string of JSON. Names are what the module says; bytes beyond
/// ASCII stand for the code point of their number, so that any text is valid.
static std::string quote(std::string_view text) {
  static const char digits[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (unsigned char byte : text) {
    if (byte == '"' || byte == '\\') {
      quoted += '\\';
      quoted += static_cast<char>(byte);
    } else if (byte < 0x20 || byte > 0x7e) {
      quoted += "\\u00";
      quoted += digits[byte >> 4];
      quoted += digits[byte & 15];
    } else {
      quoted += static_cast<char>(byte);
    }
  }
  return quoted + "\"";
}

static std::string listExtents(const std::vector<int64_t> &extents) {
  std::string list;
  for (int64_t extent : extents)
    list += (list.empty() ? "" : ",") + std::to_string(extent);
  return "[" + list + "]";
}

/// A tensor from byte `begin` on.
static std::string describe(std::string_view name, std::string_view type,
                            const std::vector<int64_t> &extents, uint64_t begin,
                            uint64_t bytes) {
  return "," + quote(name) + ":{\"dtype\":\"" + std::string(type) +
         "\",\"shape\":" + listExtents(extents) + ",\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(begin + bytes) + "]}";
}

std::string nm::program::makeSafetensorsHeader(const Program &program,
                                               uint64_t programBytes) {
  std::string text = "{\"__metadata__\":{\"format\":\"nm\",\"nm_version\":" +
                     quote(program.version) +
                     ",\"chip\":" + quote(program.chip) +
                     ",\"source\":" + quote(program.source) + "}";
  text += describe("nm.program", "U8", {static_cast<int64_t>(programBytes)}, 0,
                   programBytes);
  uint64_t place = programBytes;
  for (const Constant &constant : program.constants) {
    const NumericType *type = &getNumericType(constant.element);
    std::vector<int64_t> extents = constant.extents;
    if (type->safetensors.empty()) {
      type = &getNumericType(*type->part);
      extents.push_back(2);
    }
    text += describe(constant.name, type->safetensors, extents, place,
                     constant.data.size());
    place += constant.data.size();
  }
  text += "}";
  // Spaces are what safetensors pads with.
  uint64_t total = (8 + text.size() + kAlignment - 1) / kAlignment * kAlignment;
  text.resize(total - 8, ' ');
  std::string length(8, '\0');
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<char>(uint64_t(text.size()) >> (8 * i));
  return length + text;
}

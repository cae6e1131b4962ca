//===- ChooseImage.cpp - What of a program runs where ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/VM/PreparedProgram.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

using namespace nm::vm;
using nm::program::Image;
using nm::program::ImageKind;

namespace {
/// "sm_90a" as a number and whether a letter follows it.
struct Chip {
  long number = 0;
  bool isSpecific = false;
};
} // namespace

static Chip parseChip(const std::string &name) {
  Chip chip;
  if (name.rfind("sm_", 0) != 0)
    return chip;
  char *end = nullptr;
  chip.number = std::strtol(name.c_str() + 3, &end, 10);
  chip.isSpecific = *end != '\0';
  return chip;
}

static bool runsOn(const Image &image, int32_t capability) {
  Chip chip = parseChip(image.chip);
  if (capability == 0)
    return image.kind == ImageKind::PTX;
  if (chip.isSpecific)
    return chip.number == capability;
  if (chip.number > capability)
    return false;
  // Machine code is for chips of one generation.
  return image.kind == ImageKind::PTX || chip.number / 10 == capability / 10;
}

std::vector<size_t> nm::vm::chooseImages(const program::Program &program,
                                         int32_t capability,
                                         std::string &reason) {
  std::vector<size_t> images;
  for (size_t i = 0; i < program.images.size(); ++i)
    if (runsOn(program.images[i], capability))
      images.push_back(i);
  // Machine code first; of each, what was made for the later chip.
  auto rank = [&](size_t index) {
    const Image &image = program.images[index];
    Chip chip = parseChip(image.chip);
    return std::make_tuple(image.kind == ImageKind::PTX, -chip.number,
                           !chip.isSpecific, index);
  };
  std::sort(images.begin(), images.end(),
            [&](size_t a, size_t b) { return rank(a) < rank(b); });
  if (!images.empty())
    return images;
  std::string has;
  for (const Image &image : program.images)
    has += (has.empty() ? "" : ", ") +
           std::string(image.kind == ImageKind::PTX ? "PTX" : "machine code") +
           " for " + image.chip;
  reason =
      "expected kernels that run on " +
      (capability ? "sm_" + std::to_string(capability)
                  : std::string("the emulator (PTX)")) +
      ", got " + (has.empty() ? "none" : has) +
      ": compile the model with --chip=" +
      (capability ? "sm_" + std::to_string(capability) : std::string("sm_90"));
  return images;
}

//===- Checksum.cpp - Sums that tell damaged bytes ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Program/File.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

using namespace nm::program;

Checksum nm::program::computeChecksum(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical,
                           XXH3_128bits(bytes.data(), bytes.size()));
  Checksum sum;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest),
            sum.begin());
  return sum;
}

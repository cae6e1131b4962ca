//===- FmaThreadMap.cpp - Which elements a thread owns --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FmaThreadMap.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include <numeric>

using namespace mlir;
using namespace nm;

FmaThreadMap::FmaThreadMap(ImplicitLocOpBuilder &b, FmaAttr kind, int64_t unitN,
                           Value thread) {
  int64_t warpsN = kind.getWarps()[1];
  int64_t lanesM = kind.getLanes()[0], lanesN = kind.getLanes()[1];
  tm = kind.getThread()[0];
  tn = kind.getThread()[1];
  vecM = std::gcd(tm, int64_t(4));
  // A group lies within one unit, so that one index serves it.
  vecN = std::gcd(std::gcd(tn, int64_t(4)), unitN);
  groupsM = tm / vecM;
  groupsN = tn / vecN;
  strideM = lanesM * vecM;
  strideN = lanesN * vecN;
  warpTileN = lanesN * tn;
  Value warp = divIndex(b, thread, 32), lane = remIndex(b, thread, 32);
  Value warpM = divIndex(b, warp, warpsN), warpN = remIndex(b, warp, warpsN);
  warpN0 = mulIndex(b, warpN, warpTileN);
  m0 = addIndex(b, mulIndex(b, warpM, lanesM * tm),
                mulIndex(b, divIndex(b, lane, lanesN), vecM));
  n0 = addIndex(b, warpN0, mulIndex(b, remIndex(b, lane, lanesN), vecN));
}

Value FmaThreadMap::row(ImplicitLocOpBuilder &b, int64_t i) const {
  return addIndex(b, m0, i / vecM * strideM + i % vecM);
}

Value FmaThreadMap::column(ImplicitLocOpBuilder &b, int64_t g) const {
  return addIndex(b, n0, g * strideN);
}

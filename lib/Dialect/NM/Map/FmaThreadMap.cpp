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

/// How many groups of columns follow each other before the unit column changes
/// within a thread; 0 where it never does, and 1 where nothing is known.
static int64_t getGroupsOfUnit(const FmaGeometry &g) {
  int64_t unitN = g.pattern.getUnitN();
  if (unitN % g.kind.getBlockN() == 0 || unitN % g.warpTileN == 0)
    return 0;
  // The thread's first column is a multiple of this.
  int64_t warpsN = g.kind.getWarps()[1], lanesN = g.kind.getLanes()[1];
  int64_t aligned =
      std::gcd(warpsN > 1 ? g.warpTileN : 0, lanesN > 1 ? g.vecN : int64_t(0));
  if (aligned % unitN != 0)
    return 1;
  return std::max<int64_t>(1, unitN / g.strideN);
}

FmaGeometry::FmaGeometry(FmaAttr kind, PatternAttr pattern)
    : kind(kind), pattern(pattern) {
  tm = kind.getThread()[0];
  tn = kind.getThread()[1];
  vecM = std::gcd(tm, int64_t(4));
  // A group lies within one unit, so that one index serves it.
  vecN = std::gcd(std::gcd(tn, int64_t(4)), pattern.getUnitN());
  groupsM = tm / vecM;
  groupsN = tn / vecN;
  strideM = kind.getLanes()[0] * vecM;
  strideN = kind.getLanes()[1] * vecN;
  warpTileN = kind.getLanes()[1] * tn;
  int64_t groups = getGroupsOfUnit(*this);
  for (int64_t g = 0; g < groupsN; ++g)
    unitColumnOf.push_back(groups == 0 ? 0 : g / groups);
  numUnitColumns = unitColumnOf.back() + 1;
}

/// Whether `parts` are rectangles of which each row is in one group, or in
/// whole groups.
static bool canCut(const FmaGeometry &g, int64_t parts) {
  int64_t partsM = std::min(parts, g.tm);
  if (g.tm % partsM != 0 || parts % partsM != 0 ||
      g.groupsN % (parts / partsM) != 0)
    return false;
  int64_t rows = g.tm / partsM;
  return rows % g.vecM == 0 || g.vecM % rows == 0;
}

int64_t FmaGeometry::countParts(int64_t most) const {
  while (!canCut(*this, most))
    most /= 2;
  return most;
}

FmaThreadMap::FmaThreadMap(ImplicitLocOpBuilder &b, const FmaGeometry &geometry,
                           Value thread)
    : FmaGeometry(geometry) {
  int64_t warpsN = kind.getWarps()[1];
  int64_t lanesM = kind.getLanes()[0], lanesN = kind.getLanes()[1];
  Value warp = divIndex(b, thread, 32);
  lane = remIndex(b, thread, 32);
  Value warpM = divIndex(b, warp, warpsN), warpN = remIndex(b, warp, warpsN);
  Value warpN0 = mulIndex(b, warpN, warpTileN);
  Value warpM0 = mulIndex(b, warpM, lanesM * tm);
  m0 = addIndex(b, warpM0, mulIndex(b, divIndex(b, lane, lanesN), vecM));
  n0 = addIndex(b, warpN0, mulIndex(b, remIndex(b, lane, lanesN), vecN));
  for (int64_t g = 0; g < groupsN; ++g)
    if (unitColumnOf[g] == int64_t(unitColumns.size()))
      unitColumns.push_back(createUnitColumn(b, warpN0, g));
}

Value FmaThreadMap::createUnitColumn(ImplicitLocOpBuilder &b, Value warpN0,
                                     int64_t g) const {
  int64_t unitN = pattern.getUnitN();
  if (unitN % kind.getBlockN() == 0)
    return indexConstant(b, 0);
  // The same in all lanes, and the compiler can see it.
  if (unitN % warpTileN == 0)
    return divIndex(b, warpN0, unitN);
  if (knownDivisor(n0) % unitN == 0)
    return addIndex(b, divIndex(b, n0, unitN), g * strideN / unitN);
  return divIndex(b, column(b, g), unitN);
}

Value FmaThreadMap::row(ImplicitLocOpBuilder &b, int64_t i) const {
  return addIndex(b, m0, i / vecM * strideM + i % vecM);
}

Value FmaThreadMap::column(ImplicitLocOpBuilder &b, int64_t g) const {
  return addIndex(b, n0, g * strideN);
}

FmaThreadMap FmaThreadMap::getPart(ImplicitLocOpBuilder &b,
                                   SumPart part) const {
  FmaThreadMap map = *this;
  if (part.parts == 1)
    return map;
  int64_t partsM = std::min(part.parts, tm), partsN = part.parts / partsM;
  map.tm = tm / partsM;
  map.vecM = std::min(vecM, map.tm);
  map.groupsN = groupsN / partsN;
  Value i = mulIndex(b, divIndex(b, part.number, partsN), map.tm);
  map.m0 = addIndex(b, m0, mulIndex(b, divIndex(b, i, vecM), strideM));
  map.m0 = addIndex(b, map.m0, remIndex(b, i, vecM));
  map.n0 = addIndex(
      b, n0,
      mulIndex(b, remIndex(b, part.number, partsN), map.groupsN * strideN));
  return map;
}

//===- FmaStore.cpp - tile_store to epilogue and stores -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FmaThreadMap.h"
#include "StoreEpilogue.h"
#include "ThreadWords.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

void nm::lowerFmaStore(TileStoreOp op, const FmaThreadMap &map,
                       ValueRange acc) {
  StoreEpilogue epilogue(op);
  ImplicitLocOpBuilder &b = epilogue.builder();
  SmallVector<StoreEpilogue::Column> columns;
  for (int64_t g = 0; g < map.groupsN; ++g)
    for (int64_t e = 0; e < map.vecN; ++e)
      columns.push_back(epilogue.loadColumn(addIndex(b, map.column(b, g), e)));
  auto finish = [&](int64_t i, int64_t g, int64_t e) {
    Value sum = vector::ExtractOp::create(b, acc[i * map.groupsN + g], e);
    return epilogue.finish(moveFromLoop(b, sum), columns[g * map.vecN + e]);
  };
  if (epilogue.isFeatureMajor()) {
    // Groups of rows of m are neighbours.
    for (int64_t g = 0; g < map.groupsN; ++g)
      for (int64_t e = 0; e < map.vecN; ++e)
        for (int64_t i = 0; i < map.tm; i += map.vecM) {
          SmallVector<Value> values;
          for (int64_t r = 0; r < map.vecM; ++r)
            values.push_back(finish(i + r, g, e));
          Value n = addIndex(b, map.column(b, g), e);
          epilogue.store(values, map.row(b, i), n);
        }
    return;
  }
  // Groups of columns are neighbours.
  for (int64_t i = 0; i < map.tm; ++i)
    for (int64_t g = 0; g < map.groupsN; ++g) {
      SmallVector<Value> values;
      for (int64_t e = 0; e < map.vecN; ++e)
        values.push_back(finish(i, g, e));
      Value m = map.row(b, i);
      epilogue.store(values, m, map.column(b, g));
    }
}

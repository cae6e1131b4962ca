//===- FmaStore.cpp - tile_store to epilogue and stores -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FmaThreadMap.h"
#include "StoreEpilogue.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

/// `sum` in another register. A vector store takes neighbouring registers, and
/// ptxas would let the FMAs write their sums right there: then half of them
/// read two registers of one bank (1,086 of 2,048; 169 so). It does not look
/// through a permutation of bytes, this one of none, as it does through a move.
static Value moveFromLoop(ImplicitLocOpBuilder &b, Value sum) {
  if (!sum.getType().isF32())
    return sum;
  return LLVM::InlineAsmOp::create(
             b, sum.getType(), sum, "prmt.b32 $0, $1, $1, 0x3210;", "=f,f",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, /*asm_dialect=*/{},
             /*operand_attrs=*/{})
      .getResult(0);
}

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

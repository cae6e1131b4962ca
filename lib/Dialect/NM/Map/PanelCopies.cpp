//===- PanelCopies.cpp - Rows of A that lie in words ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A panel has as many rows of m as make a word with one element of each. A
// thread reads the same places along k of all of them, and stores those words
// as one piece of 16 bytes, next to that of its neighbour.
//
//===----------------------------------------------------------------------===//

#include "PanelCopies.h"
#include "Accesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace nm;

/// Pieces of one thread that are written out one by one; more become a loop.
static constexpr int64_t kUnrolledPieces = 32;

namespace {
class PanelCopy {
public:
  PanelCopy(TileCopyOp op, Value thread, int64_t threads)
      : b(op.getLoc(), op), thread(thread), threads(threads),
        source(op.getSource()) {
    auto type = cast<MemRefType>(op.getDestination().getType());
    rows = type.getDimSize(1);
    columns = type.getDimSize(2);
    int64_t bits = columns * type.getElementTypeBitWidth();
    length = std::gcd(rows, std::max<int64_t>(1, 128 / bits));
    ofPanel = rows / length;
    pieces = type.getDimSize(0) * ofPanel;
    guard = {needsGuard(source, 0, type.getDimSize(0) * columns),
             needsGuard(source, 1, rows)};
    SmallVector<ReassociationIndices> groups = {{0}, {1, 2}};
    panels = memref::CollapseShapeOp::create(b, op.getDestination(), groups);
  }

  void lower() {
    if (pieces > kUnrolledPieces * threads) {
      auto loop = scf::ForOp::create(b, thread, indexConstant(b, pieces),
                                     indexConstant(b, threads));
      OpBuilder::InsertionGuard insertion(b);
      b.setInsertionPointToStart(loop.getBody());
      return copyPiece(loop.getInductionVar());
    }
    for (int64_t first = 0; first < pieces; first += threads) {
      Value piece = addIndex(b, thread, first), isThere;
      if (first + threads > pieces)
        isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, piece,
                                        indexConstant(b, pieces));
      executeIf(b, isThere, [&] { copyPiece(piece); });
    }
  }

private:
  void copyPiece(Value piece) {
    Value panel = divIndex(b, piece, ofPanel);
    Value row = mulIndex(b, remIndex(b, piece, ofPanel), length);
    SmallVector<Value> lines, words;
    for (int64_t column = 0; column < columns; ++column) {
      Value m = addIndex(b, mulIndex(b, panel, columns), column);
      lines.push_back(loadVector(b, source, m, row, /*dim=*/1, length, guard));
    }
    for (int64_t i = 0; i < length; ++i)
      for (Value line : lines)
        words.push_back(vector::ExtractOp::create(b, line, i));
    auto line = cast<VectorType>(lines.front().getType());
    auto type = VectorType::get({length * columns}, line.getElementType());
    storeVector(b, vector::FromElementsOp::create(b, type, words), panels,
                panel, mulIndex(b, row, columns), Guard());
  }

  ImplicitLocOpBuilder b;
  Value thread;
  int64_t threads;
  Value source, panels; // [panels, rows and columns of each]
  Guard guard;
  int64_t rows, columns;           // of a panel
  int64_t length, ofPanel, pieces; // rows of a piece, pieces of a panel, of all
};
} // namespace

void nm::lowerPanelCopy(TileCopyOp op, Value thread, int64_t threads) {
  PanelCopy(op, thread, threads).lower();
}

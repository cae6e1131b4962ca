//===- Workspace.cpp - Sums of the parts of a tile ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "nm/Dialect/NM/Utils/EpilogueMath.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

FailureOr<Value> nm::createWorkspace(ImplicitLocOpBuilder &b,
                                     const MatrixProduct &product) {
  auto c = cast<MemRefType>(product.c.getType());
  int64_t parts = product.schedule.getSplitK();
  SmallVector<int64_t> shape(c.getShape());
  SmallVector<Value> extents;
  for (int64_t dim : {0, 1})
    if (c.isDynamicDim(dim))
      extents.push_back(
          mulIndex(b, dimOf(b, product.c, dim), dim == 0 ? 1 : parts));
  if (!c.isDynamicDim(1) && llvm::MulOverflow(shape[1], parts, shape[1]))
    return emitError(b.getLoc())
           << "expected rows of C that are less than 2^63 elements " << parts
           << " times, for a workspace of split_k = " << parts << ", got " << c;
  auto type = MemRefType::get(shape, product.accumulator());
  return memref::AllocOp::create(b, type, extents).getResult();
}

MatrixProduct nm::getPart(ImplicitLocOpBuilder &b, const MatrixProduct &product,
                          Value workspace, Value rank) {
  MatrixProduct part = product;
  part.scale = part.bias = part.residual = Value();
  part.epilogue = Epilogue::None;
  part.combine = Combine::Add;
  Value extent = dimOf(b, product.c, 1);
  Value first = arith::MulIOp::create(b, rank, extent);
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, b.getLoc(), product.c);
  part.c = memref::SubViewOp::create(
      b, workspace, SmallVector<OpFoldResult>{b.getIndexAttr(0), first}, sizes,
      SmallVector<OpFoldResult>(2, b.getIndexAttr(1)));
  return part;
}

namespace {
/// Computes one element of C.
class ElementBuilder {
public:
  /// Element [i, j] of C, as it lies.
  ElementBuilder(ImplicitLocOpBuilder &b, const MatrixProduct &product,
                 Value workspace, Value i, Value j)
      : b(b), product(product), workspace(workspace), i(i), j(j),
        column(product.cIsFeatureMajor() ? i : j),
        type(getEpilogueType(product.accumulator(), bool(product.scale))) {}

  void build() {
    Value value = convertNumber(b, createSum(), type);
    if (product.scale)
      value = createMul(b, value, loadNumber(product.scale, column));
    if (product.bias)
      value = createAdd(b, value, loadNumber(product.bias, column));
    Type element = getElementTypeOrSelf(product.c);
    value = createEpilogue(b, product.epilogue, value,
                           chooseEpilogueMath(product.schedule, element));
    if (product.residual)
      value = createCombine(b, product.combine, value,
                            loadNumber(product.residual, {i, j}));
    value = convertNumber(b, value, element);
    memref::StoreOp::create(b, value, product.c, ValueRange{i, j});
  }

private:
  /// The sum of what the blocks have of the element, in their order.
  Value createSum() {
    Value extent = dimOf(b, product.c, 1);
    Value place = j, sum;
    for (int64_t part = 0; part < product.schedule.getSplitK(); ++part) {
      if (part != 0)
        place = arith::AddIOp::create(b, place, extent);
      Value own = memref::LoadOp::create(b, workspace, ValueRange{i, place});
      sum = sum ? createAdd(b, sum, own) : own;
    }
    return sum;
  }

  Value loadNumber(Value memref, ValueRange place) {
    return convertNumber(b, memref::LoadOp::create(b, memref, place), type);
  }

  ImplicitLocOpBuilder &b;
  const MatrixProduct &product;
  Value workspace, i, j, column;
  Type type; // in which scale, bias and activation are computed
};
} // namespace

void nm::createSumOfParts(ImplicitLocOpBuilder &b, const MatrixProduct &product,
                          Value workspace, StringRef name, KernelNames &names) {
  Value zero = indexConstant(b, 0), one = indexConstant(b, 1);
  OpBuilder::InsertionGuard guard(b);
  // A loop of one turn would be the host's.
  auto type = cast<MemRefType>(product.c.getType());
  if (type.hasStaticShape() && type.getNumElements() == 1) {
    auto launch = gpu::LaunchOp::create(b, one, one, one, one, one, one);
    names.assign(launch, name);
    b.setInsertionPointToStart(&launch.getBody().front());
    ElementBuilder(b, product, workspace, zero, zero).build();
    gpu::TerminatorOp::create(b);
    return;
  }
  SmallVector<Value> begin(2, zero), step(2, one);
  SmallVector<Value> end = {dimOf(b, product.c, 0), dimOf(b, product.c, 1)};
  auto loop = scf::ParallelOp::create(b, begin, end, step);
  loop->setAttr(kKernelNameAttr, b.getStringAttr(name));
  b.setInsertionPointToStart(loop.getBody());
  ElementBuilder(b, product, workspace, loop.getInductionVars()[0],
                 loop.getInductionVars()[1])
      .build();
}

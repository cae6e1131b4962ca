//===- Gemv.cpp - Products of few rows on CUDA cores ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of few rows takes the time of its weight, each element of which it
// needs once: there is nothing to share but A. So threads read wide pieces of
// the weight, many at a time, and as there are more of them than columns they
// share k.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "GemvThreadMap.h"
#include "Kinds.h"
#include "SharedK.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

namespace {
class GemvMapper : public KindMapper {
public:
  GemvMapper(GemvAttr kind, KernelContext kernel)
      : launch(kernel.launch), b(kernel.atBegin()),
        map(b, kind, kernel.pattern, kernel.launch.getThreadIds().x) {}

  FragmentValues lowerZero(TileZeroOp op) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto type = VectorType::get({map.tn}, op.getType().getElementType());
    return FragmentValues(map.tm, createZero(b, type));
  }

  FragmentValues lowerPositions(LoadPositionsOp op) override {
    return loadGemvPositions(op, map);
  }

  FragmentValues lowerRows(LoadRowsOp op, ValueRange positions) override {
    return loadGemvRows(op, map, positions);
  }

  FragmentValues lowerValues(LoadValuesOp op) override {
    return loadGemvValues(op, map);
  }

  FragmentValues lowerMma(MmaOp op, ValueRange rows, ValueRange values,
                          ValueRange acc) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Type type = op.getType().getElementType();
    FragmentValues sums(acc);
    int64_t ofRow = rows.size() / map.tk;
    for (int64_t u = 0; u < map.tk; ++u) {
      Value weights = convertNumber(b, values[u], type);
      auto vectors = rows.slice(u * ofRow, ofRow);
      int64_t i = 0;
      for (Value vector : vectors) {
        Value elements = convertNumber(b, vector, type);
        int64_t width = cast<VectorType>(vector.getType()).getNumElements();
        for (int64_t e = 0; e < width; ++e, ++i)
          sums[i] = addProduct(b, vector::ExtractOp::create(b, elements, e),
                               weights, sums[i]);
      }
    }
    return sums;
  }

  /// Rows of C are cut.
  int64_t countParts(int64_t most) override {
    while (map.tm % most != 0)
      most /= 2;
    return most;
  }

  FragmentValues lowerBlockSum(TileStoreOp op, ValueRange acc) override {
    isSummed = true;
    return sumGemvBlock(op, launch, map, acc);
  }

  void lowerStore(TileStoreOp op, ValueRange acc, SumPart part) override {
    if (isSummed)
      return storeGemvSums(op, map, acc, part);
    lowerGemvStore(op, launch, map, acc, part);
  }

private:
  static Value addProduct(ImplicitLocOpBuilder &b, Value element, Value weights,
                          Value sum) {
    Value factors = vector::BroadcastOp::create(b, weights.getType(), element);
    if (isa<FloatType>(element.getType()))
      return LLVM::FMAOp::create(b, factors, weights, sum);
    return createAdd(b, createMul(b, factors, weights), sum);
  }

  gpu::LaunchOp launch;
  ImplicitLocOpBuilder b;
  GemvThreadMap map;
  bool isSummed = false; // before the store
};

struct GemvLowering : KindLowering::ExternalModel<GemvLowering, GemvAttr> {
  SlicePlan planSlices(Attribute attribute, TileMmaOp op) const {
    auto kind = cast<GemvAttr>(attribute);
    return planSharedSlices(op, kind.getSliceRows(),
                            kind.getThread()[1] * kind.getThread()[2]);
  }

  std::unique_ptr<KindMapper> createMapper(Attribute kind,
                                           const KernelContext &kernel) const {
    return std::make_unique<GemvMapper>(cast<GemvAttr>(kind), kernel);
  }
};
} // namespace

void nm::attachGemvLowering(MLIRContext &context) {
  GemvAttr::attachInterface<GemvLowering>(context);
}

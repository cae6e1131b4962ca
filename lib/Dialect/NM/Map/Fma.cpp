//===- Fma.cpp - Multiply-adds on CUDA cores ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fma.h"
#include "Accesses.h"
#include "FmaThreadMap.h"

using namespace mlir;
using namespace nm;

namespace {
class FmaMapper : public KindMapper {
public:
  FmaMapper(FmaAttr kind, KernelContext kernel)
      : b(ImplicitLocOpBuilder::atBlockBegin(kernel.launch.getLoc(),
                                             &kernel.launch.getBody().front())),
        map(b, kind, kernel.pattern.getUnitN(), kernel.launch.getThreadIds().x),
        stepK(kernel.schedule.getStepK()) {}

  FragmentValues lowerZero(TileZeroOp op) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto type = VectorType::get({map.vecN}, op.getType().getElementType());
    return FragmentValues(map.tm * map.groupsN, createZero(b, type));
  }

  FragmentValues lowerProduct(TileMmaOp op, FragmentValues acc) override {
    lowerFmaProduct(op, map, stepK, acc);
    return acc;
  }

  void lowerStore(TileStoreOp op, ValueRange acc) override {
    lowerFmaStore(op, map, acc);
  }

private:
  ImplicitLocOpBuilder b;
  FmaThreadMap map;
  int64_t stepK;
};

struct FmaLowering : KindLowering::ExternalModel<FmaLowering, FmaAttr> {
  std::unique_ptr<KindMapper> createMapper(Attribute kind,
                                           const KernelContext &kernel) const {
    return std::make_unique<FmaMapper>(cast<FmaAttr>(kind), kernel);
  }
};
} // namespace

void nm::attachFmaLowering(MLIRContext &context) {
  FmaAttr::attachInterface<FmaLowering>(context);
}

//===- Fma.cpp - Multiply-adds on CUDA cores ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice of a step is one condensed row: an outer product of tm elements of A
// and tn values a thread.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "FmaThreadMap.h"
#include "Kinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

/// FMAs of one thread that are written out as one block of code: more than this
/// outgrows the instruction cache without hiding more latency.
static constexpr int64_t kUnrolledFmas = 2048;

/// Loads that are written out as one block of code: LLVM and ptxas move loads
/// up, and with many more than this their results do not fit the registers.
static constexpr int64_t kUnrolledLoads = 96;

/// Accesses of one thread to load the operands of one condensed row.
static int64_t countLoads(TileMmaOp op, const FmaGeometry &g) {
  auto loads = [](Value memref, int64_t width) {
    return maxVectorWidth(memref) % width == 0 ? 1 : width;
  };
  bool featureMajor = op.getALayout() == Layout::FeatureMajor;
  int64_t ofA = featureMajor ? loads(op.getA(), g.vecM) : g.vecM;
  return g.numUnitColumns * g.groupsM * ofA +
         g.groupsN * loads(op.getValues(), g.vecN);
}

namespace {
class FmaMapper : public KindMapper {
public:
  FmaMapper(FmaAttr kind, KernelContext kernel)
      : b(ImplicitLocOpBuilder::atBlockBegin(kernel.launch.getLoc(),
                                             &kernel.launch.getBody().front())),
        map(b, FmaGeometry(kind, kernel.pattern),
            kernel.launch.getThreadIds().x) {}

  FragmentValues lowerZero(TileZeroOp op) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto type = VectorType::get({map.vecN}, op.getType().getElementType());
    return FragmentValues(map.tm * map.groupsN, createZero(b, type));
  }

  FragmentValues lowerPositions(LoadPositionsOp op) override {
    return loadFmaPositions(op, map);
  }

  FragmentValues lowerRows(LoadRowsOp op, ValueRange positions) override {
    return loadFmaRows(op, map, positions);
  }

  FragmentValues lowerValues(LoadValuesOp op) override {
    return loadFmaValues(op, map);
  }

  FragmentValues lowerMma(MmaOp op, ValueRange rows, ValueRange values,
                          ValueRange acc) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Type type = op.getType().getElementType();
    FragmentValues sums(acc);
    SmallVector<SmallVector<Value>> elements(map.numUnitColumns);
    for (int64_t g = 0; g < map.groupsN; ++g) {
      SmallVector<Value> &ofColumn = elements[map.unitColumnOf[g]];
      if (ofColumn.empty())
        ofColumn = extractElements(
            b, rows.slice(map.unitColumnOf[g] * map.groupsM, map.groupsM),
            type);
      Value weights = convertNumber(b, values[g], type);
      for (int64_t i = 0; i < map.tm; ++i) {
        Value factor =
            vector::BroadcastOp::create(b, weights.getType(), ofColumn[i]);
        Value &sum = sums[i * map.groupsN + g];
        sum = createMultiplyAdd(b, factor, weights, sum);
      }
    }
    return sums;
  }

  void lowerStore(TileStoreOp op, ValueRange acc) override {
    lowerFmaStore(op, map, acc);
  }

private:
  /// The elements of `vectors`, as sums are.
  static SmallVector<Value> extractElements(ImplicitLocOpBuilder &b,
                                            ValueRange vectors, Type type) {
    SmallVector<Value> elements;
    for (Value vector : vectors) {
      Value converted = convertNumber(b, vector, type);
      int64_t width = cast<VectorType>(vector.getType()).getNumElements();
      for (int64_t e = 0; e < width; ++e)
        elements.push_back(vector::ExtractOp::create(b, converted, e));
    }
    return elements;
  }

  static Value createMultiplyAdd(ImplicitLocOpBuilder &b, Value x, Value y,
                                 Value sum) {
    if (isa<FloatType>(cast<VectorType>(sum.getType()).getElementType()))
      return vector::FMAOp::create(b, x, y, sum);
    return createAdd(b, createMul(b, x, y), sum);
  }

  ImplicitLocOpBuilder b;
  FmaThreadMap map;
};

struct FmaLowering : KindLowering::ExternalModel<FmaLowering, FmaAttr> {
  SlicePlan planSlices(Attribute kind, TileMmaOp op) const {
    FmaGeometry geometry(cast<FmaAttr>(kind), op.getPattern());
    int64_t rows = std::min(kUnrolledFmas / (geometry.tm * geometry.tn),
                            kUnrolledLoads / countLoads(op, geometry));
    return {/*rows=*/1, /*units=*/4, std::max<int64_t>(rows, 1)};
  }

  std::unique_ptr<KindMapper> createMapper(Attribute kind,
                                           const KernelContext &kernel) const {
    return std::make_unique<FmaMapper>(cast<FmaAttr>(kind), kernel);
  }
};
} // namespace

void nm::attachFmaLowering(MLIRContext &context) {
  FmaAttr::attachInterface<FmaLowering>(context);
}

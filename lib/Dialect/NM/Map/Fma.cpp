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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/KernelPlan/StepTurns.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

/// Loads that are written out as one block of code: LLVM and ptxas move loads
/// up, and with many more than this their results do not fit the registers.
static constexpr int64_t kUnrolledLoads = 96;

/// The same of f64, where not every group of rows and columns takes one access,
/// as with units narrower than a thread's columns: addresses take registers,
/// too, and ptxas for sm_120 spills with more.
static constexpr int64_t kUnrolledSingleF64Loads = 48;

/// Accesses of one thread to load the operands of one condensed row.
static int64_t countLoads(TileMmaOp op, const FmaGeometry &g) {
  auto loads = [](Value memref, int64_t width) {
    return maxVectorWidth(memref) % width == 0 ? 1 : width;
  };
  bool featureMajor = op.getALayout() == Layout::FeatureMajor;
  int64_t ofA = featureMajor ? loads(op.getA(), g.vecM) : g.vecM;
  // Groups without others between them become wider accesses.
  bool isDense = g.strideN == g.vecN;
  int64_t width = std::gcd(maxVectorWidth(op.getValues()), g.tn);
  int64_t ofValues =
      isDense ? g.tn / width : g.groupsN * loads(op.getValues(), g.vecN);
  return g.numUnitColumns * g.groupsM * ofA + ofValues;
}

namespace {
class FmaMapper : public KindMapper {
public:
  FmaMapper(FmaAttr kind, KernelContext kernel)
      : b(kernel.atBegin()), map(b, FmaGeometry(kind, kernel.pattern),
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
    if (!isa<FloatType>(type))
      return addProducts(b, rows, values, acc, type);
    // Converted when they are needed, so that few are in registers.
    SmallVector<SmallVector<Value>> factors(map.numUnitColumns);
    SmallVector<SmallVector<Value>> weights(map.groupsN);
    SmallVector<Value> sums = extractElements(b, acc, type);
    for (auto [i, j] : listProducts()) {
      int64_t group = j / map.vecN, column = map.unitColumnOf[group];
      if (factors[column].empty())
        factors[column] = extractElements(
            b, rows.slice(column * map.groupsM, map.groupsM), type);
      if (weights[group].empty())
        weights[group] = extractElements(b, values[group], type);
      Value &sum = sums[i * map.tn + j];
      sum = LLVM::FMAOp::create(b, factors[column][i],
                                weights[group][j % map.vecN], sum);
    }
    FragmentValues packed;
    for (auto [i, old] : llvm::enumerate(acc))
      packed.push_back(vector::FromElementsOp::create(
          b, old.getType(),
          ArrayRef<Value>(sums).slice(i * map.vecN, map.vecN)));
    return packed;
  }

  int64_t countParts(int64_t most) override { return map.countParts(most); }

  void lowerStore(TileStoreOp op, ValueRange acc, SumPart part) override {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    lowerFmaStore(op, map.getPart(b, part), acc);
  }

private:
  /// The row and column of a thread's products in the order that they are
  /// computed in. A column's share its weight, which stays in the cache of
  /// operands that an FMA has; every other column goes backwards, so that it
  /// begins with the row that the last one ended with; and rows in registers of
  /// one bank follow each other. So a tenth of the FMAs read two registers of
  /// one bank, which takes a cycle more, and not a fourth
  /// (docs/performance.md).
  SmallVector<std::pair<int64_t, int64_t>> listProducts() const {
    static constexpr int64_t kBankOrder[] = {0, 2, 1, 3};
    SmallVector<std::pair<int64_t, int64_t>> products;
    for (int64_t j = 0; j < map.tn; ++j)
      for (int64_t e = 0; e < map.tm; ++e) {
        int64_t i = j % 2 == 0 ? e : map.tm - 1 - e;
        if (map.tm % 4 == 0)
          i = i / 4 * 4 + kBankOrder[i % 4];
        products.push_back({i, j});
      }
    return products;
  }

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

  /// Integers, a group of columns at once: of single bytes, LLVM would make
  /// products of 16 bits and additions, instead of one instruction.
  FragmentValues addProducts(ImplicitLocOpBuilder &b, ValueRange rows,
                             ValueRange values, ValueRange acc, Type type) {
    FragmentValues sums(acc);
    SmallVector<SmallVector<Value>> factors(map.numUnitColumns);
    for (int64_t g = 0; g < map.groupsN; ++g) {
      SmallVector<Value> &ofColumn = factors[map.unitColumnOf[g]];
      if (ofColumn.empty())
        ofColumn = extractElements(
            b, rows.slice(map.unitColumnOf[g] * map.groupsM, map.groupsM),
            type);
      Value weights = convertNumber(b, values[g], type);
      for (int64_t i = 0; i < map.tm; ++i) {
        Value factor =
            vector::BroadcastOp::create(b, weights.getType(), ofColumn[i]);
        Value &sum = sums[i * map.groupsN + g];
        sum = createAdd(b, createMul(b, factor, weights), sum);
      }
    }
    return sums;
  }

  ImplicitLocOpBuilder b;
  FmaThreadMap map;
};

struct FmaLowering : KindLowering::ExternalModel<FmaLowering, FmaAttr> {
  SlicePlan planSlices(Attribute kind, TileMmaOp op) const {
    FmaGeometry geometry(cast<FmaAttr>(kind), op.getPattern());
    int64_t loads = countLoads(op, geometry);
    bool inVectors = loads == geometry.groupsM + geometry.groupsN;
    bool isF64 = op.getType().getElementType().isF64();
    int64_t most =
        isF64 && !inVectors ? kUnrolledSingleF64Loads : kUnrolledLoads;
    int64_t rows =
        std::min(kUnrolledFmas / (geometry.tm * geometry.tn), most / loads);
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

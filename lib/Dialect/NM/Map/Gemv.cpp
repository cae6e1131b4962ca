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
#include "ByteNumbers.h"
#include "GemvThreadMap.h"
#include "Kinds.h"
#include "SharedK.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

namespace {
/// The elements of `vectors`, i8, as f32; their number is a multiple of four.
static SmallVector<Value> bytesToElements(ImplicitLocOpBuilder &b,
                                          ValueRange vectors) {
  SmallVector<Value> bytes, numbers;
  for (Value vector : vectors) {
    auto type = cast<VectorType>(vector.getType());
    for (int64_t e = 0; e < type.getNumElements(); ++e)
      bytes.push_back(vector::ExtractOp::create(b, vector, e));
  }
  auto fourType = VectorType::get({4}, b.getI8Type());
  auto wordType = VectorType::get({1}, b.getI32Type());
  for (size_t i = 0; i < bytes.size(); i += 4) {
    Value four = vector::FromElementsOp::create(
        b, fourType, ArrayRef<Value>(bytes).slice(i, 4));
    Value word = vector::BitCastOp::create(b, wordType, four);
    llvm::append_range(
        numbers, bytesToNumbers(b, vector::ExtractOp::create(b, word, 0)));
  }
  return numbers;
}

/// The vectors `values` of a slice as numbers of `type`.
static SmallVector<Value> convertValues(ImplicitLocOpBuilder &b,
                                        ValueRange values, Type type) {
  auto from = cast<VectorType>(values[0].getType());
  int64_t width = from.getNumElements();
  bool areWords = int64_t(values.size()) * width % 4 == 0;
  SmallVector<Value> converted;
  if (!from.getElementType().isInteger(8) || !type.isF32() || !areWords) {
    for (Value value : values)
      converted.push_back(convertNumber(b, value, type));
    return converted;
  }
  SmallVector<Value> elements = bytesToElements(b, values);
  for (size_t u = 0; u < values.size(); ++u)
    converted.push_back(vector::FromElementsOp::create(
        b, from.clone(type),
        ArrayRef<Value>(elements).slice(u * width, width)));
  return converted;
}

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
    SmallVector<Value> numbers = convertValues(b, values, type);
    for (int64_t u = 0; u < map.tk; ++u) {
      Value weights = numbers[u];
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
    auto thread = kind.getThread();
    return planSharedSlices(op, {.rows = kind.getSliceRows(),
                                 .weights = thread[1] * thread[2],
                                 .elements = thread[0] * thread[2],
                                 .sums = thread[0] * thread[1],
                                 .threads = kind.getNumThreads()});
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

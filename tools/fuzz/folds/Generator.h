//===- Generator.h - Makes random functions ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_GENERATOR_H
#define NM_FUZZ_FOLDS_GENERATOR_H

#include "Random.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {
namespace folds {

/// What a function is about; most of its ops are of this kind.
enum class Theme { Integer, Index, Float, Control, Tensor, Slice, Linalg };

/// The names of the themes, for the command line.
llvm::ArrayRef<llvm::StringRef> getThemeNames();

/// Makes one function. Its operands are arguments, constants and results of ops
/// before; results that nothing uses are returned, so that no op is dead.
class Generator {
public:
  Generator(mlir::MLIRContext *context, uint64_t seed);

  mlir::OwningOpRef<mlir::ModuleOp> generate(llvm::ArrayRef<Theme> themes);

private:
  using Step = void (Generator::*)();
  using Values = llvm::SmallVector<mlir::Value>;
  using Mixed = llvm::SmallVector<mlir::OpFoldResult>;

  /// One op, or an op with a region of some.
  void addStep();
  void addSteps(unsigned count);
  llvm::ArrayRef<Step> getSteps(Theme of) const;
  void finish();

  /// Values.
  mlir::Value add(llvm::StringRef name, mlir::ValueRange operands,
                  mlir::TypeRange types,
                  llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  void offer(mlir::ValueRange values);
  mlir::Value constant(mlir::Type type);
  mlir::Value constantIndex(int64_t value);
  mlir::Value argument(mlir::Type type);
  /// Any value of this type: one of before, a constant or an argument.
  mlir::Value operand(mlir::Type type);
  /// Any value of before with such a type, or null.
  mlir::Value find(llvm::function_ref<bool(mlir::Type)> accepts);
  mlir::Type integerType();
  mlir::Type floatType();
  mlir::Type scalarType();
  /// A scalar's type, or that of a tensor of such, if there is one.
  mlir::Type elementwise(mlir::Type scalar);

  /// Numbers.
  void addIntegerBinary();
  void addIndexBinary();
  void addIntegerCast();
  void addIndexCast();
  void addComparison();
  void addSelect();
  void addExtended();
  void addFloatBinary();
  void addFloatUnary();
  void addFloatComparison();
  void addFloatCast();

  /// Control. A region is a scope: what is made in it is not seen outside.
  template <typename Body> void inRegion(mlir::Region &region, Body body);
  void yieldIn(mlir::Region &region, mlir::TypeRange types);
  void addIf();
  void addFor();
  void addWhile();
  void fillBefore(mlir::scf::WhileOp loop, bool isTwice);
  void fillAfter(mlir::scf::WhileOp loop);
  void addSwitch();
  void addExecuteRegion();

  /// Tensors.
  mlir::RankedTensorType tensorType();
  mlir::Value tensor();
  /// An index that mostly is below `extent`.
  mlir::Value indexBelow(int64_t extent);
  /// This number in an attribute, a constant, or some argument.
  mlir::OpFoldResult mixed(int64_t value);
  Values indicesOf(mlir::Value tensor);
  Values dynamicSizesOf(mlir::RankedTensorType type);
  void addFromElements();
  void addExtract();
  void addInsert();
  void addDim();
  void addTensorCast();
  void addEmpty();
  void addSplat();
  void addGenerate();
  void addPad();
  void addConcat();
  void addExpand();
  void addCollapse();

  /// Slices.
  struct Slice {
    Mixed offsets, sizes, strides;
  };
  Slice chooseSlice(mlir::RankedTensorType whole);
  mlir::RankedTensorType reduceRank(mlir::RankedTensorType type);
  void addExtractSlice();
  void addInsertSlice();

  /// Linalg.
  mlir::AffineMap chooseMap(unsigned loops);
  mlir::Value tensorForMap(mlir::AffineMap map, llvm::ArrayRef<int64_t> loops);
  void addGeneric();
  void addFill();
  void addTranspose();
  void addBroadcast();

  mlir::ImplicitLocOpBuilder builder;
  Random random;
  mlir::func::FuncOp function;
  Theme theme = Theme::Integer;
  Values pool;
  unsigned depth = 0;
};

template <typename Body>
void Generator::inRegion(mlir::Region &region, Body body) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  size_t outside = pool.size();
  builder.setInsertionPointToEnd(&region.front());
  offer(region.getArguments());
  ++depth;
  body();
  --depth;
  pool.truncate(outside);
}

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_GENERATOR_H

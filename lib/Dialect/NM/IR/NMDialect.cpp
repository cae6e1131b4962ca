//===- NMDialect.cpp - The nm dialect
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/IR/NMDialect.h"
#include "BytecodeVersion.h"
#include "LaidOutWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/IR/SwizzledBuffers.h"
#include "nm/Support/SignatureAttributes.h"
#include "nm/Target/TargetInfo.h"

using namespace mlir;
using namespace nm;

#include "nm/Dialect/NM/IR/NMDialect.cpp.inc"
#include "nm/Dialect/NM/IR/NMEnums.cpp.inc"

void NMDialect::initialize() {
  registerAttributes();
  registerTypes();
  addBytecodeVersion(*this);
  addOperations<
#define GET_OP_LIST
#include "nm/Dialect/NM/IR/NMOps.cpp.inc"
      >();
}

static LogicalResult verifyMostRows(Operation *op, NamedAttribute attribute) {
  // most_rows_c1
  auto rows = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!rows || !rows.getType().isIndex() || rows.getInt() < 1)
    return op->emitError() << "expected `" << kMostRowsAttrName
                           << "` to be an index of at least 1, got "
                           << attribute.getValue();
  return success();
}

static LogicalResult verifyMerged(Operation *op, NamedAttribute attribute) {
  // merged_c1
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  auto isAscending = [](ArrayRef<int64_t> list) {
    return list.front() >= 0 &&
           llvm::is_sorted(list, std::less_equal<int64_t>());
  };
  if (!numbers || numbers.size() < 2 || !isAscending(numbers.asArrayRef()))
    return op->emitError() << "expected `" << kMergedAttrName
                           << "` to be an array of at least two ascending "
                              "numbers of products, got "
                           << attribute.getValue();
  return success();
}

/// Whether `attribute` is of kind `Kind` and on an op of type `Place`, which
/// `what` says in words.
template <typename Place, typename Kind>
static LogicalResult verifyPlace(Operation *op, NamedAttribute attribute,
                                 StringRef what) {
  if (isa<Place>(op) && isa<Kind>(attribute.getValue()))
    return success();
  return op->emitError() << "expected `" << attribute.getName().getValue()
                         << "` to be " << what << ", got "
                         << attribute.getValue();
}

static LogicalResult verifyResident(Operation *op, NamedAttribute attribute) {
  // resident_c1
  auto blocks = dyn_cast<IntegerAttr>(attribute.getValue());
  bool isPlace = isa<gpu::LaunchOp, FunctionOpInterface>(op);
  if (isPlace && blocks && blocks.getInt() >= 1 && blocks.getInt() <= INT32_MAX)
    return success();
  return op->emitError() << "expected `" << kResidentAttrName
                         << "` to be a number of blocks, at least 1, of a "
                            "gpu.launch or a kernel, got "
                         << attribute.getValue();
}

static LogicalResult verifyBytes(Operation *op, NamedAttribute attribute) {
  // bytes_c1
  auto bytes = dyn_cast<IntegerAttr>(attribute.getValue());
  if (isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op) && bytes &&
      bytes.getType().isInteger(64) && bytes.getInt() >= 0)
    return success();
  return op->emitError() << "expected `" << kBytesAttrName
                         << "` to be a number of bytes of a launch, got "
                         << attribute.getValue();
}

LogicalResult NMDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  if (attribute.getName() == kMostRowsAttrName)
    return verifyMostRows(op, attribute);
  if (attribute.getName() == kMergedAttrName)
    return verifyMerged(op, attribute);
  if (attribute.getName() == kFewRowsAttrName) // few_rows_c1
    return verifyPlace<gpu::LaunchOp, UnitAttr>(
        op, attribute, "a unit attribute of a gpu.launch");
  if (attribute.getName() == kResidentAttrName)
    return verifyResident(op, attribute);
  if (attribute.getName() == kBytesAttrName)
    return verifyBytes(op, attribute);
  if (attribute.getName() == kFusedLaunchAttrName) // fused_launch_c1
    return verifyPlace<gpu::LaunchOp, StringAttr>(op, attribute,
                                                  "a string on a gpu.launch");
  if (attribute.getName() == kBehindOthersAttrName) // behind_others_c1
    return verifyPlace<func::FuncOp, UnitAttr>(
        op, attribute, "a unit attribute of a func.func");
  if (attribute.getName() == kSwizzleAttrName)
    return verifySwizzle(op, attribute);
  if (attribute.getName() != kTargetAttrName)
    return success();
  // target_c2
  if (!isa<ModuleOp>(op) || !isa<TargetAttr>(attribute.getValue()))
    return op->emitError() << "expected `" << kTargetAttrName
                           << "` to be a #nm.target on a module, got "
                           << attribute.getValue();
  return success();
}

static LogicalResult verifyName(Operation *op, NamedAttribute attribute) {
  // name_c1
  if (!isa<StringAttr>(attribute.getValue()))
    return op->emitError() << "expected `" << kNameAttr
                           << "` to be a string, got " << attribute.getValue();
  return success();
}

static LogicalResult verifyUnsigned(Operation *op, NamedAttribute attribute,
                                    Type type) {
  // unsigned_c1
  if (isa<UnitAttr>(attribute.getValue()) &&
      getElementTypeOrSelf(type).isSignlessInteger(8))
    return success();
  return op->emitError() << "expected `" << kUnsignedAttr
                         << "` to be a unit attribute of an argument or a "
                            "result of i8, got "
                         << attribute.getValue() << " on " << type;
}

LogicalResult NMDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                  unsigned argument,
                                                  NamedAttribute attribute) {
  if (attribute.getName() == kNameAttr)
    return verifyName(op, attribute);
  if (attribute.getName() == kPartAttr)
    return verifyParts(op, argument, attribute);
  // A function of LLVM has other arguments.
  auto function = dyn_cast<func::FuncOp>(op);
  if (attribute.getName() == kUnsignedAttr && function)
    return verifyUnsigned(op, attribute, function.getArgumentTypes()[argument]);
  if (attribute.getName() != kStateAttr || !function)
    return success();
  // state_c1
  auto type = dyn_cast<ShapedType>(function.getArgumentTypes()[argument]);
  auto elements = dyn_cast<ElementsAttr>(attribute.getValue());
  if (type && elements && type.hasStaticShape() &&
      type.getShape() == elements.getShapedType().getShape() &&
      type.getElementType() == elements.getElementType())
    return success();
  return op->emitError() << "expected `" << kStateAttr
                         << "` to be elements of the type of argument #"
                         << argument << ", "
                         << function.getArgumentTypes()[argument];
}

LogicalResult NMDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                     unsigned result,
                                                     NamedAttribute attribute) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (attribute.getName() == kUnsignedAttr && function)
    return verifyUnsigned(op, attribute, function.getResultTypes()[result]);
  return attribute.getName() == kNameAttr ? verifyName(op, attribute)
                                          : success();
}

const TargetInfo &nm::getTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<TargetAttr>(kTargetAttrName))
      return target.getInfo();
  return *lookupTarget(kDefaultChip);
}

Operation *NMDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  if (auto parts = dyn_cast<ArrayAttr>(value)) {
    // The folded form of a condensed constant: [values, indices, columns?].
    if (!isa<CondensedType>(type) || parts.size() < 2)
      return nullptr;
    return ConstantOp::create(builder, loc, type, cast<ElementsAttr>(parts[0]),
                              cast<ElementsAttr>(parts[1]),
                              parts.size() > 2 ? cast<ElementsAttr>(parts[2])
                                               : ElementsAttr());
  }
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===- LaidOutWeights.cpp - Weights that the caller lays out --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaidOutWeights.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "nm/Dialect/NM/IR/CallersWeights.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"
#include "nm/Layout/PanelLayout.h"
#include "nm/Support/SignatureAttributes.h"

using namespace mlir;
using namespace nm;

bool nm::isWeightOfCaller(Value weight) {
  auto argument = dyn_cast<BlockArgument>(weight);
  auto function =
      argument
          ? dyn_cast_or_null<func::FuncOp>(argument.getOwner()->getParentOp())
          : nullptr;
  return function && function.isPublic();
}

/// Checks a type with the order of its rows, where it is packed.
static LogicalResult verifyLayout(function_ref<InFlightDiagnostic()> emitError,
                                  CondensedType type, StringRef order,
                                  int64_t orderedRows) {
  std::optional<layout::RowOrder> known = layout::lookupRowOrder(order.str());
  if (!known)
    return emitError() << "expected a known order of rows, got `" << order
                       << "`";
  if (!type.getPacking()) {
    if (*known == layout::RowOrder::Ascending && orderedRows == 0)
      return success();
    return emitError() << "expected rows in the order of k without a packing, "
                          "got `"
                       << order << "` of " << orderedRows << " rows";
  }
  if (type.getPacking().getColumns() != 0)
    return emitError() << "expected a packing without columns, whose number "
                          "depends on the data, got "
                       << type;
  std::string error;
  if (!layout::check(getWeight(type.getK(), type.getN(), type.getPattern()),
                     {getPacking(type.getPacking()), *known, orderedRows},
                     error))
    return emitError() << error;
  return success();
}

LogicalResult PackOp::verify() {
  auto from = cast<CondensedType>(getWeight().getType());
  auto to = cast<CondensedType>(getType());
  // pack_c1
  if (from.getPacking() || !to.getPacking() || from.getK() != to.getK() ||
      from.getN() != to.getN() || from.getPattern() != to.getPattern() ||
      from.getElementType() != to.getElementType())
    return emitOpError() << "expected one weight without and with a packing, "
                            "got "
                         << from << " and " << to;
  // pack_c2
  return verifyLayout([&] { return emitOpError(); }, to, getOrder(),
                      getOrderedRows());
}

LogicalResult PartAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t weight, int64_t layout, PartKind,
                               CondensedType type, StringRef order,
                               int64_t orderedRows) {
  // part_c1
  constexpr int64_t limit = 1 << 16;
  if (weight < 0 || layout < 0 || weight >= limit || layout >= limit)
    return emitError() << "expected numbers of a weight and of a layout from 0 "
                          "to 65535, got "
                       << weight << " and " << layout;
  // part_c2
  return verifyLayout(emitError, type, order, orderedRows);
}

LogicalResult nm::verifyParts(Operation *op, unsigned argument,
                              NamedAttribute attribute) {
  auto function = dyn_cast<func::FuncOp>(op);
  auto parts = dyn_cast<ArrayAttr>(attribute.getValue());
  auto isPart = [](Attribute part) { return isa<PartAttr>(part); };
  // part_c3
  if (!function || !parts || parts.empty() || !llvm::all_of(parts, isPart))
    return op->emitError() << "expected `" << kPartAttr
                           << "` to be a list of #nm.part, at least one, on an "
                              "argument of a function, got "
                           << attribute.getValue();
  auto type = dyn_cast<ShapedType>(function.getArgumentTypes()[argument]);
  for (auto part : parts.getAsRange<PartAttr>()) {
    CondensedType weight = part.getType();
    bool isValues = part.getKind() == PartKind::Values;
    RankedTensorType expected =
        isValues ? weight.getValuesTensorType() : weight.getIndicesTensorType();
    // part_c4
    if (!type || type.getShape() != expected.getShape() ||
        type.getElementType() != expected.getElementType())
      return op->emitError()
             << "expected argument #" << argument << " of type " << expected
             << ", which `" << kPartAttr << "` says, got "
             << function.getArgumentTypes()[argument];
  }
  return success();
}

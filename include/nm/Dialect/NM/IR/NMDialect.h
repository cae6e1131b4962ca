//===- NMDialect.h - The nm dialect -----------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect with its enumerations, attributes and types. Ops are in NMOps.h.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMDIALECT_H
#define NM_DIALECT_NM_IR_NMDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

namespace nm {
class CondensedType;
class PatternAttr;
struct TargetInfo;
} // namespace nm

#include "nm/Dialect/NM/IR/NMDialect.h.inc"
#include "nm/Dialect/NM/IR/NMEnums.h.inc"
#include "nm/Dialect/NM/IR/WeightForm.h"

#include "nm/Dialect/NM/IR/NMAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "nm/Dialect/NM/IR/NMAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "nm/Dialect/NM/IR/NMTypes.h.inc"

namespace nm {

/// The discardable attribute by which a gpu.launch carries its schedule.
inline constexpr llvm::StringLiteral kScheduleAttrName = "nm.schedule";

/// Discardable attribute of a product, and of its launch, that are executed for
/// at most so many rows alone (nm-select-schedule): for the report.
inline constexpr llvm::StringLiteral kMostRowsAttrName = "nm.most_rows";

/// Discardable attribute of a product that stands for several, in whose place
/// nm-merge-products put it: their numbers among the products that the module
/// had, in the order of their columns; for the report.
inline constexpr llvm::StringLiteral kMergedAttrName = "nm.merged";

/// Discardable attribute of a mapped launch whose kind is one for few rows,
/// where launches are felt: for nm-fuse-launches.
inline constexpr llvm::StringLiteral kFewRowsAttrName = "nm.few_rows";

/// Discardable attribute of a launch, and of its kernel then: how many blocks
/// of it an SM should hold at once, as far as it has registers for them; for
/// nm-fit-registers.
inline constexpr llvm::StringLiteral kResidentAttrName = "nm.resident";

/// Discardable attribute of a launch, for the report: how many bytes the arrays
/// have that its kernel reads and writes. An array that it reads and writes
/// counts once.
inline constexpr llvm::StringLiteral kBytesAttrName = "nm.bytes";

/// Discardable attribute of a launch that does what another one did, too: the
/// name that had; for the report.
inline constexpr llvm::StringLiteral kFusedLaunchAttrName = "nm.fused_launch";

/// Discardable attribute of a function: the kernels that run before it are none
/// of nm's, and let no other begin ahead of their end.
inline constexpr llvm::StringLiteral kBehindOthersAttrName = "nm.behind_others";

/// The discardable attribute of a module that says its chip, a `#nm.target`.
inline constexpr llvm::StringLiteral kTargetAttrName = "nm.target";

/// The chip that the module around `op`, or `op` itself, is compiled for: that
/// of `nm.target`, and the default one without it.
const TargetInfo &getTarget(mlir::Operation *op);

} // namespace nm

#endif // NM_DIALECT_NM_IR_NMDIALECT_H

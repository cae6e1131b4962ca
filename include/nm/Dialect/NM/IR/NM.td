//===- NM.td - All definitions of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NM_TD
#define NM_DIALECT_NM_IR_NM_TD

include "nm/Dialect/NM/IR/NMDialect.td"
include "nm/Dialect/NM/IR/NMEnums.td"
include "nm/Dialect/NM/IR/NMAttributes.td"
include "nm/Dialect/NM/IR/NMTypes.td"
include "nm/Dialect/NM/IR/NMInterfaces.td"
include "nm/Dialect/NM/IR/NMOps.td"
include "nm/Dialect/NM/IR/NMTileOps.td"
include "nm/Dialect/NM/IR/NMFragmentOps.td"
include "nm/Dialect/NM/IR/NMRowsOps.td"

#endif // NM_DIALECT_NM_IR_NM_TD

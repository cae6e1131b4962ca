//===- WeightGeometry.h - Packed types in plain C++ ------------- -*- C++
//-*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_WEIGHTGEOMETRY_H
#define NM_DIALECT_NM_IR_WEIGHTGEOMETRY_H

#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Layout/Geometry.h"

namespace nm {

/// What lib/Layout calls a weight of k x n elements of `pattern`.
layout::Weight getWeight(int64_t k, int64_t n, PatternAttr pattern);

/// And what it calls a packing.
layout::Packing getPacking(PackingAttr packing);
layout::IndexCoding getCoding(IndexCoding coding);
/// What the dialect calls one of its codings.
IndexCoding getCoding(layout::IndexCoding coding);

/// The geometry of a type with a packing, which its verifier has checked.
layout::Geometry getGeometry(CondensedType type);

} // namespace nm

#endif // NM_DIALECT_NM_IR_WEIGHTGEOMETRY_H

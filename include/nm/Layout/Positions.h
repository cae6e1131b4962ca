//===- Positions.h - Whether positions are those of units -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LAYOUT_POSITIONS_H
#define NM_LAYOUT_POSITIONS_H

#include "nm/Layout/PanelLayout.h"

namespace nm {
namespace layout {

/// Whether the positions of a condensed form of `shape`, which keeps `keep`
/// units a window, lie in their windows and ascend along each. Names in `error`
/// the first that does not.
bool checkPositions(const sparsity::CondensedShape &shape, int64_t keep,
                    const Elements &positions, std::string &error);

} // namespace layout
} // namespace nm

#endif // NM_LAYOUT_POSITIONS_H

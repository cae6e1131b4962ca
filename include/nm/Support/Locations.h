//===- Locations.h - What locations say to a reader -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exporter names the location of each op after the layer that it belongs
// to (`model.layers.0.mlp.down_proj`), above the line of the model's source.
// Passes keep locations; reports, remarks and errors take the name from there.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_LOCATIONS_H
#define NM_SUPPORT_LOCATIONS_H

#include "mlir/IR/Location.h"
#include <string>

namespace nm {

/// The first name in `loc`, which may be fused or a call site; "" if none.
llvm::StringRef getLayerName(mlir::Location loc);

/// A location that names the layers of all `locations`, such as "gate + up".
mlir::Location joinLayers(mlir::MLIRContext *context,
                          llvm::ArrayRef<mlir::Location> locations);

/// The first place in a file of `loc`; null if there is none.
mlir::FileLineColLoc findFile(mlir::Location loc);

/// "file:line:column" of that place, or "file:line" where no column is known;
/// `loc` as MLIR prints it where there is no file.
std::string getPlace(mlir::Location loc);

/// " (file:line)" for messages of compiled programs; "" where there is no file.
/// The file has no directory: that is of the machine that compiled, and a
/// temporary one would make each compilation give another program.
std::string getShortPlace(mlir::Location loc);

/// What a failed assertion says: `message` with the layer and the short place
/// of `loc` as far as they are known, "in `embed`: too large (model.py:12)".
std::string addPlace(llvm::StringRef message, mlir::Location loc);

} // namespace nm

#endif // NM_SUPPORT_LOCATIONS_H

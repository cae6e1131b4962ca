//===- Register.cpp - The lowerings of all instruction kinds --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fma.h"
#include "nm/Dialect/NM/Map/KindLowering.h"

using namespace nm;

#include "nm/Dialect/NM/Map/KindLowering.cpp.inc"

void nm::registerKindLowerings(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, NMDialect *) {
    attachFmaLowering(*context);
  });
}

//===- Register.cpp - The lowerings of all instruction kinds --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kinds.h"
#include "nm/Dialect/NM/Map/KindLowering.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"

using namespace nm;

#include "nm/Dialect/NM/Map/KindLowering.cpp.inc"

void nm::registerKindLowerings(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, NMDialect *) {
    attachFmaLowering(*context);
    attachGemvLowering(*context);
    attachMmaGemvLowering(*context);
    attachMmaSyncLowering(*context);
  });
}

mlir::ImplicitLocOpBuilder KernelContext::atBegin() const {
  mlir::gpu::LaunchOp op = launch;
  return mlir::ImplicitLocOpBuilder::atBlockBegin(op.getLoc(),
                                                  &op.getBody().front());
}

mlir::FailureOr<KindLowering> nm::getLowering(mlir::gpu::LaunchOp launch) {
  InstructionKind kind = getSchedule(launch).getKind();
  if (auto lowering = mlir::dyn_cast<KindLowering>(kind))
    return lowering;
  return launch.emitOpError()
         << "expected an instruction kind with a lowering, got " << kind;
}

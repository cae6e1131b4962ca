//===- KindLowering.td - How a kind becomes IR -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_KINDLOWERING_TD
#define NM_DIALECT_NM_MAP_KINDLOWERING_TD

include "mlir/IR/Interfaces.td"

def NM_KindLowering : AttrInterface<"KindLowering"> {
  let description = [{
    The IR that fragments of an instruction kind become. An external model of each
    kind (`registerKindLowerings`), so that the dialect needs no transforms; a kind
    of another library attaches its own.
  }];
  let cppNamespace = "::nm";
  let methods = [
    InterfaceMethod<"How a step of `mma` is cut into slices.",
                    "::nm::SlicePlan", "planSlices",
                    (ins "::nm::TileMmaOp":$mma)>,
    InterfaceMethod<"Begins the lowering of one kernel.",
                    "::std::unique_ptr<::nm::KindMapper>", "createMapper",
                    (ins "const ::nm::KernelContext &":$kernel)>,
  ];
}

#endif // NM_DIALECT_NM_MAP_KINDLOWERING_TD

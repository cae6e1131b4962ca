//===- Passes.td - Code for the CPU to runtime calls -------*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Alphabetical. Every pass says what it expects and what it leaves, gives an
// example, and names its remarks.
//
//===----------------------------------------------------------------------===//

#ifndef NM_CONVERSION_HOSTTORUNTIME_PASSES_TD
#define NM_CONVERSION_HOSTTORUNTIME_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMHostToRuntimePass : Pass<"nm-host-to-runtime", "mlir::ModuleOp"> {
  let summary = "lower functions for the CPU to LLVM code that returns a status";
  let description = [{
    Every function `f` becomes

        i32 f(context, pointer to each result..., arguments...)

    with a C interface `_mlir_ciface_f` if it is public. In it, row-major
    allocations and failed assertions become calls of include/nm-c/Runtime.h
    (nmrtHostAlloc, freed by free; nmrtAssertionFailed). The status of each call
    is checked at once; an error frees what is allocated and returns the status. A
    size that does not fit 64 bits becomes the largest, which no allocation
    satisfies. A negative one is a failed assertion.

    Expects: functions of cf, func, arith and memref ops but memref.copy; launches and
    tensor maps, for which there is no device, are errors. Leaves: those ops but the
    ones above.

    ```mlir
    func.func @f(%n: index) -> memref<?xf32> {
      %m = memref.alloc(%n) : memref<?xf32>
      return %m : memref<?xf32>
    }
    // becomes, in outline
    func.func @f(%context: !llvm.ptr, %result: !llvm.ptr, %n: index) -> i32 {
      %bytes = ... : i64
      %status = llvm.call @nmrtHostAlloc(%context, %bytes, %what, %slot)
      cf.cond_br %ok, ^rest, ^error(%status : i32)
    ^rest:
      llvm.store %descriptor, %result
      return %c0_i32 : i32
    ^error(%s: i32):
      return %s : i32
    }
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
    "mlir::func::FuncDialect", "mlir::LLVM::LLVMDialect",
    "mlir::memref::MemRefDialect"
  ];
}

#endif // NM_CONVERSION_HOSTTORUNTIME_PASSES_TD

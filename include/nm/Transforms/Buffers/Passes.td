//===- Passes.td - Host code on buffers --------------------*- tablegen -*-===//
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

#ifndef NM_TRANSFORMS_BUFFERS_PASSES_TD
#define NM_TRANSFORMS_BUFFERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMOutlineLoopsPass : Pass<"nm-outline-loops", "mlir::ModuleOp"> {
  let summary = "make a function of each loop nest of host code";
  let description = [{
    Moves every outermost `scf.parallel` to a private function that LLVM may not
    inline, and calls it. LLVM's passes over loops take a time that grows with the
    square of the size of a function, and a model is thousands of loops. Of loops
    that are equal in all but locations and arguments one function is made.

    Expects host functions with structured loops. Leaves: no `scf.parallel`
    without results beside another op. Constants that a loop uses are made anew in
    its function; all else that it uses is an argument.

    ```mlir
    func.func @f(%m: memref<4xf32>) {
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        memref.store %x, %m[%i] : memref<4xf32>
      } {nm.kernel_name = "fill"}
      return
    }
    // becomes
    func.func @f(%m: memref<4xf32>) {
      call @f_fill(%x, %m) : (f32, memref<4xf32>) -> ()
      return
    }
    func.func private @f_fill(%x: f32, %m: memref<4xf32>)
        attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]} {
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        memref.store %x, %m[%i] : memref<4xf32>
      } {nm.kernel_name = "fill"}
      return
    }
    ```
  }];
  let dependentDialects = ["mlir::func::FuncDialect", "mlir::LLVM::LLVMDialect"];
}

def NMOwnResultsPass : Pass<"nm-own-results", "mlir::ModuleOp"> {
  let summary = "pass on every buffer as an allocation of its own";
  let description = [{
    Callers free each result. One that is an argument, a constant, part of
    another result or of unknown origin is therefore copied first.

    The same holds for an `scf.for`, `scf.if` or `scf.while` whose region makes a
    buffer that it passes on: every buffer that enters or leaves its regions is an
    allocation of its own then, an argument that is not passed on is freed at the
    end of its block, and `nm.owns_results` says so of the op. Loops that update
    buffers in place stay as they are.

    Expects: functions on buffers.

    ```mlir
    return %arg0 : memref<4xf32>
    // becomes
    %copy = memref.alloc() : memref<4xf32>
    memref.copy %arg0, %copy : memref<4xf32> to memref<4xf32>
    return %copy : memref<4xf32>
    ```
  }];
  let dependentDialects = ["mlir::memref::MemRefDialect"];
}

def NMPlaceDeallocsPass : Pass<"nm-place-deallocs", "mlir::ModuleOp"> {
  let summary = "free each buffer after its last use";
  let description = [{
    An allocation, and a buffer that a call or an op with `nm.owns_results`
    returns, is freed right after the last op that uses it or a view of it, so
    that the next allocation can have its memory. Buffers that are returned,
    handed over to such an op, or freed already, are left alone. Allocations move
    right before the first op that uses them.

    Expects: functions on buffers with structured control flow, after
    `nm-own-results`. A buffer that leaves its block through other control flow is
    not freed, with a remark.

    Remarks: `not-freed`.

    ```mlir
    %a = memref.alloc() : memref<4xf32>
    gpu.launch ... { ... %a ... }
    gpu.launch ... { ... }
    // becomes
    %a = memref.alloc() : memref<4xf32>
    gpu.launch ... { ... %a ... }
    memref.dealloc %a : memref<4xf32>
    gpu.launch ... { ... }
    ```
  }];
  let dependentDialects = ["mlir::memref::MemRefDialect"];
}

def NMPlanMemoryPass : Pass<"nm-plan-memory", "mlir::ModuleOp"> {
  let summary = "let callers provide the memory of results and temporaries";
  let description = [{
    Beside each public function `f` a private `f.plan` appears, which takes the
    same arguments, reads no buffer, and returns what a call needs: the dynamic
    sizes of results, where buffers of such sizes begin in the workspace, and the
    bytes of the workspace, in which sizes that do not fit 64 bits count as all
    ones. `nm.plan` of `f` names it. `f` itself

    * writes a result that was an allocation with sizes known to the plan to an
      argument, which `nm.result` says the number of;
    * has its temporary buffers in the argument `nm.workspace`, its last. Those of
      known size have fixed places: buffers that never live at once share bytes.
      Others share slots, which follow; where each begins is an argument. A buffer
      of a branch (`scf.if`) takes no bytes where the plan can tell that a call
      does not come to it;
    * loses its assertions about arguments to the plan, which fails with the same
      message before anything runs.

    So a call of `f` takes what a call of `f.plan` took, and what that returned. A
    buffer whose size depends on data, or that leaves the block which makes it,
    is still allocated in the call, as is one of a branch or of a loop's body whose
    size is computed there, where the plan cannot tell whether a call comes to it,
    or where the size may divide by 0 if not; so is a result of such a size. A public
    function that others call, or that has branches, becomes a call of a private
    one with its body, whose buffers are not planned.

    Expects: functions on buffers, after `nm-place-deallocs`; kernels no longer ask which buffers are distinct
    (`nm-flatten-kernel-args` has). Leaves: no memory is allocated in a call
    without a remark.

    Remarks: `allocated-in-call`.

    ```mlir
    func.func @f(%x: memref<?xf32>) -> memref<?xf32> {
      %n = memref.dim %x, %c0 : memref<?xf32>
      %t = memref.alloc(%n) : memref<?xf32>
      %y = memref.alloc(%n) : memref<?xf32>
      ... %x to %t, %t to %y ...
      memref.dealloc %t : memref<?xf32>
      return %y : memref<?xf32>
    }
    // becomes
    func.func private @f.plan(%x: memref<?xf32>) -> (index, index, index) {
      %n = memref.dim %x, %c0 : memref<?xf32>
      ... %bytes of %n floats, a multiple of 256 ...
      return %n, %c0, %bytes : index, index, index
    }
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32> {nm.result = 0 : index},
                 %begin: index, %workspace: memref<?xi8> {nm.workspace})
        attributes {nm.plan = @f.plan} {
      %n = memref.dim %x, %c0 : memref<?xf32>
      %t = memref.view %workspace[%begin][%n] : memref<?xi8> to memref<?xf32>
      ... %x to %t, %t to %y ...
      return
    }
    ```
  }];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::cf::ControlFlowDialect", "mlir::func::FuncDialect",
    "mlir::memref::MemRefDialect"
  ];
}

def NMResolveExpandShapesPass : Pass<"nm-resolve-expand-shapes"> {
  let summary = "expanded views of dynamic sizes by their strides";
  let description = [{
    Writes each `memref.expand_shape` with a dynamic size as what it is: the same
    memory with other sizes and strides. LLVM 22's `expand-strided-metadata`
    crashes on a group with two dynamic sizes, so this pass comes before it.

    Expects: memrefs with strided layouts. Leaves: no `memref.expand_shape` with
    a dynamic size.

    ```mlir
    %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [%a, %b, 4]
        : memref<?x4xf32> into memref<?x?x4xf32>
    // becomes
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %0
        : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
    %step = arith.muli %b, %c4 : index
    %1 = memref.reinterpret_cast %base to offset: [0], sizes: [%a, %b, 4],
        strides: [%step, 4, 1] : memref<f32> to memref<?x?x4xf32>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::memref::MemRefDialect"];
}

def NMWriteInPlacePass : Pass<"nm-write-in-place"> {
  let summary = "Writes parts of an array where they are copied to";
  let description = [{
    Where ops write a buffer that is only copied to a part of another one afterwards, lets
    them write that part, and drops the copy: the halves that a rotary embedding is
    concatenated of. The other buffer may meanwhile be used in other parts alone, which
    static offsets say.

    Expects static shapes, and destinations that are written whole; leaves the copies of
    others.

    ```mlir
    %a = memref.alloc() : memref<4x8xf32>
    nm.rows ... outs(%a : memref<4x8xf32>) ...
    %b = memref.alloc() : memref<4x16xf32>
    %s = memref.subview %b[0, 8] [4, 8] [1, 1] : ...
    memref.copy %a, %s : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
    // becomes
    %b = memref.alloc() : memref<4x16xf32>
    %s = memref.subview %b[0, 8] [4, 8] [1, 1] : ...
    nm.rows ... outs(%s : memref<4x8xf32, strided<[16, 1], offset: 8>>) ...
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NM_TRANSFORMS_BUFFERS_PASSES_TD

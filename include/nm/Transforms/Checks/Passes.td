//===- Passes.td - Checks before and at run time -----------*- tablegen -*-===//
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

#ifndef NM_TRANSFORMS_CHECKS_PASSES_TD
#define NM_TRANSFORMS_CHECKS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMAssertAccessesPass : Pass<"nm-assert-accesses"> {
  let summary = "check at run time indices that are data";
  let description = [{
    An index of a `tensor.extract` or `tensor.insert` that is not a constant may be
    anything. On a device a wrong one is an error of the device, or gives some
    number; on the CPU it would end the process. The pass, which is for the CPU
    only, puts a `cf.assert` before each.

    Expects and leaves: tensors.

    ```mlir
    %y = tensor.extract %x[%i] : tensor<8xf32>
    // becomes
    %ok = arith.cmpi ult, %i, %c8 : index
    cf.assert %ok, "tensor.extract: the index leaves dimension 0 of tensor<8xf32>"
    %y = tensor.extract %x[%i] : tensor<8xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
    "mlir::tensor::TensorDialect"
  ];
}

def NMAssertDivisorsPass : Pass<"nm-assert-divisors", "mlir::ModuleOp"> {
  let summary = "check at run time what the host divides by";
  let description = [{
    A CPU ends the process that divides an integer by zero, or the least number by
    -1. Before each division on the host whose divisor is not a constant the pass
    puts a `cf.assert`, which becomes an error of the call. A quotient that is
    only chosen by `arith.select` is checked where it is chosen: torch-mlir
    divides by sizes, which may be 0, to infer another that nobody may have asked
    for. Divisions in kernels are left alone: a GPU gives some number.

    Expects: host code with structured control flow, after everything that makes
    divisions. Leaves: no division that can end the process.

    ```mlir
    %q = arith.divui %a, %b : i64
    // becomes
    %ok = arith.cmpi ne, %b, %c0 : i64
    cf.assert %ok, "arith.divui: division by zero, or of the least number by -1"
    %d = arith.select %ok, %b, %c1 : i64
    %q = arith.divui %a, %d : i64
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect"
  ];
}

def NMAssertShapesPass : Pass<"nm-assert-shapes"> {
  let summary = "check at run time what is claimed of dynamic sizes";
  let description = [{
    Some ops claim something of dynamic sizes, and a loop behind a wrong claim
    would leave its buffers. The pass puts a `cf.assert` before each of them, so
    that a run with other sizes ends with a message:

    * a `tensor.cast` says that a dynamic size is a certain number,
    * a `tensor.reshape` or `tensor.expand_shape` that its operand has as many
      elements as its result,
    * a linalg op that the operands one of its loops walks are as large as each
      other, and that indices that it computes, as of windows, lie within their
      operands,
    * a product what m, n and k are, and ops of tm_tensor likewise,
    * a weight that is assembled what the shapes of its parts are,
    * a `tensor.concat` that its operands are as large as each other but where they
      are put behind each other,
    * a `tensor.extract_slice` or `tensor.insert_slice` that the slice lies
      within the tensor, at both ends where its stride is negative, and a
      `tensor.pad` that no padding is negative.

    Nothing is put where sizes come from one place, as they do in most modules. A
    dimension that is asked for by number exists: a constant one that does not is
    an error at once.

    Expects tensors, or memrefs, and leaves them. Sizes of results are then
    expressed by those of operands.

    ```mlir
    %y = tensor.cast %x : tensor<?x?xf32> to tensor<?x1xf32>
    // becomes
    %size = tensor.dim %x, %c1 : tensor<?x?xf32>
    %ok = arith.cmpi eq, %size, %c1 : index
    cf.assert %ok, "tensor.cast of tensor<?x?xf32>: dimension 1 is not 1, as the module says it is"
    %y = tensor.cast %x : tensor<?x?xf32> to tensor<?x1xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::cf::ControlFlowDialect", "mlir::tensor::TensorDialect"
  ];
}

def NMLocateAssertsPass : Pass<"nm-locate-asserts"> {
  let summary = "assertions say which layer and line they are of";
  let description = [{
    What a failed `cf.assert` says is all that a caller sees of it, and one kernel may
    run for many layers. The pass adds to each message the layer, the file and the line of
    the op's location, as far as they are known. Passes that put assertions later on add both
    themselves.

    Expects any ops, once. Run it before equal kernels become one: those whose
    assertions are of two layers stay two. Left out, assertions say less.

    ```mlir
    cf.assert %ok, "out of range" loc("embed"("model.py":12:0))
    // becomes
    cf.assert %ok, "in `embed`: out of range (model.py:12)" loc("embed"("model.py":12:0))
    ```
  }];
  let dependentDialects = ["mlir::cf::ControlFlowDialect"];
}

def NMVerifyConstantsPass : Pass<"nm-verify-constants"> {
  let summary = "Checks that the data of resources is that of their types";
  let description = [{
    A resource may hold any number of bytes, or, where a tool elided them, none at
    all: parser and verifiers take it. The pass refuses what has another size than
    its type needs, before anything reads it. Bools are not compared, as some
    tools write bits and some bytes; where there are no elements, there is no
    data.

    Expects any module; changes nothing; what follows relies on it.

    ```mlir
    %w = arith.constant dense_resource<w> : tensor<64x64xf32>   // refused
    {-# dialect_resources: { builtin: { w: "0x10000000AABBCCDD" } } #-}
    ```
  }];
}

def NMVerifyHostPass : Pass<"nm-verify-host", "mlir::ModuleOp"> {
  let summary = "refuse host code that touches device memory";
  let description = [{
    Buffers of host functions lie on the device. An op outside of a launch that
    reads or writes one is an error that names it, unless the runtime does its
    work: allocations, deallocations, launches, and reads of single elements. A
    read makes the host wait for the device, and each is reported. A function whose
    result is a tensor map is an error, since that says nothing of the memory it is of.

    Remarks: `host-read`.
  }];
}

def NMVerifyInputPass : Pass<"nm-verify-input", "mlir::ModuleOp"> {
  let summary = "Checks a module for what no single verifier can check";
  let description = [{
    Refuses a module whose types count 2^48 bytes or more, whose constants count
    2^38 bytes or more (their data exists, even that of a splat), whose condensed
    constants hold damaged or elided data, indices outside of their window or not
    ascending, whose loops have a constant step below 1, whose functions call
    themselves, or are named as functions of the runtime or the C library that
    compiled code calls. Expects nothing, changes nothing; what follows relies on
    it.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>   // refused
      return %y : tensor<4xf32>
    }
    ```
  }];
}

def NMVerifyTypesPass : Pass<"nm-verify-types"> {
  let summary = "Refuses types of numbers that nothing here lowers";
  let description = [{
    Arrays hold the floats and complex numbers of NumericTypes.def, integers of 1
    to 64 bits and index: passes ask for the width of an element, and kernels and
    host code can compute with these. Arrays of vectors, pointers, quantized
    numbers and other floats, and such floats alone, are refused with an error
    that names the type; so is a reshape whose groups do not name the dimensions
    in order, which MLIR's verifier takes modulo 2^32. Runs first; expects
    nothing, changes nothing.

    ```mlir
    func.func @f(%x: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>   // refused
    ```
  }];
}

#endif // NM_TRANSFORMS_CHECKS_PASSES_TD

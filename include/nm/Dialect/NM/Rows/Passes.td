//===- Passes.td - Kernels of rows -------------------------*- tablegen -*-===//
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

#ifndef NM_DIALECT_NM_ROWS_PASSES_TD
#define NM_DIALECT_NM_ROWS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMCollapseRowsPass : Pass<"nm-collapse-rows"> {
  let summary = "Makes dimensions of kernels of rows one that lie so in memory";
  let description = [{
    Two dimensions of the space of an `nm.rows` that follow each other become one where each
    operand has none of both, or both as one dimension could be: without memory between them.
    Both have to be of rows, or of elements, unless the body computes of elements alone, and
    reduces, asserts and gathers nothing: all are of elements then. A thread divides less to
    find its place, and elements of several dimensions have longer vectors. Dimensions whose
    places the body counts by `nm.index` stay.

    Expects `nm.rows` on memrefs without a schedule; leaves the same of fewer dimensions.
    Right if it is left out.

    ```mlir
    nm.rows ins(%x : memref<4x?x768xf16>) outs(%y : memref<4x?x768xf16>)
        attributes {indexing_maps = [#id, #id], rows = 2 : i64} ...
    // becomes
    %a = memref.collapse_shape %x [[0, 1], [2]] : memref<4x?x768xf16> into memref<?x768xf16>
    %b = memref.collapse_shape %y [[0, 1], [2]] : ...
    nm.rows ins(%a : memref<?x768xf16>) outs(%b : memref<?x768xf16>)
        attributes {indexing_maps = [#id, #id], rows = 1 : i64} ...
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NMDropRoundingsPass : Pass<"nm-drop-roundings"> {
  let summary = "Keeps in f32 what a kernel of rows computes on the way to 16-bit results";
  let description = [{
    In the body of an `nm.rows`, what is computed in f16 or bf16 is computed in f32, and what is
    rounded to these and widened again is used as it was: PyTorch rounds after each op, and so
    do the kernels without this pass. What a kernel stores is rounded. `--no-keep-roundings`
    runs it.

    Expects `nm.rows`; leaves the same.

    ```mlir
    %s = arith.addf %x, %x : f16
    %y = arith.mulf %s, %s : f16
    // becomes
    %w = arith.extf %x : f16 to f32
    %s = arith.addf %w, %w : f32
    %m = arith.mulf %s, %s : f32
    %y = arith.truncf %m : f32 to f16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NMExpandReshapesPass : Pass<"nm-expand-reshapes"> {
  let summary = "Gives element-wise ops the dimensions of reshapes around them";
  let description = [{
    Where a reshape stands between an element-wise op and others, moves it to the other
    side of the op, which has the larger number of dimensions then, so that the op and
    the others are of one space. Reshapes that add or drop dimensions of one element
    alone keep no ops apart, and stay.

    Expects linalg on tensors; leaves the same ops, static shapes in more dimensions.
    `nm-form-kernels` is right without it, and forms smaller kernels.

    ```mlir
    %a = linalg.generic ... ins(%x : tensor<32x384xf16>) outs(... : tensor<32x384xf32>)
    %b = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 16, 384] : ...
    // becomes
    %y = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 16, 384] : ...
    %b = linalg.generic ... ins(%y : tensor<2x16x384xf16>) outs(... : tensor<2x16x384xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def NMFormKernelsPass : Pass<"nm-form-kernels"> {
  let summary = "Groups reductions and what is computed around them to nm.rows";
  let description = [{
    Makes an `nm.rows` of each reduction of linalg.generic, together with what is
    computed element by element of the same rows before, between and after reductions:
    a LayerNorm, an RMSNorm or a softmax is one kernel, however many ops it is written
    in. A value that others use, too, becomes a result.

    Two groups are merged where one reads what the other computes, or both read one
    array, if their rows and the elements of these are the same (a dimension of one
    element is none), and if nothing outside computes of the one what the other reads.
    Reshapes that add or drop dimensions of one element do not keep groups apart.

    A reduction may have several results, leave out elements for which a mask does not hold,
    and give the place of an extreme, as an argmax does: that is the least place of the
    elements that are the extreme, of the first NaN where the comparison says so, a reduction
    behind that of the extreme. A reduction is left alone where it combines otherwise, begins
    with something else than a constant, reads places that are no dimensions, or is a
    contraction or a convolution.

    Without a reduction, what is computed element by element of arrays of one shape is a
    kernel, too: also broadcasts, transpositions that leave the last dimension where it is,
    and several chains that read parts of one array. Where the extent of the last dimension
    is not known, all dimensions are of elements, and none of rows. Kernels of one shape of
    at most 2^20 elements, close to each other, that have nothing in common are one.
    A transposition of pieces of less than a sector that are no multiple of 8 bytes, of a whole
    array and alone in its kernel, is left for `nm-tile-transposes`.

    Other transpositions of what a kernel computes are results that it stores transposed: of
    static shapes, where no member reads them, all along one dimension of rows, and where
    reduced rows have at most 1024 elements, or 4096 if there are 1024 of
    them or the chip has clusters.

    A gather is an element-wise op that reads an array at computed places (`tensor.extract`),
    of static extents. It may assert what is of rows.

    Expects linalg on tensors, element-wise chains merged or not; leaves the other ops as
    they are, in another order.

    Remarks: `formed`, `not-formed`, `not-merged`.

    ```mlir
    %s = linalg.generic {iterator_types = ["parallel", "reduction"], ...} ins(%x) outs(%zero) ...
    %y = linalg.generic {iterator_types = ["parallel", "parallel"], ...} ins(%x, %s) outs(%e) ...
    // becomes
    %y = nm.rows ins(%x : tensor<32x384xf32>) outs(%e : tensor<32x384xf32>)
        attributes {indexing_maps = [...], rows = 1 : i64} {
    ^bb0(%a: f32):
      %sum = nm.reduce addf %a, %zero : f32
      %r = arith.divf %a, %sum : f32
      nm.yield %r : f32
    } -> tensor<32x384xf32>
    ```
  }];
  let dependentDialects = ["::nm::NMDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def NMGathersToSumsPass : Pass<"nm-gathers-to-sums"> {
  let summary = "An element of each row as a reduction of the row";
  let description = [{
    Where an op reads one element of each row of an array that is computed of reductions of
    the row, as a cross entropy does of a log-softmax, and nothing else uses the array, it
    reads a sum of the row instead: of the element that is at the place, and of negative
    zeros. The array is part of the kernel of the sum then (`nm-form-kernels`), and never in
    memory.

    Expects linalg on tensors, of static extents where elements are read; leaves a reduction
    and the op without the gather. A place that is beyond the row gives negative zero, which
    torch-mlir asserts is none. Right if it is left out.

    ```mlir
    %y = linalg.generic ... ins(%places : tensor<6xi64>) outs(%e : tensor<6xf32>) {
      %v = tensor.extract %x[%i, %place] : tensor<6x40xf32>
    // becomes
    %s = linalg.generic {iterator_types = ["parallel", "reduction"]}
        ins(%places, %x : tensor<6xi64>, tensor<6x40xf32>) outs(%zeros : tensor<6xf32>) {
      %is = arith.cmpi eq, %j, %place : index
      %v = arith.select %is, %a, %zero : f32
      %r = arith.addf %v, %o : f32
    %y = linalg.generic ... ins(%places, %s : tensor<6xi64>, tensor<6xf32>) ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NMMapRowsPass : Pass<"nm-map-rows", "mlir::ModuleOp"> {
  let summary = "nm.rows to gpu.launch";
  let description = [{
    Writes each `nm.rows` on memrefs as one launch, by its schedule. A thread keeps its
    elements of a row in registers, or reads them again for each reduction (`loops`), from
    shared memory those of the turns that are `kept`. Threads of a row exchange their sums by
    shuffles, and warps of one through shared memory, also that of the other blocks of a
    cluster (`parts`); `nm-allocate-shared` gives them a place. Results along whose last
    dimension rows lie go through shared memory, too, if a block has several rows. What all
    rows have in common is read first, and what the body asserts is asserted last.

    A launch says how many of its blocks an SM should hold (`nm.resident`).

    Expects a schedule on each `nm.rows` (`nm-schedule-rows`); leaves none of these.

    ```mlir
    nm.rows ins(%x : memref<32x384xf32>) outs(%y : memref<32x384xf32>)
        attributes {indexing_maps = [...], rows = 1 : i64,
                    schedule = #nm.row_schedule<threads = 32, rows = 4, vector = 4, chunks = 3>} {...}
    // becomes
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, ...) threads(%tx, %ty, %tz) in (%sx = %c128, ...) {
      ... = vector.load %x[%row, %column] : memref<32x384xf32>, vector<4xf32>
      ... = gpu.shuffle xor %sum, %c16_i32, %c32_i32 : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def NMRelaxRowsPass : Pass<"nm-relax-rows"> {
  let summary = "Lets functions and quotients of 16-bit results be approximate";
  let description = [{
    Where all results of an `nm.rows` are f16 or bf16, exponentials, `erf`, `tanh` and
    quotients of f32 in its body are marked `afn`. They are within 2^-17 of the exact ones
    then (docs/Spec.md), which shows in a result of 11 or 8 bits only where it is rounded to
    another neighbour. Without the pass a softmax of f16 is bound by what it computes.

    Expects `nm.rows`; leaves the same. Right if it is left out.

    ```mlir
    nm.rows ... outs(%y : memref<4x8xf16>) {
      %e = math.exp %x : f32
    // becomes
      %e = math.exp %x fastmath<afn> : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NMScheduleRowsPass : Pass<"nm-schedule-rows"> {
  let summary = "Chooses how kernels of rows are computed";
  let description = [{
    Gives each `nm.rows` on memrefs that has none a schedule. Threads read 16 bytes at
    once, where arrays lie so, and have up to 16 elements of a row, or 32 where a warp has
    a row. Of longer rows than a block keeps so, a few are shared by the blocks of clusters,
    where the chip has these; more of them are read in turns, and again for each reduction,
    from shared memory where it holds two rows of an SM. Blocks of many short rows have up to
    512 threads. Where the rows, and not their elements, follow each other in what is read, a
    thread has a row; where they do in what is stored, a block has as many as a sector of
    memory holds.

    Expects `nm.rows` on memrefs, and `nm-set-target` before it.

    ```mlir
    nm.rows ins(%x : memref<32x384xf32>) ... {rows = 1 : i64}
    // becomes
    nm.rows ins(%x : memref<32x384xf32>) ... {rows = 1 : i64,
        schedule = #nm.row_schedule<threads = 32, rows = 4, vector = 4, chunks = 3>}
    ```
  }];
  let dependentDialects = ["::nm::NMDialect"];
}

def NMSinkConcatsPass : Pass<"nm-sink-concats"> {
  let summary = "Computes element-wise ops of the parts of a concatenation";
  let description = [{
    An op that computes element by element of a concatenation of rows' elements computes of
    each part alone, and its results are concatenated; so is a transposition of one. Of its
    other operands parts are taken, before transpositions and reshapes that only move
    dimensions of one element: a rotary embedding, which concatenates the halves of a head in
    the other order, is computed of halves, and no half is copied. So is what reads another
    part of the array that these are parts of, in as many elements: V beside Q and K.

    Expects linalg on tensors, of static shapes; leaves concatenations behind such ops.

    ```mlir
    %c = tensor.concat dim(1) %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %y = linalg.generic ... ins(%c, %x : tensor<4x16xf32>, tensor<4x16xf32>) ...
    // becomes
    %x0 = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : ...
    %x1 = tensor.extract_slice %x[0, 8] [4, 8] [1, 1] : ...
    %y0 = linalg.generic ... ins(%a, %x0 : tensor<4x8xf32>, tensor<4x8xf32>) ...
    %y1 = linalg.generic ... ins(%b, %x1 : tensor<4x8xf32>, tensor<4x8xf32>) ...
    %y = tensor.concat dim(1) %y0, %y1 : ...
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def NMSinkTransposesPass : Pass<"nm-sink-transposes"> {
  let summary = "Computes element-wise ops before a transposition, not behind it";
  let description = [{
    Where an op computes an array element by element of a transposed one alone, it is
    computed of what is transposed: K of an attention is scaled by the kernel that Q and
    V are made by, for example. Of a transposition that also moves whole pieces of rows,
    these are moved first. One that leaves the last dimension where it is stays: it is a
    part of kernels itself.

    Expects linalg on tensors; leaves the same ops in the other order.

    ```mlir
    %t = linalg.transpose ins(%x : tensor<32x64xf32>) outs(...) permutation = [1, 0]
    %y = linalg.generic ... ins(%t : tensor<64x32xf32>) outs(...)
    // becomes
    %s = linalg.generic ... ins(%x : tensor<32x64xf32>) outs(...)
    %y = linalg.transpose ins(%s : tensor<32x64xf32>) outs(...) permutation = [1, 0]
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def NMVersionRowsPass : Pass<"nm-version-rows"> {
  let summary = "Several kernels of rows whose length only a call knows";
  let description = [{
    Of an `nm.rows` that reduces rows whose length only a call knows, makes three, of which
    the host chooses: for rows of at most 256 and of at most 1024 elements, which threads keep
    in registers, and for any others, which a block reads in turns.

    Expects `nm.rows` on memrefs without a schedule; leaves branches around these. Right if
    it is left out.

    ```mlir
    nm.rows ins(%x : memref<?x?xf32>) ... {rows = 1 : i64} ...
    // becomes
    scf.if %is_short {
      nm.rows ins(%x : memref<?x?xf32>) ... {most = 256 : i64, rows = 1 : i64} ...
    } else {
      scf.if %is_longer {
        nm.rows ins(%x : memref<?x?xf32>) ... {most = 1024 : i64, rows = 1 : i64} ...
      } else {
        nm.rows ins(%x : memref<?x?xf32>) ... {rows = 1 : i64} ...
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // NM_DIALECT_NM_ROWS_PASSES_TD

//===- Passes.td - Linalg on buffers to launches -----------*- tablegen -*-===//
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

#ifndef NM_CONVERSION_LINALGTOGPU_PASSES_TD
#define NM_CONVERSION_LINALGTOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMLinalgToParallelLoopsPass
    : Pass<"nm-linalg-to-parallel-loops"> {
  let summary = "bring linalg ops on buffers into parallel loops";
  let description = [{
    Every linalg op on buffers becomes one `scf.parallel` over all its parallel
    dimensions, with its reductions as sequential loops inside. Dimensions are
    reordered where a reduction comes first; an op without parallel dimensions
    becomes a loop of one iteration. A loop that is called parallel, but does not
    choose an element of every output, counts as a reduction: all its iterations
    write the same element, in the order of the loop. A `memref.copy` becomes
    such a loop too, over one dimension where both sides are row-major. The
    attribute `nm.kernel_name` says what the loop computes. A `linalg.fill` of a
    buffer that the next op accumulates into becomes the first store of that op's
    loop, if that stores to every element of the buffer.

    Expects: linalg ops on buffers only. Leaves: none of them outside of
    `gpu.launch` and `gpu.module`.

    ```mlir
    linalg.fill ins(%c : f32) outs(%m : memref<4x?xf32>)
    // becomes
    scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %d1) step (%c1, %c1) {
      memref.store %c, %m[%i, %j] : memref<4x?xf32>
    } {nm.kernel_name = "fill"}
    ```
  }];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect"
  ];
}

def NMMapLoopsToGPUPass : Pass<"nm-map-loops-to-gpu", "mlir::ModuleOp"> {
  let summary = "make a GPU launch of each outermost parallel loop";
  let description = [{
    The dimensions of an `scf.parallel` are collapsed into one linear index, the
    last dimension fastest, and spread over blocks of 128 or 256 threads along
    grid x. Threads beyond the end do nothing; where the number of iterations is
    unknown or needs more than `max-blocks` blocks, each thread loops over the
    rest with a stride of the whole grid. Parallel loops inside become
    sequential. A `memref.store` outside of any loop becomes a launch of one
    thread. A `cf.assert` stays where it is. A loop whose upper bound is below the
    lower one launches nothing; a step that is not known is checked at run time to
    be positive.

    Every launch gets the attributes `module(@nm_kernels)` and
    `function(@<function>_<number>_<what>)`, which outlining honours.

    Expects: parallel loops without results. Leaves: no `scf.parallel`.

    ```mlir
    scf.parallel (%i) = (%c0) to (%c1000) step (%c1) { ... }
    // becomes
    gpu.launch blocks(%bx, ...) in (%gx = %c8, ...)
               threads(%tx, ...) in (%sx = %c128, ...)
               module(@nm_kernels) function(@main_0_loop) {
      %b = arith.muli %bx, %c128 : index
      %i = arith.addi %b, %tx : index
      %inside = arith.cmpi ult, %i, %c1000 : index
      scf.if %inside { ... }
      gpu.terminator
    }
    ```
  }];
  let options = [
    Option<"blockSize", "block-size", "int64_t", /*default=*/"0",
           "threads a block, 32 to 1024 (0: 128 for few iterations, else 256)">,
    Option<"maxBlocks", "max-blocks", "int64_t", /*default=*/"2147483647",
           "most blocks a launch has; more iterations are looped over">
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
    "mlir::gpu::GPUDialect", "mlir::LLVM::LLVMDialect", "mlir::scf::SCFDialect"
  ];
}

def NMTileTransposesPass : Pass<"nm-tile-transposes", "mlir::ModuleOp"> {
  let summary = "transpose matrices in tiles, through shared memory";
  let description = [{
    A `linalg.transpose` on buffers becomes a launch of one block a tile. Its
    threads read rows of the tile and write rows of the transposed one, 128 bytes a
    warp, so that whole lines of memory move either way; element by element, one
    of both moves a sector for each element. The tile is square, of 32 words of 4
    bytes a row, or of 32 elements where those are larger. A thread transposes in its
    registers what it has of as many rows as a word has elements, and moves whole words
    to the tile of the transposed rows in workgroup memory. Its rows are 33 words long,
    and a word lies between each 32 of them, so that neither stores nor loads of whole
    words have bank conflicts. Where rows in memory do not consist of whole words, elements
    are read or written one by one, 32 that follow each other a warp; where only a call
    says, a kernel has both.

    Where less than 32 rows, or columns, are known, such as an image's colours, a tile has
    all of these, and as many others as a power of two. That side which has few columns lies
    as one in memory, and is read or written so; the tile lies in workgroup memory as it
    does, with a word behind each multiple of 32 words and of the columns, against bank
    conflicts. Where only the call knows rows and columns, the host chooses among kernels
    for few columns, for few rows, and for others.

    Where the last dimensions stay behind, and are units of less than a sector that are no
    multiple of 8 bytes, units are transposed: a tile has 16 or 32 of them either way. A
    thread moves words of a row of the source to workgroup memory, and takes elements of a
    column there one by one for words of the target.

    Dimensions that stay together count as one, and those of one element not at
    all: rows and columns change places in each of the matrices that leading
    dimensions number. There may be any number of matrices, rows and columns. One matrix
    may be part of another; where its rows have room for whole words behind them,
    that nothing else uses, whole words are written. Left alone, for
    `nm-linalg-to-parallel-loops`, are other orders, several matrices that are not
    row-major, elements that are no numbers of whole bytes, and matrices of which fewer
    than 32 rows and columns, or than 16 of units, are known.

    Expects linalg ops on buffers. Leaves a `memref.alloc` in workgroup memory, for
    `nm-allocate-shared`, in each launch.

    Remarks: `tiled`.

    ```mlir
    linalg.transpose ins(%a : memref<64x96xf32>) outs(%b : memref<96x64xf32>) permutation = [1, 0]
    // becomes
    gpu.launch blocks(%block, ...) in (%g = %c6, ...) threads(%t, ...) in (%s = %c256, ...) {
      %tile = memref.alloc() : memref<1055xf32, #gpu.address_space<workgroup>>
      %v = vector.load %a[...] : memref<64x96xf32>, vector<1xf32>
      vector.store %v, %tile[...] : memref<1055xf32, ...>, vector<1xf32>
      gpu.barrier
      %u = vector.load %tile[...] : memref<1055xf32, ...>, vector<1xf32>
      vector.store %u, %b[...] : memref<96x64xf32>, vector<1xf32>
      gpu.terminator
    }
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect",
    "mlir::vector::VectorDialect"
  ];
}

#endif // NM_CONVERSION_LINALGTOGPU_PASSES_TD

//===- Passes.td - Tile ops to the work of one thread -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_PASSES_TD
#define NM_DIALECT_NM_MAP_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMLoadFragmentsPass : Pass<"nm-load-fragments"> {
  let summary = "Cuts each step into slices whose operands are in registers";
  let description = [{
    Replaces an `nm.tile_mma`, whose operands lie in memory, by slices of a few
    condensed rows, as the schedule's instruction kind wants them: each loads its
    operands as fragments and multiplies them (`nm.load_positions`, `nm.load_rows`,
    `nm.load_values`, `nm.mma`). Slices are written out one by one as far as the
    kind says, and otherwise stand in a loop.

    Expects kernels with an `nm.tile_mma`, from any stage before; leaves none.
    Refuses kernels that do not have the form of `nm-tile`.

    ```mlir
    %r = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>} : ...
    // becomes
    %p = nm.load_positions %d[%c0] {pattern = #nm.pattern<8:32, unit = 1x32>} : ...
    %x = nm.load_rows %a[%p, %c0] {unit = 0 : i64} : ...
    %w = nm.load_values %v[%c0] : ...
    %s = nm.mma %x, %w, %acc : ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def NMSpreadCopiesPass : Pass<"nm-spread-copies"> {
  let summary = "Puts the copies of a step between its products";
  let description = [{
    Cuts the asynchronous copies that a step issues into parts of one chunk a thread,
    and puts them before the products of the first half of its slices: in one
    place, they would fill the queue of memory instructions, and the threads wait
    until it has room. Where the step transposes the tile of the next, that
    stands in the second half; with two stages in the last quarter, as the tile has been
    asked for in the same step.

    Expects the form of `nm-double-buffer` and `nm-load-fragments`: a loop that
    begins with a wait and a barrier and has two slices or more in its body. Other
    kernels are left alone, and those whose threads have few sums.

    Remarks: `not-spread`, `spread`.

    ```mlir
    nm.wait; gpu.barrier; nm.tile_copy %a, %slot {async} : memref<32x128xf32> ...; nm.commit
    %s0 = nm.mma ...; %s1 = nm.mma ...; %s2 = nm.mma ...; %s3 = nm.mma ...
    // becomes, with 512 threads
    nm.wait; gpu.barrier
    nm.tile_copy %a0, %slot0 {async} : memref<16x128xf32> ...; %s0 = nm.mma ...
    nm.tile_copy %a1, %slot1 {async} : memref<16x128xf32> ...; nm.commit; %s1 = nm.mma ...
    %s2 = nm.mma ...; %s3 = nm.mma ...
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NMPrefetchFragmentsPass : Pass<"nm-prefetch-fragments"> {
  let summary = "Loads the first slice of the next step before the last product";
  let description = [{
    For schedules with `prefetch`, lets the loop over steps carry the operands of a step's first slice. A step
    waits for the copies of the next one, and passes its barrier, when all of its
    own operands are in registers: before its last product, which then hides what
    the barrier and the loads take.

    Expects the form of `nm-double-buffer` and `nm-load-fragments`: a loop that
    begins with a wait and a barrier and has slices in its body. Other
    kernels are left alone.

    Remarks: `not-prefetched`, `prefetched`.

    ```mlir
    scf.for %s = ... iter_args(%acc) { nm.wait; gpu.barrier; ...
      %x0 = nm.load_rows ...; %s0 = nm.mma %x0, ...; %x1 = nm.load_rows ...; %s1 = nm.mma %x1, ... }
    // becomes
    nm.wait; gpu.barrier; %first = nm.load_rows ...
    scf.for %s = ... iter_args(%acc, %x0 = %first) { ...
      %s0 = nm.mma %x0, ...; %x1 = nm.load_rows ...
      nm.wait; gpu.barrier; %next = nm.load_rows ...; %s1 = nm.mma %x1, ... }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def NMMapToThreadsPass : Pass<"nm-map-to-threads"> {
  let summary = "Gives every thread its part of the tile ops";
  let description = [{
    Lowers the tile level to vector, memref, scf, nvgpu and gpu ops of one thread,
    as the launch's schedule says. A fragment becomes a set of vectors in the
    registers of each thread; loads of operands vector loads, and `nm.mma` of kind
    `fma` outer products of FMAs; `nm.tile_copy` and `nm.tile_gather` 16-byte (or narrower)
    copies, `cp.async` where they are asynchronous and the data is aligned;
    `nm.tile_store` the epilogue and vector stores, in a loop over parts of the thread's
    sums where the activation is long and the sums are many, so that ptxas gets little
    code. Extents that may be smaller than the tile are guarded, others are not.

    `nm.tile_reduce` becomes stores of a thread's sums to workgroup memory, a barrier of
    the cluster, loads from all its blocks (`nvvm.mapa`), added in the order of ranks,
    and a second barrier, at which the kernel ends: no memory goes away that is read.
    Each block reads what it stores of the sums: one of as many parts as there are
    blocks, or in turn several of more, where that makes the largest share smaller.
    Where the kind cannot cut them so (rows of a thread, or strips), some blocks have
    none.

    Loads of kind `mma_gemv` of a weight that each call brings from DRAM are nontemporal
    (`nm-bypass-l1`): of one of the caller's, as a program for a layer is called for the
    weights of all layers, and of a module whose constants take more than L2 holds.

    Expects launches with an `nm.schedule` attribute, after `nm-load-fragments`;
    leaves no nm op in them. Refuses kernels that do not have the form of `nm-tile`: threads or
    fragments other than the schedule's, a product that not all threads reach,
    fragments in ops of other dialects.

    ```mlir
    %x = nm.load_rows %a[%p, %c0] {unit = 0 : i64} : ...
    %w = nm.load_values %v[%i] : ...
    %r = nm.mma %x, %w, %acc : ...
    // becomes
    %a0 = vector.load %a[%row, %m] {alignment = 16 : i64} : ..., vector<4xf32>
    %b0 = vector.load %v[%i, %n] {alignment = 16 : i64} : ..., vector<4xf32>
    %c0 = vector.fma %a0_0, %b0, %acc0 : vector<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def NMFuseLaunchesPass : Pass<"nm-fuse-launches"> {
  let summary = "Computes a gate and the product that it gates in one kernel";
  let description = [{
    Of two products of one A, of which the second combines its result with that of the
    first, such as the gate and the up projection of a gated MLP, a block computes its
    tile of the first and then that of the second: one launch, in which A is copied to
    shared memory once.

    Expects the form of `nm-map-to-threads` and `nm-allocate-shared`, with launches one
    after another. Fused are those whose kinds are for few rows (`nm.few_rows`), which
    have as many blocks of as many threads, and of which each thread of the second reads
    nothing that the first writes but what the same thread of the same block has written:
    that is proven by comparing the conditions and addresses of both, whatever they came
    from. What the second writes the first may not access, and results may not be
    arguments, which others may alias. Blocks of clusters are left alone. A copy of the second to shared memory is left out
    where the first has made the same one and nothing has written there since.

    Kernels without the pass are as right.

    Remarks: `launches-fused`, `launches-not-fused`.

    ```mlir
    gpu.launch blocks(%b...) { ... %sum ...  memref.store %silu, %gate[%b, %t] }
    gpu.launch blocks(%b...) { ... %sum ...  %g = memref.load %gate[%b, %t] ... }
    // becomes
    gpu.launch blocks(%b...) {
      ... %sum ...  memref.store %silu, %gate[%b, %t]
      gpu.barrier
      ... %sum ...  %g = memref.load %gate[%b, %t] ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def NMLoadAheadPass : Pass<"nm-load-ahead"> {
  let summary = "Puts the loads of operands between the products before";
  let description = [{
    Lets loads of operands stand twelve products ahead of the product that needs them,
    and loads of positions as many ahead of those, in each loop that multiplies on
    tensor cores, across its turns, too, where it carries operands
    (`nm-prefetch-fragments`). `nm-map-to-threads` leaves the loads of a slice right
    before its products, which all wait for them then, as few warps share a scheduler.
    Products keep their order, and barriers and all that has other effects their
    places; what computes an address stands right before the load.

    Expects the form of `nm-map-to-threads`. No load passes a barrier; copies it may
    pass, for what those write nobody may read before the next one. Loops of other
    kinds are left alone, and kernels without the pass are as right.

    Remarks: `ahead`.

    ```mlir
    %a0 = nvgpu.ldmatrix %a[...]; %b0 = nvgpu.ldmatrix %b[...]; ...
    %s0 = nvvm.mma.sync A[%a0] B[%b0] C[%acc]; ...; %s31 = nvvm.mma.sync ...
    %a1 = nvgpu.ldmatrix %a[...]; %b1 = nvgpu.ldmatrix %b[...]; ...
    %s32 = nvvm.mma.sync A[%a1] B[%b1] C[%s0]; ...
    // becomes
    %a0 = nvgpu.ldmatrix %a[...]; %b0 = nvgpu.ldmatrix %b[...]; ...
    %s0 = nvvm.mma.sync A[%a0] B[%b0] C[%acc]; ...; %s19 = nvvm.mma.sync ...
    %a1 = nvgpu.ldmatrix %a[...]; %b1 = nvgpu.ldmatrix %b[...]; %s20 = nvvm.mma.sync ...
    ```
  }];
}

def NMLoadColumnsAheadPass : Pass<"nm-load-columns-ahead"> {
  let summary = "Loads which rows a step copies in the step before";
  let description = [{
    Where a step copies the rows of A that column information lists
    (`nm-pack-tile`), lets the loop carry the numbers of a thread's rows: each step
    loads those of the next (NM-SpMM III-C). A copy then begins at once, where it
    would wait for its row's number to come from global memory.

    Expects the form of `nm-map-to-threads`. Taken are loads of global memory that
    asynchronous copies need, in the innermost loops that copy, whose addresses depend
    on nothing but the number of the turn. A loop that stores to global memory is left
    alone, and so is a load under a condition, and a kernel of whose blocks an SM holds
    several, as others compute while one waits. Kernels without the pass are as right.

    Remarks: `columns-ahead`.

    ```mlir
    scf.for %s = %c0 to %n step %c1 {
      %row = memref.load %columns[%s, %i]
      nvgpu.device_async_copy %a[%row, %j], %slot[%i, %j], 8
    }
    // becomes
    %first = memref.load %columns[%c0, %i]
    scf.for %s = %c0 to %n step %c1 iter_args(%row = %first) {
      %next = memref.load %columns[%following, %i]
      nvgpu.device_async_copy %a[%row, %j], %slot[%i, %j], 8
      scf.yield %next
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def NMLoadWeightsAheadPass : Pass<"nm-load-weights-ahead"> {
  let summary = "Loads weights a turn before, and the first before A's tile";
  let description = [{
    Where threads read the weight from global memory themselves, as kinds for few rows
    do, lets loops carry it: a turn loads what the next one multiplies, before its own
    products, and the last one nothing, so that no byte is read twice. What the first
    turn needs, and a kernel without a loop, is loaded before the block begins to copy
    the tile of A, or waits for its threads, and so is under way with the tile; of a
    second product in the kernel, before that behind the loop of the first. Turns of up
    to 64 products of tensor cores in all are written out.

    Expects the form of `nm-map-to-threads`. Carried are loads of global memory whose
    addresses depend on nothing but the number of the turn, in loops whose turns are
    counted and neither store to global memory nor wait for other threads or copies, and
    where they fit registers beside the sums. Moved before the tile are only loads of
    constants that products need: nothing writes those. Kernels without the pass are as
    right.

    Remarks: `weights-ahead`, `weights-not-ahead`.

    ```mlir
    ... copies of A ...; gpu.barrier
    scf.for %t = %c0 to %c4096 step %c1024 iter_args(%acc) {
      %w = vector.load %weight[%t, %n]
      %sum = llvm.intr.fma(%a, %w, %acc)
    }
    // becomes
    %first = vector.load %weight[%c0, %n]
    ... copies of A ...; gpu.barrier
    scf.for %t = %c0 to %c4096 step %c1024 iter_args(%acc, %w = %first) {
      %isThere = arith.cmpi slt, %following, %c4096
      %next = scf.if %isThere { vector.load %weight[%following, %n] } else { ub.poison }
      %sum = llvm.intr.fma(%a, %w, %acc)
      scf.yield %sum, %next
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

#endif // NM_DIALECT_NM_MAP_PASSES_TD

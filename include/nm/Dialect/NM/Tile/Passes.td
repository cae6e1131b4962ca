//===- Passes.td - Products to tiles and their copies ------*- tablegen -*-===//
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

#ifndef NM_DIALECT_NM_TILE_PASSES_TD
#define NM_DIALECT_NM_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"
include "nm/Support/Options.td"

def NMAllocateSharedPass : Pass<"nm-allocate-shared"> {
  let summary = "Places the workgroup buffers of a kernel in dynamic shared memory";
  let description = [{
    Gives every `memref.alloc` in workgroup memory inside a `gpu.launch` a place
    in one dynamic shared memory buffer, so that kernels may use more than the
    48 KiB of static shared memory, and sets the launch's size. Two buffers share
    bytes where a barrier lies between the last use of one and the first of the
    other, and before it a wait for all asynchronous copies, both in the kernel's
    outermost block.

    Expects kernels whose tile ops are mapped or not; leaves no workgroup
    allocation. Fails when the buffers exceed what a block may have on the
    module's chip (`nm.target`).

    ```mlir
    %b = memref.alloc() : memref<16x64xf32, #gpu.address_space<workgroup>>
    // becomes
    %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %b = memref.view %s[%c0][] : ... to memref<16x64xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NMAssignRolesPass : Pass<"nm-assign-roles"> {
  let summary = "Lets warps of their own copy, and the others compute";
  let description = [{
    Where the schedule has `producers`, adds so many warps to the block, which copy
    the tiles of a step into a ring of `stages` slots, while the warps of the kind
    compute from it (`nm.roles`). Two barriers of a slot order them, not the block's:
    `full`, at which each thread of the producers arrives when its copies are
    complete, and `free`, at which each warp of the consumers does when it has
    computed. Producers are ahead by as many steps as there are slots, also from
    tile to tile where a block computes several (`stream_k`, `persistent`).

    Expects `nm-promote-shared`'s or `nm-pack-tile`'s form, and takes the place of
    `nm-double-buffer`, which leaves such a loop alone and does its work where this
    pass does not. A remark says why the warps of a kernel all do the same: the chip
    has no barriers that wait, the loop has one step, or copies nothing, or a tile is
    transposed or copied through registers.
    Refuses kernels that do not have the form of `nm-tile`, and loops with
    ops that cannot be executed for other steps.

    Remarks: `no-roles`, `roles`.

    ```mlir
    %r = scf.for %s = ... iter_args(%acc = %zero) {
      gpu.barrier; nm.tile_copy %tile, %a; gpu.barrier; nm.tile_mma %a, ... }
    nm.tile_store %r, %c
    // becomes
    nm.init_barriers %full {arrivals = 128}; nm.init_barriers %free {arrivals = 256}
    gpu.barrier
    nm.roles producers = 4 {
      scf.for %s = ... iter_args(%slot = %c0, %odd = %false) {
        nm.wait for %free_slot phase %even
        nm.tile_copy %tile, %a_slot {async}; nm.arrive %full_slot {copies} }
    } consumers {
      %r:3 = scf.for %s = ... iter_args(%acc = %zero, %slot = %c0, %odd = %false) {
        nm.wait for %full_slot phase %odd
        nm.tile_mma %a_slot, ...; nm.arrive %free_slot }
      nm.tile_store %r#0, %c
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NMAsyncCopiesPass : Pass<"nm-async-copies"> {
  let summary = "Copies large tiles without registers where nothing overlaps that";
  let description = [{
    A kernel that `nm-double-buffer` leaves alone, as it has one step or one stage,
    copies its tiles by loads and stores. Where a thread would load more than 16
    times 16 bytes of a tile, that copy becomes asynchronous, through L1, and the
    barrier in front of the product is preceded by a wait for it: all of it is on
    its way at once, with no register for what it brings.

    Expects `nm-promote-shared`'s form (copies, barrier, tile_mma). Leaves
    copies that are asynchronous or transpose, and what is not aligned to 4 bytes.
    Refuses kernels that do not have the form of `nm-tile`.

    Remarks: `async`.

    ```mlir
    gpu.barrier; nm.tile_copy %a, %buf; gpu.barrier; nm.tile_mma ...
    // becomes
    gpu.barrier; nm.tile_copy %a, %buf {async, cached}; nm.commit; nm.wait {pending = 0}
    gpu.barrier; nm.tile_mma ...
    ```
  }];
}

def NMBulkCopiesPass : Pass<"nm-bulk-copies"> {
  let summary = "Lets the copy engine bring the tiles of a step";
  let description = [{
    Where the schedule says `engine = bulk`, the asynchronous copies of whole rows
    of a multiple of 16 bytes go through barriers, one for each slot of the ring:
    the copy engine brings them, in whole lines, and threads only begin them. A
    barrier counts the bytes of its slot; step s waits for phase s / S of the
    barrier of slot s mod S, besides the groups of other copies.

    Expects `nm-double-buffer`'s form. Copies stay as they are, and a remark says
    why, where the chip has no such engine, the loop does not copy ahead, or no
    tile is whole: the schedule then copies by threads.
    Refuses kernels that do not have the form of `nm-tile`.

    Remarks: `bulk`, `not-bulk`.

    ```mlir
    nm.tile_copy %a0, %slot0 {async}; nm.commit
    scf.for %s = ... { nm.wait {pending = 0}; gpu.barrier
      nm.tile_copy %a1, %next if %more {async}; nm.commit; nm.tile_mma ... }
    // becomes
    nm.init_barriers %barriers; gpu.barrier
    nm.tile_copy %a0, %slot0 through %barrier0 {async}; nm.commit 16384 through %barrier0
    scf.for %s = ... { nm.wait for %barrier phase %odd {pending = 0}; gpu.barrier
      nm.tile_copy %a1, %next if %more through %other {async}
      nm.commit 16384 through %other if %more; nm.tile_mma ... }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NMDoubleBufferPass : Pass<"nm-double-buffer"> {
  let summary = "Overlaps the copies of later steps with the products of this one";
  let description = [{
    Gives each promoted buffer of a kernel with `stages = S > 1` a ring of S
    slots and rotates the loop over steps (NM-SpMM III-D): a prologue issues the
    copies of the first S - 1 steps; step s waits for its own, passes a barrier,
    issues those of step s + S - 1 asynchronously and computes from slot s mod S.
    One barrier a step is enough, because the slot that is filled in step s was
    last read in step s - 1.

    What is fetched to be transposed (`nm-stage-transposes`) is waited for, and
    transposed, in the step before that which reads it: a step then begins with
    the barrier. With S = 2 that is at the end of the step, else before its product.

    Expects `nm-promote-shared`'s form (barrier, copies, barrier, tile_mma) in
    a loop from 0 by 1. Kernels with one stage or with nothing promoted are left
    alone. Refuses kernels that do not have the form of `nm-tile`: threads or
    fragments other than the schedule's, two products in one kernel, a product
    that not all threads reach, fragments in ops of other dialects. A
    loop that is rotated already, one with side effects beside the copies, and a
    buffer that the product does not have to itself are refused as well.

    Remarks: `buffered`, `not-buffered`.

    ```mlir
    scf.for %s = ... { gpu.barrier; nm.tile_copy %a, %buf; gpu.barrier; nm.tile_mma ... }
    // becomes
    nm.tile_copy %a0, %slot0 {async}; nm.commit
    scf.for %s = ... { nm.wait {pending = 0}; gpu.barrier
      scf.if %more { nm.tile_copy %a1, %next {async} } nm.commit; nm.tile_mma ... }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def NMOverlapTilesPass : Pass<"nm-overlap-tiles"> {
  let summary = "Copies for the next tile of a block before one is stored";
  let description = [{
    Where blocks compute one tile after another (`persistent`), the copies of the
    first steps of a tile, which `nm-double-buffer` issues in front of its loop over
    steps, are issued behind the loop of the tile before: they are under way while
    that is stored. Those of a block's first tile stand in front of the loop over
    tiles.

    Expects `nm-double-buffer`'s form, which waits for all copies and for all
    threads behind a loop over steps, so that the ring is free. A kernel without a
    loop over tiles is left alone, and so is, with a remark, one whose blocks share
    tiles (`stream_k`), or whose loop does not copy ahead, or needs a value that is
    loaded for the tile to do so.
    Refuses kernels that do not have the form of `nm-tile`.

    Remarks: `not-overlapped`, `overlapped`.

    ```mlir
    scf.for %tile = %first to %tiles step %blocks {
      nm.tile_copy %a0, %slot0 {async}; nm.commit
      %sum = scf.for %s = ... { ... }
      nm.wait {pending = 0}; gpu.barrier
      nm.tile_store %sum, %c
    }
    // becomes
    scf.if %any { nm.tile_copy %a0, %slot0 {async}; nm.commit }
    scf.for %tile = %first to %tiles step %blocks {
      %sum = scf.for %s = ... { ... }
      nm.wait {pending = 0}; gpu.barrier
      scf.if %more { nm.tile_copy %next, %slot0 {async}; nm.commit }
      nm.tile_store %sum, %c
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def NMPackTilePass : Pass<"nm-pack-tile"> {
  let summary = "Copies only the rows of A that a block reads";
  let description = [{
    Where the product reads A through column information and A is promoted, the
    copy of the step's whole tile becomes a gather of the listed rows (NM-SpMM
    III-C), into a smaller buffer that the indices address directly.

    Expects `nm-promote-shared`'s form before `nm-double-buffer`. A product
    without column information, with A in global memory, or with a buffer of A
    that it does not have to itself, is left alone: it reads through the list.
    Refuses kernels that do not have the form of `nm-tile`: threads or
    fragments other than the schedule's, two products in one kernel, a product
    that not all threads reach, fragments in ops of other dialects.

    Remarks: `not-packed`, `packed`.

    ```mlir
    nm.tile_copy %a, %buf : ... to memref<64x64xf32, #gpu.address_space<workgroup>>
    nm.tile_mma %buf, %v, %d, %acc columns(%c : memref<1x40xi32>) ...
    // becomes
    nm.tile_gather %a, %c, %packed : ... to memref<40x64xf32, #gpu.address_space<workgroup>>
    nm.tile_mma %packed, %v, %d, %acc ...
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NMPromoteSharedPass : Pass<"nm-promote-shared"> {
  let summary = "Brings the tiles of A, values and indices into shared memory";
  let description = [{
    Gives each operand of `nm.tile_mma` that the schedule promotes a workgroup
    buffer, filled by `nm.tile_copy` between two barriers, of which the first is left
    out where a block copies once, so that nothing has read the buffer before. A lies
    feature-major there whatever it is outside, so that a thread reads its rows of m
    as one vector; the rows of a transposed copy are padded by 16 bytes, which keeps
    its stores free of bank conflicts.

    Kinds for few rows read elements of A here and there along k. A token-major A
    stays as it lies for them, in padded rows, or where a word of shared memory holds
    several elements becomes panels of as many rows of m, `[panels, k, rows]`: one load
    brings what a place of k has of all rows of a panel, and as each bank holds a word,
    lanes that read a window of 32 places have no conflicts.

    Expects `nm-tile`'s form; leaves tile_mma on workgroup memrefs. Refuses kernels that do not have the form of `nm-tile`: threads or
    fragments other than the schedule's, two products in one kernel, a product
    that not all threads reach, fragments in ops of other dialects.
    A schedule whose one step is all of k needs tiles of static extent along k.

    Remarks: `promoted`.

    ```mlir
    %r = nm.tile_mma %a, %v, %d, %acc ...
    // becomes
    gpu.barrier
    nm.tile_copy %a, %sa ...
    gpu.barrier
    %r = nm.tile_mma %sa, %sv, %sd, %acc ...
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NMStageTransposesPass : Pass<"nm-stage-transposes"> {
  let summary = "Copies a token-major A in chunks, which threads transpose";
  let description = [{
    A copy that transposes moves element by element, and cannot be asynchronous in
    chunks of 16 bytes. Here it becomes two ops: `nm.tile_fetch` brings square blocks
    of A, chunk by chunk, to the thread that `nm.tile_transpose` lets turn them into
    rows of k. `nm-double-buffer` then fetches ahead, as it copies ahead, and lets a
    step transpose the tile of the next.

    Expects `nm-promote-shared`'s form before `nm-double-buffer`. Left alone are
    kernels whose loop that pass leaves alone; tiles in panels, of which threads store
    whole chunks as it is; those of which a row of A or a block
    is no whole chunks, or need not begin at a multiple of 16 bytes; gathers of the
    rows that column information lists, of which each is elsewhere; and A of i8,
    whose bytes would take more instructions to be rearranged than to be copied.
    Refuses kernels that do not have the form of `nm-tile`: threads or
    fragments other than the schedule's, two products in one kernel, a product
    that not all threads reach, fragments in ops of other dialects.

    Remarks: `not-staged`, `staged`.

    ```mlir
    nm.tile_copy %a, %buffer {transpose} : memref<128x32xf32, ...> to memref<32x128xf32, #gpu.address_space<workgroup>>
    // becomes, with 256 threads
    %staging = memref.alloc() : memref<4x1024xf32, #gpu.address_space<workgroup>>
    nm.tile_fetch %a, %staging tile [32, 128] : memref<128x32xf32, ...> to memref<4x1024xf32, #gpu.address_space<workgroup>>
    nm.tile_transpose %staging, %buffer : memref<4x1024xf32, #gpu.address_space<workgroup>> to memref<32x128xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NMTensorCopiesPass : Pass<"nm-tensor-copies"> {
  let summary = "Lets the copy engine fill the slots of producers";
  let description = [{
    Where the schedule says `engine = tma`, one thread of the producers begins the
    copies of a step: of a tile that is one range of bytes on both sides as one copy
    (`nm.tile_copy` through a barrier), of another as boxes of the tensor that it is a
    part of (`nm.tile_box`), which host code describes in front of the launch
    (`nm.tensor_map`). Panels of which each is one range are one box, too, and its slot
    gets such panels: a step of a weight whose values several kernels share would be
    eight copies otherwise, which one thread begins. A box of a swizzled tile is as
    wide as its rows, and at most 128 bytes: of longer rows, the slots of the ring, and
    what reads them, get panels of so many. The barrier of a full slot counts the bytes,
    and arrivals of threads only where these copy another tile. Consumers release slots
    with a `fence`, as the engine overwrites what they read.

    Expects `nm-assign-roles`' form; A is feature-major with strides of a multiple of
    16 bytes, and rows of k beyond the tensor are zeros. Copies stay with the threads
    of the producers where that is not so, and a remark says why where all do.
    Refuses kernels that do not have the form of `nm-tile`.

    Remarks: `no-tensors`, `tensors`.

    ```mlir
    gpu.launch ... { nm.roles producers = 4 { scf.for %s = ... {
      nm.wait for %free phase %even
      nm.tile_copy %a_tile, %a_slot {async}; nm.tile_copy %v_tile, %v_slot {async}
      nm.arrive %full {copies} } } consumers { ... } }
    // becomes
    %map = nm.tensor_map %a box = [64, 128] swizzle = 0
    gpu.launch ... { nm.roles producers = 4 { scf.for %s = ... {
      nm.wait for %free phase %even
      nm.commit 49152 through %full
      nm.tile_box %map[%k, %m], %a_slot through %full
      nm.tile_copy %v_tile, %v_slot through %full {async} } } consumers { ... } }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NMTilePass : Pass<"nm-tile"> {
  let summary = "Makes each product a grid of blocks that loop over steps of k";
  let description = [{
    A product on memrefs becomes a `gpu.launch` (NM-SpMM III-B): one block a
    tile of C, in it a loop over steps of k that accumulates `nm.tile_mma` of
    subviews in global memory, then `nm.tile_store`. Tails are subviews smaller
    than the tile. The launch carries the schedule as `nm.schedule`. What is executed
    for one row alone (`nm.most_rows = 1`) is cast to one: its grid is known, and no
    row is guarded. Of a feature-major A that is the only part of an allocation with
    longer rows of m, tiles end where the allocation does: what is behind the rows of
    A is for sums that are not stored, and the copy engine takes up to twice as long
    over boxes in which a tensor ends (H200, a throw-away run).

    With `split_k = S` a cluster of S blocks takes the place of a block: each loops
    over a range of the steps, in the order of their ranks, and the sum of all
    (`nm.tile_reduce`) is stored. Where S does not divide the steps, the first ranges
    are one longer, and a loop ends at one of two constants.

    On a chip without clusters (`nm.target`), such blocks store their sums in a
    workspace, which the host allocates: each row of it has S rows of C side by side. The
    launch has the schedule without `split_k`, for a block computes what a product of
    fewer steps is. An `scf.parallel` after it adds the sums of each element in the order
    of the blocks, and does the epilogue.

    Expects products on memrefs with schedules and weights from `nm.assemble`;
    leaves no product.

    Remarks: `persistent`, `shared`.

    ```mlir
    nm.spmm %A, %w outs(%C : ...) {schedule = ...} : ...
    // becomes
    gpu.launch blocks(...) threads(...) {
      %r = scf.for %s = %c0 to %steps step %c1 iter_args(%acc = %zero) -> !nm.fragment<64x128xf32> {
        %n = nm.tile_mma %a, %v, %d, %acc ...
        scf.yield %n
      }
      nm.tile_store %r, %c ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // NM_DIALECT_NM_TILE_PASSES_TD

//===- NMTileOps.td - Tile-level ops of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMTILEOPS_TD
#define NM_DIALECT_NM_IR_NMTILEOPS_TD

include "nm/Dialect/NM/IR/NMOps.td"

// These ops are executed by all threads of a block together. A source tile may
// be smaller than the tile that is made of it (tails of m, n and k): what lies
// beyond its extents reads as zero and is never stored.

def NM_TileZeroOp : NM_Op<"tile_zero", [Pure]> {
  let summary = "a fragment of zeros";
  let description = [{
    ```mlir
    %acc = nm.tile_zero : !nm.fragment<64x128xf32>
    ```
  }];
  let results = (outs NM_Sum:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def NM_TileMmaOp : NM_Op<"tile_mma", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "adds the product of a tile of A and a condensed tile of B";
  let description = [{
    `result = acc + A x B` for one step: `a` holds the step's rows of k (as
    `a_layout` says), or feature-major panels of it side by side, [panels, rows,
    bm / panels], `values` [ws, bn], or panels likewise, [panels, ws, bn / panels],
    `indices` what says which units are kept. With `coding = window` they are
    [ws / Bk, U] positions in the window; with `rows`, `positions` and `mask` they
    and the values, of which `lane_rows` rows of a column follow each other, or are
    `fragments`, are the block's part of a weight of `#nm.packing`. With `columns`,
    an index names a place in that list, which holds the row.

    Rows of k (a partial last step), rows of m and columns beyond the operands'
    extents contribute nothing. Positions count in the windows of `pattern`, in which
    units may stand in any order.

    ```mlir
    %r = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, 3>, memref<16x128xf32, 3>, memref<16x4xi8, 3>
        -> !nm.fragment<64x128xf32>
    ```
  }];
  let arguments = (ins NM_MemRef:$a, NM_MemRef:$values, NM_MemRef:$indices,
      NM_Sum:$acc, Optional<NM_MemRef>:$columns,
      NM_PatternAttr:$pattern,
      DefaultValuedAttr<NM_LayoutAttr, "Layout::FeatureMajor">:$a_layout,
      DefaultValuedAttr<NM_IndexCodingAttr, "IndexCoding::Window">:$coding,
      DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$lane_rows,
      UnitAttr:$fragments);
  let results = (outs NM_Sum:$result);
  let assemblyFormat = [{
    $a `,` $values `,` $indices `,` $acc
    (`columns` `(` $columns^ `:` type($columns) `)`)?
    attr-dict `:` type($a) `,` type($values) `,` type($indices)
    `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def NM_TileCopyOp : NM_Op<"tile_copy", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "copies a tile into workgroup memory";
  let description = [{
    Copies `source` to the leading part of `destination` and fills the rest with
    zeros. With `transpose`, destination[j, i] = source[i, j]. A source of rank 3,
    [panels, rows, columns], is the panels of a tile, which the destination has side
    by side; a transposed destination may be in panels of few columns, so that some rows
    of the source lie in one word. An `async` copy is
    complete for the thread that waits for its group (`nm.commit`, `nm.wait`),
    and for the block after the barrier that follows. A `cached` one goes through L1,
    which is faster for what all SMs read at the same time.

    Where `predicate` is false nobody needs the copy: the destination may hold
    zeros or the source afterwards, and an asynchronous copy reads nothing. So a
    loop can end without a branch around its copies.

    A copy `through` a barrier of `nm.init_barriers` is done by the chip's copy
    engine, row by row, or at once where there is no gap on either side, and complete
    when the barrier has had all bytes of its phase. Its source and destination have
    the same extents; what is copied at once is a multiple of 16 bytes.

    ```mlir
    nm.tile_copy %a, %buffer if %more {async} : memref<64x?xf32, strided<[4096, 1], offset: ?>>
        to memref<64x64xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins NM_MemRef:$source, NM_MemRef:$destination,
                       Optional<I1>:$predicate, Optional<NM_MemRef>:$barrier,
                       UnitAttr:$transpose, UnitAttr:$async, UnitAttr:$cached);
  let assemblyFormat = [{
    $source `,` $destination (`if` $predicate^)?
    (`through` $barrier^ `:` type($barrier))? attr-dict
    `:` type($source) `to` type($destination)
  }];
  let hasVerifier = 1;
}

def NM_TileGatherOp : NM_Op<"tile_gather", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "gathers the rows of A that a block reads";
  let description = [{
    Row r of `destination` becomes row `columns[0, r]` of k of `source`, or zeros
    where that is -1 or beyond the source (NM-SpMM III-C, the packed load). With
    `transpose` the rows of k are the columns of `source` (token-major A).
    `predicate` is that of `nm.tile_copy`.

    ```mlir
    nm.tile_gather %a, %columns, %buffer {async}
        : memref<64x64xf32, strided<[4096, 1], offset: ?>>, memref<1x40xi32, ...>
        to memref<40x64xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins NM_MemRef:$source, NM_MemRef:$columns,
                       NM_MemRef:$destination, Optional<I1>:$predicate,
                       UnitAttr:$transpose, UnitAttr:$async);
  let assemblyFormat = [{
    $source `,` $columns `,` $destination (`if` $predicate^)? attr-dict
    `:` type($source) `,` type($columns) `to` type($destination)
  }];
  let hasVerifier = 1;
}

def NM_TileFetchOp : NM_Op<"tile_fetch", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "brings a token-major tile of A to where threads transpose it";
  let description = [{
    The first half of a transposing `nm.tile_copy`, whose second half is
    `nm.tile_transpose`: `staging` becomes the tile as it is, rows of m by rows of
    k, in chunks of 16 bytes along k. Its rows are in the order in which threads
    that stand next to each other transpose them. What lies beyond the source is
    filled with zeros. `async` and `predicate` are those of `nm.tile_copy`.

    ```mlir
    nm.tile_fetch %a, %staging if %more {async}
        : memref<128x32xf32, strided<[4096, 1], offset: ?>>
        to memref<128x32xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins NM_MemRef:$source, NM_MemRef:$staging,
                       Optional<I1>:$predicate, UnitAttr:$async);
  let assemblyFormat = [{
    $source `,` $staging (`if` $predicate^)? attr-dict
    `:` type($source) `to` type($staging)
  }];
  let hasVerifier = 1;
}

def NM_TileTransposeOp : NM_Op<"tile_transpose", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "stores a tile that nm.tile_fetch has brought as rows of k";
  let description = [{
    The tile is cut into square blocks, 4x4 of f32 or 8x8 of f16, or halves of
    them along m where some threads would have none. Each thread reads the chunks
    of a block, one for each of its rows of m, transposes the block in registers
    and stores its rows of k. All threads must have fetched their part of
    `staging` before; they see the destination after the barrier that follows.

    ```mlir
    nm.tile_transpose %staging, %buffer
        : memref<128x32xf32, #gpu.address_space<workgroup>>
        to memref<32x128xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins NM_MemRef:$staging, NM_MemRef:$destination);
  let assemblyFormat = [{
    $staging `,` $destination attr-dict
    `:` type($staging) `to` type($destination)
  }];
  let hasVerifier = 1;
}

def NM_TileBoxOp : NM_Op<"tile_box", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "fetches a box of a tensor into workgroup memory";
  let description = [{
    The copy engine fills `destination`, whose rows follow each other without gaps,
    with the box of the tensor that `map` describes (`nm.tensor_map`), from the
    element at `at` on, in the order of the tensor's dimensions. What lies beyond
    the tensor is zero. A destination in panels is filled one panel after another. The
    copy is complete when `barrier` has had all bytes of its phase, those of the box.

    ```mlir
    nm.tile_box %map[%k, %m], %slot through %barrier
        : memref<64x128xf32, strided<[128, 1], offset: ?>, #gpu.address_space<workgroup>>,
          memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins NM_TensorMapType:$map, Variadic<Index>:$at,
                       NM_MemRef:$destination, NM_MemRef:$barrier);
  let assemblyFormat = [{
    $map `[` $at `]` `,` $destination `through` $barrier attr-dict
    `:` type($destination) `,` type($barrier)
  }];
  let hasVerifier = 1;
}

def NM_InitBarriersOp : NM_Op<"init_barriers", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "makes barriers that wait for bytes";
  let description = [{
    Each element of `barriers` becomes a barrier (an mbarrier) of which a phase is
    complete when it has had `arrivals` of them, and all bytes that were named
    (`nm.commit`) are there. A barrier of the block has to follow before they are
    used.

    ```mlir
    nm.init_barriers %barriers : memref<4xi64, #gpu.address_space<workgroup>>
    nm.init_barriers %free {arrivals = 256 : i64} : memref<4xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins NM_MemRef:$barriers,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>,
                                         "1">:$arrivals);
  let assemblyFormat = "$barriers attr-dict `:` type($barriers)";
  let hasVerifier = 1;
}

def NM_CommitOp : NM_Op<"commit", [AttrSizedOperandSegments]> {
  let summary = "closes a group of asynchronous copies";
  let description = [{
    The copies issued since the last commit form a group; groups complete in
    order. With a barrier, that is told how many bytes the copies through it bring
    in this phase, unless `predicate` is false, as theirs is.

    ```mlir
    nm.commit
    nm.commit 49152 through %barrier if %more : memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$bytes,
                       Optional<NM_MemRef>:$barrier, Optional<I1>:$predicate);
  let assemblyFormat = [{
    ($bytes^ `through` $barrier (`if` $predicate^)? `:` type($barrier))? attr-dict
  }];
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::IntegerAttr(), ::mlir::Value(), ::mlir::Value());
  }]>];
  let hasVerifier = 1;
}

def NM_WaitOp : NM_Op<"wait", [AttrSizedOperandSegments]> {
  let summary = "waits until at most `pending` groups are under way";
  let description = [{
    With a barrier, waits for its phase of parity `phase` as well, or, without
    `pending`, for that alone: a barrier's first phase has parity 0 (false), the
    next one 1. The phase before the first, of parity 1, counts as complete.

    ```mlir
    nm.wait {pending = 1 : i64}
    nm.wait for %barrier phase %odd : memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>> {pending = 1 : i64}
    nm.wait for %full phase %odd : memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$pending,
                       Optional<NM_MemRef>:$barrier, Optional<I1>:$phase);
  let assemblyFormat = [{
    (`for` $barrier^ `phase` $phase `:` type($barrier))? attr-dict
  }];
  let builders = [OpBuilder<(ins "int64_t":$pending), [{
    build($_builder, $_state, $_builder.getI64IntegerAttr(pending),
          ::mlir::Value(), ::mlir::Value());
  }]>, OpBuilder<(ins "::mlir::Value":$barrier, "::mlir::Value":$phase), [{
    build($_builder, $_state, ::mlir::IntegerAttr(), barrier, phase);
  }]>];
  let hasVerifier = 1;
}

def NM_ArriveOp : NM_Op<"arrive"> {
  let summary = "arrives at a barrier";
  let description = [{
    One arrival of each thread that executes it: what it read and wrote before is
    done for those that wait for the phase. So a slot of a ring is released.

    With `warp` it is one of each warp, when all its threads are there. A warp's 32
    arrivals take their time one after another.

    With `fence`, that holds for the copy engine, too, whose accesses are no thread's:
    it may overwrite what the thread or the warp has read. (ptxas puts an arrival
    before the products of what was loaded, and behind loads that are under way.)

    With `copies`, a thread's counts when the asynchronous copies are complete that
    it has issued: so a slot is filled. The thread does not wait.

    ```mlir
    nm.arrive %free {warp} : memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    nm.arrive %full {copies} : memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins NM_MemRef:$barrier, UnitAttr:$copies, UnitAttr:$warp,
                       UnitAttr:$fence);
  let assemblyFormat = "$barrier attr-dict `:` type($barrier)";
  let builders = [OpBuilder<(ins "::mlir::Value":$barrier, "bool":$copies,
                                 CArg<"bool", "false">:$warp), [{
    build($_builder, $_state, barrier, copies, warp, /*fence=*/false);
  }]>];
  let hasVerifier = 1;
}

def NM_RolesOp : NM_Op<"roles", [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "warps of a block that do different work";
  let description = [{
    The last `producers` warps of the block execute the first region, in which
    they fill slots of a ring, the others the second, in which they compute from
    them. Barriers in memory (`nm.init_barriers`) order the two: for each slot one
    that is complete when it is full, and one when it is free. A `gpu.barrier`
    in a region is one of the warps that execute it.

    With `leader`, the first warp of the producers alone executes their region: where
    none of their threads arrives at a barrier, others could fall behind by a
    whole round of the ring, which they would not notice.

    `nm-assign-roles` makes it, `nm-map-to-threads` makes a branch of it, and
    lets the producers give registers to the others where the chip can.

    ```mlir
    nm.roles producers = 4 {
      scf.for %s = %c0 to %n step %c1 {
        nm.wait for %free phase %even : ...
        nm.tile_copy %tile, %slot {async} : ...
        nm.arrive %full {copies} : ...
      }
    } consumers {
      %sum = scf.for %s = %c0 to %n step %c1 iter_args(%acc = %zero) -> ... {
        nm.wait for %full phase %odd : ...
        %next = nm.tile_mma %slot, %v, %d, %acc ...
        nm.arrive %free : ...
        scf.yield %next
      }
      nm.tile_store %sum, %c ...
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$producers,
                       UnitAttr:$leader);
  let regions = (region SizedRegion<1>:$produce, SizedRegion<1>:$consume);
  let assemblyFormat = [{
    `producers` `=` $producers (`leader` $leader^)? $produce
    `consumers` $consume attr-dict
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "int64_t":$producers)>];
  let hasVerifier = 1;
}

def NM_TileReduceOp : NM_Op<"tile_reduce", [AttrSizedOperandSegments,
    AllTypesMatch<["acc", "result"]>]> {
  let summary = "adds the fragments of blocks that compute one tile";
  let description = [{
    The blocks compute the same tile of C over different steps of k. The result is
    the sum of their fragments, in the order of the steps: the same bits in each
    run. Only `nm.tile_store` uses it.

    `across(cluster)`: the blocks of a cluster, all of which execute the op
    together. The sum is spread over the cluster, each block having a part of the
    elements, which it stores.

    `across(grid)`: blocks that have rows `first` to `last` of `workspace`, in the
    order of their steps, of which this one has `row`. Where there are several, each
    writes its fragment to its row and counts itself in `arrivals`, which was zero
    before the first. The block that finds all others there has the sum, and is the
    one that stores. Nobody waits.

    ```mlir
    %sum = nm.tile_reduce %acc across(cluster) : !nm.fragment<64x128xf32>
    %all = nm.tile_reduce %acc across(grid) row(%row of %first to %last)
        in(%workspace, %arrivals : memref<263x8192xf32>, memref<1xi32, strided<[1], offset: ?>>)
        : !nm.fragment<64x128xf32>
    ```
  }];
  let arguments = (ins NM_Sum:$acc, Optional<Index>:$row, Optional<Index>:$first,
                       Optional<Index>:$last, Optional<NM_MemRef>:$workspace,
                       Optional<NM_MemRef>:$arrivals);
  let results = (outs NM_Sum:$result);
  let assemblyFormat = [{
    $acc `across` `(` (`grid` `)` `row` `(` $row^ `of` $first `to` $last `)`
    `in` `(` $workspace `,` $arrivals `:` type($workspace) `,` type($arrivals) `)`)
    : (`` `cluster` `)`)? attr-dict `:` qualified(type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$acc), [{
    build($_builder, $_state, acc.getType(), acc, ::mlir::Value(), ::mlir::Value(),
          ::mlir::Value(), ::mlir::Value(), ::mlir::Value());
  }]>];
  let extraClassDeclaration = [{
    /// Whether any blocks of the grid may share the tile, not those of a cluster.
    bool isAcrossGrid() { return bool(getRow()); }
  }];
  let hasVerifier = 1;
}

def NM_TileStoreOp : NM_Op<"tile_store", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "applies the epilogue to a fragment and stores it";
  let description = [{
    Stores the part of the fragment that lies within `destination`, a tile of C
    laid out as `c_layout` says, after scale, bias, activation and residual, as
    `nm.spmm` has them.

    ```mlir
    nm.tile_store %r, %c bias(%b : memref<128xf32, ...>)
        {epilogue = #nm.epilogue<relu>}
        : !nm.fragment<64x128xf32>, memref<64x128xf32, strided<[4096, 1], offset: ?>>
    ```
  }];
  let arguments = (ins NM_Sum:$value, NM_MemRef:$destination,
      Optional<NM_MemRef>:$scale, Optional<NM_MemRef>:$bias,
      Optional<NM_MemRef>:$residual,
      DefaultValuedAttr<NM_EpilogueAttr, "Epilogue::None">:$epilogue,
      DefaultValuedAttr<NM_CombineAttr, "Combine::Add">:$combine,
      DefaultValuedAttr<NM_LayoutAttr, "Layout::TokenMajor">:$c_layout);
  let assemblyFormat = [{
    $value `,` $destination (`scale` `(` $scale^ `:` type($scale) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    attr-dict `:` qualified(type($value)) `,` type($destination)
  }];
  let hasVerifier = 1;
}

def NM_TensorMapOp : NM_Op<"tensor_map", [Pure,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "describes a tensor for copies of boxes of it";
  let description = [{
    What `cp.async.bulk.tensor` copies: boxes of `source`, of `box` elements along its
    dimensions. In shared memory a box lies row by row without gaps; with a `swizzle`
    of 32, 64 or 128 bytes, the chunks of 16 bytes of as many bytes exchange places,
    as PTX has it. Elements beyond the tensor are read as zeros, and count among the
    bytes of a copy all the same.

    The op stands in host code, and a `gpu.launch` captures its result. That is a view
    of the source, whose memory lives as long as kernels use the map. The address and the
    strides have to be multiples of 16 bytes; what is not known is checked when the map
    is made. The map of an empty tensor is no map: kernels must not copy by it.

    Dimensions are in the order of the memref, outermost first. (Coordinates of the
    instruction begin with the innermost.)

    ```mlir
    %map = nm.tensor_map %a box = [32, 64] swizzle = 128
        : memref<?x4096xf16, strided<[4096, 1], offset: ?>>
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source, DenseI64ArrayAttr:$box,
                       I64Attr:$swizzle);
  let results = (outs NM_TensorMapType:$result);
  let assemblyFormat = [{
    $source `box` `=` $box `swizzle` `=` $swizzle attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

#endif // NM_DIALECT_NM_IR_NMTILEOPS_TD

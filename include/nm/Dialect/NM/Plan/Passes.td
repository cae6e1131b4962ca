//===- Passes.td - Products before they are buffers --------*- tablegen -*-===//
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

#ifndef NM_DIALECT_NM_PLAN_PASSES_TD
#define NM_DIALECT_NM_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"
include "nm/Support/Options.td"

def NMCondenseWeightsPass : Pass<"nm-condense-weights", "mlir::ModuleOp"> {
  let summary = "condense constant weights";
  let description = [{
    Replaces each `nm.condense` of a constant, looked through transposes,
    reshapes, slices and casts, by an `nm.constant`. The data is checked: a
    window that keeps more units than the pattern allows is an error, and so is
    data that was elided. Dense constants are left behind for dead code
    elimination. `nm.condense` of what is no constant stays.

    ```mlir
    %w = nm.condense %cst : tensor<64x128xf32>
        -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
    // becomes
    %w = nm.constant {values = dense_resource<w.values> : tensor<32x128xf32>,
                      indices = dense_resource<w.indices> : tensor<32x128xi8>}
        : !nm.condensed<64x128xf32, #nm.pattern<2:4>>
    ```
  }];
  let dependentDialects = ["nm::NMDialect"];
}

def NMMergeProductsPass : Pass<"nm-merge-products"> {
  let summary = "Merges products that read the same A";
  let description = [{
    Products of one A that differ in their weights alone, such as those of Q, K and V,
    become one: its weight has their columns side by side, as have scale and bias, and
    what they were are slices of its result. It reads A once and is one launch, and the
    schedule is chosen for all of its columns. That is done where it is predicted to take
    less than they take apart, on the module's chip (`nm.target`); a number of rows that
    is not known is taken to be one, for launches are felt where rows are few.

    Merged are products of one block whose op, pattern, types, layouts and activation are
    the same, whose weights, scales and biases are constants, that all have a scale or
    none, and a bias or none, and whose results are read by ops that read a slice where
    it lies: `linalg` ops and what copies anyway, also behind a `tensor.expand_shape` or a
    slice. Left alone are products with a schedule or a residual, and those with a last
    unit that n cuts.

    Expects products on tensors with weights of `nm.constant`, before
    `nm-propagate-layouts` and `nm-select-schedule`. Leaves the same.

    Remarks: `merged`, `not-merged`.

    ```mlir
    %q = nm.spmm %x, %wq outs(%e : tensor<8x4096xbf16>)
        : tensor<8x4096xbf16>, !nm.condensed<4096x4096xbf16, ...> -> tensor<8x4096xbf16>
    %k = nm.spmm %x, %wk outs(%e : tensor<8x1024xbf16>)
        : tensor<8x4096xbf16>, !nm.condensed<4096x1024xbf16, ...> -> tensor<8x1024xbf16>
    // becomes
    %qk = nm.spmm %x, %w outs(%e : tensor<8x5120xbf16>)
        : tensor<8x4096xbf16>, !nm.condensed<4096x5120xbf16, ...> -> tensor<8x5120xbf16>
    %q = tensor.extract_slice %qk[0, 0] [8, 4096] [1, 1]
        : tensor<8x5120xbf16> to tensor<8x4096xbf16>
    %k = tensor.extract_slice %qk[0, 4096] [8, 1024] [1, 1]
        : tensor<8x5120xbf16> to tensor<8x1024xbf16>
    ```
  }];
  let options = [Stages, PackingThreshold];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NMPackWeightsPass : Pass<"nm-pack-weights"> {
  let summary = "Lays weights out as their kernels read them";
  let description = [{
    Offline packing of a weight for the schedules of its products (NM-SpMM III-C). An
    `nm.constant` is packed here; for an argument of a public function an `nm.pack`
    says how its caller packs it. Values are padded with zeros to whole blocks and steps, and
    those that a block reads in a step lie in one range of memory.
    Indices become rows of the step's tile (the window is added) in the order of
    (block of columns, step); with `packed` schedules the column information of
    each block and step is made, and the indices are renumbered to it.

    Units of one row keep their order for kinds that multiply row by row. For those
    of several rows at once, whose lanes each read a row of their own, the units of a
    step and unit column, and their values, are ordered so that each eight indices
    that follow each other differ modulo 8 where they can: such rows of a tile lie on
    different banks. Products of a constant that share its values have to be of such kinds, and
    the order is one within as many rows of k as divide all their steps.

    Expects products on tensors with schedules. A weight that is made in the function, or
    is packed already, stays as it is, as does an argument of a `packed` schedule, whose
    lists of columns need the data. A weight whose products disagree on the
    columns of a block, the step or `packed` is packed once for each of them; their
    values are stored once where padding does not make their extents differ, in panels
    of as many columns as divide all blocks, where those are whole chunks of 16 bytes: a
    wider block reads several panels. Which products are added does not change.

    Remarks: `not-packed`, `packed`.

    ```mlir
    %w = nm.constant {...} : !nm.condensed<64x128xf32, #nm.pattern<2:4>>
    // becomes, for a schedule with block = [64, 128, 64]
    %w = nm.constant {...} : !nm.condensed<64x128xf32, #nm.pattern<2:4>, #nm.packing<block_n = 128, step_k = 64>>
    ```
  }];
}

def NMPropagateLayoutsPass : Pass<"nm-propagate-layouts"> {
  let summary = "Lets products read and write transposed tensors where that is faster";
  let description = [{
    A product reads rows of k of A. Of a feature-major A, [k, m], they lie in
    memory; of a token-major one, which frameworks write, each block transposes its
    tiles. Here the products that read a token-major A read it feature-major, if
    they gain more by that than the transpositions cost that it takes. Both are
    predicted: a product by its fastest schedules for either layout, a
    transposition by the bytes that it reads and writes, on the module's chip
    (`nm.target`). All products of one A are decided about together, for one
    transposition serves them. A model keeps the types of its arguments and results.

    A is not transposed where it can be computed so: a product stores C
    feature-major, and reads its residual so; the loops of an element-wise
    `linalg.generic` change places, and so do the groups of dimensions of a
    reshape; two transpositions become none, or one that `nm-tile-transposes` takes.
    That is done to values of which all readers want them transposed, up to what
    has to be transposed, and where it takes less than to transpose the last of
    them.
    What is left is a `linalg.transpose` for each value, in front of all that
    read it, which writes to rows that begin at multiples of 128 bytes where only
    products read them. One that the module had, of a product's result for
    example, goes the same way.

    Left alone are products with a schedule, those that would copy a feature-major A
    of which the rows of k would not begin at multiples of 16 bytes, or might not, as
    the number of rows is not known, and all tensors whose shapes are not static.
    `nm.spmv` has one row, which lies either way.

    Expects products on tensors, before `nm-select-schedule`. Leaves the same, with
    other layouts.

    Remarks: `layout-propagated`, `not-propagated`, `transpose-folded`.

    ```mlir
    %h = nm.spmm %x, %w1 outs(%e1 : tensor<512x11008xbf16>)
        : tensor<512x4096xbf16>, !nm.condensed<4096x11008xbf16, ...> -> tensor<512x11008xbf16>
    %y = nm.spmm %h, %w2 outs(%e2 : tensor<512x4096xbf16>)
        : tensor<512x11008xbf16>, !nm.condensed<11008x4096xbf16, ...> -> tensor<512x4096xbf16>
    // becomes
    %t = linalg.transpose ins(%x : tensor<512x4096xbf16>) outs(%e0 : tensor<4096x512xbf16>) permutation = [1, 0]
    %h = nm.spmm %t, %w1 outs(%e1 : tensor<11008x512xbf16>)
        {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>}
        : tensor<4096x512xbf16>, !nm.condensed<4096x11008xbf16, ...> -> tensor<11008x512xbf16>
    %y = nm.spmm %h, %w2 outs(%e2 : tensor<512x4096xbf16>)
        {a_layout = #nm.layout<feature_major>}
        : tensor<11008x512xbf16>, !nm.condensed<11008x4096xbf16, ...> -> tensor<512x4096xbf16>
    ```
  }];
  let options = [Stages, PackingThreshold];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NMSelectSchedulePass : Pass<"nm-select-schedule"> {
  let summary = "Chooses how each product is computed";
  let description = [{
    Attaches `#nm.schedule` to every product without one. Strategies enumerate
    candidates: tiles of tensor cores and of CUDA cores for what the product's
    types, pattern and rows allow, with the step and the buffers that fit shared
    memory: at most `stages`, and one more where a block is alone on its SM, so
    that no other works while it waits. The fastest by the model of the module's
    chip (`nm.target`) is taken. A is packed from `packing-threshold` sparsity on
    (NM-SpMM III-C), where that leaves out a quarter of its rows. Where a product
    has few blocks, several may share the steps of a tile (`split_k`): in a cluster,
    or through a workspace on chips that have none, where the number of rows that
    the workspace grows with is known.

    Where the tuning database has measured times of candidates, the fastest of
    those is taken instead: of the file `tuning-database`, and of nm's own data
    (docs/Tuning.md). A schedule in it that is none any more, or no candidate, is
    left out with a remark; a file that is no such database is an error. With
    `tuning=0` prediction alone decides.

    A product on tensors whose number of rows is not known becomes branches of the
    host: for one row, whose kernel knows all extents, for at most 2, 4, 6, 8, 12, 16,
    20, 24, 32, 40, 48, 64, 128, 256, 512, 1024 and 2048 rows, each where the schedule
    of more rows would take longer by prediction (over 3 % for 2 to 24 rows, over up to
    a tenth for more), and one for any number, planned for 4096. With `variants=0` there
    is the last one alone, planned for 1024. Who wants other bounds writes such branches
    with schedules by hand.

    From 20 rows on, a token-major A may be transposed first in such a branch, where
    that is predicted to take less time with the kernel for it: into a buffer whose rows
    begin at multiples of 128 bytes, whatever the number of rows, which the copy engine
    reads.

    The kernels of such branches read one weight, whose rows have one order for all of
    them: they have steps of the same number of rows, where all together take less so
    by prediction than with steps of their own, at 2.5 % more each.

    Of a function that says that its calls are between kernels of others
    (`nm.behind_others`), one row has kernels of more, smaller blocks, as none begins
    before the kernel before has ended.

    A schedule written by hand is kept, and checked against the chip.

    Expects products on tensors or memrefs.

    Remarks: `measurement-ignored`, `selected`.

    ```mlir
    %y = nm.spmm %x, %w outs(%c : ...) : ...
    // becomes
    %y = nm.spmm %x, %w outs(%c : ...) {schedule = #nm.schedule<block = [64, 128, 64], ...>} : ...
    // or, of tensor<?x4096xf32>,
    %few = arith.cmpi ule, %rows, %c8 : index
    %y = scf.if %few -> (tensor<?x4096xf32>) {
      %0 = nm.spmm %x, %w outs(%c : ...) {schedule = #nm.schedule<block = [8, 128, 64], ...>} : ...
      scf.yield %0 : tensor<?x4096xf32>
    } else {
      %1 = nm.spmm %x, %w outs(%c : ...) {schedule = #nm.schedule<block = [64, 128, 64], ...>} : ...
      scf.yield %1 : tensor<?x4096xf32>
    }
    ```
  }];
  let options = OptionsOf<"nm-select-schedule">.rows;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NMSetTargetPass : Pass<"nm-set-target", "mlir::ModuleOp"> {
  let summary = "Says in the module for which chip it is compiled";
  let description = [{
    Sets the module's attribute `nm.target`, which the passes that plan, allocate
    and lower read. Without `chip`, what the module says stays, and a module that
    says nothing gets the default chip. A chip that the target table lacks is an
    error.

    Expects any module.

    ```mlir
    module { ... }
    // becomes, with chip=sm_90
    module attributes {nm.target = #nm.target<"sm_90">} { ... }
    ```
  }];
  let options = OptionsOf<"nm-set-target">.rows;
  let dependentDialects = ["::nm::NMDialect"];
}

def NMSplitArgumentsPass : Pass<"nm-split-arguments", "::mlir::ModuleOp"> {
  let summary = "Turns weights that are arguments into the arrays they are made of";
  let description = [{
    An argument `!nm.condensed` of a public function becomes arguments for its
    arrays, in its place: values and indices for each layout that `nm.pack` asks
    for (`nm-pack-weights`), or of the condensed form where it is used as it is.
    Layouts whose values lie alike share them. Each array says in `nm.part` of which
    weight and layout it is, so that callers can make it of the condensed form
    (`nmProgramPackWeight`), and each user gets an `nm.assemble` of its arrays.

    Expects weights as arguments of public functions only, not as results; leaves
    none, and no `nm.pack`. Run it before bufferization.

    ```mlir
    func.func @main(%w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>, ...)
    // becomes
    func.func @main(%v: tensor<32x128xf32> {nm.part = [#nm.part<weight = 0, layout = 0, kind = values, type = ...>]},
                    %d: tensor<32x128xi8> {nm.part = [...], nm.unsigned}, ...)
    ```
  }];
}

def NMSplitConstantsPass : Pass<"nm-split-constants"> {
  let summary = "Turns condensed constants into the tensors they hold";
  let description = [{
    An `nm.constant` becomes `arith.constant`s for its parts and an
    `nm.assemble`, placed right before each product that uses it.

    Expects weights whose data is there, and refuses others, of `nm.condense` and
    `nm.expand` too; leaves none of these and no `nm.constant`. Run it before bufferization.

    ```mlir
    %w = nm.constant {values = dense<...>, indices = dense<...>} : !nm.condensed<...>
    // becomes
    %v = arith.constant dense<...> : tensor<32x128xf32>
    %d = arith.constant dense<...> : tensor<32x128xi8>
    %w = nm.assemble %v, %d : tensor<32x128xf32>, tensor<32x128xi8> -> !nm.condensed<...>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // NM_DIALECT_NM_PLAN_PASSES_TD

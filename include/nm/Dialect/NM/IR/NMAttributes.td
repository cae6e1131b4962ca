//===- NMAttributes.td - Attributes of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMATTRIBUTES_TD
#define NM_DIALECT_NM_IR_NMATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "nm/Dialect/NM/IR/NMDialect.td"
include "nm/Dialect/NM/IR/NMEnums.td"
include "nm/Dialect/NM/IR/NMKinds.td"
include "nm/Support/Options.td"

def NM_LayoutAttr : EnumAttr<NM_Dialect, NM_Layout, "layout"> {
  let assemblyFormat = "`<` $value `>`";
}
def NM_EpilogueAttr : EnumAttr<NM_Dialect, NM_Epilogue, "epilogue"> {
  let assemblyFormat = "`<` $value `>`";
}
def NM_CombineAttr : EnumAttr<NM_Dialect, NM_Combine, "combine"> {
  let assemblyFormat = "`<` $value `>`";
}
def NM_IndexCodingAttr : EnumAttr<NM_Dialect, NM_IndexCoding, "coding"> {
  let assemblyFormat = "`<` $value `>`";
}

def NM_TargetAttr : NM_Attr<"Target", "target"> {
  let summary = "the chip that a module is compiled for";
  let description = [{
    `#nm.target<"sm_90">`: a row of the target table, in the attribute `nm.target`
    of a module. `nm-set-target` sets it once, and every pass that asks for
    numbers of the chip reads it; a module without it is compiled for the default
    chip. Only the attribute knows of a chip that is no row.
  }];
  let parameters = (ins StringRefParameter<"as LLVM and ptxas call it">:$chip);
  let assemblyFormat = "`<` $chip `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The row of the target table.
    const TargetInfo &getInfo() const;
  }];
}

def NM_PatternAttr : NM_Attr<"Pattern", "pattern"> {
  let summary = "N kept of M units along k, and the unit's extent";
  let description = [{
    `#nm.pattern<N:M, unit = BkxBn>`: of each M consecutive units along k, N are
    kept; a unit is a block of Bk (along k) by Bn (along n) elements. `M` may be
    `all`: the window is the whole of k (uniform sparsity, ELL). The unit is
    1x1 when it is not written.

    | name in the papers | pattern |
    |---|---|
    | EW-N:M (nmSPARSE), 2:4 | `#nm.pattern<2:4>` |
    | VW-L (nmSPARSE VW32, NM-SpMM) | `#nm.pattern<8:32, unit = 1x32>` |
    | BW (nmSPARSE BW4x4) | `#nm.pattern<2:4, unit = 4x4>` |
    | uniform (USpMM) | `#nm.pattern<16:all>` |
  }];
  let parameters = (ins "int64_t":$keep,
                        "int64_t":$window, // 0: all of k
                        "int64_t":$unitK, "int64_t":$unitN);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether the window is the whole of k.
    bool isWindowAll() const { return getWindow() == 0; }
    /// Units of a window of a weight with `k` rows: M, or ceil(k / Bk).
    int64_t getWindowUnits(int64_t k) const;
    /// Rows of k in a window: M * Bk.
    int64_t getWindowRows(int64_t k) const;
    /// Windows along `k` rows, the partial last one included.
    int64_t getNumWindows(int64_t k) const;
    /// Rows of the condensed values of `k` rows: windows * N * Bk.
    int64_t getCondensedRows(int64_t k) const;
    /// Columns of units of `n` columns: ceil(n / Bn).
    int64_t getUnitColumns(int64_t n) const;
    /// Kept units of which a word of a mask has the bits: those of whole windows.
    int64_t getMaskUnits() const;
    /// Whether a mask can say which units are kept, in less bits than bytes of
    /// their positions have.
    bool isMaskSmall() const;
    /// Bits of a position in a window: ceil(log2 M). Not for a window of all k.
    int64_t getPositionBits() const;
    /// Kept units whose positions, in bits, are the fewest whole words.
    int64_t getBitsUnits() const;
    /// Whether positions are best written in bits beside values of `valueBits`,
    /// where a lane reads those of one column: as in no more bytes than as masks
    /// or bytes. Of values of 8 bits a lane reads so many that decoding masks
    /// takes longer than reading bits, which are more.
    bool areBitsBest(int64_t valueBits) const;
  }];
}

def NM_PackingAttr : NM_Attr<"Packing", "packing"> {
  let summary = "the offline layout of a condensed weight";
  let description = [{
    The layout that `nm-pack-weights` gives a constant weight for kernels with
    blocks of `block_n` columns and steps of `step_k` rows of k (a multiple of
    the window, or all of k). With S steps, ws condensed rows a step, Q blocks
    and U unit columns a block:

    - values `[Q panels, S ws, block_n / panels]`, padded with zeros: what a block
      reads in a step is one range of memory, or one of each of its `panels`. Kernels
      with blocks of other columns share the values as panels that divide them all;
    - indices `[Q S, U, ws / Bk]`, one for each kept unit, written as `coding` says;
    - with `lane_rows = g > 1`, g condensed rows of a column follow each other, so
      that a lane which has the column reads them at once: values `[Q panels, S ws / g,
      g block_n / panels]`, indices `[Q S, ws / g, g U]`. Units have one row then;
    - with `fragments` (and `lane_rows = 16`), those of 16 columns are an operand of
      `mma.m16n8k16`: each of 32 lanes in turn has eight elements, of four rows and of
      columns c and c + 8. The indices are as without `lane_rows`;
    - with `value_rows`, the values are filled up with zeros to so many rows instead of
      S ws, so that kernels of other steps share them;
    - with `value_columns`, they are filled up with panels of zeros to so many columns
      instead of Q block_n, so that kernels with blocks of other columns share them;
    - with `columns > 0`, the column information of NM-SpMM (III-C) `[Q S,
      columns]`: the rows of the step that this block reads, ascending, -1 where
      there is none; indices then name places in this list.

    | coding | index of a kept unit |
    |---|---|
    | `rows` | i32: its first row *in the step's tile of A*, so the window is already added; the units of a step and unit column may stand in any order, that of their values |
    | `positions` | i8, i16 or i32, the smallest that holds all, unsigned: its position in the window; the units ascend. With `position_rows`, its position in so many rows of k, whole windows that divide a step, in which the units may stand in any order |
    | `bits` | ceil(log2 M) bits, its position in the window: those of a step and unit column follow each other from the lowest bit of i32 words on, indices `[Q S, words, U]`, whole words; the units ascend |
    | `mask` | a bit, the highest for the first unit, in an i32 for each 32 / M windows and unit column, or an i64 for each window where M > 32: indices `[Q S, words, U]`; the units ascend |
  }];
  let parameters = (ins "int64_t":$block_n, "int64_t":$step_k,
                        DefaultValuedParameter<"int64_t", "0">:$columns,
                        DefaultValuedParameter<"int64_t", "1">:$panels,
                        DefaultValuedParameter<"int64_t", "1">:$lane_rows,
                        DefaultValuedParameter<"::nm::IndexCoding", "::nm::IndexCoding::Rows">:$coding,
                        DefaultValuedParameter<"bool", "false">:$fragments,
                        DefaultValuedParameter<"int64_t", "0">:$position_rows,
                        DefaultValuedParameter<"int64_t", "0">:$value_rows,
                        DefaultValuedParameter<"int64_t", "0">:$value_columns);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The pattern whose windows are those in which a position counts, and of
    /// which the units stand in any order: `pattern`, or its windows joined.
    ::nm::PatternAttr joinWindows(::nm::PatternAttr pattern) const;
  }];
}

def NM_PartAttr : NM_Attr<"Part", "part"> {
  let summary = "which array of which weight an argument is";
  let description = [{
    An argument of a public function that is one array of a weight has a list of
    these, `nm.part`: one for each layout of the weight that has the array. Weights
    of a function are numbered in the order of its arguments, and so are the
    layouts of each. `type` says how the array lies, with `order` and
    `ordered_rows` as `nm.pack` has them; without a packing it is the condensed
    form. Nobody writes to the array while calls that read it run.

    ```mlir
    func.func @main(%v: tensor<32x128xf16> {nm.part = [
        #nm.part<weight = 0, layout = 0, kind = values,
                 type = !nm.condensed<64x128xf16, #nm.pattern<2:4>>>]}, ...)
    ```
  }];
  let parameters = (ins "int64_t":$weight, "int64_t":$layout,
                        "::nm::PartKind":$kind, "::nm::CondensedType":$type,
                        StringRefParameter<"order of the rows", "\"ascending\"">:$order,
                        DefaultValuedParameter<"int64_t", "0">:$ordered_rows);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def NM_RowScheduleAttr : NM_Attr<"RowSchedule", "row_schedule"> {
  let summary = "how a kernel of rows is computed";
  let description = [{
    Of `nm.rows`: `threads` share a row, a power of two, and a block has `rows` rows. A
    thread reads `vector` elements that follow each other at once, at `chunks` places,
    `threads * vector` elements from each other. Where rows are longer than that, the
    threads do so again and again (`loops`), and once for each reduction that needs
    another: the row is read again then, but for what the first `kept` turns read of
    it, which stays in shared memory. A row may be that of several blocks (`parts`),
    which are a cluster where they reduce it. Where only a call says how many elements
    a row has, and none is reduced, `parts` is 0: rows have as many parts as they need.
  }];
  let parameters = (ins "int64_t":$threads, "int64_t":$rows, "int64_t":$vector,
                        "int64_t":$chunks, DefaultValuedParameter<"bool", "false">:$loops,
                        DefaultValuedParameter<"int64_t", "1">:$parts,
                        DefaultValuedParameter<"int64_t", "0">:$kept);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def NM_ScheduleAttr : NM_Attr<"Schedule", "schedule"> {
  let summary = "how one product is computed on the GPU";
  let description = [{
    Chosen by `nm-select-schedule` or written by hand, obeyed by the passes that
    follow. Extents are in elements of C and rows of k.

    - `kind`: the instruction that does the multiply-adds, and how a block's tile
      is spread over its threads for it, such as
      `#nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>`;
    - `block = [bm, bn, bk]`: a thread block computes bm x bn of C, the extents
      that the kind makes, bk rows of k a step (a multiple of the pattern's
      window, or 0 for all of k at once);
    - `promote_a`, `promote_weight`: whether tiles of A, and of values and
      indices, go through shared memory;
    - `packed`: whether A is gathered through the column information;
    - `stages`: buffers of the ring (1: no double-buffering);
    - `prefetch`: whether a step loads the first operands of the next one into
      registers, where the loop over steps copies ahead;
    - `split_k`: blocks, from 1 to 8, that share the steps of one tile of C, each
      a range of them; their sums are added in a cluster, or by a second kernel
      where the chip has no clusters;
    - `stream_k`: 0, or blocks among which the steps of all tiles are dealt out, to
      each as many (stream-k): a block begins and ends within tiles, and what it has
      of a tile that others share goes through a workspace, from which the last
      one that arrives adds all parts, in order;
    - `persistent`: 0, or the blocks that compute all tiles, each one after
      another: the first copies of a tile can be under way while the one before
      it is stored (`nm-overlap-tiles`);
    - `engine`: what copies tiles ahead: the threads, 16 bytes each at a time
      (`cp_async`), or the chip's copy engine, where it has one: a row at a time
      (`bulk`, `nm-bulk-copies`), where tiles are whole rows of a multiple of 16
      bytes, or a tile in a few boxes of a tensor (`tma`, `nm-tensor-copies`), which
      producers begin;
    - `producers`: 0, or warps beside those of the kind that do nothing but copy
      (`nm-assign-roles`), on chips whose barriers count arrivals of copies.
  }];
  let parameters = (ins
      "InstructionKind":$kind, "::mlir::DenseI64ArrayAttr":$block,
      DefaultValuedParameter<"bool", "true">:$promote_a,
      DefaultValuedParameter<"bool", "true">:$promote_weight,
      DefaultValuedParameter<"bool", "false">:$packed,
      DefaultValuedParameter<"int64_t", "1">:$stages,
      DefaultValuedParameter<"bool", "false">:$prefetch,
      DefaultValuedParameter<"int64_t", "1">:$split_k,
      DefaultValuedParameter<"::nm::CopyEngine", "::nm::CopyEngine::CpAsync">:$engine,
      DefaultValuedParameter<"int64_t", "0">:$stream_k,
      DefaultValuedParameter<"int64_t", "0">:$persistent,
      DefaultValuedParameter<"int64_t", "0">:$producers);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The most buffers of a ring: as many as the option asks for.
    static constexpr int64_t maxStages = }] # !cast<string>(Stages.most) # [{;
    /// The most blocks of a cluster on every chip that has clusters.
    static constexpr int64_t maxSplitK = 8;
    /// The most blocks that may share the steps of all tiles, or all tiles.
    static constexpr int64_t maxStreamK = 65535;
    static constexpr int64_t maxPersistent = 65535;
    /// The most warps that may copy: a group of four, which give registers
    /// together.
    static constexpr int64_t maxProducers = 4;

    int64_t getBlockM() const { return getBlock()[0]; }
    int64_t getBlockN() const { return getBlock()[1]; }
    /// Rows of k a step; 0 means all of k in one step.
    int64_t getStepK() const { return getBlock()[2]; }
    /// Rows of k a step for a weight with `k` rows: whole windows.
    int64_t getStepRows(int64_t k, PatternAttr pattern) const;
    /// Steps of one tile for a weight with `k` rows.
    int64_t getSteps(int64_t k, PatternAttr pattern) const;
    /// Threads that compute; those of producers are others.
    int64_t getNumThreads() const { return getKind().getNumThreads(); }
    /// Whether a block computes more than one tile, in a loop.
    bool hasTileLoop() const { return getStreamK() != 0 || getPersistent() != 0; }
    /// Checks the schedule against a product of elements of type `a` and a
    /// weight; reports through `emitError`.
    ::llvm::LogicalResult verifyFor(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        CondensedType weight, ::mlir::Type a) const;
  }];
}

#endif // NM_DIALECT_NM_IR_NMATTRIBUTES_TD
